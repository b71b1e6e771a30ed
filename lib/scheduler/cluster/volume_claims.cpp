#include "scheduler/cluster/volume_claims.hpp"

#include <algorithm>

namespace gpu::scheduler {
namespace {

bool matches_labels(const NodeSelectorTerm& term, const StringMap& labels) {
  if (term.expressions.empty() && term.fields.empty()) return false;
  // The node that is asked has no name: what no name holds for, fails.
  const auto holds_without_name = [](const Requirement& field) {
    return field.op == "NotIn" && field.values.size() == 1;
  };
  return std::all_of(term.expressions.begin(), term.expressions.end(),
                     [&](const Requirement& each) { return holds(each, labels); }) &&
         std::all_of(term.fields.begin(), term.fields.end(), holds_without_name);
}

}  // namespace

std::vector<ClaimedVolume> claimed_volumes(const Cluster& cluster, const Pod& pod,
                                           ClaimKinds kinds) {
  std::vector<ClaimedVolume> found;
  for (const PodVolume& volume : pod.volumes) {
    if (volume.claim.empty()) continue;
    if (volume.is_ephemeral && kinds == ClaimKinds::named) continue;
    found.push_back({&volume, cluster.volume_claim(pod.ns, volume.claim)});
  }
  return found;
}

bool sees_all(const Cluster& cluster, std::string_view plural) {
  return coverage_of(cluster.snapshot().scheduling, plural) == Coverage::whole;
}

std::string none_read(const std::vector<std::string_view>& kinds) {
  std::string text = "no ";
  for (std::size_t i = 0; i < kinds.size(); ++i)
    text.append(i == 0 ? "" : i + 1 == kinds.size() ? " and " : ", ").append(kinds[i]);
  return text + " were read";
}

std::string not_found(std::string_view kind, std::string_view name) {
  return std::string(kind).append(" \"").append(name).append("\" not found");
}

std::optional<std::string> foreign_claim(const Pod& pod, const PersistentVolumeClaim& claim) {
  if (!claim.owner_uid.empty() && claim.owner_uid == pod.uid) return std::nullopt;
  return "PVC " + claim.ns + "/" + claim.name + " was not created for pod " + pod.ns + "/" +
         pod.name + " (pod is not owner)";
}

std::string_view class_of(const PersistentVolumeClaim& claim) {
  return claim.storage_class ? std::string_view(*claim.storage_class) : std::string_view{};
}

bool matches_labels(const NodeSelector& selector, const StringMap& labels) {
  return std::any_of(selector.begin(), selector.end(),
                     [&](const NodeSelectorTerm& term) { return matches_labels(term, labels); });
}

}  // namespace gpu::scheduler
