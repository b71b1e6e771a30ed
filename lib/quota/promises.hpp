#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quota/cards.hpp"
#include "quota/row.hpp"

namespace gpu::quota {

/// What all limits of one kind allow together of a resource, beside what exists.
struct Promise {
  Limiter limiter{};
  std::string resource;
  std::string flavor;  ///< of Kueue; empty: of all flavors together
  Quantity promised;
  /// Nothing: nodes were not read, or of some it is not known.
  std::optional<std::int64_t> existing;
  std::map<std::string, std::int64_t> models;  ///< of `existing`
  std::string unit;                            ///< "gpu", "mig"; empty where none exists
};

/// Whether more is promised than exists.
bool is_too_much(const Promise& promise);

/// Of ResourceQuotas the least that a namespace may have, scopes added up; of Kueue the
/// nominalQuotas, by flavor and of all flavors; of Volcano and KAI what queues at the top deserve,
/// or where none deserves anything what they may have.
std::vector<Promise> promises_of(const std::vector<QuotaRow>& rows, const SchedulingFacts& facts,
                                 const Cards& cards);

}  // namespace gpu::quota
