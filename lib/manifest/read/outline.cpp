#include "manifest/read/outline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "manifest/read/count.hpp"
#include "manifest/read/json_value.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

const json* object_at(const json& object, const char* at) {
  const Pointer pointer(at);
  if (!object.contains(pointer) || !object.at(pointer).is_object()) return nullptr;
  return &object.at(pointer);
}

std::int64_t pods_at(const json& object, const char* at) {
  const Pointer pointer(at);
  if (!object.contains(pointer) || !object.at(pointer).is_number_integer()) return 1;
  return std::max<std::int64_t>(0, object.at(pointer).get<std::int64_t>());
}

/// A pod with one container of these resources, and of `spec` what decides where it goes.
PodOutline outline(const json& spec, const json& resources, const char* at, std::int64_t count) {
  json made = {{"metadata", json::object()}, {"spec", json::object()}};
  json& pod = made["spec"];
  for (const char* key : {"nodeSelector", "affinity", "tolerations"})
    if (const auto found = spec.find(key); found != spec.end()) pod[key] = *found;
  pod["containers"] = json::array({{{"name", "main"}, {"resources", resources}}});
  return {.made = {.pod = std::move(made), .spec_at = Pointer(at), .metadata_at = Pointer(at)},
          .count = count,
          .none_because = {}};
}

/// The first object below `value` that says where pods go: patches of a runtime differ in depth
/// between releases of Trainer.
const json* placement_in(const json& value, int depth) {
  constexpr int kDeepest = 12;
  if (depth > kDeepest || (!value.is_object() && !value.is_array())) return nullptr;
  if (value.is_object())
    for (const char* key : {"nodeSelector", "affinity", "tolerations"})
      if (value.contains(key)) return &value;
  for (const json& each : value)
    if (const json* const found = placement_in(each, depth + 1)) return found;
  return nullptr;
}

std::optional<PodOutline> outline_of_train_job(const json& object) {
  const json* const trainer = object_at(object, "/spec/trainer");
  const json* const resources = object_at(object, "/spec/trainer/resourcesPerNode");
  if (trainer == nullptr || resources == nullptr) return std::nullopt;
  const json* place = nullptr;
  for (const char* key : {"runtimePatches", "podTemplateOverrides"})
    if (place == nullptr && object.at("spec").contains(key))
      place = placement_in(object.at("spec").at(key), 0);
  static const json kNone = json::object();
  PodOutline made = outline(place == nullptr ? kNone : *place, *resources, "/spec/trainer",
                            pods_at(*trainer, "/numNodes"));
  if (made.count == 0) made.none_because = "numNodes is 0";
  return made;
}

std::optional<PodOutline> outline_of_service(const json& object) {
  const json* const predictor = object_at(object, "/spec/predictor");
  const json* const resources = object_at(object, "/spec/predictor/model/resources");
  if (predictor == nullptr || resources == nullptr) return std::nullopt;
  PodOutline made = outline(*predictor, *resources, "/spec/predictor/model", 1);
  PodCount counted = count_of(object, made.made, {});
  made.count = counted.count;
  made.none_because = std::move(counted.none_because);
  return made;
}

}  // namespace

std::optional<PodOutline> outline_of(const json& object, const KindName& name) {
  if (name.kind == "TrainJob" && has_group(name, "trainer.kubeflow.org"))
    return outline_of_train_job(object);
  if (name.kind == "InferenceService" && has_group(name, "serving.kserve.io"))
    return outline_of_service(object);
  return std::nullopt;
}

}  // namespace gpu::manifest
