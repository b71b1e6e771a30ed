#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gpu::diagnose {

/// The reason code of a pod that waits: docs/reasons/CODE.md says what it means and what helps.
enum class Code : std::uint8_t {
  insufficient_gpus,
  insufficient_extended_resource,
  gpus_scattered,
  request_exceeds_every_node,
  resource_not_advertised,
  resource_name_unknown,
  resource_renamed,
  mig_mismatch,
  device_plugin_missing,
  device_plugin_unhealthy,
  driver_missing,
  gpu_unhealthy,
  untolerated_taint,
  node_selector_mismatch,
  cordoned,
  node_not_ready,
  insufficient_cpu,
  insufficient_memory,
  insufficient_storage,
  too_many_pods,
  port_taken,
  volume_unbound,
  volume_zone,
  volume_limit,
  volume_in_use,
  rollout_surge,
  topology_spread,
  pod_affinity,
  pod_anti_affinity,
  claim_missing,
  device_class_missing,
  claim_unsatisfiable,
  scheduling_gated,
  held_by_queue,
  gang_waiting,
  quota_exceeded,
  quota_needs_requests,
  limit_range,
  admission_rejected,
  unknown_scheduler,
  preemption_pending,
  autoscaler_limit,
  autoscaler_no_match,
  kubelet_rejected,
  runtime_missing,
  start_error,
  crash_loop,
  image_pull,
  volume_attach,
  starting,
  not_modelled,
};

/// "gpus-scattered": for machines, for --explain, and the name of its page.
std::string_view name_of(Code code);

/// The code of such a name.
std::optional<Code> code_named(std::string_view name);

/// All of them, in the order above.
std::span<const Code> codes();

}  // namespace gpu::diagnose
