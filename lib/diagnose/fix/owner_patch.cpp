#include "diagnose/fix/owner_patch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "diagnose/fix/owner_template.hpp"
#include "diagnose/fix/pod_patch.hpp"
#include "model/objects/own_kind.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kPatchFile = "-patch.yaml";

/// Only additions to a pod's tolerations are allowed while it exists.
bool adds_tolerations_only(const Pod& before, const Pod& after) {
  const bool keeps_all =
      std::all_of(before.tolerations.begin(), before.tolerations.end(), [&](const Toleration& old) {
        return std::find(after.tolerations.begin(), after.tolerations.end(), old) !=
               after.tolerations.end();
      });
  Pod same = after;
  same.tolerations = before.tolerations;
  return keeps_all && same == before;
}

/// Makes the parts of a patch for one object.
struct Target {
  std::string kind;  ///< as kubectl takes it: "deployment"
  std::string name;
  std::string ns;

  [[nodiscard]] std::string file() const { return name + std::string(kPatchFile); }
  [[nodiscard]] std::string patch_command() const {
    return fmt::format("kubectl patch {} {} -n {} --patch-file {}", kind, shell_quoted(name),
                       shell_quoted(ns), shell_quoted(file()));
  }
  /// For what cannot be changed in place: read, patched here, deleted, and made again. The file is
  /// all that is left of it where the API server does not take it back.
  [[nodiscard]] std::string replace_command() const {
    return fmt::format(
        "kubectl get {0} {1} -n {2} -o json | kubectl patch -f - --local --patch-file {3} -o json "
        "> {4}\nkubectl replace --force -f {4}",
        kind, shell_quoted(name), shell_quoted(ns), shell_quoted(file()),
        shell_quoted(name + ".json"));
  }
};

OwnerPatch made(const Target& target) {
  return {.target = target.kind + "/" + target.name, .patch_file = target.file()};
}

/// The API server puts values of such keys into selectors, and takes none that has them already:
/// what is read of a pod cannot be made again as it is. A patch finds no term of an affinity, and
/// no rule of several with one key.
bool has_merged_rules(const Pod& pod) {
  const auto is_merged = [](const PodAffinityTerm& term) {
    return !term.match_label_keys.empty() || !term.mismatch_label_keys.empty();
  };
  const auto& with = pod.placement.pod_affinity;
  const auto& without = pod.placement.pod_anti_affinity;
  const auto& rules = pod.placement.spread;
  return std::any_of(with.begin(), with.end(), is_merged) ||
         std::any_of(without.begin(), without.end(), is_merged) ||
         std::any_of(rules.begin(), rules.end(), [&](const TopologySpread& rule) {
           return !rule.match_label_keys.empty() &&
                  std::count_if(rules.begin(), rules.end(), [&](const TopologySpread& each) {
                    return each.topology_key == rule.topology_key;
                  }) > 1;
         });
}

std::string in_template(const Pod& before, const Pod& after) {
  return "spec:\n  template:\n    spec:\n" + pod_patch(before, after, PatchedSpec::of_template, 6);
}

OwnerPatch for_pod(const Pod& before, const Pod& after) {
  const Target target{"pod", before.name, before.ns};
  const bool is_as_written = adds_tolerations_only(before, after) || has_merged_rules(before);
  OwnerPatch patch = made(target);
  patch.patch =
      "spec:\n" +
      pod_patch(before, after, is_as_written ? PatchedSpec::of_pod : PatchedSpec::of_new_pod, 2);
  if (adds_tolerations_only(before, after)) {
    patch.command = target.patch_command();
    return patch;
  }
  if (has_merged_rules(before)) {
    patch.note =
        "a pod's spec cannot be changed, and this one has affinity that the API server "
        "completed: delete the pod, and make it again from its manifest with this in it";
    return patch;
  }
  patch.command = target.replace_command();
  patch.stops = {"pod/" + before.ns + "/" + before.name};
  patch.note = "a pod's spec cannot be changed: this deletes it and makes it again";
  return patch;
}

/// What the Job controller gave the Job, unless its selector is of the people who made it.
constexpr std::string_view kMadeByController =
    "  selector: null\n  template:\n    metadata:\n      labels:\n"
    "        controller-uid: null\n        batch.kubernetes.io/controller-uid: null\n"
    "        job-name: null\n        batch.kubernetes.io/job-name: null\n    spec:\n";

OwnerPatch for_job(const Target& target, const Pod& before, const Pod& after) {
  // The pods of any other Job have such a label.
  const bool is_selected_by_uid = before.labels.empty() ||
                                  before.labels.contains("controller-uid") ||
                                  before.labels.contains("batch.kubernetes.io/controller-uid");
  OwnerPatch patch = made(target);
  patch.patch = std::string("spec:\n") +
                std::string(is_selected_by_uid ? kMadeByController : "  template:\n    spec:\n") +
                pod_patch(before, after, PatchedSpec::of_template, 6);
  patch.command = target.replace_command();
  patch.stops = {"job/" + target.ns + "/" + target.name};
  patch.note =
      "a Job's template cannot be changed: this deletes the Job with its pods and makes it again";
  return patch;
}

/// A pod that waits is made anew by hand where its owner would leave it as it is.
std::string delete_command(const Pod& pod) {
  return fmt::format("\nkubectl delete pod {} -n {}", shell_quoted(pod.name), shell_quoted(pod.ns));
}

/// Owners that change only what they make from now on.
OwnerPatch for_replicas(const Target& target, const Pod& before, const Pod& after) {
  OwnerPatch patch = made(target);
  patch.patch = in_template(before, after);
  patch.command = target.patch_command() + delete_command(before);
  patch.stops = {"pod/" + before.ns + "/" + before.name};
  patch.note =
      fmt::format("pods that the {} has made stay as they are until they are deleted", target.kind);
  return patch;
}

OwnerPatch for_rolling(const Target& target, const Pod& before, const Pod& after,
                       std::string_view quota) {
  OwnerPatch patch = made(target);
  patch.patch = in_template(before, after);
  patch.command = target.patch_command();
  patch.stops = {target.kind + "/" + target.ns + "/" + target.name};
  patch.note = fmt::format("this restarts the {}'s pods", target.kind);
  if (target.kind == "deployment" && !quota.empty()) {
    patch.patch +=
        "  strategy:\n    type: RollingUpdate\n"
        "    rollingUpdate: {maxSurge: 0, maxUnavailable: 1}    # new\n";
    patch.note += fmt::format(
        ", and ends an old one before it starts a new one: quota {} has no room for both", quota);
  }
  // A StatefulSet does not replace a pod that never became ready (kubernetes#67250); a DaemonSet
  // does, unless its updates are OnDelete.
  if (target.kind == "statefulset") patch.command += delete_command(before);
  if (target.kind == "daemonset") patch.command += delete_command(before) + " --ignore-not-found";
  return patch;
}

}  // namespace

OwnerPatch owner_patch(const Owner& owner, const Pod& before, const Pod& after,
                       std::string_view quota) {
  const OwnerReference* const controller = scheduler::controller_of(before);
  if (is_own(owner, "Pod") || controller == nullptr) return for_pod(before, after);
  // A CronJob's Job is its own object; what a CronJob makes later is another matter.
  if (is_own(*controller, "Job") && (is_own(owner, "Job") || is_own(owner, "CronJob"))) {
    OwnerPatch patch = for_job({"job", controller->name, before.ns}, before, after);
    if (is_own(owner, "CronJob"))
      patch.note += fmt::format(
          "; cronjob/{} makes the next Job from its own template: write the same into that",
          owner.name);
    return patch;
  }
  const std::string kind = lower_case(owner.kind);
  const Target target{kind, owner.name, before.ns};
  if (is_own(owner, "Deployment") || is_own(owner, "StatefulSet") || is_own(owner, "DaemonSet"))
    return for_rolling(target, before, after, quota);
  // What a ReplicaSet of a Deployment makes has this label: the Deployment was not seen.
  const bool is_of_deployment = before.labels.contains("pod-template-hash");
  if ((is_own(owner, "ReplicaSet") && !is_of_deployment) || is_own(owner, "ReplicationController"))
    return for_replicas(target, before, after);
  OwnerPatch patch = made(target);
  patch.patch = pod_patch(before, after, PatchedSpec::of_template, 0);
  std::string place = template_of(owner, before);
  if (place.empty()) place = "the pod template";
  // There is no file that kubectl would take.
  patch.patch_file = fmt::format("{} of {}", place, patch.target);
  patch.note = fmt::format(
      "write this into {} of {}; pods that exist stay as they are until they are recreated", place,
      patch.target);
  return patch;
}

void number_patch_file(std::string& file, std::string& command, std::size_t number) {
  if (!file.ends_with(kPatchFile)) return;
  const std::string was = file;
  file = fmt::format("{}-patch-{}.yaml", was.substr(0, was.size() - kPatchFile.size()), number);
  for (std::size_t at = command.find(was); at != std::string::npos;
       at = command.find(was, at + file.size()))
    command.replace(at, was.size(), file);
}

std::vector<const Pod*> restarted_pods(const scheduler::Cluster& cluster, const Owner& owner,
                                       const Pod& pod) {
  const bool is_rolling =
      owner.kind == "Deployment" || owner.kind == "StatefulSet" || owner.kind == "DaemonSet";
  const OwnerReference* const controller = scheduler::controller_of(pod);
  const bool is_job = controller != nullptr && controller->kind == "Job" &&
                      (owner.kind == "Job" || owner.kind == "CronJob");
  if (!is_rolling && !is_job) return {};
  auto pods = cluster.shared<scheduler::OwnedPods>().of(is_job ? controller->uid : owner.uid);
  std::erase_if(pods, [&](const Pod* each) {
    return each->ns != pod.ns || each->name == pod.name || each->node_name.empty() || each->deleted;
  });
  return pods;
}

}  // namespace gpu::diagnose
