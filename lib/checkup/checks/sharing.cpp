#include <fmt/format.h>

#include <algorithm>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"

namespace gpu::checkup {
namespace {

using diagnose::StackFault;

/// By which a node chooses a profile of the plugin's ConfigMap.
constexpr std::string_view kChoice = "nvidia.com/device-plugin.config";

const PluginConfig* config_named(const CheckContext& context, std::string_view ns,
                                 std::string_view name) {
  for (const PluginConfig& each : context.snapshot.scheduling.plugin_configs)
    if (each.name == name && (ns.empty() || each.ns == ns)) return &each;
  return nullptr;
}

bool has_profile(const PluginConfig& config, std::string_view key) {
  return std::any_of(config.profiles.begin(), config.profiles.end(),
                     [&](const PluginProfile& each) { return each.key == key; });
}

std::vector<std::string_view> keys_of(const PluginConfig& config) {
  std::vector<std::string_view> keys;
  for (const PluginProfile& each : config.profiles) keys.emplace_back(each.key);
  return keys;
}

std::string show_config(const PluginConfig& config) {
  return fmt::format("kubectl get configmap -n {} {} -o yaml", shell_quoted(config.ns),
                     shell_quoted(config.name));
}

/// What is wrong with a profile by itself; each with what helps.
std::vector<std::pair<std::string, std::string>> mistakes_in(const PluginProfile& profile) {
  std::vector<std::pair<std::string, std::string>> found;
  if (!profile.problem.empty()) {
    found.emplace_back("cannot be read: " + profile.problem, "write it as YAML");
    return found;
  }
  if (profile.version != "v1")
    found.emplace_back("has no `version: v1`", "write `version: v1` above all else");
  for (const std::string& key : profile.unknown_keys)
    found.emplace_back(fmt::format("has `{}`, which the device plugin does not know", key),
                       "sharing has `timeSlicing` or `mps`, and below them `resources`, "
                       "`renameByDefault` and `failRequestsGreaterThanOne`");
  if (profile.has_time_slicing && profile.has_mps)
    found.emplace_back("sets both timeSlicing and mps", "keep one of the two");
  if ((profile.has_time_slicing || profile.has_mps) && profile.resources.empty())
    found.emplace_back("shares no resource", "add `resources` with a name and replicas");
  for (const SharedResource& each : profile.resources) {
    if (!each.replicas || *each.replicas < 2)
      found.emplace_back(fmt::format("gives {} {} replicas", each.name.empty() ? "-" : each.name,
                                     each.replicas ? std::to_string(*each.replicas) : "no"),
                         "replicas is a whole number of 2 or more");
    const auto resource = gpu_resource(each.name);
    if (!resource)
      found.emplace_back(fmt::format("shares `{}`, which is no resource of GPUs", each.name),
                         "write nvidia.com/gpu, or nvidia.com/mig-1g.10gb and the like");
  }
  return found;
}

void check_profiles(const PluginConfig& config, CheckResults& results) {
  for (const PluginProfile& profile : config.profiles)
    for (const auto& [what, help] : mistakes_in(profile))
      results.push_back({.state = CheckState::failed,
                         .says = fmt::format("the profile {} of the ConfigMap {}/{} {}",
                                             profile.key, config.ns, config.name, what),
                         .help = help,
                         .command = show_config(config)});
}

/// Names of profiles that a node or the operator chooses, and that are not there.
void check_choices(const CheckContext& context, const PluginConfig& config, CheckResults& results) {
  NodeResults wrong(CheckState::failed);
  for (const GpuNode& node : context.nodes) {
    const std::string_view choice = value_of(node.node().labels, kChoice);
    if (choice.empty() || has_profile(config, choice)) continue;
    const auto keys = keys_of(config);
    const auto nearest = nearest_name(choice, keys);
    wrong.add(node.node(),
              fmt::format("chooses the device plugin's profile `{}`, which {}/{} does not have",
                          choice, config.ns, config.name),
              StackFault::Reads::behind_name,
              nearest ? fmt::format("a similar one is `{}`", *nearest)
                      : "its profiles are " + joined(keys),
              fmt::format("kubectl get nodes -L {}", kChoice));
  }
  wrong.append_to(results);
}

void check_policies(const CheckContext& context, CheckResults& results) {
  for (const ClusterPolicy& policy : context.snapshot.scheduling.cluster_policies) {
    if (policy.plugin_config.empty()) continue;
    const PluginConfig* const config = config_named(context, policy.ns, policy.plugin_config);
    if (config == nullptr) continue;
    if (!policy.default_profile.empty() && !has_profile(*config, policy.default_profile))
      results.push_back(
          {.state = CheckState::failed,
           .says = fmt::format("the ClusterPolicy {} takes the profile `{}` by default, which "
                               "{}/{} does not have",
                               policy.name, policy.default_profile, config->ns, config->name),
           .help = "its profiles are " + joined(keys_of(*config)),
           .command = show_config(*config)});
  }
}

/// ConfigMaps that are named and were not seen.
std::vector<std::string> unseen_configs(const CheckContext& context) {
  std::vector<std::string> names;
  for (const ClusterPolicy& policy : context.snapshot.scheduling.cluster_policies)
    if (!policy.plugin_config.empty() &&
        config_named(context, policy.ns, policy.plugin_config) == nullptr)
      names.push_back(policy.ns + "/" + policy.plugin_config);
  return names;
}

}  // namespace

CheckResults check_sharing(const CheckContext& context) {
  CheckResults results;
  for (const PluginConfig& config : context.snapshot.scheduling.plugin_configs) {
    check_profiles(config, results);
    check_choices(context, config, results);
  }
  check_policies(context, results);
  for (const std::string& name : unseen_configs(context)) {
    const bool may_see = context.surroundings.source == Surroundings::Source::cluster &&
                         coverage_of(context.snapshot.scheduling, "configmaps") == Coverage::whole;
    results.push_back(
        {.state = may_see ? CheckState::failed : CheckState::skipped,
         .says = may_see ? "the device plugin is to read the ConfigMap " + name +
                               ", which is missing or holds no profile"
                         : "the ConfigMap " + name + " of the device plugin was not read",
         .help = may_see ? "create it, or take its name out of spec.devicePlugin.config of the "
                           "ClusterPolicy"
                         : ""});
  }
  if (!results.empty()) return results;
  if (context.snapshot.scheduling.plugin_configs.empty())
    return {{.state = CheckState::skipped,
             .says = "no ConfigMap of a device plugin was found",
             .is_out_of_sight =
                 coverage_of(context.snapshot.scheduling, "daemonsets") == Coverage::none}};
  return {{.says = "the device plugin's profiles are sound"}};
}

}  // namespace gpu::checkup
