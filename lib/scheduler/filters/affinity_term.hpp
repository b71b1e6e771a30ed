#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// Whether a required term of a pod in `owner_ns` names a pod's namespace, given that namespace's
/// labels. A namespace that does not exist has none.
bool names_namespace(const PodAffinityTerm& term, std::string_view owner_ns, const Pod& pod,
                     const StringMap& namespace_labels);

/// Whether such a term is about the pod.
bool is_about(const PodAffinityTerm& term, std::string_view owner_ns, const Pod& pod,
              const StringMap& namespace_labels);

/// Whether it depends on the labels of the pod's namespace whether such a term matches the pod.
bool hangs_on_labels(const PodAffinityTerm& term, std::string_view owner_ns, const Pod& pod);

/// Whether the term selects namespaces by their labels. An empty namespaceSelector, which selects
/// all namespaces, does not.
bool selects_by_labels(const PodAffinityTerm& term);

/// A term of the pod that is judged. As upstream, its namespaceSelector is resolved beforehand,
/// among the namespaces that exist. Refers to the term.
class OwnTerm {
 public:
  OwnTerm(const Cluster& cluster, const PodAffinityTerm& term, std::string_view owner_ns);
  [[nodiscard]] bool is_about(const Pod& pod) const;
  [[nodiscard]] bool is_about_namespace(std::string_view ns) const;
  [[nodiscard]] const std::string& topology_key() const { return term_.topology_key; }

 private:
  const PodAffinityTerm& term_;
  bool is_about_all_ = false;            ///< an empty namespaceSelector
  std::vector<std::string> namespaces_;  ///< sorted
};

}  // namespace gpu::scheduler
