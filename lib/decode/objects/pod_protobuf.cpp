#include <utility>

#include "decode/objects/container_protobuf.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/objects/placement.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/pod_parts.hpp"
#include "decode/objects/pod_volume.hpp"
#include "decode/objects/taint.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

void add_container(std::vector<Container>& containers, std::string_view message,
                   std::string_view list) {
  const Path spec{nullptr, "spec"};
  containers.push_back(container_from_protobuf(message, Path{&spec, list, containers.size()}));
}

ClaimReferences::Reference reference_from_protobuf(std::string_view message) {
  return {text_field(message, 1), text_field(message, 3), text_field(message, 4)};
}

void read_volume(Pod& pod, std::string_view message) {
  if (is_of(message, KeptVolume::empty_dir)) pod.has_empty_dir = true;
  if (is_of(message, KeptVolume::host_path)) pod.has_host_path = true;
  if (auto volume = volume_from_protobuf(message)) pod.volumes.push_back(std::move(*volume));
}

/// The field that `fields` is at, where it says where the pod can run beside what it asks for.
void read_place(Pod& pod, protozero::pbf_reader& fields) {
  switch (fields.tag_and_type()) {
    case bytes_field(1):
      read_volume(pod, bytes_of(fields));
      break;
    case varint_field(5):
      pod.has_deadline = fields.get_int64() >= 0;
      break;
    case varint_field(11):
      pod.host_network = fields.get_bool();
      break;
    case bytes_field(18):
      read_affinity(pod.placement, bytes_of(fields));
      break;
    case bytes_field(29):
      pod.runtime_class = string_of(fields);
      break;
    case bytes_field(31):
      pod.preemption_policy = string_of(fields);
      break;
    case bytes_field(33):
      pod.placement.spread.push_back(spread_from_protobuf(bytes_of(fields)));
      break;
    case varint_field(37):
      pod.isolates_users = !fields.get_bool();
      break;
    case bytes_field(43):
      pod.pod_group = text_field(bytes_of(fields), 1);
      break;
    default:
      fields.skip();
  }
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
        read_place(pod, fields);
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
      case bytes_field(3):
        pod.message = string_of(fields);
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
  complete(pod, std::move(claims));
  return pod;
}

}  // namespace gpu::decode
