#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "model/gpu/gpu_labels.hpp"

namespace gpu {

/// A card as a sharing device plugin registered it in an annotation of its node: HAMi, Volcano.
struct SharedCard {
  SharingStrategy by = SharingStrategy::hami;
  std::string uuid;
  std::string type;             ///< "NVIDIA-A100-SXM4-80GB"
  std::int64_t slots = 0;       ///< pods that may share it
  std::int64_t memory_mib = 0;  ///< all that may be handed out
  std::int64_t cores = 0;       ///< percent of compute; 100 is the whole card
  bool is_healthy = false;
  friend bool operator==(const SharedCard&, const SharedCard&) = default;
};

/// What a sharing scheduler wrote down in an annotation of a pod: one part of one card.
struct CardShare {
  SharingStrategy by = SharingStrategy::hami;
  std::string card;        ///< UUID; for gpushare the card's index
  std::int64_t units = 1;  ///< slots; for gpushare GiB
  std::int64_t memory_mib = 0;
  std::int64_t cores = 0;
  friend bool operator==(const CardShare&, const CardShare&) = default;
};

/// What the pods of a node hold of one card.
struct CardUse {
  std::int64_t units = 0;
  std::int64_t memory_mib = 0;
  std::int64_t cores = 0;
  friend bool operator==(const CardUse&, const CardUse&) = default;
};

/// By who shares the card, and its name in CardShare.
using CardUses = std::map<std::pair<SharingStrategy, std::string>, CardUse>;

}  // namespace gpu
