#include "usage/devices/use_sum.hpp"

#include <algorithm>

#include "base/quantity.hpp"
#include "usage/devices/holding_time.hpp"

namespace gpu::usage {
namespace {

void add_weighted(std::optional<double>& sum, const std::optional<double>& part, double weight) {
  sum = sum && part ? std::optional(*sum + *part * weight) : std::nullopt;
}

void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part) {
  sum = sum && part ? std::optional(capped_sum(*sum, *part)) : std::nullopt;
}

template <typename Value>
void keep_if_same(std::optional<Value>& all, const std::optional<Value>& part) {
  if (all != part) all.reset();
}

void divide(std::optional<double>& sum, double weight) {
  if (sum) *sum /= weight;
}

/// Sums to begin with.
Use nothing_yet(const Use& first) {
  return {.utilization = 0,
          .sm_active = 0,
          .tensor_active = 0,
          .dram_active = 0,
          .memory_used_bytes = 0,
          .memory_total_bytes = 0,
          .power_watts = 0,
          .average_utilization = 0,
          .highest_utilization = 0,
          .idle_for = first.idle_for,
          .sample_age = std::nullopt,
          .kind = first.kind,
          .source = first.source};
}

}  // namespace

void UseSum::add(const Use& part, std::int64_t units) {
  if (units <= 0) return;
  const auto weight = static_cast<double>(units);
  if (weight_ == 0) total_ = nothing_yet(part);
  weight_ += weight;
  add_weighted(total_.utilization, part.utilization, weight);
  add_weighted(total_.sm_active, part.sm_active, weight);
  add_weighted(total_.tensor_active, part.tensor_active, weight);
  add_weighted(total_.dram_active, part.dram_active, weight);
  add_weighted(total_.average_utilization, part.average_utilization, weight);
  add_weighted(total_.power_watts, part.power_watts, 1);
  usage::add(total_.memory_used_bytes, part.memory_used_bytes);
  usage::add(total_.memory_total_bytes, part.memory_total_bytes);
  if (total_.highest_utilization && part.highest_utilization)
    total_.highest_utilization = std::max(*total_.highest_utilization, *part.highest_utilization);
  else
    total_.highest_utilization.reset();
  if (total_.idle_for && part.idle_for)
    total_.idle_for = std::min(*total_.idle_for, *part.idle_for);
  else
    total_.idle_for.reset();
  total_.sample_age = std::max(total_.sample_age, part.sample_age);
  keep_if_same(total_.kind, part.kind);
  keep_if_same(total_.source, part.source);
  total_.is_of_before = total_.is_of_before || part.is_of_before;
  total_.devices = capped_sum(total_.devices, part.devices);
  total_.measured = capped_sum(total_.measured, part.measured);
}

Use UseSum::sum() const {
  if (weight_ == 0) return {};
  Use use = total_;
  for (std::optional<double>* mean : {&use.utilization, &use.sm_active, &use.tensor_active,
                                      &use.dram_active, &use.average_utilization})
    divide(*mean, weight_);
  return use;
}

Use use_of(const DeviceUse& device) {
  const Measures& told = device.sample.measures;
  Use use{.utilization = told.utilization,
          .sm_active = told.sm_active,
          .tensor_active = told.tensor_active,
          .dram_active = told.dram_active,
          .memory_used_bytes = told.memory_used_bytes,
          .memory_total_bytes = told.memory_total_bytes,
          .power_watts = told.power_watts,
          .average_utilization = told.average_utilization,
          .highest_utilization = told.highest_utilization,
          .idle_for = told.idle_for,
          .sample_age = device.age,
          .devices = 1};
  if (!told.utilization) return use;
  use.kind = told.kind;
  use.source = device.sample.source;
  use.measured = 1;
  return use;
}

Use own_use(const DeviceUse& device, const Pod& pod) {
  Use own{.sample_age = device.age, .devices = 1};
  own.is_of_before = is_of_before(device, {&pod});
  if (own.is_of_before) return own;
  bool is_told = false;
  for (const DeviceUser& user : device.users) {
    if (user.pod != &pod) continue;
    if (!is_told) {
      own.utilization = 0;
      own.memory_used_bytes = own.memory_total_bytes = 0;
    }
    is_told = true;
    add_weighted(own.utilization, user.own.utilization, 1);
    add(own.memory_used_bytes, user.own.memory_used_bytes);
    // What a sharing scheduler lets a container have.
    add(own.memory_total_bytes, user.own.memory_total_bytes);
    own.kind = user.own.kind;
  }
  if (!is_told) return own;
  if (!own.utilization) {
    own.kind.reset();
    return own;
  }
  own.utilization = std::min(*own.utilization, 1.0);
  own.source = device.sample.source;
  own.measured = 1;
  return own;
}

}  // namespace gpu::usage
