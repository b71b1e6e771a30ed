#include "input/snapshot/trim.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "decode/wire/json_item.hpp"
#include "input/snapshot/trim_fields.hpp"
#include "model/objects/pod.hpp"

namespace gpu::input {
namespace {

using nlohmann::json;
using Names = std::span<const std::string_view>;

bool is_scalar(const json& value) { return value.is_primitive() && !value.is_null(); }

/// Scalars of these names.
json scalars(const json& value, Names names) {
  json result = json::object();
  if (!value.is_object()) return result;
  for (const std::string_view name : names) {
    const auto found = value.find(name);
    if (found == value.end()) continue;
    if (is_scalar(*found)) result[std::string(name)] = *found;
  }
  return result;
}

json scalars_of_each(const json& value, Names names) {
  json result = json::array();
  if (!value.is_array()) return result;
  for (const json& element : value) result.push_back(scalars(element, names));
  return result;
}

json requirements(const json& value) {
  static constexpr std::array<std::string_view, 2> kNames = {"key", "operator"};
  json result = scalars_of_each(value, kNames);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!value[i].is_object()) continue;
    const auto values = value[i].find("values");
    if (values == value[i].end() || !values->is_array()) continue;
    json& kept = result[i]["values"] = json::array();
    for (const json& each : *values)
      if (is_scalar(each)) kept.push_back(each);
  }
  return result;
}

json scalar_map(const json& value) {
  json result = json::object();
  if (value.is_object())
    for (const auto& [key, each] : value.items())
      if (is_scalar(each)) result[key] = each;
  return result;
}

json annotations(const json& value) {
  json result = scalar_map(value);
  for (auto at = result.begin(); at != result.end();)
    at = is_kept_annotation(at.key()) ? std::next(at) : result.erase(at);
  return result;
}

/// A quantity by itself, or in an object with the rules for taking a part of it.
json amounts(const json& value) {
  static constexpr std::array<std::string_view, 1> kValue = {"value"};
  static constexpr std::array<std::string_view, 1> kDefault = {"default"};
  json result = json::object();
  if (!value.is_object()) return result;
  for (const auto& [key, each] : value.items()) {
    if (is_scalar(each)) result[key] = each;
    if (!each.is_object()) continue;
    result[key] = scalars(each, kValue);
    if (const auto policy = each.find("requestPolicy"); policy != each.end())
      result[key]["requestPolicy"] = scalars(*policy, kDefault);
  }
  return result;
}

json attributes(const json& value) {
  static constexpr std::array<std::string_view, 4> kTypes = {"string", "int", "bool", "version"};
  json result = json::object();
  if (value.is_object())
    for (const auto& [key, each] : value.items())
      if (each.is_object()) result[key] = scalars(each, kTypes);
  return result;
}

/// A scalar, or an array of them.
json scalar_or_list(const json& value) {
  if (is_scalar(value)) return value;
  json result = json::array();
  if (value.is_array())
    std::copy_if(value.begin(), value.end(), std::back_inserter(result), is_scalar);
  return result;
}

json kept(const json& value, const Field& field);

json kept_members(const json& value, const Field& field) {
  json result = json::object();
  if (!value.is_object()) return result;
  for (const auto& [name, member] : field.members) {
    const auto found = value.find(name);
    if (found == value.end() || found->is_null()) continue;
    json part = kept(*found, member);
    // An empty `state: {}` says as much as none, and a pair of brackets is no reason for a line.
    if (part.is_primitive() || !part.empty() || found->empty() ||
        member.meaning == Meaning::presence)
      result[name] = std::move(part);
  }
  return result;
}

json kept(const json& value, const Field& field) {
  static constexpr std::array<std::string_view, 6> kTaint = {
      "key", "operator", "value", "effect", "tolerationSeconds", "timeAdded"};
  static constexpr std::array<std::string_view, 5> kOwner = {"apiVersion", "kind", "name", "uid",
                                                             "controller"};
  static constexpr std::array<std::string_view, 4> kUser = {"apiGroup", "resource", "name", "uid"};
  static constexpr std::array<std::string_view, 5> kReference = {"apiVersion", "kind", "namespace",
                                                                 "name", "uid"};
  switch (field.meaning) {
    case Meaning::presence:
      return json::object();
    case Meaning::reference:
      return scalars(value, kReference);
    case Meaning::fields: {
      if (!value.is_array()) return kept_members(value, field);
      json result = json::array();
      for (const json& element : value) result.push_back(kept_members(element, field));
      return result;
    }
    case Meaning::labels:
    case Meaning::metric_labels:
    case Meaning::flavors:
    case Meaning::resources:
    case Meaning::quotas:
      return scalar_map(value);
    case Meaning::annotations:
      return annotations(value);
    case Meaning::amounts:
      return amounts(value);
    case Meaning::attributes:
      return attributes(value);
    case Meaning::requirements:
    case Meaning::field_requirements:
      return requirements(value);
    case Meaning::taints:
      return scalars_of_each(value, kTaint);
    case Meaning::owners:
      return scalars_of_each(value, kOwner);
    case Meaning::users:
      return scalars_of_each(value, kUser);
    default:
      return scalar_or_list(value);
  }
}

/// The name of a volume is often that of its Secret: those that matter for no node go whole.
void drop_other_volumes(json& object, const char* spec) {
  static constexpr std::array<std::string_view, 10> kKept = {"persistentVolumeClaim",
                                                             "ephemeral",
                                                             "csi",
                                                             "gcePersistentDisk",
                                                             "awsElasticBlockStore",
                                                             "azureDisk",
                                                             "cinder",
                                                             "portworxVolume",
                                                             "rbd",
                                                             "iscsi"};
  const json::json_pointer pointer = json::json_pointer(spec) / "volumes";
  if (!object.contains(pointer)) return;
  json& volumes = object[pointer];
  json claims = json::array();
  for (json& volume : volumes)
    if (std::any_of(kKept.begin(), kKept.end(),
                    [&](std::string_view source) { return volume.contains(source); }))
      claims.push_back(std::move(volume));
  if (claims.empty())
    object[json::json_pointer(spec)].erase("volumes");
  else
    volumes = std::move(claims);
}

}  // namespace

bool is_kept_annotation(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kPrefixes = {"hami.io/",
                                                                "volcano.sh/",
                                                                "nvidia.com/",
                                                                "cluster-autoscaler.kubernetes.io/",
                                                                "karpenter.sh/",
                                                                "kueue.x-k8s.io/",
                                                                "scheduling.k8s.io/",
                                                                "scheduling.volcano.sh/",
                                                                "resource.kubernetes.io/"};
  static constexpr std::array<std::string_view, 6> kOfVolumes = {
      "pv.kubernetes.io/bind-completed",
      "volume.kubernetes.io/selected-node",
      "volume.beta.kubernetes.io/storage-class",
      "storageclass.kubernetes.io/is-default-class",
      "storageclass.beta.kubernetes.io/is-default-class",
      "storage.alpha.kubernetes.io/migrated-plugins"};
  return name != decode::kLastApplied &&
         (is_device_annotation(name) ||
          std::find(kOfVolumes.begin(), kOfVolumes.end(), name) != kOfVolumes.end() ||
          std::any_of(kPrefixes.begin(), kPrefixes.end(),
                      [&](std::string_view prefix) { return name.starts_with(prefix); }));
}

std::optional<json> trimmed(const json& object, std::string_view api_version,
                            std::string_view kind) {
  const Field* const fields = fields_of_kind(kind, api_version);
  if (fields == nullptr || !object.is_object()) return std::nullopt;
  json result = kept_members(object, *fields);
  result["apiVersion"] = std::string(api_version);
  result["kind"] = std::string(kind);
  drop_other_volumes(result, "/spec");
  drop_other_volumes(result, "/spec/template/spec");
  const json::json_pointer pod_sets("/spec/podSets");
  if (result.contains(pod_sets) && result[pod_sets].is_array())
    for (json& pod_set : result[pod_sets]) drop_other_volumes(pod_set, "/template/spec");
  return result;
}

}  // namespace gpu::input
