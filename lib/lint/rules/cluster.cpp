#include <array>

#include "lint/rules/rules.hpp"

namespace gpu::lint {
namespace {

constexpr auto kRules = std::to_array<Rule>({
    {"never-starts-here", Severity::error, "no node of the cluster could ever take the pods",
     "Labels, taints, resources, classes, quotas and admission of the cluster are held against the "
     "manifest, as `why-pending -f` does. Freeing room does not help; the manifest or the cluster "
     "has to change.",
     "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node"},
    {"would-wait-here", Severity::warning, "the pods would wait on the cluster",
     "There is no room, or no quota, for them now. `why-pending -f` says what holds it.",
     "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler"},
    {"not-served-here", Severity::error, "the cluster does not serve this kind in this version",
     "kubectl says that there are no matches for the kind. Its CRD is not installed, or has "
     "another version.",
     "https://kubernetes.io/docs/reference/using-api/deprecation-guide"},
});

}  // namespace

std::span<const Rule> cluster_rules() { return kRules; }

const Rule& rule(ClusterRule which) { return kRules[static_cast<std::size_t>(which)]; }

}  // namespace gpu::lint
