#include "manifest/read/api_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::manifest {
namespace {

/// Kinds that a group of Kubernetes' own has in these versions, the preferred one first.
struct OwnKinds {
  std::string_view group;
  std::string_view versions;
  std::string_view kinds;
};

// Source: k8s.io/api, k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator 1.30 to 1.36.
constexpr auto kOwn = std::to_array<OwnKinds>({
    {"", "v1",
     "Pod ConfigMap Secret Service ServiceAccount Namespace PersistentVolumeClaim PersistentVolume "
     "ResourceQuota LimitRange ReplicationController Node PodTemplate Endpoints Event Binding "
     "ComponentStatus List"},
    {"apps", "v1", "Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision"},
    {"batch", "v1", "Job CronJob"},
    {"autoscaling", "v2 v1", "HorizontalPodAutoscaler"},
    {"autoscaling", "v1", "Scale"},
    {"policy", "v1", "PodDisruptionBudget Eviction"},
    {"scheduling.k8s.io", "v1", "PriorityClass"},
    {"scheduling.k8s.io", "v1alpha2 v1alpha1", "Workload PodGroup"},
    {"resource.k8s.io", "v1 v1beta2 v1beta1 v1alpha3 v1alpha2",
     "ResourceClaim ResourceClaimTemplate DeviceClass ResourceSlice DeviceTaintRule ResourceClass "
     "PodSchedulingContext ResourceClaimParameters ResourceClassParameters "
     "ResourcePoolStatusRequest"},
    {"storage.k8s.io", "v1",
     "StorageClass CSIDriver CSINode CSIStorageCapacity VolumeAttachment VolumeAttributesClass"},
    {"storage.k8s.io", "v1beta1 v1alpha1", "VolumeAttributesClass"},
    {"node.k8s.io", "v1", "RuntimeClass"},
    {"rbac.authorization.k8s.io", "v1", "Role RoleBinding ClusterRole ClusterRoleBinding"},
    {"networking.k8s.io", "v1", "NetworkPolicy Ingress IngressClass IPAddress ServiceCIDR"},
    {"networking.k8s.io", "v1beta1 v1alpha1", "IPAddress ServiceCIDR"},
    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"},
    {"apiregistration.k8s.io", "v1", "APIService"},
    {"admissionregistration.k8s.io", "v1",
     "ValidatingWebhookConfiguration MutatingWebhookConfiguration ValidatingAdmissionPolicy "
     "ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding"},
    {"admissionregistration.k8s.io", "v1beta1 v1alpha1",
     "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy "
     "MutatingAdmissionPolicyBinding"},
    {"authentication.k8s.io", "v1", "TokenReview TokenRequest SelfSubjectReview"},
    {"authentication.k8s.io", "v1beta1 v1alpha1", "SelfSubjectReview"},
    {"authorization.k8s.io", "v1",
     "SubjectAccessReview LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview"},
    {"certificates.k8s.io", "v1", "CertificateSigningRequest"},
    {"certificates.k8s.io", "v1beta1 v1alpha1", "ClusterTrustBundle PodCertificateRequest"},
    {"coordination.k8s.io", "v1", "Lease"},
    {"coordination.k8s.io", "v1beta1 v1alpha2 v1alpha1", "LeaseCandidate"},
    {"discovery.k8s.io", "v1", "EndpointSlice"},
    {"events.k8s.io", "v1", "Event"},
    {"flowcontrol.apiserver.k8s.io", "v1 v1beta3", "FlowSchema PriorityLevelConfiguration"},
    {"internal.apiserver.k8s.io", "v1alpha1", "StorageVersion"},
    {"storagemigration.k8s.io", "v1beta1 v1alpha1", "StorageVersionMigration"},
});

/// Words of a list that blanks separate.
std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> words = words_of(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// An apiVersion in its two parts: "batch/v1", "v1".
struct GroupVersion {
  std::string_view group;
  std::string_view version;
};
GroupVersion parts_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {.group = {}, .version = api_version};
  return {.group = api_version.substr(0, slash), .version = api_version.substr(slash + 1)};
}

std::string joined(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

/// Where a kind is served: what it is to be written as.
struct Served {
  std::string_view kind;
  std::string api_version;  ///< the preferred one
};

Served served(const OwnKinds& row, std::string_view kind) {
  return {.kind = kind, .api_version = joined(row.group, words_of(row.versions).front())};
}

Served served(const WorkloadKind& row) {
  return {.kind = row.kind, .api_version = joined(row.group, words_of(row.versions).front())};
}

/// Of Kubernetes' own kinds first.
std::optional<Served> find_served(std::string_view kind) {
  for (const OwnKinds& row : kOwn)
    if (has_word(row.kinds, kind)) return served(row, kind);
  for (const WorkloadKind& row : workload_kinds())
    if (row.kind == kind) return served(row);
  return std::nullopt;
}

bool is_own_kind(std::string_view kind) {
  return std::any_of(kOwn.begin(), kOwn.end(),
                     [&](const OwnKinds& row) { return has_word(row.kinds, kind); });
}

bool is_own_group(std::string_view group) {
  return std::any_of(kOwn.begin(), kOwn.end(),
                     [&](const OwnKinds& row) { return row.group == group; });
}

bool is_workload_group(std::string_view group) {
  const auto kinds = workload_kinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const WorkloadKind& row) { return row.group == group; });
}

std::optional<std::string_view> nearest_of(std::string_view word,
                                           const std::vector<std::string_view>& choices) {
  for (const std::string_view each : choices)
    if (equal_ignoring_case(word, each)) return each;
  return nearest_name(word, choices);
}

std::vector<std::string_view> kinds_in(std::string_view group) {
  std::vector<std::string_view> kinds;
  for (const OwnKinds& row : kOwn) {
    if (row.group != group) continue;
    const std::vector<std::string_view> own = words_of(row.kinds);
    kinds.insert(kinds.end(), own.begin(), own.end());
  }
  for (const WorkloadKind& row : workload_kinds())
    if (row.group == group) kinds.push_back(row.kind);
  return kinds;
}

std::vector<std::string_view> all_kinds() {
  std::vector<std::string_view> kinds;
  for (const OwnKinds& row : kOwn) {
    const std::vector<std::string_view> own = words_of(row.kinds);
    kinds.insert(kinds.end(), own.begin(), own.end());
  }
  for (const WorkloadKind& row : workload_kinds()) kinds.push_back(row.kind);
  return kinds;
}

/// The kind that was meant: of that name, else the nearest of the group, else of all groups.
std::optional<Served> meant_by(const KindName& name, std::string_view group) {
  if (auto found = find_served(name.kind)) return found;
  auto near = nearest_of(name.kind, kinds_in(group));
  if (!near) near = nearest_of(name.kind, all_kinds());
  return near ? find_served(*near) : std::nullopt;
}

std::string help_for(const KindName& name, const Served& meant) {
  if (meant.kind == name.kind) return "write apiVersion: " + meant.api_version;
  if (meant.api_version == name.api_version) return fmt::format("write kind: {}", meant.kind);
  return fmt::format("write kind: {}, and apiVersion: {}", meant.kind, meant.api_version);
}

KindMistake mistake_of(const KindName& name, std::string_view group) {
  KindMistake mistake;
  const std::optional<Served> meant = meant_by(name, group);
  const bool is_kind_known = meant && meant->kind == name.kind;
  if (name.api_version.empty() || is_kind_known) mistake.field = KindMistake::Field::api_version;
  mistake.problem = name.api_version.empty() ? "apiVersion: required"
                                             : fmt::format("no API server has the kind {} in {}",
                                                           name.kind, name.api_version);
  if (meant) mistake.help = help_for(name, *meant);
  return mistake;
}

/// "v1beta2" as what orders versions: stable before beta before alpha, then the higher numbers, as
/// the API server has it; nothing for what is no such version.
std::optional<std::tuple<int, int, int>> rank_of(std::string_view version) {
  if (!version.starts_with('v')) return std::nullopt;
  version.remove_prefix(1);
  const auto number = [&]() -> int {
    int value = -1;
    const auto [end, error] =
        std::from_chars(version.data(), version.data() + version.size(), value);
    if (error != std::errc{}) return -1;
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    return value;
  };
  const int major = number();
  if (major < 0) return std::nullopt;
  if (version.empty()) return std::tuple(2, major, 0);
  const bool is_beta = version.starts_with("beta");
  if (!is_beta && !version.starts_with("alpha")) return std::nullopt;
  version.remove_prefix(is_beta ? 4 : 5);
  const int minor = number();
  if (minor < 0 || !version.empty()) return std::nullopt;
  return std::tuple(is_beta ? 1 : 0, major, minor);
}

/// "v1beta2" has 1; nothing for what is no such version.
std::optional<int> major_of(std::string_view version) {
  const auto rank = rank_of(version);
  return rank ? std::optional(std::get<1>(*rank)) : std::nullopt;
}

/// The version of a row that one of no release is a slip of: v2beta1 of v2.
std::optional<std::string_view> nearest_version(const WorkloadKind& row, std::string_view version) {
  const auto major = major_of(version);
  for (const std::string_view each : words_of(row.versions))
    if (major && major_of(each) == major) return each;
  return std::nullopt;
}

/// Whether a version that the table lacks is of no release: it was there before those that it has,
/// or is of their number, which has no such stage. A greater number may be newer than the table.
bool is_of_no_release(const WorkloadKind& row, std::string_view version) {
  const auto rank = rank_of(version);
  return rank && (*rank < rank_of(words_of(row.versions).front()) || nearest_version(row, version));
}

/// Whether it makes pods, and one group alone has a kind of that name, by all that is known here.
bool is_of_one_group(std::string_view kind) {
  const auto workloads = workload_kinds();
  const std::vector<std::string_view> kinds = all_kinds();
  return std::any_of(workloads.begin(), workloads.end(),
                     [&](const WorkloadKind& row) { return row.kind == kind; }) &&
         std::count(kinds.begin(), kinds.end(), kind) <= (is_own_kind(kind) ? 2 : 1);
}

/// A slip of a letter or two: other kinds of the group may well be near a known one, too.
std::optional<std::string_view> slip_of(std::string_view kind, std::string_view group) {
  const auto near = nearest_of(kind, kinds_in(group));
  if (!near) return std::nullopt;
  const std::size_t longer = std::max(near->size(), kind.size());
  return longer - std::min(near->size(), kind.size()) <= 1 ? near : std::nullopt;
}

/// Of a group of others that is known: whether a kind, or its version, cannot be.
std::optional<KindMistake> mistake_in_workload(const KindName& name, const GroupVersion& parts) {
  const WorkloadKind* const row = workload_kind(name.kind, name.api_version);
  if (row != nullptr && row->kind == name.kind) {
    if (has_word(row->versions, parts.version) || !is_of_no_release(*row, parts.version))
      return std::nullopt;
    Served meant = served(*row);
    if (const auto near = nearest_version(*row, parts.version))
      meant.api_version = joined(row->group, *near);
    return KindMistake{
        .field = KindMistake::Field::api_version,
        .problem = fmt::format("no API server has the kind {} in {}", name.kind, name.api_version),
        .help = help_for(name, meant)};
  }
  // Others have kinds of the names of Kubernetes' own: Volcano its CronJob.
  if (row == nullptr && is_of_one_group(name.kind) && !is_own_kind(name.kind))
    return mistake_of(name, parts.group);
  const auto slip = slip_of(name.kind, parts.group);
  if (!slip) return std::nullopt;
  const WorkloadKind* const meant = workload_kind(*slip, name.api_version);
  return KindMistake{
      .field = KindMistake::Field::kind,
      .problem = fmt::format("no API server has the kind {} in {}", name.kind, name.api_version),
      .help = meant == nullptr ? std::string() : help_for(name, served(*meant))};
}

/// A group nobody knows, of a kind that only a known group of nearly that name has.
std::optional<KindMistake> mistake_in_group(const KindName& name, std::string_view group) {
  if (!is_of_one_group(name.kind)) return std::nullopt;
  const std::optional<Served> meant = find_served(name.kind);
  if (!meant) return std::nullopt;
  const std::string_view own = parts_of(meant->api_version).group;
  const std::array<std::string_view, 1> choice = {own};
  const bool is_near = own.empty() ? group == "core" : nearest_name(group, choice).has_value();
  if (!is_near && group != fmt::format("{}.k8s.io", own)) return std::nullopt;
  return mistake_of(name, own);
}

}  // namespace

std::optional<KindMistake> kind_mistake(const KindName& name) {
  const GroupVersion parts = parts_of(name.api_version);
  const bool is_served = std::any_of(kOwn.begin(), kOwn.end(), [&](const OwnKinds& row) {
    return row.group == parts.group && has_word(row.versions, parts.version) &&
           has_word(row.kinds, name.kind);
  });
  if (is_served) return std::nullopt;
  // Groups that CRDs and aggregated servers bring have a dot.
  const bool is_of_others =
      !is_own_group(parts.group) && parts.group.find('.') != std::string_view::npos;
  if (!is_of_others) return mistake_of(name, parts.group);
  if (is_workload_group(parts.group)) return mistake_in_workload(name, parts);
  return mistake_in_group(name, parts.group);
}

std::string unseen_version(const KindName& name) {
  const WorkloadKind* const row = workload_kind(name.kind, name.api_version);
  if (row == nullptr || has_word(row->versions, parts_of(name.api_version).version)) return {};
  return fmt::format("whether the API server has {}, which is not known here", name.api_version);
}

}  // namespace gpu::manifest
