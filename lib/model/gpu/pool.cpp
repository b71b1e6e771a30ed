#include "model/gpu/pool.hpp"

namespace gpu {

std::string_view name_of(PoolSource source) {
  switch (source) {
    case PoolSource::device_plugin:
      return "device-plugin";
    case PoolSource::dra:
      return "dra";
  }
  return "";
}

std::string_view code_of(Unavailable reason) {
  switch (reason) {
    case Unavailable::none:
      return "";
    case Unavailable::node_not_ready:
      return "node-not-ready";
    case Unavailable::cordoned:
      return "cordoned";
    case Unavailable::node_leaving:
      return "node-leaving";
    case Unavailable::node_tainted:
      return "node-tainted";
    case Unavailable::device_plugin_missing:
      return "device-plugin-missing";
    case Unavailable::device_plugin_unhealthy:
      return "device-plugin-unhealthy";
    case Unavailable::gpu_unhealthy:
      return "gpu-unhealthy";
    case Unavailable::too_many_pods:
      return "too-many-pods";
    case Unavailable::managed_by_dra:
      return "managed-by-dra";
    case Unavailable::device_tainted:
      return "device-tainted";
    case Unavailable::pool_incomplete:
      return "pool-incomplete";
    case Unavailable::card_in_use:
      return "card-in-use";
  }
  return "";
}

}  // namespace gpu
