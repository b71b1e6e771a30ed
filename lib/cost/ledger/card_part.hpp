#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu::cost {

/// A part of a physical GPU: `parts` of `of`.
struct CardPart {
  std::int64_t parts = 1;
  std::int64_t of = 1;
  friend bool operator==(const CardPart&, const CardPart&) = default;
};

/// The card of a product label, without what sharing and MIG add to it: "NVIDIA-A100-SXM4-40GB" of
/// "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb-SHARED". Refers to `product`.
std::string_view card_product(std::string_view product);

/// What a MIG slice counts as: its share of the compute slices, or of the memory if that is larger.
enum class MigBy : std::uint8_t { compute, larger };

/// The share of a GPU that one unit of `pool` has: 1 of 1, a time-sliced quarter 1 of 4, a 3g.20gb
/// slice 3 of 7. For replicas this is the share of the price; nothing enforces such a share of the
/// work. Nothing if it is not known.
std::optional<CardPart> unit_part(const Pool& pool, MigBy by);

/// What `pod` has of the GPUs that a sharing scheduler (HAMi, Volcano) allocates on `node`: of each
/// the larger of compute and framebuffer, in thousandths. Nothing if its annotations do not say.
std::optional<CardPart> annotated_part(const Node& node, const Pool& pool, const Pod& pod);

}  // namespace gpu::cost
