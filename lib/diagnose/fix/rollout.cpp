#include "diagnose/fix/rollout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "diagnose/fix/owner_template.hpp"
#include "model/objects/own_kind.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/owned_pods.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::diagnose {
namespace {

/// What a pod's owner made it of, where it keeps an older form of its pods until the newer runs.
struct Generation {
  std::string id;           ///< of this form: a uid, or a hash
  OwnerReference keeper;    ///< what replaces the one by the other
  std::string member = {};  ///< what holds the pods of this form, and can be deleted: a Revision
};

/// The pod's controllers, from its own to the topmost that is known.
std::vector<OwnerReference> controllers_of(const Pod& pod, const Snapshot& snapshot) {
  constexpr std::size_t kMostSteps = 8;
  std::vector<OwnerReference> chain;
  const OwnerReference* above = scheduler::controller_of(pod);
  while (above != nullptr && chain.size() < kMostSteps) {
    chain.push_back(*above);
    const auto found = snapshot.controllers.find(above->uid);
    const bool goes_on = found != snapshot.controllers.end() && found->second;
    above = goes_on ? &*found->second : nullptr;
  }
  return chain;
}

/// A kind whose objects are one form each, and the kind that replaces one by the other.
struct Forms {
  std::string_view kind;
  std::string_view keeper;
};

// Outer ones first: the Deployment of a Revision is never rolled out itself.
constexpr auto kForms = std::to_array<Forms>({{"Revision", "Configuration"},
                                              {"RayCluster", "RayService"},
                                              {"ReplicaSet", "Deployment"},
                                              {"ReplicaSet", "Rollout"}});

constexpr std::string_view kGroupName = "leaderworkerset.sigs.k8s.io/name";
constexpr std::string_view kGroupHash = "leaderworkerset.sigs.k8s.io/template-revision-hash";
constexpr std::string_view kSetHash = "controller-revision-hash";
constexpr std::string_view kKnativeRevision = "serving.knative.dev/revision";
constexpr std::string_view kKnativeConfiguration = "serving.knative.dev/configuration";
constexpr std::string_view kKnativeGeneration = "serving.knative.dev/configurationGeneration";

/// By labels, of what has no object for each form, or whose objects were not read.
std::optional<Generation> labelled_generation(const Pod& pod,
                                              const std::vector<OwnerReference>& chain) {
  if (const auto hash = value_of(pod.labels, kGroupHash); !hash.empty()) {
    OwnerReference keeper{.kind = "LeaderWorkerSet",
                          .name = std::string(value_of(pod.labels, kGroupName))};
    keeper.uid = "leaderworkerset/" + keeper.name;
    return Generation{.id = std::string(hash), .keeper = std::move(keeper)};
  }
  if (const auto revision = value_of(pod.labels, kKnativeRevision); !revision.empty()) {
    OwnerReference keeper{.kind = "Configuration",
                          .name = std::string(value_of(pod.labels, kKnativeConfiguration))};
    if (keeper.name.empty()) return std::nullopt;
    keeper.uid = "configuration/" + keeper.name;
    return Generation{
        .id = std::string(revision), .keeper = std::move(keeper), .member = std::string(revision)};
  }
  const auto hash = value_of(pod.labels, kSetHash);
  if (hash.empty() || !is_own(chain.front(), "StatefulSet")) return std::nullopt;
  return Generation{.id = std::string(hash), .keeper = chain.front()};
}

std::optional<Generation> generation_of(const Pod& pod, const Snapshot& snapshot) {
  const std::vector<OwnerReference> chain = controllers_of(pod, snapshot);
  if (chain.empty()) return std::nullopt;
  // The Deployment of a Revision is never rolled out itself, be the Revision read or not.
  const bool is_knative = pod.labels.contains(kKnativeRevision);
  for (const Forms& forms : kForms)
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      if (chain[i].kind == forms.kind && chain[i + 1].kind == forms.keeper &&
          (!is_knative || forms.kind == "Revision"))
        return Generation{.id = chain[i].uid, .keeper = chain[i + 1], .member = chain[i].name};
  return labelled_generation(pod, chain);
}

/// When the first pod of a form was created, of those that are there.
std::optional<Time> first_created(const Snapshot& snapshot, const std::string& ns,
                                  const Generation& generation) {
  std::optional<Time> first;
  for (const Pod& pod : snapshot.pods) {
    if (pod.ns != ns || !pod.created || (first && *pod.created >= *first)) continue;
    const auto its = generation_of(pod, snapshot);
    if (its && its->id == generation.id) first = pod.created;
  }
  return first;
}

/// Whether the pod that waits is of the newer form: an older one gets new pods, too, as when one of
/// its nodes is drained. Knative numbers its forms; of others the first pod tells.
bool is_newer(const Snapshot& snapshot, const Pod& waiting, const Generation& its, const Pod& other,
              const Generation& old) {
  const auto number = whole_number(value_of(waiting.labels, kKnativeGeneration));
  const auto old_number = whole_number(value_of(other.labels, kKnativeGeneration));
  if (number && old_number) return *number > *old_number;
  const auto first = first_created(snapshot, waiting.ns, its);
  const auto old_first = first_created(snapshot, waiting.ns, old);
  return !first || !old_first || *first >= *old_first;
}

/// Pods on nodes that are an older form of the pod. All pods are looked at once, without an index
/// of them.
std::vector<const Pod*> old_pods(const scheduler::Cluster& cluster, const Pod& pod,
                                 const Generation& generation) {
  std::vector<const Pod*> old;
  std::map<std::string, bool> newer_than;  // by form
  for (const scheduler::NodeState& node : cluster.nodes()) {
    for (const scheduler::BoundPod& bound : node.pods) {
      const Pod& other = *bound.pod;
      if (other.ns != pod.ns || other.deleted) continue;
      if (other.created && pod.created && *other.created > *pod.created) continue;
      const auto its = generation_of(other, cluster.snapshot());
      if (!its || its->keeper.uid != generation.keeper.uid || its->id == generation.id) continue;
      const auto known = newer_than.find(its->id);
      const bool is_old =
          known != newer_than.end()
              ? known->second
              : newer_than
                    .emplace(its->id, is_newer(cluster.snapshot(), pod, generation, other, *its))
                    .first->second;
      if (is_old) old.push_back(&other);
    }
  }
  return old;
}

bool fits_when(const scheduler::Cluster& cluster, const Pod& pod,
               const std::vector<const Pod*>& ended, const std::vector<std::size_t>& nodes) {
  return judge(cluster, pod, {.ended = ended}, nodes).fits();
}

/// Whether the end of any one of them is enough: which of them a Deployment ends is not known.
bool is_any_enough(const scheduler::Cluster& cluster, const Pod& pod,
                   const std::vector<const Pod*>& old) {
  constexpr std::size_t kMostTried = 32;
  return old.size() <= kMostTried && std::all_of(old.begin(), old.end(), [&](const Pod* each) {
           const auto node = cluster.node_named(each->node_name);
           return node && fits_when(cluster, pod, {each}, {*node});
         });
}

constexpr std::string_view kFreeFirst =
    R"({"type":"RollingUpdate","rollingUpdate":{"maxSurge":0,"maxUnavailable":1}})";
constexpr std::string_view kRecreate = R"({"type":"Recreate","rollingUpdate":null})";

std::string patch_command(std::string_view kind, const std::string& name, const Pod& pod,
                          const std::string& patch) {
  return fmt::format("kubectl patch {} {} -n {} --type merge -p '{}'", kind, shell_quoted(name),
                     shell_quoted(pod.ns), patch);
}

/// `top`: what stands above the Deployment, and would undo a change of it.
Advice advice_on_deployment(const Owner& top, const Pod& pod, bool is_one_enough) {
  const std::string_view strategy = is_one_enough ? kFreeFirst : kRecreate;
  const std::string_view what = is_one_enough
                                    ? "end one old pod before it starts a new one"
                                    : "end its old pods first; it then runs none for a moment";
  if (top.kind == "InferenceService") {
    const std::string_view component = value_of(pod.labels, "component");
    return {.summary = fmt::format("configure the InferenceService's Deployment to {}", what),
            .command =
                patch_command("inferenceservice", top.name, pod,
                              fmt::format(R"({{"spec":{{"{}":{{"deploymentStrategy":{}}}}}}})",
                                          component.empty() ? "predictor" : component, strategy))};
  }
  if (top.kind != "Deployment")
    return {.summary = fmt::format("configure the Deployment of {}/{} to {} (strategy {})",
                                   lower_case(top.kind), top.name, what,
                                   is_one_enough ? "maxSurge 0, maxUnavailable 1" : "Recreate"),
            .command = {}};
  return {.summary = fmt::format("configure the Deployment to {}", what),
          .command = patch_command("deployment", top.name, pod,
                                   fmt::format(R"({{"spec":{{"strategy":{}}}}})", strategy))};
}

/// Of owners that start the new form beside the old one, or change one pod after the other.
Advice advice_for(const Generation& old, const Owner& top, const Pod& pod, const Pod& first,
                  bool is_one_enough) {
  const std::string& kind = old.keeper.kind;
  const std::string ns = shell_quoted(pod.ns);
  if (kind == "Deployment") return advice_on_deployment(top, pod, is_one_enough);
  if (kind == "Rollout")
    return {.summary = "configure the Rollout to end old pods before it starts new ones",
            .command = patch_command(
                "rollout", old.keeper.name, pod,
                R"({"spec":{"strategy":{"canary":{"maxSurge":0,"maxUnavailable":1}}}})")};
  if (kind == "LeaderWorkerSet")
    return {
        .summary = "configure the LeaderWorkerSet to end an old group before it starts a new one",
        .command = patch_command("leaderworkerset", old.keeper.name, pod,
                                 R"({"spec":{"rolloutStrategy":{"rollingUpdateConfiguration":)"
                                 R"({"maxSurge":0,"maxUnavailable":1}}}})")};
  if (kind == "StatefulSet")
    return {.summary =
                "delete the old pods: the StatefulSet creates them in the new form, and "
                "changes none while a new one waits",
            .command = fmt::format("kubectl delete pod {} -n {}", shell_quoted(first.name), ns)};
  const bool is_ray = kind == "RayService";
  return {.summary = fmt::format("delete the old {}: it is kept until the new one is ready, which "
                                 "needs its room; nothing is served meanwhile",
                                 is_ray ? "RayCluster" : "Revision"),
          .command = fmt::format("kubectl delete {} {} -n {}",
                                 is_ray ? "raycluster" : "revisions.serving.knative.dev",
                                 shell_quoted(old.member), ns)};
}

}  // namespace

std::optional<Cause> rollout_surge(const scheduler::Cluster& cluster, const Pod& pod) {
  const auto generation = generation_of(pod, cluster.snapshot());
  if (!generation) return std::nullopt;
  const std::vector<const Pod*> old = old_pods(cluster, pod, *generation);
  if (old.empty()) return std::nullopt;
  std::vector<std::size_t> nodes(cluster.nodes().size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
  if (!fits_when(cluster, pod, old, nodes)) return std::nullopt;
  const Pod& first = *old.front();
  const bool is_one = old.size() == 1;
  const std::string which = fmt::format("{} on {}", first.name, first.node_name) +
                            (is_one ? "" : fmt::format(" and {} more", old.size() - 1));
  const bool is_one_enough = is_any_enough(cluster, pod, old);
  Owner owner = template_owner(pod, cluster.snapshot());
  if (generation->keeper.kind == "LeaderWorkerSet")
    owner = {
        .kind = "LeaderWorkerSet", .name = generation->keeper.name, .uid = {}, .api_version = {}};
  const auto its = generation_of(first, cluster.snapshot());
  return Cause{
      .code = Code::rollout_surge,
      .summary =
          fmt::format("the old {} of {}/{} {} what the new one needs", is_one ? "pod" : "pods",
                      lower_case(owner.kind), owner.name, is_one ? "holds" : "hold"),
      .nearest = fmt::format("{}, when {} has ended", first.node_name, first.name),
      .remarks = {{fmt::format("a rollout is under way: the new pod waits while the old {} ({}), "
                               "and there is no room for both",
                               is_one ? "one runs" : "ones run", which)}},
      .advice = {advice_for(*its, owner, pod, first, is_one_enough)}};
}

}  // namespace gpu::diagnose
