#include "decode/kinds/gpu_operator.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/wire/json_fields.hpp"
#include "decode/wire/yaml.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

/// A configuration of the device plugin has a version, and something that it sets.
bool is_profile_text(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return has("version:") && (has("sharing:") || has("flags:") || has("resources:"));
}

/// Adds the keys of `object` that the plugin does not know there, as `above.KEY`.
void add_unknown(const json& object, std::initializer_list<std::string_view> known,
                 std::string_view above, std::vector<std::string>& to) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      to.push_back(std::string(above) + (above.empty() ? "" : ".") + key);
}

/// Null where there is no such object.
const json* object_in(const json& parent, std::string_view key) {
  if (!parent.is_object()) return nullptr;
  const auto found = parent.find(key);
  return found != parent.end() && found->is_object() ? &*found : nullptr;
}

std::optional<std::int64_t> whole_in(const json& object, std::string_view key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

void add_resources(const json& way, PluginProfile& profile) {
  const auto resources = way.find("resources");
  if (resources == way.end() || !resources->is_array()) return;
  for (const json& each : *resources) {
    if (!each.is_object()) continue;
    const auto name = each.find("name");
    profile.resources.push_back(
        {.name = name != each.end() && name->is_string() ? name->get<std::string>() : std::string(),
         .replicas = whole_in(each, "replicas")});
  }
}

void read_profile(const json& root, PluginProfile& profile) {
  if (const auto version = root.find("version"); version != root.end() && version->is_string())
    profile.version = version->get<std::string>();
  add_unknown(root, {"version", "flags", "resources", "sharing", "imex"}, "", profile.unknown_keys);
  const json* const sharing = object_in(root, "sharing");
  if (sharing == nullptr) return;
  add_unknown(*sharing, {"timeSlicing", "mps"}, "sharing", profile.unknown_keys);
  for (const std::string_view way : {"timeSlicing", "mps"}) {
    const json* const shared = object_in(*sharing, way);
    if (shared == nullptr) continue;
    (way == "mps" ? profile.has_mps : profile.has_time_slicing) = true;
    add_unknown(*shared, {"renameByDefault", "failRequestsGreaterThanOne", "resources"},
                "sharing." + std::string(way), profile.unknown_keys);
    add_resources(*shared, profile);
  }
}

PluginProfile profile_from_text(const std::string& key, const std::string& text) {
  PluginProfile profile{.key = key};
  try {
    const json root = yaml_to_json(text);
    if (root.is_object())
      read_profile(root, profile);
    else
      profile.problem = "it is no YAML map";
  } catch (const Error& error) {
    profile.problem = error.message();
  }
  return profile;
}

/// Parts of the operator that a policy can leave out.
constexpr auto kParts =
    std::to_array<std::string_view>({"driver", "toolkit", "devicePlugin", "dcgmExporter", "gfd",
                                     "migManager", "nodeStatusExporter", "validator"});

void read_parts(const JsonObject& spec, ClusterPolicy& policy) {
  for (const std::string_view part : kParts) {
    const auto object = spec.object(part);
    if (object && object->has("enabled") && !object->flag("enabled"))
      policy.disabled.emplace_back(part);
  }
  const auto plugin = spec.object("devicePlugin");
  const auto config = plugin ? plugin->object("config") : std::nullopt;
  if (!config) return;
  policy.plugin_config = config->text("name");
  policy.default_profile = config->text("default");
}

}  // namespace

ClusterPolicy cluster_policy_from_json(const json& object) {
  ClusterPolicy policy;
  naming_object("ClusterPolicy", {}, policy.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) policy.name = metadata->text("name");
    if (const auto spec = root.object("spec")) read_parts(*spec, policy);
    const auto status = root.object("status");
    if (!status) return;
    policy.state = status->text("state");
    policy.ns = status->text("namespace");
    status->each("conditions", [&](const JsonObject& each) {
      policy.conditions.push_back(condition_from_json(each));
    });
  });
  return policy;
}

std::optional<PluginConfig> plugin_config_from_json(const json& object) {
  PluginConfig config;
  naming_object("ConfigMap", config.ns, config.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) {
      config.ns = metadata->text("namespace");
      config.name = metadata->text("name");
    }
    for (const auto& [key, text] : root.strings("data"))
      if (is_profile_text(text)) config.profiles.push_back(profile_from_text(key, text));
  });
  if (config.profiles.empty()) return std::nullopt;
  return config;
}

}  // namespace gpu::decode
