#include "diagnose/nodes/blocker_kind.hpp"

namespace gpu::diagnose {

std::string_view text_of(BlockerKind word) {
  switch (word) {
    case BlockerKind::other_node_name:
      return "other node name";
    case BlockerKind::node_selector:
      return "node selector";
    case BlockerKind::cordoned:
      return "cordoned";
    case BlockerKind::not_ready:
      return "not ready";
    case BlockerKind::taint:
      return "taint";
    case BlockerKind::port_taken:
      return "port taken";
    case BlockerKind::too_many_pods:
      return "too many pods";
    case BlockerKind::few_free_gpus:
      return "too few free GPUs";
    case BlockerKind::few_gpus:
      return "too few GPUs";
    case BlockerKind::no_gpus:
      return "no GPUs";
    case BlockerKind::renamed_gpus:
      return "GPUs have another name";
    case BlockerKind::unhealthy_gpus:
      return "unhealthy GPUs";
    case BlockerKind::no_device_plugin:
      return "no device plugin";
    case BlockerKind::unhealthy_device_plugin:
      return "unhealthy device plugin";
    case BlockerKind::no_driver:
      return "no driver";
    case BlockerKind::few_resources:
      return "too few of a resource";
    case BlockerKind::little_cpu:
      return "too little cpu";
    case BlockerKind::little_memory:
      return "too little memory";
    case BlockerKind::little_storage:
      return "too little storage";
    case BlockerKind::volume_in_use:
      return "volume in use";
    case BlockerKind::many_volumes:
      return "too many volumes";
    case BlockerKind::volume_elsewhere:
      return "volume elsewhere";
    case BlockerKind::no_volume:
      return "no volume";
    case BlockerKind::spread:
      return "spread rule";
    case BlockerKind::pod_affinity:
      return "pod affinity";
    case BlockerKind::pod_anti_affinity:
      return "pod anti-affinity";
    case BlockerKind::no_devices:
      return "too few devices";
    case BlockerKind::missing_feature:
      return "missing feature";
    case BlockerKind::other:
      return "other reason";
  }
  return {};
}

Code code_of(BlockerKind word) {
  switch (word) {
    case BlockerKind::other_node_name:
    case BlockerKind::node_selector:
      return Code::node_selector_mismatch;
    case BlockerKind::cordoned:
      return Code::cordoned;
    case BlockerKind::not_ready:
      return Code::node_not_ready;
    case BlockerKind::taint:
      return Code::untolerated_taint;
    case BlockerKind::port_taken:
      return Code::port_taken;
    case BlockerKind::too_many_pods:
      return Code::too_many_pods;
    case BlockerKind::few_free_gpus:
      return Code::insufficient_gpus;
    case BlockerKind::few_gpus:
      return Code::request_exceeds_every_node;
    case BlockerKind::no_gpus:
      return Code::resource_not_advertised;
    case BlockerKind::renamed_gpus:
      return Code::resource_renamed;
    case BlockerKind::unhealthy_gpus:
      return Code::gpu_unhealthy;
    case BlockerKind::no_device_plugin:
      return Code::device_plugin_missing;
    case BlockerKind::unhealthy_device_plugin:
      return Code::device_plugin_unhealthy;
    case BlockerKind::no_driver:
      return Code::driver_missing;
    case BlockerKind::few_resources:
      return Code::insufficient_extended_resource;
    case BlockerKind::little_cpu:
      return Code::insufficient_cpu;
    case BlockerKind::little_memory:
      return Code::insufficient_memory;
    case BlockerKind::little_storage:
      return Code::insufficient_storage;
    case BlockerKind::volume_in_use:
      return Code::volume_in_use;
    case BlockerKind::many_volumes:
      return Code::volume_limit;
    case BlockerKind::volume_elsewhere:
      return Code::volume_zone;
    case BlockerKind::no_volume:
      return Code::volume_unbound;
    case BlockerKind::spread:
      return Code::topology_spread;
    case BlockerKind::pod_affinity:
      return Code::pod_affinity;
    case BlockerKind::pod_anti_affinity:
      return Code::pod_anti_affinity;
    case BlockerKind::no_devices:
      return Code::claim_unsatisfiable;
    case BlockerKind::missing_feature:
      return Code::node_selector_mismatch;
    case BlockerKind::other:
      return Code::not_modelled;
  }
  return Code::not_modelled;
}

}  // namespace gpu::diagnose
