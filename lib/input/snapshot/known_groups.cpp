// Whose names stay: groups of the API, kinds in them, domains of vendors.
#include <algorithm>
#include <array>

#include "input/snapshot/hardware_words.hpp"
#include "input/snapshot/redact_known.hpp"
#include "input/snapshot/word_set.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::input {
namespace {

const WordSet kDomains(
    "kubernetes.io k8s.io x-k8s.io nvidia.com amd.com intel.com habana.ai google.com "
    "googleapis.com amazonaws.com aws.com amazon.com azure.com aliyun.com alibabacloud.com "
    "volcano.sh hami.io karpenter.sh k8s.aws k8s.gcp huawei.com run.ai koordinator.sh "
    "mellanox.com openshift.io kubevirt.io kubeflow.org ray.io kserve.io argoproj.io tekton.dev "
    "sparkoperator.k8s.io projectcalico.org cilium.io coreweave.com coreweave.cloud "
    "aliyun.accelerator");
/// Kinds, each behind the groups that have it.
struct KindsOfGroup {
  std::string_view group;
  WordSet kinds;
};
const std::array<KindsOfGroup, 12> kKinds = {{
    {"", WordSet("Node Pod Namespace ReplicationController PersistentVolumeClaim PersistentVolume "
                 "ResourceQuota LimitRange")},
    {"apps", WordSet("ReplicaSet Deployment StatefulSet DaemonSet")},
    {"batch", WordSet("Job CronJob")},
    {"resource.k8s.io", WordSet("ResourceClaim ResourceClaimTemplate ResourceSlice DeviceClass")},
    {"storage.k8s.io", WordSet("StorageClass CSINode CSIDriver")},
    {"scheduling.k8s.io", WordSet("PodGroup Workload PriorityClass")},
    {"scheduling.x-k8s.io", WordSet("PodGroup")},
    {"kueue.x-k8s.io", WordSet("Workload LocalQueue ClusterQueue ResourceFlavor")},
    {"scheduling.volcano.sh", WordSet("PodGroup Queue")},
    {"scheduling.run.ai", WordSet("PodGroup Queue")},
    {"batch.volcano.sh", WordSet("Job")},
    {"karpenter.sh", WordSet("NodePool NodeClaim")},
}};
/// What stands before known domains: "gpu.nvidia.com", "scheduling.k8s.io".
const WordSet kSubdomains(
    "aws k8s apps batch policy core node nodes resource scheduling storage networking topology "
    "feature "
    "beta alpha failure-domain pod pods csi ebs efs disk file blob cloud container compute "
    "compute-domain compute-domain-daemon compute-domain-default-channel cluster kubernetes eks "
    "gke aks alb cloudprovider batch kueue jobset leaderworkerset training trainer mpi serving "
    "autoscaling snapshot volume events metrics custom external admissionregistration "
    "authentication authorization rbac certificates coordination discovery flowcontrol "
    "apiregistration "
    "apiextensions machine machineconfiguration config operator security route image build "
    "kai pytorch tensorflow notebook pipelines capacity tpu deployment statefulset "
    "sigs internal resources karpenter kubectl kubelet device vfio prod pd");

/// "v1", "v1beta2".
bool is_api_version(std::string_view version) {
  const auto take_number = [&version] {
    const std::size_t digits = std::min(version.find_first_not_of("0123456789"), version.size());
    version.remove_prefix(digits);
    return digits > 0 && digits <= 2;
  };
  if (!version.starts_with('v')) return false;
  version.remove_prefix(1);
  if (!take_number()) return false;
  for (const std::string_view stage : {"alpha", "beta"})
    if (version.starts_with(stage)) {
      version.remove_prefix(stage.size());
      return take_number() && version.empty();
    }
  return version.empty();
}

}  // namespace

bool is_known_domain(std::string_view domain) {
  const auto is_below = [domain](std::string_view known) {
    if (domain == known) return true;
    if (!domain.ends_with(known) || domain[domain.size() - known.size() - 1] != '.') return false;
    std::string_view before = domain.substr(0, domain.size() - known.size() - 1);
    while (!before.empty()) {
      const std::size_t end = std::min(before.find('.'), before.size());
      const std::string_view part = before.substr(0, end);
      if (!kSubdomains.has(part) && !is_hardware_name(part)) return false;
      before.remove_prefix(std::min(end + 1, before.size()));
    }
    return true;
  };
  return std::ranges::any_of(kDomains.words(), is_below);
}

bool is_known_kind(std::string_view kind, std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  const std::string_view group =
      slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
  const std::string_view version =
      slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
  if (!version.empty() && !is_api_version(version)) return false;
  return std::ranges::any_of(kKinds,
                             [&](const KindsOfGroup& known) {
                               return (api_version.empty() || known.group == group) &&
                                      known.kinds.has(kind);
                             }) ||
         (!version.empty() && queued_kind(kind, api_version) != nullptr);
}

}  // namespace gpu::input
