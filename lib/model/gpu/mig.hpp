#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpu {

struct GpuModel;

/// Parts of a card: seven compute slices share eight parts of its memory, four share four.
struct MigParts {
  std::int64_t compute = 0;
  std::int64_t memory = 0;
};

/// What a whole card has; nothing for one that cannot be cut, or whose memory is not known.
std::optional<MigParts> card_parts(const GpuModel& model);

/// What a slice of `profile` takes of it; nothing for a profile that cannot be had of the card.
std::optional<MigParts> slice_parts(const GpuModel& model, std::string_view profile);

/// How many slices of `profile` one card of the model holds at most; nothing as above.
std::optional<std::int64_t> slices_per_card(const GpuModel& model, std::string_view profile);

/// How many MIG instances of `profile` ("1g.10gb", "1g.10gb.me") one card holds at most, by the
/// name of the card as labelled and the card's memory, where that is known. Nothing when the table
/// of models lacks the card, or when the cards of that name differ in it ("A100" and 1g.10gb).
std::optional<std::int64_t> slices_per_card(std::string_view product,
                                            std::optional<std::int64_t> memory_mib,
                                            std::string_view profile);

}  // namespace gpu
