#pragma once

#include <map>
#include <string>
#include <string_view>

#include "kube/read/needs.hpp"
#include "kube/watch/reflector.hpp"
#include "model/snapshot/live.hpp"
#include "telemetry/exporters/exporters.hpp"

namespace gpu::kube {

/// Where the sources of a watch write to. Has to outlive them.
struct WatchTarget {
  LiveSnapshot live;
  Changed changed = Changed::no;  ///< since the caller last set it to no
  Progress progress;              ///< of the first lists
  /// Among the pods, by NAMESPACE/NAME; empty if live use is not needed.
  std::map<std::string, telemetry::Exporter, std::less<>> exporters = {};
};

/// The nodes that `needs` selects.
ReflectorSource node_source(WatchTarget& target, const Needs& needs);
/// Live pods of one namespace, or with an empty one of all.
ReflectorSource pod_source(WatchTarget& target, const Needs& needs, const std::string& ns);
// Of resource.k8s.io, `version` being "v1" or "v1beta1"; claims of one namespace, or of all.
ReflectorSource slice_source(WatchTarget& target, std::string_view version);
ReflectorSource claim_source(WatchTarget& target, std::string_view version, const std::string& ns);
ReflectorSource class_source(WatchTarget& target, std::string_view version);

}  // namespace gpu::kube
