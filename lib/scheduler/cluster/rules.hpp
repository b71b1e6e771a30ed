#pragma once

#include <string_view>

#include "model/snapshot/requests.hpp"

namespace gpu::scheduler {

/// The differences between the known versions of kube-scheduler: 1.30 to 1.36, with the default
/// feature gates of each. From its source, and confirmed in tests/oracle.
struct Rules {
  int minor = 36;
  int patch = 0;
  bool is_exact = true;  ///< false: the version is older or newer, and these are the nearest rules

  /// DynamicResources is a plugin of the default profile (1.34), or its gate is on.
  bool has_devices = true;
  /// In 1.33 the message does not mention claims if the pod has none.
  bool is_silent_without_claims = false;
  /// "untolerated taint {KEY: VALUE}", until 1.34.1; later texts do not say which.
  bool names_taint = false;
  /// 1.34 detects that a node could never have what the pod requests, even without its pods:
  /// preemption skips it.
  bool sees_lasting_shortage = true;
  /// "node has pod using PersistentVolumeClaim with the same name", until 1.33.
  bool says_same_claim = false;
  /// "volume node affinity conflict", until 1.32.
  bool says_volume_conflict = false;
  /// 1.32 counts nodes that a PreFilter left out: "didn't satisfy plugin(s) [NodeAffinity]".
  bool counts_left_out = true;
  /// 1.33 counts host ports of sidecars.
  bool counts_sidecar_ports = true;
  /// 1.32 counts VolumeAttachments against the limits of CSI drivers.
  bool counts_attachments = true;
  /// 1.33 counts what a container holds during a resize, and 1.34 reads spec.resources of pods.
  RequestRules requests;
  /// 1.34 allocates devices of a pool that lacks slices; 1.35 skips the pool.
  bool uses_incomplete_pools = false;
  /// In 1.34 a pool that lists a device twice ends the cycle; 1.35 skips the pool.
  bool stops_at_invalid_pools = false;
  /// 1.36 looks for a request's next device behind the last one; before, from the start.
  bool resumes_device_search = true;
  /// 1.36 gives a resource to DynamicResources where a node has none of it and a DeviceClass names
  /// it (DRAExtendedResource); before, not by default.
  bool maps_extended_resources = true;
  /// 1.36 scores how a pod changes the balance of cpu and memory; before, the balance with it.
  bool scores_change_of_balance = true;
  /// 1.36 reads status.declaredFeatures of nodes.
  bool reads_declared_features = true;
};

/// The rules for a scheduler's version ("v1.34.1", "v1.35.2-gke.1", "v1.36.1+k3s1"); for one that
/// cannot be parsed, the newest.
Rules rules_for(std::string_view version);

}  // namespace gpu::scheduler
