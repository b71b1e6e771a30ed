#pragma once

#include <string_view>

#include "base/flat_map.hpp"
#include "base/quantity.hpp"

namespace gpu {

/// Resource name to amount, as in `resources.requests` and `status.allocatable`.
using ResourceList = FlatMap<Quantity>;

/// The amount of `name`, zero where it is not listed.
inline Quantity amount_of(const ResourceList& list, std::string_view name) {
  const Quantity* amount = list.find(name);
  return amount == nullptr ? Quantity{} : *amount;
}

/// Adds every amount of `other` to `list`.
inline void add_to(ResourceList& list, const ResourceList& other) {
  for (const auto& [name, amount] : other) list[name] += amount;
}

/// Raises every amount of `list` to at least that of `other`.
inline void raise_to(ResourceList& list, const ResourceList& other) {
  for (const auto& [name, amount] : other)
    if (Quantity& mine = list[name]; mine < amount) mine = amount;
}

}  // namespace gpu
