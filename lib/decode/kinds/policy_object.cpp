#include "decode/kinds/policy_object.hpp"

#include <algorithm>
#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/selector.hpp"
#include "decode/objects/taint.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

bool is_device_plugin(const Pod& pod) {
  return std::any_of(pod.containers.begin(), pod.containers.end(), [](const Container& each) {
    return each.image.find("device-plugin") != std::string::npos;
  });
}

/// Names of the ConfigMaps that the template of `spec` mounts.
std::vector<std::string> config_maps_in(const JsonObject& spec) {
  std::vector<std::string> names;
  const auto pod = spec.object("template");
  const auto pod_spec = pod ? pod->object("spec") : std::nullopt;
  if (!pod_spec) return names;
  pod_spec->each("volumes", [&](const JsonObject& volume) {
    if (const auto map = volume.object("configMap")) names.push_back(map->text("name"));
  });
  return names;
}

}  // namespace

Namespace namespace_from_json(const nlohmann::json& object) {
  Namespace made;
  naming_object("Namespace", {}, made.name, [&] {
    const JsonObject root(object, Path{});
    const auto metadata = root.object("metadata");
    if (!metadata) return;
    made.name = metadata->text("name");
    made.labels = metadata->strings("labels");
    const auto status = root.object("status");
    made.is_terminating =
        metadata->has("deletionTimestamp") || (status && status->text("phase") == "Terminating");
  });
  return made;
}

SecretName secret_name_from_json(const nlohmann::json& object) {
  SecretName made;
  naming_object("Secret", made.ns, made.name, [&] {
    const JsonObject root(object, Path{});
    const auto metadata = root.object("metadata");
    if (!metadata) return;
    made.ns = metadata->text("namespace");
    made.name = metadata->text("name");
  });
  return made;
}

PriorityClass priority_class_from_json(const nlohmann::json& object) {
  PriorityClass made;
  naming_object("PriorityClass", {}, made.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) made.name = metadata->text("name");
    made.value = root.number("value").value_or(0);
    made.is_default = root.flag("globalDefault");
    made.preemption_policy = root.text("preemptionPolicy");
  });
  return made;
}

DisruptionBudget disruption_budget_from_json(const nlohmann::json& object) {
  DisruptionBudget made;
  naming_object("PodDisruptionBudget", made.ns, made.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      made.ns = metadata->text("namespace");
      made.name = metadata->text("name");
    }
    if (const auto spec = root.object("spec"))
      made.selector = object_selector_in(*spec, "selector");
    if (const auto status = root.object("status"))
      made.disruptions_allowed = status->number("disruptionsAllowed").value_or(0);
  });
  return made;
}

RuntimeClass runtime_class_from_json(const nlohmann::json& object) {
  RuntimeClass made;
  naming_object("RuntimeClass", {}, made.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) made.name = metadata->text("name");
    if (const auto overhead = root.object("overhead"))
      made.overhead = overhead->resources("podFixed");
    if (const auto scheduling = root.object("scheduling")) {
      made.node_selector = scheduling->strings("nodeSelector");
      made.tolerations = tolerations_in(*scheduling);
    }
  });
  return made;
}

ResourceQuota resource_quota_from_json(const nlohmann::json& object) {
  ResourceQuota quota;
  naming_object("ResourceQuota", quota.ns, quota.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      quota.ns = metadata->text("namespace");
      quota.name = metadata->text("name");
    }
    const auto spec = root.object("spec");
    if (!spec) return;
    for (const std::string& scope : spec->texts("scopes"))
      quota.scopes.push_back({.name = scope, .op = "Exists", .values = {}});
    if (const auto selector = spec->object("scopeSelector"))
      selector->each("matchExpressions", [&](const JsonObject& each) {
        quota.scopes.push_back(
            {each.text("scopeName"), each.text("operator"), each.texts("values")});
      });
    quota.hard = spec->resources("hard");
    if (const auto status = root.object("status")) quota.used = status->resources("used");
  });
  return quota;
}

LimitRange limit_range_from_json(const nlohmann::json& object) {
  LimitRange range;
  naming_object("LimitRange", range.ns, range.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      range.ns = metadata->text("namespace");
      range.name = metadata->text("name");
    }
    const auto spec = root.object("spec");
    if (!spec) return;
    spec->each("limits", [&](const JsonObject& item) {
      range.limits.push_back({.type = item.text("type"),
                              .max = item.resources("max"),
                              .min = item.resources("min"),
                              .default_limits = item.resources("default"),
                              .default_requests = item.resources("defaultRequest"),
                              .max_limit_request_ratio = item.resources("maxLimitRequestRatio")});
    });
  });
  return range;
}

DaemonSet daemon_set_from_json(const nlohmann::json& object) {
  DaemonSet set;
  naming_object("DaemonSet", set.ns, set.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      set.ns = metadata->text("namespace");
      set.name = metadata->text("name");
      set.labels = metadata->strings("labels");
    }
    const auto spec = root.object("spec");
    if (spec && spec->has("template")) set.pod = pod_from_json(object.at("spec").at("template"));
    set.pod.ns = set.ns;
    set.pod.name.clear();
    if (spec && is_device_plugin(set.pod)) set.config_maps = config_maps_in(*spec);
    if (const auto status = root.object("status")) {
      set.desired = status->long_number("desiredNumberScheduled").value_or(0);
      set.ready = status->long_number("numberReady").value_or(0);
    }
  });
  return set;
}

}  // namespace gpu::decode
