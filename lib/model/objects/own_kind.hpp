#pragma once

#include <string_view>

namespace gpu {

/// Whether a kind of this apiVersion is Kubernetes' own `own`: a Node of longhorn.io is no Node,
/// a DaemonSet of apps.kruise.io no DaemonSet. Where only the kind is known (kube-state-metrics
/// names no apiVersion of owners), it is what it is called.
bool is_own_kind(std::string_view own, std::string_view kind, std::string_view api_version);

/// Whether it is another's kind that is named like one of Kubernetes' own that pods, their owners
/// or their volumes are.
bool is_namesake(std::string_view kind, std::string_view api_version);

/// is_own_kind() of an owner, a reference to one, or an object that makes pods.
template <class Named>
bool is_own(const Named& named, std::string_view own) {
  return is_own_kind(own, named.kind, named.api_version);
}

}  // namespace gpu
