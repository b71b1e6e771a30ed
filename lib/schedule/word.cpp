#include "schedule/word.hpp"

namespace gpu::schedule {

std::string_view text_of(Word word) {
  switch (word) {
    case Word::other_node_name:
      return "other node name";
    case Word::node_selector:
      return "node selector";
    case Word::cordoned:
      return "cordoned";
    case Word::not_ready:
      return "not ready";
    case Word::taint:
      return "taint";
    case Word::port_taken:
      return "port taken";
    case Word::too_many_pods:
      return "too many pods";
    case Word::few_free_gpus:
      return "too few free GPUs";
    case Word::few_gpus:
      return "too few GPUs";
    case Word::no_gpus:
      return "no GPUs";
    case Word::renamed_gpus:
      return "GPUs have another name";
    case Word::unhealthy_gpus:
      return "unhealthy GPUs";
    case Word::no_device_plugin:
      return "no device plugin";
    case Word::unhealthy_device_plugin:
      return "unhealthy device plugin";
    case Word::no_driver:
      return "no driver";
    case Word::few_resources:
      return "too few of a resource";
    case Word::little_cpu:
      return "too little cpu";
    case Word::little_memory:
      return "too little memory";
    case Word::little_storage:
      return "too little storage";
    case Word::volume_in_use:
      return "volume in use";
    case Word::many_volumes:
      return "too many volumes";
    case Word::volume_elsewhere:
      return "volume elsewhere";
    case Word::no_volume:
      return "no volume";
    case Word::spread:
      return "spread rule";
    case Word::pod_affinity:
      return "pod affinity";
    case Word::pod_anti_affinity:
      return "pod anti-affinity";
    case Word::no_devices:
      return "too few devices";
    case Word::missing_feature:
      return "missing feature";
    case Word::other:
      return "other reason";
  }
  return {};
}

Code code_of(Word word) {
  switch (word) {
    case Word::other_node_name:
    case Word::node_selector:
      return Code::node_selector_mismatch;
    case Word::cordoned:
      return Code::cordoned;
    case Word::not_ready:
      return Code::node_not_ready;
    case Word::taint:
      return Code::untolerated_taint;
    case Word::port_taken:
      return Code::port_taken;
    case Word::too_many_pods:
      return Code::too_many_pods;
    case Word::few_free_gpus:
      return Code::insufficient_gpus;
    case Word::few_gpus:
      return Code::request_exceeds_every_node;
    case Word::no_gpus:
      return Code::resource_not_advertised;
    case Word::renamed_gpus:
      return Code::resource_renamed;
    case Word::unhealthy_gpus:
      return Code::gpu_unhealthy;
    case Word::no_device_plugin:
      return Code::device_plugin_missing;
    case Word::unhealthy_device_plugin:
      return Code::device_plugin_unhealthy;
    case Word::no_driver:
      return Code::driver_missing;
    case Word::few_resources:
      return Code::insufficient_extended_resource;
    case Word::little_cpu:
      return Code::insufficient_cpu;
    case Word::little_memory:
      return Code::insufficient_memory;
    case Word::little_storage:
      return Code::insufficient_storage;
    case Word::volume_in_use:
      return Code::volume_in_use;
    case Word::many_volumes:
      return Code::volume_limit;
    case Word::volume_elsewhere:
      return Code::volume_zone;
    case Word::no_volume:
      return Code::volume_unbound;
    case Word::spread:
      return Code::topology_spread;
    case Word::pod_affinity:
      return Code::pod_affinity;
    case Word::pod_anti_affinity:
      return Code::pod_anti_affinity;
    case Word::no_devices:
      return Code::claim_unsatisfiable;
    case Word::missing_feature:
      return Code::node_selector_mismatch;
    case Word::other:
      return Code::not_modelled;
  }
  return Code::not_modelled;
}

}  // namespace gpu::schedule
