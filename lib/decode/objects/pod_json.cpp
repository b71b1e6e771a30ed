#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/objects/placement.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/pod_parts.hpp"
#include "decode/objects/pod_volume.hpp"
#include "decode/objects/taint.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

void read_collect_interval(Container& container, const JsonObject& object) {
  CollectInterval interval;
  for (const char* const list : {"command", "args"})
    for (const std::string& word : object.texts(list)) interval.add_word(word);
  object.each("env", [&](const JsonObject& variable) {
    interval.add_variable(variable.text("name"), variable.text("value"));
  });
  container.collect_interval = interval.value();
}

Container container_from_json(const JsonObject& object) {
  Container container;
  container.name = object.text("name");
  container.image = object.text("image");
  if (const auto resources = object.object("resources")) {
    container.requests = resources->resources("requests");
    container.limits = resources->resources("limits");
  }
  if (may_be_exporter(container)) read_collect_interval(container, object);
  object.each("env", [&](const JsonObject& variable) {
    if (shows_all_gpus(variable.text("name"), variable.text("value")))
      container.sees_all_gpus = true;
  });
  container.restarts_always = object.text("restartPolicy") == "Always";
  object.each("restartPolicyRules",
              [&](const JsonObject& rule) { add_restart_rule(container, rule.text("action")); });
  object.each("ports", [&](const JsonObject& port) {
    container.ports.push_back({port.text("name"), port.number("containerPort").value_or(0),
                               port.number("hostPort").value_or(0), port.text("hostIP"),
                               port.text("protocol")});
  });
  return container;
}

/// Where the pod can run, beside what it asks for.
void read_place(Pod& pod, const JsonObject& spec) {
  if (const auto affinity = spec.object("affinity")) read_affinity(pod.placement, *affinity);
  spec.each("topologySpreadConstraints", [&](const JsonObject& constraint) {
    pod.placement.spread.push_back(spread_from_json(constraint));
  });
  spec.each("volumes", [&](const JsonObject& volume) {
    if (is_of(volume, KeptVolume::empty_dir)) pod.has_empty_dir = true;
    if (is_of(volume, KeptVolume::host_path)) pod.has_host_path = true;
    if (auto read = volume_from_json(volume)) pod.volumes.push_back(std::move(*read));
  });
  pod.preemption_policy = spec.text("preemptionPolicy");
  pod.runtime_class = spec.text("runtimeClassName");
  pod.host_network = spec.flag("hostNetwork");
  pod.has_deadline = spec.long_number("activeDeadlineSeconds").value_or(-1) >= 0;
  pod.isolates_users = spec.has("hostUsers") && !spec.flag("hostUsers");
  if (const auto group = spec.object("schedulingGroup"))
    pod.pod_group = group->text("podGroupName");
}

void read_spec(Pod& pod, ClaimReferences& claims, const JsonObject& spec) {
  pod.node_name = spec.text("nodeName");
  pod.scheduler_name = spec.text("schedulerName");
  pod.priority = spec.number("priority");
  pod.priority_class = spec.text("priorityClassName");
  pod.node_selector = spec.strings("nodeSelector");
  pod.tolerations = tolerations_in(spec);
  spec.each("schedulingGates",
            [&](const JsonObject& gate) { pod.scheduling_gates.push_back(gate.text("name")); });
  read_place(pod, spec);
  spec.each("containers", [&](const JsonObject& container) {
    pod.containers.push_back(container_from_json(container));
  });
  spec.each("initContainers", [&](const JsonObject& container) {
    pod.init_containers.push_back(container_from_json(container));
  });
  spec.each("resourceClaims", [&](const JsonObject& reference) {
    claims.references.push_back({reference.text("name"), reference.text("resourceClaimName"),
                                 reference.text("resourceClaimTemplateName")});
  });
  pod.overhead = spec.resources("overhead");
  if (const auto resources = spec.object("resources")) {
    pod.pod_requests = unless_empty(resources->resources("requests"));
    pod.pod_limits = unless_empty(resources->resources("limits"));
  }
}

/// The state of a container.
ContainerState state_in(const JsonObject& status, std::string_view name) {
  ContainerState state;
  const auto object = status.object(name);
  if (!object) return state;
  if (const auto waiting = object->object("waiting")) {
    state.waits = true;
    state.waiting = waiting->text("reason");
    state.waiting_message = waiting->text("message");
  }
  if (const auto running = object->object("running"))
    state.running_since = running->time("startedAt");
  if (const auto terminated = object->object("terminated")) {
    state.terminated = terminated->text("reason");
    state.terminated_message = terminated->text("message");
    state.started_at = terminated->time("startedAt");
    state.terminated_at = terminated->time("finishedAt");
  }
  return state;
}

ContainerResourceStatus container_status_from_json(const JsonObject& object) {
  ContainerResourceStatus status;
  status.name = object.text("name");
  status.allocated = object.resources("allocatedResources");
  if (const auto resources = object.object("resources"))
    status.requests = resources->resources("requests");
  set_states(status, state_in(object, "state"), state_in(object, "lastState"));
  status.restarts = object.number("restartCount").value_or(0);
  object.each("allocatedResourcesStatus", [&](const JsonObject& resource) {
    const std::string name = resource.text("name");
    resource.each("resources", [&](const JsonObject& device) {
      status.devices.push_back({name, device.text("resourceID"), device.text("health")});
    });
  });
  return status;
}

void read_extended_claim(Pod& pod, const JsonObject& status) {
  pod.extended_claim = status.text("resourceClaimName");
  status.each("requestMappings", [&](const JsonObject& mapping) {
    pod.extended_resources.push_back(
        {mapping.text("containerName"), mapping.text("resourceName"), mapping.text("requestName")});
  });
}

void read_status(Pod& pod, ClaimReferences& claims, const JsonObject& status) {
  pod.phase = status.text("phase");
  pod.reason = status.text("reason");
  pod.message = status.text("message");
  status.each("conditions", [&](const JsonObject& condition) {
    pod.conditions.push_back(condition_from_json(condition));
  });
  pod.started = status.time("startTime");
  pod.nominated_node = status.text("nominatedNodeName");
  pod.ip = status.text("podIP");
  pod.host_ip = status.text("hostIP");
  status.each("containerStatuses", [&](const JsonObject& container) {
    pod.container_statuses.push_back(container_status_from_json(container));
  });
  status.each("initContainerStatuses", [&](const JsonObject& container) {
    pod.init_container_statuses.push_back(container_status_from_json(container));
  });
  pod.allocated = status.resources("allocatedResources");
  if (const auto resources = status.object("resources"))
    pod.resized_requests = resources->resources("requests");
  pod.resize = status.text("resize");
  status.each("resourceClaimStatuses", [&](const JsonObject& made) {
    claims.made.push_back({made.text("name"), made.text("resourceClaimName")});
  });
  if (const auto extended = status.object("extendedResourceClaimStatus"))
    read_extended_claim(pod, *extended);
}

}  // namespace

Pod pod_from_json(const nlohmann::json& object) {
  Pod pod;
  ClaimReferences claims;
  naming_object("Pod", pod.ns, pod.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata"))
      set_metadata(pod, metadata_from_json(*metadata, Annotations::of_devices));
    if (const auto spec = root.object("spec")) read_spec(pod, claims, *spec);
    if (const auto status = root.object("status")) read_status(pod, claims, *status);
  });
  complete(pod, std::move(claims));
  return pod;
}

}  // namespace gpu::decode
