#include "input/snapshot/trim_fields.hpp"

#include <map>
#include <string>
#include <utility>

#include "decode/kinds/kind_info.hpp"
#include "decode/kinds/whitelist.hpp"
#include "model/snapshot/workload.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::input {
namespace {

using decode::add;
using decode::add_claim_spec;
using decode::add_conditions;
using decode::add_container_status;
using decode::add_metadata;
using decode::add_node_selector;
using decode::add_pod_spec;
using decode::at;

Field pod_fields() {
  Field root;
  add_metadata(root);
  add_pod_spec(at(root, "spec"));
  Field& status = at(root, "status");
  add(status,
      {{"phase|reason|resize|qosClass", Meaning::word},
       {"message", Meaning::message},
       {"startTime", Meaning::number},
       {"podIP|hostIP", Meaning::address},
       {"nominatedNodeName", Meaning::node},
       {"allocatedResources|resources.requests|resources.limits", Meaning::resources},
       {"resourceClaimStatuses.name", Meaning::request},
       {"resourceClaimStatuses.resourceClaimName|extendedResourceClaimStatus.resourceClaimName",
        Meaning::claim},
       {"extendedResourceClaimStatus.requestMappings.containerName", Meaning::container},
       {"extendedResourceClaimStatus.requestMappings.resourceName", Meaning::resource},
       {"extendedResourceClaimStatus.requestMappings.requestName", Meaning::request}});
  add_conditions(at(status, "conditions"));
  for (const std::string_view list : {"containerStatuses", "initContainerStatuses"})
    add_container_status(at(status, list));
  return root;
}

Field node_fields() {
  Field root;
  add_metadata(root);
  add(root, {{"spec.providerID", Meaning::provider_id},
             {"spec.unschedulable", Meaning::number},
             {"spec.taints", Meaning::taints},
             {"status.capacity|status.allocatable", Meaning::resources},
             {"status.nodeInfo.kubeletVersion|status.nodeInfo.containerRuntimeVersion|"
              "status.nodeInfo.kernelVersion",
              Meaning::version},
             {"status.declaredFeatures", Meaning::word},
             {"status.images.names", Meaning::image},
             {"status.images.sizeBytes", Meaning::number},
             {"status.nodeInfo.architecture|status.nodeInfo.operatingSystem", Meaning::word},
             {"status.nodeInfo.osImage", Meaning::message}});
  add_conditions(at(root, "status.conditions"));
  return root;
}

void add_device(Field& device) {
  add(device, {{"name", Meaning::device},
               {"attributes", Meaning::attributes},
               {"capacity", Meaning::amounts},
               {"consumesCounters.counterSet", Meaning::device},
               {"consumesCounters.counters", Meaning::amounts},
               {"taints", Meaning::taints},
               {"nodeName", Meaning::node},
               {"allNodes|allowMultipleAllocations|bindsToNode", Meaning::number},
               {"bindingConditions|bindingFailureConditions", Meaning::word}});
  add_node_selector(at(device, "nodeSelector"));
}

Field slice_fields() {
  Field root;
  add_metadata(root);
  Field& spec = at(root, "spec");
  add(spec,
      {{"driver", Meaning::driver},
       {"pool.name", Meaning::pool},
       {"pool.generation|pool.resourceSliceCount|allNodes|perDeviceNodeSelection", Meaning::number},
       {"nodeName", Meaning::node},
       {"sharedCounters.name", Meaning::device},
       {"sharedCounters.counters", Meaning::amounts}});
  add_node_selector(at(spec, "nodeSelector"));
  add_device(at(spec, "devices"));
  add_device(at(spec, "devices.basic"));  // v1beta1
  return root;
}

Field claim_fields() {
  Field root;
  add_metadata(root);
  add_claim_spec(at(root, "spec.devices"));
  Field& status = at(root, "status");
  add(at(status, "allocation.devices.results"),
      {{"request", Meaning::request},
       {"driver", Meaning::driver},
       {"pool", Meaning::pool},
       {"device", Meaning::device},
       {"adminAccess", Meaning::number},
       {"shareID", Meaning::uid},
       {"bindingConditions|bindingFailureConditions", Meaning::word},
       {"consumedCapacity", Meaning::amounts},
       {"tolerations", Meaning::taints}});
  add_node_selector(at(status, "allocation.nodeSelector"));
  add(at(status, "devices"), {{"driver", Meaning::driver},
                              {"pool", Meaning::pool},
                              {"device", Meaning::device},
                              {"shareID", Meaning::uid}});
  add_conditions(at(status, "devices.conditions"));
  add(status,
      {{"allocation.allocationTimestamp", Meaning::number}, {"reservedFor", Meaning::users}});
  return root;
}

Field class_fields() {
  Field root;
  add_metadata(root);
  add(root, {{"spec.selectors.cel.expression", Meaning::cel},
             {"spec.extendedResourceName", Meaning::resource}});
  return root;
}

/// Raw series of an exporter, or of an answer of Prometheus. Which metrics is not ours to say.
Field scrape_fields() {
  Field root;
  add(root, {{"metadata.name", Meaning::own_name},
             {"source", Meaning::word},
             {"node", Meaning::node},
             {"exporter", Meaning::exporter},
             {"readAt|intervalMilliseconds|continues", Meaning::number}});
  add(at(root, "series"), {{"name", Meaning::metric},
                           {"labels", Meaning::metric_labels},
                           {"value", Meaning::reading},
                           {"at", Meaning::number}});
  return root;
}

/// Of what makes pods: whether it may make any, and what it says of that. The cluster is asked for
/// metadata alone; files may have them whole.
Field workload_fields() {
  Field root;
  add_metadata(root);
  add(root,
      {{"spec.suspend|spec.runPolicy.suspend|spec.replicas|spec.parallelism", Meaning::number},
       {"status.phase|status.jobStatus|status.jobDeploymentStatus|status.state.phase|status."
        "applicationState.state",
        Meaning::word}});
  add_conditions(at(root, "status.conditions"));
  return root;
}

constexpr std::string_view kOfDevices = "resource.k8s.io";

/// Of each kind in the table.
std::map<ObjectKind, Field> whitelists() {
  std::map<ObjectKind, Field> result;
  for (const decode::KindInfo& kind : decode::kinds())
    if (kind.fields != nullptr) result.emplace(kind.id, kind.fields());
  return result;
}

}  // namespace

const Field* fields_of_kind(std::string_view kind, std::string_view api_version) {
  // By kind and group: a Node of longhorn.io is no Node.
  static const std::map<std::pair<std::string_view, std::string_view>, Field> kFields = {
      {{"Node", ""}, node_fields()},
      {{"Pod", ""}, pod_fields()},
      {{"ResourceSlice", kOfDevices}, slice_fields()},
      {{"ResourceClaim", kOfDevices}, claim_fields()},
      {{"DeviceClass", kOfDevices}, class_fields()},
      {{telemetry::kScrapeKind, decode::group_of(telemetry::kScrapeVersion)}, scrape_fields()},
  };
  static const std::map<ObjectKind, Field> kOfTable = whitelists();
  static const Field kWorkload = workload_fields();
  if (const auto found = kFields.find({kind, decode::group_of(api_version)});
      found != kFields.end())
    return &found->second;
  if (const decode::KindInfo* const info = decode::find_kind(kind, api_version)) {
    const auto kept = kOfTable.find(info->id);
    return kept == kOfTable.end() ? nullptr : &kept->second;
  }
  return queued_kind(kind, api_version) != nullptr ? &kWorkload : nullptr;
}

}  // namespace gpu::input
