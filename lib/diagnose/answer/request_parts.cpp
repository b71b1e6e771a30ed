#include "diagnose/answer/request_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::diagnose {
namespace {

/// A container and how much it asks for.
struct Part {
  std::string name;
  std::int64_t amount = 0;
};

std::string text_of(const std::vector<Part>& parts) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> texts;
  for (const Part& part : parts) {
    if (texts.size() == kMost) {
      texts.push_back(fmt::format("{} more containers the rest", parts.size() - kMost));
      break;
    }
    texts.push_back(
        fmt::format("{}{} {}", part.name, texts.empty() ? " requests" : "", part.amount));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::optional<Remark> parts_of(const Pod& pod, const std::string& resource, std::int64_t all) {
  std::vector<Part> running;
  std::vector<Part> once;
  const auto add = [&](std::vector<Part>& to, const Container& container) {
    const std::int64_t amount = amount_of(container.requests, resource).value();
    if (amount > 0) to.push_back({container.name, amount});
  };
  for (const Container& each : pod.containers) add(running, each);
  for (const Container& each : pod.init_containers)
    add(each.restarts_always ? running : once, each);
  std::int64_t sum = 0;
  for (const Part& each : running) sum = capped_sum(sum, each.amount);
  const auto most = std::max_element(
      once.begin(), once.end(), [](const Part& a, const Part& b) { return a.amount < b.amount; });
  if (most != once.end() && sum < most->amount && most->amount == all)
    return Remark{fmt::format(
        "its init container {} requests {} {}, and what runs after it {}: the pod needs the "
        "larger number",
        most->name, most->amount, resource, sum)};
  if (running.size() < 2) return std::nullopt;
  return Remark{fmt::format("of the {} {}, {}: containers do not share them", all, resource,
                            text_of(running))};
}

}  // namespace

std::optional<Remark> request_parts(const Pod& pod) {
  if (pod.pod_requests) return std::nullopt;
  for (const auto& [name, amount] : effective_requests(pod))
    if (gpu_resource(name) && amount.value() > 0) return parts_of(pod, name, amount.value());
  return std::nullopt;
}

}  // namespace gpu::diagnose
