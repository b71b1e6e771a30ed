#pragma once

#include <vector>

#include "base/flat_map.hpp"
#include "model/gpu/card_share.hpp"

namespace gpu::decode {

/// The cards that HAMi or Volcano registered in annotations of a node. An annotation that cannot be
/// read as a whole registers none: a part of the cards would be a wrong number of them.
std::vector<SharedCard> shared_cards_from(const StringMap& annotations);

/// What HAMi, Volcano or gpushare wrote into annotations of a pod that it got; of an annotation
/// that cannot be read as a whole, nothing.
std::vector<CardShare> card_shares_from(const StringMap& annotations);

}  // namespace gpu::decode
