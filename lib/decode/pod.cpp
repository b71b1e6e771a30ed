#include "decode/pod.hpp"

#include "decode/json_fields.hpp"
#include "decode/metadata.hpp"
#include "decode/protobuf.hpp"

namespace gpu::decode {
namespace {

/// core/v1 ResourceRequirements.
struct Requirements {
  ResourceList requests;
  ResourceList limits;
};

/// An empty map and none are the same bytes in protobuf, so they are the same for us.
std::optional<ResourceList> unless_empty(ResourceList&& list) {
  if (list.empty()) return std::nullopt;
  return std::move(list);
}

void set_metadata(Pod& pod, Metadata&& metadata) {
  pod.ns = std::move(metadata.ns);
  pod.name = std::move(metadata.name);
  pod.uid = std::move(metadata.uid);
  pod.labels = std::move(metadata.labels);
  pod.owners = std::move(metadata.owners);
  pod.created = metadata.created;
  pod.deleted = metadata.deleted;
}

/// Since 1.33 the state of a resize is a condition; before, it was status.resize.
void set_resize_from_conditions(Pod& pod) {
  for (const Condition& condition : pod.conditions) {
    if (condition.type != "PodResizePending") continue;
    pod.resize = condition.reason;
    return;
  }
}

Requirements requirements_from_protobuf(std::string_view message, const Path& path) {
  Requirements requirements;
  const Path limits{&path, "limits"};
  const Path requests{&path, "requests"};
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        add_quantity(requirements.limits, bytes_of(fields), limits);
        break;
      case bytes_field(2):
        add_quantity(requirements.requests, bytes_of(fields), requests);
        break;
      default:
        fields.skip();
    }
  }
  return requirements;
}

Container container_from_protobuf(std::string_view message, const Path& path) {
  Container container;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        container.name = string_of(fields);
        break;
      case bytes_field(2):
        container.image = string_of(fields);
        break;
      case bytes_field(8): {
        auto [requests, limits] =
            requirements_from_protobuf(bytes_of(fields), Path{&path, "resources"});
        container.requests = std::move(requests);
        container.limits = std::move(limits);
        break;
      }
      case bytes_field(24):
        container.restarts_always = bytes_of(fields) == "Always";
        break;
      default:
        fields.skip();
    }
  }
  return container;
}

Toleration toleration_from_protobuf(std::string_view message) {
  Toleration toleration;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        toleration.key = string_of(fields);
        break;
      case bytes_field(2):
        toleration.op = string_of(fields);
        break;
      case bytes_field(3):
        toleration.value = string_of(fields);
        break;
      case bytes_field(4):
        toleration.effect = string_of(fields);
        break;
      default:
        fields.skip();
    }
  }
  return toleration;
}

void add_container(std::vector<Container>& containers, std::string_view message,
                   std::string_view list) {
  const Path spec{nullptr, "spec"};
  containers.push_back(container_from_protobuf(message, Path{&spec, list, containers.size()}));
}

void read_spec(Pod& pod, std::string_view message) {
  const Path spec{nullptr, "spec"};
  const Path overhead{&spec, "overhead"};
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(2):
        add_container(pod.containers, bytes_of(fields), "containers");
        break;
      case bytes_field(7):
        add_string(pod.node_selector, bytes_of(fields));
        break;
      case bytes_field(10):
        pod.node_name = string_of(fields);
        break;
      case bytes_field(19):
        pod.scheduler_name = string_of(fields);
        break;
      case bytes_field(20):
        add_container(pod.init_containers, bytes_of(fields), "initContainers");
        break;
      case bytes_field(22):
        pod.tolerations.push_back(toleration_from_protobuf(bytes_of(fields)));
        break;
      case bytes_field(24):
        pod.priority_class = string_of(fields);
        break;
      case varint_field(25):
        pod.priority = fields.get_int32();
        break;
      case bytes_field(32):
        add_quantity(pod.overhead, bytes_of(fields), overhead);
        break;
      case bytes_field(38):
        pod.scheduling_gates.push_back(text_field(bytes_of(fields), 1));
        break;
      case bytes_field(40): {
        auto [requests, limits] =
            requirements_from_protobuf(bytes_of(fields), Path{&spec, "resources"});
        pod.pod_requests = unless_empty(std::move(requests));
        pod.pod_limits = unless_empty(std::move(limits));
        break;
      }
      default:
        fields.skip();
    }
  }
}

ContainerResourceStatus container_status_from_protobuf(std::string_view message, const Path& path) {
  ContainerResourceStatus status;
  const Path allocated{&path, "allocatedResources"};
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        status.name = string_of(fields);
        break;
      case bytes_field(10):
        add_quantity(status.allocated, bytes_of(fields), allocated);
        break;
      case bytes_field(11):
        status.requests =
            requirements_from_protobuf(bytes_of(fields), Path{&path, "resources"}).requests;
        break;
      default:
        fields.skip();
    }
  }
  return status;
}

void add_container_status(std::vector<ContainerResourceStatus>& statuses, std::string_view message,
                          std::string_view list) {
  const Path status{nullptr, "status"};
  statuses.push_back(container_status_from_protobuf(message, Path{&status, list, statuses.size()}));
}

void read_status(Pod& pod, std::string_view message) {
  const Path status{nullptr, "status"};
  const Path allocated{&status, "allocatedResources"};
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        pod.phase = string_of(fields);
        break;
      case bytes_field(2):
        pod.conditions.push_back(condition_from_protobuf(bytes_of(fields)));
        break;
      case bytes_field(4):
        pod.reason = string_of(fields);
        break;
      case bytes_field(7):
        pod.started = time_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(8):
        add_container_status(pod.container_statuses, bytes_of(fields), "containerStatuses");
        break;
      case bytes_field(10):
        add_container_status(pod.init_container_statuses, bytes_of(fields),
                             "initContainerStatuses");
        break;
      case bytes_field(11):
        pod.nominated_node = string_of(fields);
        break;
      case bytes_field(14):
        pod.resize = string_of(fields);
        break;
      case bytes_field(19):
        add_quantity(pod.allocated, bytes_of(fields), allocated);
        break;
      case bytes_field(20):
        pod.resized_requests =
            requirements_from_protobuf(bytes_of(fields), Path{&status, "resources"}).requests;
        break;
      default:
        fields.skip();
    }
  }
}

Container container_from_json(const JsonObject& object) {
  Container container;
  container.name = object.text("name");
  container.image = object.text("image");
  if (const auto resources = object.object("resources")) {
    container.requests = resources->resources("requests");
    container.limits = resources->resources("limits");
  }
  container.restarts_always = object.text("restartPolicy") == "Always";
  return container;
}

void read_spec(Pod& pod, const JsonObject& spec) {
  pod.node_name = spec.text("nodeName");
  pod.scheduler_name = spec.text("schedulerName");
  pod.priority = spec.number("priority");
  pod.priority_class = spec.text("priorityClassName");
  pod.node_selector = spec.strings("nodeSelector");
  spec.each("tolerations", [&](const JsonObject& toleration) {
    pod.tolerations.push_back({toleration.text("key"), toleration.text("operator"),
                               toleration.text("value"), toleration.text("effect")});
  });
  spec.each("schedulingGates",
            [&](const JsonObject& gate) { pod.scheduling_gates.push_back(gate.text("name")); });
  spec.each("containers", [&](const JsonObject& container) {
    pod.containers.push_back(container_from_json(container));
  });
  spec.each("initContainers", [&](const JsonObject& container) {
    pod.init_containers.push_back(container_from_json(container));
  });
  pod.overhead = spec.resources("overhead");
  if (const auto resources = spec.object("resources")) {
    pod.pod_requests = unless_empty(resources->resources("requests"));
    pod.pod_limits = unless_empty(resources->resources("limits"));
  }
}

ContainerResourceStatus container_status_from_json(const JsonObject& object) {
  ContainerResourceStatus status;
  status.name = object.text("name");
  status.allocated = object.resources("allocatedResources");
  if (const auto resources = object.object("resources"))
    status.requests = resources->resources("requests");
  return status;
}

void read_status(Pod& pod, const JsonObject& status) {
  pod.phase = status.text("phase");
  pod.reason = status.text("reason");
  status.each("conditions", [&](const JsonObject& condition) {
    pod.conditions.push_back(condition_from_json(condition));
  });
  pod.started = status.time("startTime");
  pod.nominated_node = status.text("nominatedNodeName");
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
}

}  // namespace

Pod pod_from_protobuf(std::string_view message) {
  Pod pod;
  naming_object("Pod", pod.ns, pod.name, [&] {
    for (auto fields = fields_of(message); fields.next();) {
      switch (fields.tag_and_type()) {
        case bytes_field(1):
          set_metadata(pod, metadata_from_protobuf(bytes_of(fields), Annotations::skip));
          break;
        case bytes_field(2):
          read_spec(pod, bytes_of(fields));
          break;
        case bytes_field(3):
          read_status(pod, bytes_of(fields));
          break;
        default:
          fields.skip();
      }
    }
  });
  set_resize_from_conditions(pod);
  return pod;
}

Pod pod_from_json(const nlohmann::json& object) {
  Pod pod;
  naming_object("Pod", pod.ns, pod.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata"))
      set_metadata(pod, metadata_from_json(*metadata, Annotations::skip));
    if (const auto spec = root.object("spec")) read_spec(pod, *spec);
    if (const auto status = root.object("status")) read_status(pod, *status);
  });
  set_resize_from_conditions(pod);
  return pod;
}

}  // namespace gpu::decode
