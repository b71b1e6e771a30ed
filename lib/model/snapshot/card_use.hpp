#pragma once

#include <cstdint>
#include <optional>

#include "base/resource_list.hpp"
#include "model/gpu/card_share.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu {

/// Adds what the annotations of `pod` say that it got of each card to `uses`. A pod that asks for
/// nothing of the kind has a copy of another pod's annotations: `requests` are its effective ones.
/// The groups of those that share GPUs under KAI stand in it, too: see unreserved_gpus().
void add_card_shares(CardUses& uses, const Pod& pod, const ResourceList& requests);

/// Whether `resource` counts parts of cards that a scheduler of this strategy hands out.
bool is_shared_by(SharingStrategy strategy, std::string_view resource);

/// GPUs that pods share under KAI or Run:ai, and that no reservation pod in sight holds for them.
std::int64_t unreserved_gpus(const CardUses& uses);

/// What is held of a pool of `capacity` GPUs of which `requested` are by requests: never more than
/// there are, for the pods' labels may be old.
std::int64_t with_unreserved(std::int64_t requested, std::int64_t unreserved,
                             std::int64_t capacity);

/// The cards behind a pool that a sharing scheduler hands out.
struct SharedCards {
  std::optional<std::int64_t> cards;
  std::optional<std::int64_t> units_per_card;  ///< nothing where cards differ
  /// Units that somebody could still get: slots of cards that have memory and compute left. Where
  /// the cards are not known, nothing, and the count of the pool is all that there is.
  std::optional<std::int64_t> free_units;
  std::optional<std::int64_t> free_cards;  ///< nobody holds a part of them
};

/// What `node` registered, less `uses`. `held` are the units that requests hold: those that no
/// annotation places may be on any card.
SharedCards shared_cards_of(const Node& node, SharingStrategy strategy, const CardUses& uses,
                            std::int64_t held);

}  // namespace gpu
