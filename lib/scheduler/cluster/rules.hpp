#pragma once

#include <string>
#include <string_view>

namespace gpu::scheduler {

/// What differs between the versions of kube-scheduler that are known: 1.34 to 1.36, with the
/// feature gates each has by default. Read in its source, and seen in tests/oracle.
struct Rules {
  int minor = 36;
  int patch = 0;
  bool is_exact = true;  ///< false: the server is older or newer, and these are the nearest rules

  /// "untolerated taint {KEY: VALUE}", until 1.34.1; later texts do not say which.
  bool names_taint = false;
  /// 1.34 hands out devices of a pool of which slices are missing; 1.35 skips it.
  bool uses_incomplete_pools = false;
  /// In 1.34 a pool in which a device stands twice ends the cycle; 1.35 skips it.
  bool stops_at_invalid_pools = false;
  /// 1.36 looks for a request's next device behind the last one; before, from the start.
  bool resumes_device_search = true;
  /// 1.36 gives a resource to DynamicResources where a node has none of it and a DeviceClass names
  /// it (DRAExtendedResource); before, not by default.
  bool maps_extended_resources = true;
  /// 1.36 reads status.declaredFeatures of nodes.
  bool reads_declared_features = true;
};

/// The rules for a server's version ("v1.34.1", "v1.35.2-gke.1", "v1.36.1+k3s1"). Of one that
/// cannot be read, the newest.
Rules rules_for(std::string_view server_version);

}  // namespace gpu::scheduler
