#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/flat_map.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu {

/// How the units of a resource share cards.
enum class SharingStrategy {
  none,
  time_slicing,
  mps,
  hami,
  volcano,   ///< volcano.sh/vgpu-number
  gpushare,  ///< aliyun.com/gpu-mem: a unit is a GiB of a card's framebuffer
  shared,    ///< Intel's -shared-dev-num: several pods may open a card
  capacity,  ///< DRA: claims take parts of a device's capacity
};

/// "none", "time-slicing", "mps", "hami", "volcano", "gpushare", "shared", "capacity".
std::string_view name_of(SharingStrategy strategy);

/// How many units a card was cut into, and how.
struct Sharing {
  SharingStrategy strategy = SharingStrategy::none;
  std::optional<std::int64_t> replicas = 1;  ///< units for each card (or slice); may be unknown
  friend bool operator==(const Sharing&, const Sharing&) = default;
};

/// What a node's labels say of its GPUs: NVIDIA's GPU feature discovery, the AMD and Intel
/// labellers, GKE, EKS, Karpenter, AKS, ACK. Labels can be stale; capacity is the authority on
/// numbers.
struct GpuLabels {
  Vendor vendor = Vendor::nvidia;
  std::string product_label;  ///< "nvidia.com/gpu.product": the label that `product` is of
  std::string product;        ///< as labelled: "NVIDIA-H100-80GB-HBM3"; empty: the label is missing
  std::string model;          ///< short: "H100-80G"; the product, cleaned, when the table lacks it
  std::string single_mig_profile;  ///< "1g.5gb" where the MIG strategy is single
  std::string partition;           ///< "cpx_nps4": what AMD's amd.com/gpu counts; empty for cards
  /// Units of the GPU resource before sharing, by GPU feature discovery: cards; slices in MIG
  /// single strategy.
  std::optional<std::int64_t> count;
  /// Physical cards: by the cloud's labels, Intel's, ACK's, else by the instance type.
  std::optional<std::int64_t> cards;
  std::string told_by;  ///< what tells the larger of both, for people: "nvidia.com/gpu.count=8"
  std::optional<std::int64_t> memory_mib;  ///< of one card, or of one slice in MIG single strategy
  Sharing sharing;
  bool denies_sharing = false;  ///< the strategy label says "none", whatever the replicas are
  std::string driver;           ///< "570.86.15"
};

/// Cards or single-strategy slices before sharing, by whichever label says it.
std::optional<std::int64_t> labelled_cards(const GpuLabels& labels);

/// Nothing when no label speaks of a GPU, and the instance type is not known to have any.
std::optional<GpuLabels> gpu_labels(const StringMap& labels);

/// "H100-80G" for "NVIDIA-H100-80GB-HBM3", "nvidia-h100-80gb", "H100" (by memory); the cleaned
/// product for a card that the table of models does not have.
std::string short_model(std::string_view product, std::optional<std::int64_t> memory_mib);

/// "H100" of "H100-80G": the family, for names such as "H100-1g.10gb".
std::string family_of(std::string_view short_model);

}  // namespace gpu
