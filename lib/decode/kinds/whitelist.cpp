#include "decode/kinds/whitelist.hpp"

#include <string>
#include <utility>

namespace gpu::decode {
namespace {

/// What stands before `mark`, and what after it; all of `text` where there is no mark.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
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
                  {"restartPolicy|restartPolicyRules.action|ports.protocol", Meaning::word},
                  {"ports.name", Meaning::port_name},
                  {"ports.containerPort|ports.hostPort", Meaning::number},
                  {"ports.hostIP", Meaning::address},
                  {"resources.requests|resources.limits", Meaning::resources},
                  {"resources.claims.name|resources.claims.request", Meaning::request}});
}

/// What a volume comes from is its own secret, but for what decides on the node.
void add_volumes(Field& volumes) {
  add(volumes, {{"name", Meaning::volume},
                {"persistentVolumeClaim.claimName", Meaning::volume_claim},
                {"ephemeral.volumeClaimTemplate.spec.storageClassName", Meaning::storage_class},
                {"ephemeral.volumeClaimTemplate.spec.accessModes", Meaning::word},
                {"ephemeral.volumeClaimTemplate.spec.resources.requests", Meaning::resources},
                {"csi.driver", Meaning::driver},
                {"emptyDir.medium", Meaning::word},
                {"emptyDir.sizeLimit", Meaning::number},
                {"hostPath.type", Meaning::word},
                {"gcePersistentDisk.pdName|awsElasticBlockStore.volumeID|azureDisk.diskURI|"
                 "cinder.volumeID|portworxVolume.volumeID|iscsi.iqn|rbd.image|rbd.pool|"
                 "rbd.monitors",
                 Meaning::disk},
                {"azureDisk.kind", Meaning::word},
                {"gcePersistentDisk.readOnly|awsElasticBlockStore.readOnly|iscsi.readOnly|"
                 "rbd.readOnly",
                 Meaning::number}});
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

}  // namespace

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

void add_pod_spec(Field& spec) {
  add(spec, {{"nodeName", Meaning::node},
             {"schedulerName", Meaning::scheduler},
             {"priority|hostNetwork|hostUsers|activeDeadlineSeconds", Meaning::number},
             {"priorityClassName", Meaning::priority_class},
             {"preemptionPolicy|restartPolicy", Meaning::word},
             {"runtimeClassName", Meaning::runtime_class},
             {"nodeSelector", Meaning::labels},
             {"tolerations", Meaning::taints},
             {"schedulingGates.name", Meaning::gate},
             {"schedulingGroup.podGroupName", Meaning::group},
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
  add_volumes(at(spec, "volumes"));
}

void add_container_status(Field& status) {
  add(status,
      {{"name", Meaning::container},
       {"ready|started|restartCount", Meaning::number},
       {"state.waiting.reason|state.terminated.reason|lastState.terminated.reason", Meaning::word},
       {"state.waiting.message", Meaning::message},
       {"state.running.startedAt|state.terminated.startedAt|state.terminated.finishedAt|"
        "state.terminated.exitCode|lastState.terminated.exitCode|"
        "lastState.terminated.startedAt|lastState.terminated.finishedAt",
        Meaning::number},
       {"allocatedResources|resources.requests|resources.limits", Meaning::resources},
       {"allocatedResourcesStatus.name", Meaning::device_name},
       {"allocatedResourcesStatus.resources.resourceID", Meaning::device_id},
       {"allocatedResourcesStatus.resources.health", Meaning::word}});
}

void add_claim_spec(Field& devices) {
  add_request(at(devices, "requests"));
  add_request(at(devices, "requests.exactly"));
  add_request(at(devices, "requests.firstAvailable"));
  add(at(devices, "constraints"),
      {{"requests", Meaning::request}, {"matchAttribute|distinctAttribute", Meaning::attribute}});
}

}  // namespace gpu::decode
