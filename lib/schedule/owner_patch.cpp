#include "schedule/owner_patch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "schedule/pod_patch.hpp"

namespace gpu::schedule {
namespace {

const OwnerReference* controller_of(const Pod& pod) {
  const auto found = std::find_if(pod.owners.begin(), pod.owners.end(),
                                  [](const OwnerReference& owner) { return owner.controller; });
  return found == pod.owners.end() ? nullptr : &*found;
}

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

  [[nodiscard]] std::string file() const { return name + "-patch.yaml"; }
  [[nodiscard]] std::string patch_command() const {
    return fmt::format("kubectl patch {} {} -n {} --patch-file {}", kind, shell_quoted(name),
                       shell_quoted(ns), shell_quoted(file()));
  }
  /// For what cannot be changed in place: read, patched here, deleted, and made again.
  [[nodiscard]] std::string replace_command() const {
    return fmt::format(
        "kubectl get {0} {1} -n {2} -o json | kubectl patch -f - --local --patch-file {3} -o json "
        "| kubectl replace --force -f -",
        kind, shell_quoted(name), shell_quoted(ns), shell_quoted(file()));
  }
};

OwnerPatch made(const Target& target) {
  return {.target = target.kind + "/" + target.name, .patch_file = target.file()};
}

std::string in_template(const Pod& before, const Pod& after) {
  return "spec:\n  template:\n    spec:\n" + pod_patch(before, after, PatchedSpec::of_template, 6);
}

OwnerPatch for_pod(const Pod& before, const Pod& after) {
  const Target target{"pod", before.name, before.ns};
  OwnerPatch patch = made(target);
  patch.patch = "spec:\n" + pod_patch(before, after, PatchedSpec::of_pod, 2);
  if (adds_tolerations_only(before, after)) {
    patch.command = target.patch_command();
    return patch;
  }
  patch.command = target.replace_command();
  patch.stops = {"pod/" + before.ns + "/" + before.name};
  patch.note = "a pod's spec cannot be changed: this deletes it and makes it again";
  return patch;
}

/// The labels and the selector that the Job controller made are not given a second time.
OwnerPatch for_job(const Target& target, const Pod& before, const Pod& after) {
  OwnerPatch patch = made(target);
  patch.patch =
      "spec:\n  selector: null\n  template:\n    metadata:\n      labels:\n"
      "        controller-uid: null\n        batch.kubernetes.io/controller-uid: null\n"
      "        job-name: null\n        batch.kubernetes.io/job-name: null\n    spec:\n" +
      pod_patch(before, after, PatchedSpec::of_template, 6);
  patch.command = target.replace_command();
  patch.stops = {"job/" + target.ns + "/" + target.name};
  patch.note =
      "a Job's template cannot be changed: this deletes the Job with its pods and makes it again";
  return patch;
}

OwnerPatch for_rolling(const Target& target, const Pod& before, const Pod& after) {
  OwnerPatch patch = made(target);
  patch.patch = in_template(before, after);
  patch.command = target.patch_command();
  patch.stops = {target.kind + "/" + target.ns + "/" + target.name};
  patch.note = fmt::format("this restarts the {}'s pods", target.kind);
  // A StatefulSet does not replace a pod that never became ready (kubernetes#67250).
  if (target.kind == "statefulset")
    patch.command += fmt::format("\nkubectl delete pod {} -n {}", shell_quoted(before.name),
                                 shell_quoted(before.ns));
  return patch;
}

}  // namespace

OwnerPatch owner_patch(const Owner& owner, const Pod& before, const Pod& after) {
  const OwnerReference* const controller = controller_of(before);
  if (owner.kind == "Pod" || controller == nullptr) return for_pod(before, after);
  // A CronJob's Job is its own object; what a CronJob makes later is another matter.
  if (controller->kind == "Job" && (owner.kind == "Job" || owner.kind == "CronJob"))
    return for_job({"job", controller->name, before.ns}, before, after);
  const std::string kind = lower_case(owner.kind);
  const Target target{kind, owner.name, before.ns};
  if (owner.kind == "Deployment" || owner.kind == "StatefulSet" || owner.kind == "DaemonSet")
    return for_rolling(target, before, after);
  OwnerPatch patch = made(target);
  patch.patch = pod_patch(before, after, PatchedSpec::of_template, 0);
  patch.note = fmt::format("write this into the pod template of {}", patch.target);
  return patch;
}

}  // namespace gpu::schedule
