#include "diagnose/stack/gpu_stack.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.hpp"
#include "diagnose/stack/daemon_reach.hpp"
#include "diagnose/stack/gpu_promise.hpp"
#include "diagnose/stack/node_maintenance.hpp"
#include "diagnose/stack/operator_label.hpp"
#include "diagnose/stack/resource_names.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/holdings/pools.hpp"
#include "model/objects/selector_text.hpp"

namespace gpu::diagnose {
namespace {

std::string name_of(const DaemonSet& daemon) { return daemon.ns + "/" + daemon.name; }

/// A command that shows what runs on a node.
std::string pods_on(const Node& node) {
  return "kubectl get pods -A -o wide --field-selector spec.nodeName=" + shell_quoted(node.name);
}

/// Names of the resources of other pools of the node, for "advertises nvidia.com/gpu.shared".
std::string names_of(const std::vector<const Pool*>& pools) {
  std::string names;
  for (const Pool* pool : pools) names += (names.empty() ? "" : ", ") + pool->resource;
  return names;
}

/// Whether a label is given by node feature discovery or an operator, and so goes missing with
/// them.
bool is_discovered(std::string_view label) {
  static constexpr std::array<std::string_view, 6> kDomains = {"feature.node.kubernetes.io",
                                                               "nvidia.com",
                                                               "amd.com",
                                                               "intel.com",
                                                               "habana.ai",
                                                               "habana.com"};
  const std::string_view domain = label.substr(0, label.find('/'));
  return std::any_of(kDomains.begin(), kDomains.end(), [&](std::string_view each) {
    return domain.ends_with(each) &&
           (domain.size() == each.size() || domain[domain.size() - each.size() - 1] == '.');
  });
}

/// The operator puts its own DaemonSets back as they were. These names are the operator's; others'
/// may be the same.
std::string operator_text(const DaemonSet& daemon) {
  static constexpr std::array<std::string_view, 2> kNames = {"nvidia-device-plugin-daemonset",
                                                             "nvidia-driver-daemonset"};
  if (std::find(kNames.begin(), kNames.end(), daemon.name) == kNames.end()) return {};
  return "; if NVIDIA's operator made it, in spec.daemonsets.tolerations of its ClusterPolicy, or "
         "the operator takes it back";
}

/// A DaemonSet that a taint keeps away: the advice that heals it.
Advice tolerate(const DaemonSet& daemon, const Taint& taint, std::string_view why) {
  return {.summary = "let the DaemonSet " + name_of(daemon) + " tolerate " + text_of(taint) +
                     " (operator Exists, effect " + taint.effect + ")" + std::string(why) +
                     operator_text(daemon)};
}

/// Why the labels that the plugin selects are missing: node feature discovery is kept away, too.
std::optional<StackFault> discovery_fault(const scheduler::Cluster& cluster, const Node& node,
                                          const DaemonSet& plugin, const Unreached& unreached) {
  if (std::none_of(unreached.labels.begin(), unreached.labels.end(), is_discovered))
    return std::nullopt;
  const auto& daemons = cluster.shared<StackDaemons>();
  for (const DaemonSet* discovery : daemons.of(DaemonRole::feature_discovery)) {
    const Unreached reach = reach_of(*discovery, node);
    if (reach.taint == nullptr) continue;
    return StackFault{.code = Code::device_plugin_missing,
                      .detail = "node feature discovery does not tolerate " +
                                text_of(*reach.taint) + ", so no label draws the device plugin",
                      .advice = {tolerate(*discovery, *reach.taint,
                                          ": without it the node gets no GPU labels, and " +
                                              name_of(plugin) + " does not select it")}};
  }
  return std::nullopt;
}

/// GKE's device plugin is always there; its driver comes by a DaemonSet of its own, or with the
/// node pool.
bool lacks_gke_driver(const scheduler::Cluster& cluster, const Node& node) {
  return node.labels.contains("cloud.google.com/gke-accelerator") &&
         !node.labels.contains("cloud.google.com/gke-gpu-driver-version") &&
         coverage_of(cluster.snapshot().scheduling, "daemonsets") == Coverage::whole &&
         cluster.shared<StackDaemons>().of(DaemonRole::driver, Vendor::nvidia).empty();
}

bool is_ready_pod(const Pod& pod) { return is_true(pod.conditions, "Ready"); }

/// The node's pod of one of these DaemonSets that is not ready.
const Pod* unready_pod(const scheduler::NodeState& node,
                       const std::vector<const DaemonSet*>& daemons) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const DaemonSet* daemon : daemons) names.emplace(daemon->ns, daemon->name);
  for (const scheduler::BoundPod& bound : node.pods) {
    const auto is_of_role = [&](const OwnerReference& owner) {
      return owner.kind == "DaemonSet" && names.contains({bound.pod->ns, owner.name});
    };
    const auto& owners = bound.pod->owners;
    if (std::any_of(owners.begin(), owners.end(), is_of_role) && !is_ready_pod(*bound.pod))
      return bound.pod;
  }
  return nullptr;
}

/// "gpu-operator/plugin-x is not ready (CrashLoopBackOff, 9 restarts)".
std::string unready_text(const Pod& pod) {
  std::string state;
  for (const auto* list : {&pod.init_container_statuses, &pod.container_statuses})
    for (const ContainerResourceStatus& each : *list) {
      if (!state.empty() || each.waiting.empty() || each.waiting == "PodInitializing") continue;
      state = " (" + each.waiting;
      if (each.restarts > 0)
        state +=
            ", " + std::to_string(each.restarts) + (each.restarts == 1 ? " restart" : " restarts");
      state += ")";
    }
  return pod.ns + "/" + pod.name + " is not ready" + state;
}

Advice read_log_of(const Pod& pod) {
  const auto& statuses = pod.container_statuses;
  const bool has_crashed = std::any_of(statuses.begin(), statuses.end(), [](const auto& each) {
    return each.restarts > 0 && !each.waiting.empty();
  });
  return {.summary = "read that pod's log",
          .command = "kubectl logs -n " + shell_quoted(pod.ns) + " " + shell_quoted(pod.name) +
                     (has_crashed ? " --previous" : "")};
}

/// The driver of the maker's GPUs is being changed, its pod is not ready, or none is there.
std::optional<StackFault> driver_fault(const scheduler::Cluster& cluster,
                                       const scheduler::NodeState& node, Vendor vendor) {
  const bool is_nvidia = vendor == Vendor::nvidia;
  if (is_nvidia)
    if (auto work = maintenance_of(*node.node); work && !node.node->deleted)
      return StackFault{.code = Code::device_plugin_missing,
                        .detail = std::move(work->what),
                        .advice = {std::move(work->advice)}};
  const auto& daemons = cluster.shared<StackDaemons>();
  if (const Pod* driver = unready_pod(node, daemons.of(DaemonRole::driver, vendor)))
    return StackFault{.code = Code::driver_missing,
                      .detail = "the driver's pod " + unready_text(*driver),
                      .advice = {read_log_of(*driver)}};
  if (is_nvidia && lacks_gke_driver(cluster, *node.node))
    return StackFault{
        .code = Code::driver_missing,
        .detail = "no DaemonSet installs the NVIDIA driver",
        .advice = {{.summary = "install the NVIDIA driver's DaemonSet for the image of " +
                               node.node->name + ", or a node pool with gpu-driver-version set"}}};
  return std::nullopt;
}

StackFault no_plugin(bool has_another_makers, Vendor vendor) {
  const std::string_view resource = usual_resource(vendor);
  const std::string whose =
      has_another_makers && !resource.empty() ? " for " + std::string(resource) : std::string();
  return {.code = Code::device_plugin_missing,
          .detail = "no DaemonSet of a GPU device plugin" + whose + " is in the cluster",
          .advice = {{.summary = "install the device plugin of the GPUs' maker, or its operator"}}};
}

/// The node's device plugin has a pod: it is not ready, or it runs and has nothing to offer.
std::optional<StackFault> plugin_pod_fault(const scheduler::NodeState& node, Vendor vendor) {
  const Pod* plugin = nullptr;
  for (const scheduler::BoundPod& bound : node.pods) {
    if (!is_of_role(DaemonRole::device_plugin, *bound.pod, vendor)) continue;
    if (plugin == nullptr || !is_ready_pod(*bound.pod)) plugin = bound.pod;
  }
  if (plugin == nullptr) return std::nullopt;
  const std::string text = is_ready_pod(*plugin) ? plugin->ns + "/" + plugin->name +
                                                       " runs, but the kubelet has no GPUs from it"
                                                 : unready_text(*plugin);
  return StackFault{.code = Code::device_plugin_missing,
                    .detail = "the device plugin's pod " + text,
                    .advice = {read_log_of(*plugin)}};
}

/// The MIG manager gave up: the node has neither its old slices nor the new ones.
std::optional<StackFault> failed_layout(const Node& node) {
  if (value_of(node.labels, "nvidia.com/mig.config.state") != "failed") return std::nullopt;
  const std::string_view layout = value_of(node.labels, "nvidia.com/mig.config");
  return StackFault{
      .code = Code::mig_mismatch,
      .detail = "its MIG layout " + std::string(layout) + (layout.empty() ? "" : " ") +
                "could not be made (nvidia.com/mig.config.state=failed)",
      .advice = {{.summary = "read the log of the MIG manager's pod on " + node.name +
                             ", then set the label nvidia.com/mig.config to a layout that its "
                             "cards can have",
                  .command = pods_on(node)}}};
}

/// What is known of a plugin that did not register: with the key in its capacity it once did.
StackFault unregistered_plugin(const Node& node, Vendor vendor) {
  const bool was_there =
      std::any_of(node.capacity.begin(), node.capacity.end(), [&](const auto& entry) {
        const auto gpu = gpu_resource(entry.first);
        return gpu && gpu->vendor == vendor;
      });
  return {.code = Code::device_plugin_missing,
          .detail = was_there ? "has a device plugin that offers no GPUs any more"
                              : "has no registered device plugin",
          .advice = {{.summary = "see whether the device plugin's DaemonSet has a pod on " +
                                 node.name + ", and read its log",
                      .command = pods_on(node)}},
          .reads = StackFault::Reads::behind_name,
          .is_vague = true};
}

StackFault missing_plugin(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                          Vendor vendor) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  if (auto fault = driver_fault(cluster, node, vendor)) return *fault;
  if (auto failed = failed_layout(*node.node)) return *failed;
  if (auto broken = plugin_pod_fault(node, vendor)) return *broken;
  const StackFault unknown = unregistered_plugin(*node.node, vendor);
  if (coverage_of(facts, "daemonsets") != Coverage::whole) return unknown;
  const auto& daemons = cluster.shared<StackDaemons>();
  const auto plugins = daemons.of(DaemonRole::device_plugin, vendor);
  if (plugins.empty()) return no_plugin(!daemons.of(DaemonRole::device_plugin).empty(), vendor);
  std::optional<StackFault> fault;
  for (const DaemonSet* plugin : plugins) {
    const Unreached reach = reach_of(*plugin, *node.node);
    if (reach.why.empty()) {  // one reaches the node, and has no pod there
      if (cluster.snapshot().pod_coverage != Coverage::whole) return unknown;
      return StackFault{
          .code = Code::device_plugin_missing,
          .detail = "the DaemonSet " + name_of(*plugin) + " should have a pod there, and has none",
          .advice = {{.summary = "see what keeps the DaemonSet's pod away",
                      .command = "kubectl describe daemonset -n " + shell_quoted(plugin->ns) + " " +
                                 shell_quoted(plugin->name)}}};
    }
    if (auto deeper = discovery_fault(cluster, *node.node, *plugin, reach)) return *deeper;
    if (fault) continue;
    fault = StackFault{.code = Code::device_plugin_missing,
                       .detail = "the DaemonSet " + name_of(*plugin) + " " + reach.why};
    if (reach.taint != nullptr)
      fault->advice = {tolerate(*plugin, *reach.taint, "")};
    else if (auto advice = operator_label_advice(*node.node, reach.labels))
      fault->advice = {*std::move(advice)};
  }
  return *fault;
}

/// How the device plugin comes to the name that is asked for. Which way of sharing its
/// configuration sets, the node's labels tell.
Advice naming_advice(const Node& node, const GpuResource& asked) {
  const std::string way = value_of(node.labels, "nvidia.com/gpu.sharing-strategy") == "mps"
                              ? "sharing.mps"
                              : "sharing.timeSlicing";
  if (!asked.renamed)
    return {.summary =
                "to keep the name, set renameByDefault to false under the device plugin's " + way,
            .command = {}};
  return {.summary =
              "to have that name, share the GPUs: replicas and renameByDefault true under "
              "the device plugin's " +
              way,
          .command = {}};
}

/// The node hands out its cards under another name or in other shapes than asked for.
std::optional<StackFault> other_shape(const Node& node, const std::vector<Pool>& pools,
                                      const GpuResource& asked) {
  std::vector<const Pool*> renamed;
  std::vector<const Pool*> reshaped;
  for (const Pool& pool : pools) {
    if (pool.kind.vendor != asked.vendor || pool.allocatable <= 0) continue;
    if (pool.kind.renamed != asked.renamed && pool.kind.profile == asked.profile)
      renamed.push_back(&pool);
    else if (pool.kind.kind == DeviceKind::mig_slice || asked.kind == DeviceKind::mig_slice)
      reshaped.push_back(&pool);
  }
  if (!renamed.empty())
    return StackFault{.code = Code::resource_renamed,
                      .detail = "advertises " + names_of(renamed),
                      .advice = {naming_advice(node, asked)},
                      .reads = StackFault::Reads::behind_name,
                      .other_name = renamed.size() == 1 ? renamed.front()->resource : ""};
  if (!reshaped.empty())
    return StackFault{
        .code = Code::mig_mismatch,
        .detail = "advertises " + names_of(reshaped),
        .advice = {{.summary =
                        "ask for a shape that is there, or have the node cut anew: its label "
                        "nvidia.com/mig.config chooses the layout"}},
        .reads = StackFault::Reads::behind_name};
  return std::nullopt;
}

std::optional<StackFault> unregistered(const scheduler::Cluster& cluster,
                                       const scheduler::NodeState& node,
                                       const std::vector<Pool>& pools, const GpuResource& asked) {
  for (const Pool& pool : pools) {
    if (pool.kind.vendor != asked.vendor || pool.source != PoolSource::device_plugin) continue;
    if (pool.capacity == 0 && pool.allocatable == 0)
      return missing_plugin(cluster, node, asked.vendor);
    if (pool.allocatable == 0)
      return StackFault{.code = Code::device_plugin_unhealthy,
                        .detail = "has " + std::to_string(pool.capacity) + ", none allocatable",
                        .advice = {{.summary = "read the log of the device plugin's pod on " +
                                               node.node->name + ", and look for Xid errors there",
                                    .command = pods_on(*node.node)}},
                        .reads = StackFault::Reads::behind_name};
  }
  const bool has_pool = std::any_of(pools.begin(), pools.end(), [&](const Pool& pool) {
    return pool.kind.vendor == asked.vendor;
  });
  if (!has_pool && is_promised(cluster, node, asked))
    return missing_plugin(cluster, node, asked.vendor);
  return std::nullopt;
}

/// Some of the node's GPUs are not allocatable, or not advertised while something tells of more.
std::optional<StackFault> lost_gpus(const scheduler::Cluster& cluster, const Node& node,
                                    std::string_view resource) {
  const std::int64_t allocatable = amount_of(node.allocatable, resource).value();
  StackFault fault{.code = Code::gpu_unhealthy,
                   .units = amount_of(node.capacity, resource).value()};
  const std::string some_of = std::to_string(allocatable) + " of ";
  std::string help = "look for Xid errors on " + node.name + "; once the card is sound, ";
  if (allocatable < fault.units) {
    fault.detail = some_of + std::to_string(fault.units) + " are healthy";
    help += "restart the device plugin's pod there: until then it stays out";
  } else {
    for (const Pool& pool : pools_of(node, sums_of(cluster.snapshot(), node.name), Coverage::whole))
      if (pool.resource == resource && pool.expected > fault.units) {
        fault.units = *pool.expected;
        fault.detail =
            some_of + std::to_string(fault.units) + " are advertised (" + pool.expected_by + ")";
      }
    if (fault.detail.empty()) return std::nullopt;
    help += "restart the device plugin's pod there, which then advertises it";
  }
  fault.advice = {
      {.summary = help, .command = "kubectl gpu top gpus --node " + shell_quoted(node.name)}};
  return fault;
}

}  // namespace

std::optional<StackFault> stack_fault(const scheduler::Cluster& cluster,
                                      const scheduler::NodeState& node, std::string_view resource) {
  const std::optional<GpuResource> asked = gpu_resource(resource);
  if (!asked || cluster.shared<ResourceNames>().is_misspelt(resource)) return std::nullopt;
  if (amount_of(node.node->allocatable, resource).value() > 0)
    return lost_gpus(cluster, *node.node, resource);
  const std::vector<Pool> pools =
      pools_of(*node.node, sums_of(cluster.snapshot(), node.node->name), Coverage::whole);
  if (auto fault = other_shape(*node.node, pools, *asked)) return fault;
  return unregistered(cluster, node, pools, *asked);
}

const std::optional<StackFault>& StackFaults::of(std::size_t node,
                                                 scheduler::ResourceId resource) const {
  return in(known_[resource], node, cluster_.name_of(resource));
}

const std::optional<StackFault>& StackFaults::of(std::size_t node,
                                                 std::string_view resource) const {
  if (const auto number = cluster_.resource(resource)) return of(node, *number);
  auto found = unnumbered_.find(resource);
  if (found == unnumbered_.end()) found = unnumbered_.emplace(resource, std::vector<Known>()).first;
  return in(found->second, node, resource);
}

const std::optional<StackFault>& StackFaults::in(std::vector<Known>& nodes, std::size_t node,
                                                 std::string_view resource) const {
  if (nodes.empty()) nodes.resize(cluster_.nodes().size());
  Known& known = nodes[node];
  if (!known.is_known) known = {true, stack_fault(cluster_, cluster_.nodes()[node], resource)};
  return known.fault;
}

std::string nearest_resource(const scheduler::Cluster& cluster, std::string_view resource) {
  return cluster.shared<ResourceNames>().nearest(resource);
}

std::vector<std::string> unseen_stack(const scheduler::Cluster& cluster, Code code) {
  const bool is_of_stack = code == Code::device_plugin_missing || code == Code::driver_missing;
  if (!is_of_stack || coverage_of(cluster.snapshot().scheduling, "daemonsets") == Coverage::whole)
    return {};
  return {"DaemonSets of the GPU stack, which were not read"};
}

std::vector<Advice> advice_without_devices(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  const bool has_devices = !snapshot.slices.empty() || !snapshot.scheduling.other_slices.empty();
  if (has_devices || snapshot.slice_coverage != Coverage::whole) return {};
  return {{.summary = "no driver has published a device: see whether the kubelet plugin of the DRA "
                      "driver runs on the nodes with GPUs, and what it logs",
           .command = "kubectl get resourceslices"}};
}

}  // namespace gpu::diagnose
