#include "manifest/read/structure.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "model/gpu/gpu_resource.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

constexpr int kDeepest = 14;

/// Fields of a pod's spec that say where it goes, by whom it is placed, and what it claims.
constexpr std::array<const char*, 7> kPlacement = {
    "nodeSelector",     "affinity",          "tolerations",   "schedulerName",
    "runtimeClassName", "priorityClassName", "resourceClaims"};

const json* member(const json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

bool is_gpu_name(std::string_view resource) {
  return resource == "gpu" || gpu_resource(resource).has_value();
}

bool requests_gpus(const json& resources) {
  for (const char* const amounts : {"limits", "requests"}) {
    const json* const list = member(resources, amounts);
    if (list == nullptr || !list->is_object()) continue;
    for (const auto& [resource, amount] : list->items())
      if (is_gpu_name(resource)) return true;
  }
  return false;
}

bool claims_devices(const json& resources) {
  const json* const claims = member(resources, "claims");
  return claims != nullptr && claims->is_array() && !claims->empty();
}

bool requests_devices_by(const json& resources) {
  return resources.is_object() && (requests_gpus(resources) || claims_devices(resources));
}

/// Operators that write `gpu` alone mean NVIDIA's.
json with_full_names(json resources) {
  for (const char* const amounts : {"limits", "requests"}) {
    if (!resources.contains(amounts) || !resources[amounts].is_object()) continue;
    json& list = resources[amounts];
    if (!list.contains("gpu")) continue;
    json amount = list["gpu"];
    list.erase("gpu");
    list["nvidia.com/gpu"] = std::move(amount);
  }
  // What is requested is limited to the same where only that is said.
  if (resources.contains("requests") && resources["requests"].is_object())
    for (const auto& [resource, amount] : resources["requests"].items())
      if (gpu_resource(resource)) resources["limits"].emplace(resource, amount);
  return resources;
}

/// Of Spark's driver and executors: `cores`, and `gpu` with a name and a quantity.
json resources_of_spark(const json& object) {
  const json* const gpu = member(object, "gpu");
  if (gpu == nullptr) return nullptr;
  const json* const name = member(*gpu, "name");
  const json* const quantity = member(*gpu, "quantity");
  if (name == nullptr || !name->is_string() || quantity == nullptr) return nullptr;
  if (!is_gpu_name(name->get_ref<const std::string&>())) return nullptr;
  json resources = {{"limits", {{name->get<std::string>(), *quantity}}}};
  if (const json* const cores = member(object, "cores"); cores != nullptr && cores->is_number())
    resources["requests"]["cpu"] = *cores;
  return resources;
}

/// Spark's word for replicas.
std::int64_t instances_of(const json& object) {
  const json* const instances = member(object, "instances");
  if (instances == nullptr || !instances->is_number_integer()) return 1;
  return std::clamp<std::int64_t>(instances->get<std::int64_t>(), 0, 1'000'000);
}

/// What TrainJobs change in the pods of their runtime, and what is no pod of the object's own.
bool is_passed_over(std::string_view key, int depth) {
  static constexpr std::array<std::string_view, 6> kKeys = {
      "runtimePatches", "podTemplateOverrides", "containers",
      "initContainers", "volumeClaimTemplates", "ephemeralContainers"};
  if (key == "status") return depth == 0;
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

class Finder {
 public:
  explicit Finder(const json& object) : object_(object) {}

  void look_into(const json& value, const Pointer& at, int depth) {
    if (depth > kDeepest) return;
    if (value.is_array())
      for (std::size_t i = 0; i < value.size(); ++i) look_into(value[i], at / i, depth + 1);
    if (!value.is_object()) return;
    take(value, at);
    for (const auto& [key, child] : value.items())
      if (!is_passed_over(key, depth)) look_into(child, at / key, depth + 1);
  }

  std::vector<FoundPod> found() { return std::move(found_); }

 private:
  void take(const json& value, const Pointer& at) {
    // Beside containers stand the resources of a pod as a whole.
    if (at.empty() || member(value, "containers") != nullptr) return;
    json resources = resources_of_spark(value);
    const json* const own = member(value, "resources");
    if (own != nullptr && requests_devices_by(*own)) resources = with_full_names(*own);
    if (resources.is_null()) return;
    const Pointer write_at = place_of_writing(at);
    json pod = {{"metadata", json::object()}, {"spec", placement_around(at)}};
    pod["spec"]["containers"] =
        json::array({{{"name", "main"}, {"resources", std::move(resources)}}});
    found_.push_back({.made = {.pod = std::move(pod), .spec_at = at, .metadata_at = at},
                      .found_at = decode::path_text(at),
                      .write_at = decode::path_text(write_at),
                      .instances = instances_of(value)});
  }

  /// Of each field the one that stands nearest around the place.
  [[nodiscard]] json placement_around(Pointer at) const {
    json spec = json::object();
    const auto take_from = [&](const json& holder) {
      for (const char* const key : kPlacement)
        if (const json* const found = member(holder, key); found != nullptr && !spec.contains(key))
          spec[key] = *found;
    };
    // A part of a pod's spec, which Dynamo's services have beside their resources.
    if (const json* const part = member(object_.at(at), "extraPodSpec")) take_from(*part);
    for (;; at.pop_back()) {
      take_from(object_.at(at));
      if (at.empty()) return spec;
    }
  }

  /// The nearest object that says where pods go; else the place itself, or what a container or a
  /// model stands in.
  [[nodiscard]] Pointer place_of_writing(const Pointer& found) const {
    for (Pointer at = found; !at.empty(); at.pop_back()) {
      const json& around = object_.at(at);
      if (std::any_of(kPlacement.begin(), kPlacement.end(),
                      [&](const char* key) { return member(around, key) != nullptr; }))
        return at;
    }
    const std::string& last = found.back();
    const bool is_part = last == "container" || last == "script" || last == "model";
    return is_part ? found.parent_pointer() : found;
  }

  const json& object_;
  std::vector<FoundPod> found_;
};

std::string member_text(const json& object, const char* key) {
  const json* const text = member(object, key);
  return text != nullptr && text->is_string() ? text->get<std::string>() : std::string();
}

}  // namespace

std::vector<FoundPod> found_pods(const json& object) {
  Finder finder(object);
  finder.look_into(object, Pointer(), 0);
  return finder.found();
}

bool requests_devices(const json& containers) {
  return std::any_of(containers.begin(), containers.end(), [](const json& container) {
    const json* const resources = member(container, "resources");
    return resources != nullptr && requests_devices_by(*resources);
  });
}

std::string scheduler_around(const json& object, const std::string& api_version,
                             const Pointer& spec_at) {
  if (!member_text(object.at(spec_at), "schedulerName").empty()) return {};
  for (Pointer at = spec_at; !at.empty();) {
    at.pop_back();
    for (const char* const key : {"schedulerName", "batchScheduler"})
      if (std::string name = member_text(object.at(at), key); !name.empty()) return name;
  }
  // Volcano's webhook fills it in.
  return api_version.starts_with("batch.volcano.sh/") ? "volcano" : std::string();
}

}  // namespace gpu::manifest
