#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/objects/node.hpp"

namespace gpu {

/// What we keep of a nvidia.com/v1 ClusterPolicy: how NVIDIA's operator is set up, and how it is.
struct ClusterPolicy {
  std::string name;
  std::string ns;               ///< status.namespace: where the operator's parts run
  std::string state;            ///< status.state: ready, notReady, ignored, disabled; may be empty
  std::string plugin_config;    ///< spec.devicePlugin.config.name: a ConfigMap; empty: none
  std::string default_profile;  ///< spec.devicePlugin.config.default: a key of it
  std::vector<std::string>
      disabled;  ///< parts with `enabled: false`: driver, toolkit, dcgmExporter
  std::vector<Condition> conditions;
  friend bool operator==(const ClusterPolicy&, const ClusterPolicy&) = default;
};

/// A resource that a device plugin's profile shares out.
struct SharedResource {
  std::string name;                      ///< "nvidia.com/gpu"
  std::optional<std::int64_t> replicas;  ///< nothing: missing, or no whole number
  friend bool operator==(const SharedResource&, const SharedResource&) = default;
};

/// One profile of NVIDIA's device plugin, as its ConfigMap has it under a key: sharing, of which
/// GPUs become how many. Source: k8s-device-plugin api/config/v1.
struct PluginProfile {
  std::string key;
  std::string problem;  ///< why it cannot be read: "line 3: ..."; empty: it can
  std::string version;  ///< "v1" alone is known
  bool has_time_slicing = false;
  bool has_mps = false;
  /// Under sharing.timeSlicing or sharing.mps, in their order.
  std::vector<SharedResource> resources;
  std::vector<std::string> unknown_keys;  ///< that the plugin refuses or passes over: "timeslicing"
  friend bool operator==(const PluginProfile&, const PluginProfile&) = default;
};

/// What we keep of the ConfigMap that a device plugin reads.
struct PluginConfig {
  std::string ns;
  std::string name;
  std::vector<PluginProfile> profiles;  ///< by key
  friend bool operator==(const PluginConfig&, const PluginConfig&) = default;
};

}  // namespace gpu
