#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/resource_list.hpp"
#include "base/time.hpp"

namespace gpu {

/// One entry of a container's `ports`.
struct ContainerPort {
  std::string name;
  std::int32_t port = 0;       ///< containerPort
  std::int32_t host_port = 0;  ///< 0: none
  std::string host_ip;
  std::string protocol;  ///< empty: TCP
  friend bool operator==(const ContainerPort&, const ContainerPort&) = default;
};

/// What we keep of a container or init container.
struct Container {
  std::string name;
  std::string image;
  ResourceList requests;
  ResourceList limits;
  bool restarts_always = false;  ///< an init container with restartPolicy Always: a sidecar
  bool restarts_all = false;     ///< a restartPolicyRules entry with action RestartAllContainers
  std::vector<ContainerPort> ports;
  /// How often an exporter measures: `-c` or `--collect-interval` of its command or arguments, else
  /// DCGM_EXPORTER_INTERVAL. Nothing else of these is kept.
  std::optional<std::chrono::milliseconds> collect_interval;
  /// NVIDIA_VISIBLE_DEVICES is "all": it gets every GPU of its node, whatever it requests.
  bool sees_all_gpus = false;
  friend bool operator==(const Container&, const Container&) = default;
};

/// Which devices the kubelet gave a container: status.containerStatuses[].allocatedResourcesStatus
/// (KEP-4680). The ID is the device plugin's, or for a claim the CDI device's.
struct AllocatedResource {
  std::string name;    ///< "nvidia.com/gpu", or "claim:NAME/REQUEST"
  std::string id;      ///< "GPU-4b3c...", "MIG-...", "GPU-4b3c...::3"
  std::string health;  ///< Healthy, Unhealthy, Unknown
  friend bool operator==(const AllocatedResource&, const AllocatedResource&) = default;
};

/// What the kubelet says of a container: of its resources, which differ from the spec during a
/// resize, and of its runs.
struct ContainerResourceStatus {
  std::string name;
  ResourceList allocated;                ///< status.containerStatuses[].allocatedResources
  std::optional<ResourceList> requests;  ///< status.containerStatuses[].resources.requests
  std::vector<AllocatedResource> devices;
  std::string waiting;  ///< state.waiting.reason: ImagePullBackOff, ContainerCreating
  std::string waiting_message;
  std::string terminated;  ///< reason of state.terminated or, while it waits, lastState.terminated
  /// Its message, where the kubelet wrote it (StartError): others may be the program's own.
  std::string terminated_message;
  std::int32_t restarts = 0;
  std::optional<Time> running_since;    ///< state.running.startedAt
  std::optional<Time> started_at;       ///< state.terminated.startedAt: of the run that is over
  std::optional<Time> terminated_at;    ///< state.terminated.finishedAt
  std::optional<Time> last_started_at;  ///< lastState.terminated.startedAt: of the run before
  friend bool operator==(const ContainerResourceStatus&, const ContainerResourceStatus&) = default;
};

}  // namespace gpu
