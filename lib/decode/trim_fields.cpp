#include "decode/trim_fields.hpp"

#include <initializer_list>
#include <utility>

#include "model/workload.hpp"

namespace gpu::decode {
namespace {

/// `members` is one or more names with `|` between them, each a path with dots.
struct Line {
  std::string_view members;
  Meaning meaning;
};
using Lines = std::initializer_list<Line>;

/// What stands before `mark`, and what after it; all of `text` where there is no mark.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

Field& at(Field& root, std::string_view path) {
  Field* field = &root;
  while (!path.empty()) {
    const auto [first, rest] = cut(path, '.');
    field = &field->members[std::string(first)];
    path = rest;
  }
  return *field;
}

void add(Field& root, Lines lines) {
  for (const Line& line : lines)
    for (std::string_view left = line.members; !left.empty();) {
      const auto [path, rest] = cut(left, '|');
      at(root, path).meaning = line.meaning;
      left = rest;
    }
}

void add_conditions(Field& field) {
  add(field, {{"type|status|reason", Meaning::word},
              {"message", Meaning::message},
              {"lastTransitionTime", Meaning::number}});
}

void add_metadata(Field& root) {
  add(at(root, "metadata"), {{"name", Meaning::own_name},
                             {"namespace", Meaning::ns},
                             {"uid", Meaning::uid},
                             {"creationTimestamp|deletionTimestamp", Meaning::number},
                             {"labels", Meaning::labels},
                             {"annotations", Meaning::annotations},
                             {"ownerReferences", Meaning::owners}});
}

void add_node_selector(Field& selector) {
  add(at(selector, "nodeSelectorTerms"),
      {{"matchExpressions", Meaning::requirements}, {"matchFields", Meaning::field_requirements}});
}

void add_label_selector(Field& selector) {
  add(selector, {{"matchLabels", Meaning::labels}, {"matchExpressions", Meaning::requirements}});
}

void add_pod_term(Field& term) {
  add_label_selector(at(term, "labelSelector"));
  add_label_selector(at(term, "namespaceSelector"));
  add(term, {{"namespaces", Meaning::ns},
             {"topologyKey|matchLabelKeys|mismatchLabelKeys", Meaning::label_key}});
}

void add_affinity(Field& affinity) {
  static constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  static constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
  Field& node = at(affinity, "nodeAffinity");
  add_node_selector(at(node, kRequired));
  Field& preferred = at(node, kPreferred);
  add(preferred, {{"weight", Meaning::number},
                  {"preference.matchExpressions", Meaning::requirements},
                  {"preference.matchFields", Meaning::field_requirements}});
  for (const std::string_view name : {"podAffinity", "podAntiAffinity"}) {
    Field& pods = at(affinity, name);
    add_pod_term(at(pods, kRequired));
    add_pod_term(at(pods, kPreferred).members["podAffinityTerm"]);
    add(at(pods, kPreferred), {{"weight", Meaning::number}});
  }
}

void add_container(Field& container) {
  add(container, {{"name", Meaning::container},
                  {"image", Meaning::image},
                  {"restartPolicy|ports.protocol", Meaning::word},
                  {"ports.name", Meaning::port_name},
                  {"ports.containerPort|ports.hostPort", Meaning::number},
                  {"resources.requests|resources.limits", Meaning::resources},
                  {"resources.claims.name|resources.claims.request", Meaning::request}});
}

void add_container_status(Field& status) {
  add(status,
      {{"name", Meaning::container},
       {"ready|started|restartCount", Meaning::number},
       {"state.waiting.reason|state.terminated.reason|lastState.terminated.reason", Meaning::word},
       {"state.running.startedAt|state.terminated.startedAt|state.terminated.finishedAt|"
        "state.terminated.exitCode|lastState.terminated.exitCode|"
        "lastState.terminated.finishedAt",
        Meaning::number},
       {"allocatedResources|resources.requests|resources.limits", Meaning::resources},
       {"allocatedResourcesStatus.name", Meaning::device_name},
       {"allocatedResourcesStatus.resources.resourceID", Meaning::device_id},
       {"allocatedResourcesStatus.resources.health", Meaning::word}});
}

void add_pod_spec(Field& spec) {
  add(spec, {{"nodeName", Meaning::node},
             {"schedulerName", Meaning::scheduler},
             {"priority|hostNetwork", Meaning::number},
             {"priorityClassName", Meaning::priority_class},
             {"preemptionPolicy|restartPolicy", Meaning::word},
             {"runtimeClassName", Meaning::runtime_class},
             {"nodeSelector", Meaning::labels},
             {"tolerations", Meaning::taints},
             {"schedulingGates.name", Meaning::gate},
             {"overhead|resources.requests|resources.limits", Meaning::resources},
             {"resourceClaims.name", Meaning::request},
             {"resourceClaims.resourceClaimName|resourceClaims.resourceClaimTemplateName|"
              "resourceClaims.source.resourceClaimName|"
              "resourceClaims.source.resourceClaimTemplateName",
              Meaning::claim}});
  add_affinity(at(spec, "affinity"));
  add(at(spec, "topologySpreadConstraints"),
      {{"maxSkew|minDomains", Meaning::number},
       {"topologyKey|matchLabelKeys", Meaning::label_key},
       {"whenUnsatisfiable|nodeAffinityPolicy|nodeTaintsPolicy", Meaning::word}});
  add_label_selector(at(spec, "topologySpreadConstraints.labelSelector"));
  for (const std::string_view list : {"containers", "initContainers"})
    add_container(at(spec, list));
  // What a volume comes from is its own secret, but for the claims that decide on the node.
  add(at(spec, "volumes"),
      {{"name", Meaning::volume},
       {"persistentVolumeClaim.claimName", Meaning::volume_claim},
       {"ephemeral.volumeClaimTemplate.spec.storageClassName", Meaning::storage_class},
       {"ephemeral.volumeClaimTemplate.spec.accessModes", Meaning::word},
       {"ephemeral.volumeClaimTemplate.spec.resources.requests", Meaning::resources}});
}

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

void add_request(Field& request) {
  add(request, {{"name", Meaning::request},
                {"deviceClassName", Meaning::device_class},
                {"selectors.cel.expression", Meaning::cel},
                {"allocationMode", Meaning::word},
                {"count|adminAccess", Meaning::number},
                {"tolerations", Meaning::taints},
                {"capacity.requests", Meaning::amounts}});
}

Field claim_fields() {
  Field root;
  add_metadata(root);
  Field& devices = at(root, "spec.devices");
  add_request(at(devices, "requests"));
  add_request(at(devices, "requests.exactly"));
  add_request(at(devices, "requests.firstAvailable"));
  add(at(devices, "constraints"),
      {{"requests", Meaning::request}, {"matchAttribute|distinctAttribute", Meaning::attribute}});
  Field& status = at(root, "status");
  add(at(status, "allocation.devices.results"), {{"request", Meaning::request},
                                                 {"driver", Meaning::driver},
                                                 {"pool", Meaning::pool},
                                                 {"device", Meaning::device},
                                                 {"adminAccess", Meaning::number},
                                                 {"shareID", Meaning::uid},
                                                 {"consumedCapacity", Meaning::amounts},
                                                 {"tolerations", Meaning::taints}});
  add_node_selector(at(status, "allocation.nodeSelector"));
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
             {"readAt|continues", Meaning::number}});
  add(at(root, "series"), {{"name", Meaning::metric},
                           {"labels", Meaning::metric_labels},
                           {"value", Meaning::reading},
                           {"at", Meaning::number}});
  return root;
}

Field metadata_fields() {
  Field root;
  add_metadata(root);
  return root;
}

}  // namespace

const Field* fields_of_kind(std::string_view kind, std::string_view api_version) {
  static const std::map<std::string, Field, std::less<>> kFields = {
      {"Node", node_fields()},           {"Pod", pod_fields()},
      {"ResourceSlice", slice_fields()}, {"ResourceClaim", claim_fields()},
      {"DeviceClass", class_fields()},   {"Scrape", scrape_fields()},
  };
  static const Field kMetadata = metadata_fields();
  const auto found = kFields.find(kind);
  if (found != kFields.end()) return &found->second;
  return workload_kind(kind, api_version) != nullptr ? &kMetadata : nullptr;
}

}  // namespace gpu::decode
