#include "manifest/read/queue.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

namespace gpu::manifest {
namespace {

using nlohmann::json;

constexpr std::string_view kPriorityClass = "kueue.x-k8s.io/priority-class";
constexpr std::string_view kFewerPods = "kueue.x-k8s.io/job-min-parallelism";
constexpr std::string_view kTopology = "kueue.x-k8s.io/podset-";

const json* metadata_of(const json& object, std::string_view part) {
  if (!object.is_object()) return nullptr;
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return nullptr;
  const auto found = metadata->find(part);
  return found != metadata->end() && found->is_object() ? &*found : nullptr;
}

/// The value of a label or an annotation; empty where it is none.
std::string value_of(const json* map, std::string_view key) {
  if (map == nullptr) return {};
  const auto found = map->find(key);
  return found != map->end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::vector<std::string> unjudged_queueing(const json& object, const decode::PodTemplate& made) {
  std::vector<std::string> all;
  if (const std::string name = value_of(metadata_of(object, "labels"), kPriorityClass);
      !name.empty())
    all.push_back(
        fmt::format("its WorkloadPriorityClass {}, which decides who waits before it", name));
  if (!value_of(metadata_of(object, "annotations"), kFewerPods).empty())
    all.push_back(fmt::format("whether Kueue admits fewer of its pods ({})", kFewerPods));
  if (const json* const annotations = metadata_of(made.pod, "annotations"))
    for (const auto& [key, value] : annotations->items())
      if (key.starts_with(kTopology))
        all.push_back(
            fmt::format("whether Kueue finds places in a topology for its pods ({})", key));
  return all;
}

}  // namespace gpu::manifest
