#include "admission/api/limit_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "admission/api/pod_limits.hpp"
#include "model/objects/quantity_text.hpp"

namespace gpu::admission {
namespace {

using BlockerKinds = std::vector<std::string>;

void add_missing(ResourceList& to, const ResourceList& from) {
  for (const auto& [name, amount] : from)
    if (!to.contains(name)) to.set(name, amount);
}

/// Of several items that say something of one resource the last counts.
struct Defaults {
  ResourceList limits;
  ResourceList requests;
};

Defaults defaults_of(const LimitRange& range) {
  Defaults defaults;
  for (const LimitRangeItem& item : range.limits) {
    if (item.type != "Container") continue;
    for (const auto& [name, amount] : item.default_limits) defaults.limits.set(name, amount);
    for (const auto& [name, amount] : item.default_requests) defaults.requests.set(name, amount);
  }
  return defaults;
}

/// What one container, or the pod as a whole, has of a resource that is bounded.
struct Bounded {
  std::string_view type;  ///< "Container", "Pod"
  const std::string& resource;
  const Quantity* request = nullptr;  ///< null: none is set
  const Quantity* limit = nullptr;

  [[nodiscard]] std::string text(Quantity amount) const { return quantity_text(resource, amount); }
};

/// In thousandths where all fit, else whole, both rounded up: requestLimitEnforcedValues().
struct Compared {
  std::int64_t request = 0;
  std::int64_t limit = 0;
  std::int64_t bound = 0;
};

constexpr std::int64_t kMostMilli = std::numeric_limits<std::int64_t>::max() / 1000;

Compared compared(const Bounded& it, Quantity bound) {
  const Quantity request = it.request == nullptr ? Quantity{} : *it.request;
  const Quantity limit = it.limit == nullptr ? Quantity{} : *it.limit;
  if (std::max({request.value(), limit.value(), bound.value()}) > kMostMilli)
    return {request.value(), limit.value(), bound.value()};
  return {request.milli_value(), limit.milli_value(), bound.milli_value()};
}

void check_min(BlockerKinds& words, const Bounded& it, Quantity bound) {
  const Compared values = compared(it, bound);
  const std::string lead =
      fmt::format("minimum {} usage per {} is {}", it.resource, it.type, it.text(bound));
  if (it.request == nullptr)
    words.push_back(lead + ".  No request is specified");
  else if (values.request < values.bound)
    words.push_back(fmt::format("{}, but request is {}", lead, it.text(*it.request)));
  else if (it.limit != nullptr && values.limit < values.bound)
    words.push_back(fmt::format("{}, but limit is {}", lead, it.text(*it.limit)));
}

void check_max(BlockerKinds& words, const Bounded& it, Quantity bound) {
  const Compared values = compared(it, bound);
  const std::string lead =
      fmt::format("maximum {} usage per {} is {}", it.resource, it.type, it.text(bound));
  if (it.limit == nullptr)
    words.push_back(lead + ".  No limit is specified");
  else if (values.limit > values.bound)
    words.push_back(fmt::format("{}, but limit is {}", lead, it.text(*it.limit)));
  else if (it.request != nullptr && values.request > values.bound)
    words.push_back(fmt::format("{}, but request is {}", lead, it.text(*it.request)));
}

/// A ratio may have a fraction, which quantity_text() of other resources than cpu leaves out.
std::string ratio_text(Quantity ratio) { return quantity_text("cpu", ratio); }

void check_ratio(BlockerKinds& words, const Bounded& it, Quantity bound) {
  const Compared values = compared(it, bound);
  const std::string lead = fmt::format("{} max limit to request ratio per {} is {}", it.resource,
                                       it.type, ratio_text(bound));
  if (it.request == nullptr || values.request == 0)
    return words.push_back(lead + ", but no request is specified or request is 0");
  if (it.limit == nullptr || values.limit == 0)
    return words.push_back(lead + ", but no limit is specified or limit is 0");
  const double ratio = static_cast<double>(values.limit) / static_cast<double>(values.request);
  const bool is_small = bound.value() <= kMostMilli;
  const double seen = is_small ? ratio * 1000 : ratio;
  const auto most = static_cast<double>(is_small ? bound.milli_value() : bound.value());
  if (seen > most) words.push_back(fmt::format("{}, but provided ratio is {:f}", lead, ratio));
}

void check(BlockerKinds& words, const LimitRangeItem& item, const ResourceList& requests,
           const ResourceList& limits) {
  const auto each = [&](const ResourceList& bounds,
                        void (*judge)(BlockerKinds&, const Bounded&, Quantity)) {
    for (const auto& [name, bound] : bounds)
      judge(words, {item.type, name, requests.find(name), limits.find(name)}, bound);
  };
  each(item.min, check_min);
  each(item.max, check_max);
  each(item.max_limit_request_ratio, check_ratio);
}

/// A pod as a whole: without overhead, and pod-level amounts of cpu and memory alone count.
ResourceList of_pod(const Pod& pod, ResourceList Container::*list,
                    const std::optional<ResourceList>& pod_level) {
  ResourceList total = total_of(pod, list);
  if (pod_level)
    for (const auto& [name, amount] : *pod_level)
      if (name == "cpu" || name == "memory") total.set(name, amount);
  return total;
}

BlockerKinds refusals_of(const LimitRange& range, const Pod& pod) {
  BlockerKinds words;
  for (const LimitRangeItem& item : range.limits) {
    if (item.type == "Container") {
      for (const auto* list : {&pod.containers, &pod.init_containers})
        for (const Container& container : *list)
          check(words, item, container.requests, container.limits);
    } else if (item.type == "Pod") {
      check(words, item, of_pod(pod, &Container::requests, pod.pod_requests),
            of_pod(pod, &Container::limits, pod.pod_limits));
    }
  }
  return words;
}

/// Several errors, as the API server prints them; each once.
std::string text_of(const BlockerKinds& words) {
  BlockerKinds once;
  for (const std::string& each : words)
    if (std::find(once.begin(), once.end(), each) == once.end()) once.push_back(each);
  return once.size() == 1 ? once.front() : fmt::format("[{}]", fmt::join(once, ", "));
}

}  // namespace

void add_default_resources(Pod& pod, const SchedulingFacts& facts) {
  for (const LimitRange& range : facts.limit_ranges) {
    if (range.ns != pod.ns) continue;
    const Defaults defaults = defaults_of(range);
    for (auto* list : {&pod.containers, &pod.init_containers})
      for (Container& container : *list) {
        add_missing(container.limits, defaults.limits);
        add_missing(container.requests, defaults.requests);
      }
  }
}

std::optional<LimitRefusal> limit_refusal(const Pod& pod, const SchedulingFacts& facts) {
  for (const LimitRange& range : facts.limit_ranges) {
    if (range.ns != pod.ns) continue;
    if (const BlockerKinds words = refusals_of(range, pod); !words.empty())
      return LimitRefusal{range.name, text_of(words)};
  }
  return std::nullopt;
}

}  // namespace gpu::admission
