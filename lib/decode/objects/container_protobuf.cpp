#include "decode/objects/container_protobuf.hpp"

#include <string>
#include <utility>

#include "decode/objects/pod_parts.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

ContainerPort port_from_protobuf(std::string_view message) {
  ContainerPort port;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        port.name = string_of(fields);
        break;
      case varint_field(2):
        port.host_port = fields.get_int32();
        break;
      case varint_field(3):
        port.port = fields.get_int32();
        break;
      case bytes_field(4):
        port.protocol = string_of(fields);
        break;
      case bytes_field(5):
        port.host_ip = string_of(fields);
        break;
      default:
        fields.skip();
    }
  }
  return port;
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

/// A core/v1 ContainerStateRunning.
std::optional<Time> start_of_running(std::string_view message) {
  std::optional<Time> started;
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() == bytes_field(1))
      started = time_from_protobuf(bytes_of(fields));
    else
      fields.skip();
  }
  return started;
}

/// A core/v1 ContainerStateTerminated.
void read_terminated(ContainerState& state, std::string_view message) {
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(3):
        state.terminated = string_of(fields);
        break;
      case bytes_field(4):
        state.terminated_message = string_of(fields);
        break;
      case bytes_field(5):
        state.started_at = time_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(6):
        state.terminated_at = time_from_protobuf(bytes_of(fields));
        break;
      default:
        fields.skip();
    }
  }
}

ContainerState state_from_protobuf(std::string_view message) {
  ContainerState state;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1): {
        const std::string_view waiting = bytes_of(fields);
        state.waits = true;
        state.waiting = text_field(waiting, 1);
        state.waiting_message = text_field(waiting, 2);
        break;
      }
      case bytes_field(2):
        state.running_since = start_of_running(bytes_of(fields));
        break;
      case bytes_field(3):
        read_terminated(state, bytes_of(fields));
        break;
      default:
        fields.skip();
    }
  }
  return state;
}

}  // namespace

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
  CollectInterval interval;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        container.name = string_of(fields);
        break;
      case bytes_field(2):
        container.image = string_of(fields);
        break;
      case bytes_field(3):
      case bytes_field(4):  // args, behind the command
        interval.add_word(bytes_of(fields));
        break;
      case bytes_field(6):
        container.ports.push_back(port_from_protobuf(bytes_of(fields)));
        break;
      case bytes_field(7): {
        const std::string_view variable = bytes_of(fields);
        interval.add_variable(text_field(variable, 1), text_field(variable, 2));
        if (shows_all_gpus(text_field(variable, 1), text_field(variable, 2)))
          container.sees_all_gpus = true;
        break;
      }
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
      case bytes_field(25):
        add_restart_rule(container, text_field(bytes_of(fields), 1));
        break;
      default:
        fields.skip();
    }
  }
  if (may_be_exporter(container)) container.collect_interval = interval.value();
  return container;
}

ContainerResourceStatus container_status_from_protobuf(std::string_view message, const Path& path) {
  ContainerResourceStatus status;
  const Path allocated{&path, "allocatedResources"};
  ContainerState now;
  ContainerState last;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        status.name = string_of(fields);
        break;
      case bytes_field(2):
        now = state_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(3):
        last = state_from_protobuf(bytes_of(fields));
        break;
      case varint_field(5):
        status.restarts = fields.get_int32();
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
  set_states(status, std::move(now), std::move(last));
  return status;
}

}  // namespace gpu::decode
