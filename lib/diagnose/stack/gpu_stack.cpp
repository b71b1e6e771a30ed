#include "diagnose/stack/gpu_stack.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.hpp"
#include "diagnose/stack/added_nodes.hpp"
#include "diagnose/stack/daemon_reach.hpp"
#include "diagnose/stack/dra_driver.hpp"
#include "diagnose/stack/gpu_promise.hpp"
#include "diagnose/stack/node_maintenance.hpp"
#include "diagnose/stack/resource_names.hpp"
#include "diagnose/stack/stack_pods.hpp"
#include "diagnose/stack/unadvertised_cards.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/holdings/pools.hpp"
#include "model/objects/own_kind.hpp"

namespace gpu::diagnose {
namespace {

/// Names of the resources of other pools of the node, for "advertises nvidia.com/gpu.shared".
std::string names_of(const std::vector<const Pool*>& pools) {
  std::string names;
  for (const Pool* pool : pools) names += (names.empty() ? "" : ", ") + pool->resource;
  return names;
}

/// GKE's device plugin is always there; its driver comes by a DaemonSet of its own, or with the
/// node pool.
bool lacks_gke_driver(const scheduler::Cluster& cluster, const Node& node) {
  return node.labels.contains("cloud.google.com/gke-accelerator") &&
         !node.labels.contains("cloud.google.com/gke-gpu-driver-version") &&
         coverage_of(cluster.snapshot().scheduling, "daemonsets") == Coverage::whole &&
         cluster.shared<StackDaemons>().of(DaemonRole::driver, Vendor::nvidia).empty();
}

/// The node's pod of one of these DaemonSets that is not ready.
const Pod* unready_pod(const scheduler::NodeState& node,
                       const std::vector<const DaemonSet*>& daemons) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const DaemonSet* daemon : daemons) names.emplace(daemon->ns, daemon->name);
  for (const scheduler::BoundPod& bound : node.pods) {
    const auto is_of_role = [&](const OwnerReference& owner) {
      return is_own(owner, "DaemonSet") && names.contains({bound.pod->ns, owner.name});
    };
    const auto& owners = bound.pod->owners;
    if (std::any_of(owners.begin(), owners.end(), is_of_role) && !is_ready_pod(*bound.pod))
      return bound.pod;
  }
  return nullptr;
}

/// The driver of the maker's GPUs is being changed, its pod is not ready, or none is there.
std::optional<StackFault> driver_fault(const scheduler::Cluster& cluster,
                                       const scheduler::NodeState& node, Vendor vendor) {
  const bool is_nvidia = vendor == Vendor::nvidia;
  if (is_nvidia)
    if (auto work = maintenance_of(cluster, node); work && !node.node->deleted) {
      std::vector<Advice> advice = {std::move(work->advice)};
      advice.insert(advice.end(), work->more.begin(), work->more.end());
      return StackFault{.code = Code::device_plugin_missing,
                        .detail = std::move(work->what),
                        .advice = std::move(advice)};
    }
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

/// Whether any node offers GPUs of this maker by a device plugin: one is installed, be it no
/// DaemonSet.
bool is_offered_anywhere(const scheduler::Cluster& cluster, Vendor vendor) {
  const auto& nodes = cluster.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const scheduler::NodeState& node) {
    return std::any_of(node.node->allocatable.begin(), node.node->allocatable.end(),
                       [&](const auto& entry) {
                         const auto gpu = gpu_resource(entry.first);
                         return gpu && gpu->vendor == vendor && entry.second > Quantity{};
                       });
  });
}

/// No DaemonSet brings a device plugin: a DRA driver hands out the GPUs, other nodes have the
/// plugin by other means, or it is not installed.
StackFault no_plugin(const scheduler::Cluster& cluster, const Node& node, Vendor vendor) {
  const bool has_another_makers =
      !cluster.shared<StackDaemons>().of(DaemonRole::device_plugin).empty();
  const std::string_view resource = usual_resource(vendor);
  if (has_dra_driver(cluster, vendor))
    return {.code = Code::device_plugin_missing,
            .detail = "no device plugin is in the cluster: a DRA driver hands out its GPUs",
            .advice = {{.summary = "request the GPUs by a ResourceClaim, or set "
                                   "extendedResourceName: " +
                                   std::string(resource) + " in the DeviceClass of the driver",
                        .command = "kubectl get deviceclasses"}}};
  if (is_offered_anywhere(cluster, vendor))
    return {.code = Code::device_plugin_missing,
            .detail =
                "has no registered device plugin, which other nodes have, by no DaemonSet "
                "that is known here",
            .advice = {{.summary = "see what brings the device plugin to the other nodes, and "
                                   "why it is not on " +
                                   node.name,
                        .command = pods_on(node)}},
            .reads = StackFault::Reads::behind_name};
  const std::string whose =
      has_another_makers && !resource.empty() ? " for " + std::string(resource) : std::string();
  return {.code = Code::device_plugin_missing,
          .detail = "no DaemonSet of a GPU device plugin" + whose + " is in the cluster",
          .advice = {{.summary = "install the device plugin of the GPUs' maker, or its operator"}}};
}

/// What keeps a plugin that runs from finding GPUs, or the kubelet from taking them.
Advice advice_on_empty_plugin(const Node& node, const Pod& plugin, Vendor vendor) {
  const auto labels = gpu_labels(node.labels);
  if (labels && !labels->partition.empty())
    return {.summary = "if it found the devices, see the kubelet's log on " + node.name +
                       ", and change the partition mode (" + labels->partition +
                       ") or the release of the device plugin: with other modes its count of "
                       "devices differs"};
  if (vendor != Vendor::nvidia)
    return {.summary = "if it found the devices, see the kubelet's log on " + node.name};
  const std::string lead =
      plugin.runtime_class.empty()
          ? "if it found none, let it run under the runtime nvidia: default_runtime_name in "
            "containerd's configuration, or runtimeClassName of its DaemonSet"
          : "if it found none, see whether the handler of its RuntimeClass " +
                plugin.runtime_class + " is in containerd's configuration";
  return {.summary = lead +
                     ". A configuration takes effect once containerd is restarted; until "
                     "then `nvidia-ctk runtime configure` alone changes nothing"};
}

/// The node's device plugin has a pod: it is not ready, or it runs and has nothing to offer.
std::optional<StackFault> plugin_pod_fault(const scheduler::NodeState& node, Vendor vendor) {
  const Pod* const plugin = pod_on(node, DaemonRole::device_plugin, vendor);
  if (plugin == nullptr) return std::nullopt;
  if (!is_ready_pod(*plugin))
    return StackFault{.code = Code::device_plugin_missing,
                      .detail = "the device plugin's pod " + unready_text(*plugin),
                      .advice = {read_log_of(*plugin)}};
  std::vector<Advice> advice = {read_log_of(*plugin)};
  advice.push_back(advice_on_empty_plugin(*node.node, *plugin, vendor));
  return StackFault{.code = Code::device_plugin_missing,
                    .detail = "the device plugin's pod " + plugin->ns + "/" + plugin->name +
                              " runs, but the kubelet has no GPUs from it",
                    .advice = std::move(advice)};
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
  const auto plugins = cluster.shared<StackDaemons>().of(DaemonRole::device_plugin, vendor);
  if (plugins.empty()) return no_plugin(cluster, *node.node, vendor);
  return absence_of(cluster, node, plugins).value_or(unknown);
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

bool has_whole_cards(const std::vector<const Pool*>& pools) {
  return std::any_of(pools.begin(), pools.end(),
                     [](const Pool* pool) { return pool->kind.kind == DeviceKind::card; });
}

/// What a node has in place of what is asked for.
std::string offers_text(const std::vector<const Pool*>& pools, const GpuResource& asked) {
  if (asked.kind != DeviceKind::mig_slice) return "only MIG slices";
  return has_whole_cards(pools) ? "whole GPUs" : "other MIG slices";
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
        .advice =
            {{.summary =
                  "request a shape that is there, or have the cards of the node cut into it: its "
                  "label nvidia.com/mig.config chooses the layout"}},
        .reads = StackFault::Reads::behind_name,
        .offers = offers_text(reshaped, asked)};
  return std::nullopt;
}

/// Whether a plugin has registered the name and has none, while no other node has any: without a
/// label that is all that tells of GPUs. Some plugins do so on all nodes.
bool is_registered_with_none(const scheduler::Cluster& cluster, const Node& node,
                             std::string_view resource) {
  return node.capacity.contains(resource) && !cluster.shared<ResourceNames>().is_offered(resource);
}

/// The kubelet takes GPUs back when the plugin's endpoint is gone, or when it calls them all
/// unhealthy; pods that hold some go on.
StackFault withdrawn_gpus(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                          const Pool& pool) {
  const std::string lead = "has " + std::to_string(pool.capacity) + ", none allocatable";
  StackFault why = missing_plugin(cluster, node, pool.kind.vendor);
  const Pod* const plugin = pod_on(node, DaemonRole::device_plugin, pool.kind.vendor);
  if (plugin != nullptr && is_ready_pod(*plugin) && why.code == Code::device_plugin_missing)
    return {.code = Code::device_plugin_unhealthy,
            .detail = lead,
            .advice = {read_log_of(*plugin),
                       {.summary = "look for Xid errors on " + node.node->name +
                                   ": the plugin calls all its GPUs unhealthy",
                        .command = "kubectl gpu top gpus --node " + shell_quoted(node.node->name)}},
            .reads = StackFault::Reads::behind_name};
  if (why.code == Code::device_plugin_missing) why.code = Code::device_plugin_unhealthy;
  why.detail = why.is_vague ? lead : lead + ": " + why.detail;
  why.reads = StackFault::Reads::behind_name;
  return why;
}

/// A node that an autoscaler added for such pods, and that does not advertise what was promised.
StackFault with_autoscaler(const scheduler::Cluster& cluster, const Node& node, Vendor vendor,
                           StackFault fault) {
  const auto by = cluster.shared<AddedNodes>().added_by(node, vendor);
  if (!by) return fault;
  const std::string lead = "was added by " + std::string(*by) + " for such pods";
  fault.detail = fault.reads == StackFault::Reads::behind_name ? lead + ", and " + fault.detail
                                                               : lead + ": " + fault.detail;
  fault.reads = StackFault::Reads::behind_name;
  return fault;
}

std::optional<StackFault> unregistered(const scheduler::Cluster& cluster,
                                       const scheduler::NodeState& node,
                                       const std::vector<Pool>& pools, std::string_view resource,
                                       const GpuResource& asked) {
  for (const Pool& pool : pools) {
    if (pool.kind.vendor != asked.vendor || pool.source != PoolSource::device_plugin) continue;
    if (pool.capacity == 0 && pool.allocatable == 0)
      return missing_plugin(cluster, node, asked.vendor);
    if (pool.allocatable == 0) return withdrawn_gpus(cluster, node, pool);
  }
  const bool has_pool = std::any_of(pools.begin(), pools.end(), [&](const Pool& pool) {
    return pool.kind.vendor == asked.vendor;
  });
  if (!has_pool &&
      (is_promised(cluster, node, asked) || is_registered_with_none(cluster, *node.node, resource)))
    return with_autoscaler(cluster, *node.node, asked.vendor,
                           missing_plugin(cluster, node, asked.vendor));
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
    if (const auto told = cluster.shared<UnadvertisedCards>().units_on(node.name, resource)) {
      fault.units = *told;
      fault.detail =
          some_of + std::to_string(*told) + " are advertised (an exporter there reports as many)";
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
  return unregistered(cluster, node, pools, resource, *asked);
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

}  // namespace gpu::diagnose
