#include <utility>

#include "decode/metadata.hpp"
#include "decode/pod.hpp"
#include "decode/pod_parts.hpp"
#include "decode/protobuf.hpp"

namespace gpu::decode {
namespace {

/// core/v1 ResourceRequirements.
struct Requirements {
  ResourceList requests;
  ResourceList limits;
};

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

ContainerPort port_from_protobuf(std::string_view message) {
  ContainerPort port;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        port.name = string_of(fields);
        break;
      case varint_field(3):
        port.port = fields.get_int32();
        break;
      default:
        fields.skip();
    }
  }
  return port;
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
      case bytes_field(6):
        container.ports.push_back(port_from_protobuf(bytes_of(fields)));
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

ClaimReferences::Reference reference_from_protobuf(std::string_view message) {
  return {text_field(message, 1), text_field(message, 3)};
}

void read_spec(Pod& pod, ClaimReferences& claims, std::string_view message) {
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
      case bytes_field(39):
        claims.references.push_back(reference_from_protobuf(bytes_of(fields)));
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

/// status.extendedResourceClaimStatus.
void read_extended_claim(Pod& pod, std::string_view message) {
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1): {
        const std::string_view mapping = bytes_of(fields);
        pod.extended_resources.push_back(
            {text_field(mapping, 1), text_field(mapping, 2), text_field(mapping, 3)});
        break;
      }
      case bytes_field(2):
        pod.extended_claim = string_of(fields);
        break;
      default:
        fields.skip();
    }
  }
}

/// One core/v1 ResourceStatus: a resource, and each device of it.
void add_devices(std::vector<AllocatedResource>& devices, std::string_view message) {
  const std::string name = text_field(message, 1);
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() != bytes_field(2)) {
      fields.skip();
      continue;
    }
    const std::string_view device = bytes_of(fields);
    devices.push_back({name, text_field(device, 1), text_field(device, 2)});
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
      case bytes_field(14):
        add_devices(status.devices, bytes_of(fields));
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

void read_status(Pod& pod, ClaimReferences& claims, std::string_view message) {
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
      case bytes_field(5):
        pod.host_ip = string_of(fields);
        break;
      case bytes_field(6):
        pod.ip = string_of(fields);
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
      case bytes_field(15): {
        const std::string_view made = bytes_of(fields);
        claims.made.push_back({text_field(made, 1), text_field(made, 2)});
        break;
      }
      case bytes_field(18):
        read_extended_claim(pod, bytes_of(fields));
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

}  // namespace

Pod pod_from_protobuf(std::string_view message) {
  Pod pod;
  ClaimReferences claims;
  naming_object("Pod", pod.ns, pod.name, [&] {
    for (auto fields = fields_of(message); fields.next();) {
      switch (fields.tag_and_type()) {
        case bytes_field(1):
          set_metadata(pod, metadata_from_protobuf(bytes_of(fields), Annotations::of_devices));
          break;
        case bytes_field(2):
          read_spec(pod, claims, bytes_of(fields));
          break;
        case bytes_field(3):
          read_status(pod, claims, bytes_of(fields));
          break;
        default:
          fields.skip();
      }
    }
  });
  complete(pod, claims);
  return pod;
}

}  // namespace gpu::decode
