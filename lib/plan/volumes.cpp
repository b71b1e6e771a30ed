#include "plan/volumes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "plan/claims.hpp"

namespace gpu::plan {
namespace {

std::string name_of(const Pod& pod, const PersistentVolumeClaim& made_from, std::int64_t ordinal) {
  return fmt::format("{}-{}-{}", made_from.name, pod.name, ordinal);
}

bool has_claim(const SchedulingFacts& facts, std::string_view ns, std::string_view name) {
  const auto& claims = facts.volume_claims;
  const auto at = std::lower_bound(claims.begin(), claims.end(), std::tuple(ns, name),
                                   [](const PersistentVolumeClaim& claim, const auto& wanted) {
                                     return std::tuple(std::string_view(claim.ns),
                                                       std::string_view(claim.name)) < wanted;
                                   });
  return at != claims.end() && at->ns == ns && at->name == name;
}

const StorageClass* class_named(const SchedulingFacts& facts, std::string_view name) {
  const auto found = std::find_if(facts.storage_classes.begin(), facts.storage_classes.end(),
                                  [&](const StorageClass& each) { return each.name == name; });
  return found == facts.storage_classes.end() ? nullptr : &*found;
}

/// Of several the newest, as the admission plugin DefaultStorageClass has it.
const StorageClass* default_class(const SchedulingFacts& facts) {
  const StorageClass* best = nullptr;
  for (const StorageClass& each : facts.storage_classes) {
    if (!each.is_default) continue;
    if (best == nullptr || each.created > best->created ||
        (each.created == best->created && each.name < best->name))
      best = &each;
  }
  return best;
}

bool has_volume_of(const SchedulingFacts& facts, std::string_view storage_class) {
  return std::any_of(facts.volumes.begin(), facts.volumes.end(), [&](const PersistentVolume& each) {
    return each.storage_class == storage_class && each.claim_name.empty();
  });
}

/// Whether its volume is made, or found, before the pod has a node: nobody knows where that is.
bool is_bound_at_once(const PersistentVolumeClaim& claim, const SchedulingFacts& facts) {
  const std::string name = claim.storage_class.value_or("");
  const StorageClass* const found = class_named(facts, name);
  if (found == nullptr || found->waits_for_consumer)
    return found == nullptr && has_volume_of(facts, name);
  return true;
}

bool sees(const SchedulingFacts& facts, std::string_view plural) {
  return coverage_of(facts, plural) == Coverage::whole;
}

bool sees_volumes(const SchedulingFacts& facts) {
  static constexpr std::array<std::string_view, 6> kKinds = {
      "persistentvolumeclaims", "persistentvolumes",   "csinodes", "csidrivers",
      "volumeattachments",      "csistoragecapacities"};
  return std::all_of(kKinds.begin(), kKinds.end(),
                     [&](std::string_view kind) { return sees(facts, kind); });
}

/// As the admission plugin DefaultStorageClass does.
void complete(PersistentVolumeClaim& claim, const SchedulingFacts& facts) {
  claim.phase = "Pending";
  if (const StorageClass* const usual = default_class(facts); !claim.storage_class && usual)
    claim.storage_class = usual->name;
}

/// Lets the pods that use the claim do without, and say what is not checked.
void leave_open(const PersistentVolumeClaim& claim, std::vector<PlannedPod>& pods,
                const std::string& not_checked) {
  for (PlannedPod& each : pods) {
    if (each.pod.ns != claim.ns) continue;
    const std::size_t used = std::erase_if(
        each.pod.volumes, [&](const PodVolume& volume) { return volume.claim == claim.name; });
    if (used > 0) each.not_checked.push_back(not_checked);
  }
}

bool lacks_class(const PersistentVolumeClaim& claim, const SchedulingFacts& facts) {
  return claim.storage_class && !claim.storage_class->empty() &&
         class_named(facts, *claim.storage_class) == nullptr &&
         !has_volume_of(facts, *claim.storage_class);
}

/// What cannot be told of a claim that is to be created, as "whether ..."; empty where it is
/// judged.
std::string open_question(const PersistentVolumeClaim& claim, const SchedulingFacts& facts) {
  const bool sees_classes = sees(facts, "storageclasses");
  const bool is_without_class = claim.storage_class && claim.storage_class->empty();
  if (!claim.volume.empty()) return {};
  if (is_without_class && !sees_classes && !sees(facts, "persistentvolumes"))
    return fmt::format(
        "whether a volume is free for its claim {}: it names the class \"\", for which none is "
        "provisioned, and persistentvolumes were not read",
        claim.name);
  if (!is_without_class && coverage_of(facts, "storageclasses") == Coverage::none)
    return fmt::format("whether its claim {} gets a volume: storageclasses were not read",
                       claim.name);
  if (!sees_classes || class_named(facts, claim.storage_class.value_or("")) == nullptr) return {};
  if (!sees_volumes(facts))
    return fmt::format(
        "whether its claim {} gets a volume, and where: what there is of volumes was not all read",
        claim.name);
  if (!is_bound_at_once(claim, facts)) return {};
  return fmt::format(
      "where the volume of its claim {} is: it is made or found before its pods have a node",
      claim.name);
}

}  // namespace

bool is_made_on_demand(const PersistentVolumeClaim& claim, const SchedulingFacts& facts) {
  const std::string name = claim.storage_class.value_or("");
  const StorageClass* const found = class_named(facts, name);
  return found != nullptr && found->waits_for_consumer && claim.volume.empty() &&
         found->provisioner != "kubernetes.io/no-provisioner" && !has_volume_of(facts, name);
}

void add_volume_claims(PlannedObjects& planned, Snapshot& snapshot) {
  SchedulingFacts& facts = snapshot.scheduling;
  for (PersistentVolumeClaim& claim : planned.volume_claims) {
    complete(claim, facts);
    const bool is_new = !has_claim(facts, claim.ns, claim.name);
    const std::string open = is_new ? open_question(claim, facts) : std::string();
    if (!open.empty())
      leave_open(claim, planned.pods, open);
    else
      insert_planned(facts.volume_claims, std::move(claim));
  }
}

std::vector<std::string> make_volume_claims(const Pod& pod, const VolumeClaimTemplates& templates,
                                            std::int64_t count, Snapshot& snapshot) {
  SchedulingFacts& facts = snapshot.scheduling;
  if (templates.claims.empty()) return {};
  if (!sees(facts, "storageclasses")) return {"the volumes that its volumeClaimTemplates make"};
  const bool sees_all = sees_volumes(facts);
  std::vector<std::string> not_checked;
  if (!sees_all)
    not_checked.emplace_back(
        "the volumes that its volumeClaimTemplates make or find: what there is of volumes was not "
        "all read");
  for (const PersistentVolumeClaim& made_from : templates.claims) {
    PersistentVolumeClaim claim = made_from;
    claim.ns = pod.ns;
    claim.uid.clear();
    complete(claim, facts);
    const bool is_unknown = is_bound_at_once(claim, facts);
    bool is_any_unknown = false;
    for (std::int64_t ordinal = templates.first; ordinal < templates.first + count; ++ordinal) {
      claim.name = name_of(pod, made_from, ordinal);
      if (has_claim(facts, claim.ns, claim.name)) continue;
      // Without its class no volume is made, whatever else there is.
      const bool is_judged = sees_all ? !is_unknown : lacks_class(claim, facts);
      is_any_unknown = is_any_unknown || (sees_all && is_unknown);
      if (is_judged) insert_planned(facts.volume_claims, claim);
    }
    if (is_any_unknown)
      not_checked.push_back(fmt::format(
          "where the volumes of its claim template {} are: they are made or found before its pods "
          "have a node",
          made_from.name));
  }
  return not_checked;
}

void use_volume_claims(Pod& pod, const VolumeClaimTemplates& templates, std::int64_t number,
                       const Snapshot& snapshot) {
  for (const PersistentVolumeClaim& made_from : templates.claims) {
    std::erase_if(pod.volumes, [&](const PodVolume& each) { return each.name == made_from.name; });
    std::string name = name_of(pod, made_from, templates.first + number);
    if (has_claim(snapshot.scheduling, pod.ns, name))
      pod.volumes.push_back({.name = made_from.name, .claim = std::move(name)});
  }
}

}  // namespace gpu::plan
