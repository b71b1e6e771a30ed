#include "diagnose/fix/eviction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <tuple>
#include <utility>

#include "admission/kueue/workload.hpp"
#include "base/ascii.hpp"
#include "base/text.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::diagnose {
namespace {

Eviction deletion_of(const Pod& pod) {
  return {.target = "pod/" + pod.ns + "/" + pod.name,
          .command = fmt::format("kubectl delete pod -n {} {}", shell_quoted(pod.ns),
                                 shell_quoted(pod.name)),
          .pods = {&pod}};
}

/// Whether `kubectl scale` takes it.
bool is_scaled(std::string_view kind) {
  constexpr std::array<std::string_view, 4> kKinds = {"Deployment", "ReplicaSet",
                                                      "ReplicationController", "StatefulSet"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// Nobody is preempted for devices of DRA, asked for by claims or by the name of a resource.
bool needs_devices(const scheduler::Cluster& cluster, const Pod& asked) {
  if (!asked.claim_slots.empty()) return true;
  const auto& classes = cluster.snapshot().device_classes;
  if (classes.empty()) return false;
  const ResourceList requests = effective_requests(asked);
  return std::any_of(classes.begin(), classes.end(), [&](const DeviceClass& each) {
    return requests.contains(each.extended_resource) ||
           requests.contains("deviceclass.resource.kubernetes.io/" + each.name);
  });
}

/// Whether what comes in the place of `pod` can be preempted, should the scheduler take it first.
bool may_preempt(const scheduler::Cluster& cluster, const Pod& asked, const Pod& pod) {
  return asked.preemption_policy != "Never" &&
         pod.priority.value_or(0) < asked.priority.value_or(0) && !needs_devices(cluster, asked);
}

/// Whether the owner at the top is one that can be told to run fewer pods, and stays so.
bool may_be_scaled(const Owner& owner, const OwnerReference& controller, const Pod& pod) {
  if (controller.uid.empty()) return false;
  // The Deployment of this ReplicaSet was not seen, and would scale it up again.
  if (owner.kind == "ReplicaSet" && pod.labels.contains("pod-template-hash")) return false;
  // Knative, of which nothing but labels was seen, would do the same.
  if (pod.labels.contains("serving.knative.dev/revision")) return false;
  return is_scaled(owner.kind) || owner.kind == "Job" ||
         (owner.kind == "CronJob" && controller.kind == "Job");
}

/// How far a pod is, as a ReplicaSet looks at it: it ends those first that are less far. Source:
/// ActivePodsWithRanks of the controllers, which goes by the cost of a deletion next.
std::tuple<bool, int, bool> progress_of(const Pod& pod) {
  return {!pod.node_name.empty(),
          pod.phase == "Running"   ? 2
          : pod.phase == "Unknown" ? 1
                                   : 0,
          is_true(pod.conditions, "Ready")};
}

std::string count_text(std::size_t pods) {
  return fmt::format("{} {}", pods, pods == 1 ? "pod" : "pods");
}

/// Tells one owner to run fewer pods.
class Scaling {
 public:
  Scaling(const scheduler::Cluster& cluster, const Owner& owner, std::vector<const Pod*> ended)
      : owner_(owner), ended_(std::move(ended)), ns_(ended_.front()->ns) {
    const OwnerReference& controller = *scheduler::controller_of(*ended_.front());
    // A CronJob makes its next Job when it is time, not at once.
    if (owner.kind == "CronJob")
      owner_ = {controller.kind, controller.name, controller.uid, controller.api_version};
    is_of_cron_job_ = owner.kind == "CronJob";
    has_workload_ =
        admission::workload_of(cluster, ns_, owner_.kind, owner_.name, owner_.uid) != nullptr;
    for (const Pod* pod : cluster.shared<scheduler::OwnedPods>().of(owner_.uid)) {
      if (pod->ns != ns_) continue;
      all_.push_back(pod);
      if (!pod->node_name.empty()) bound_.push_back(pod);
    }
  }

  Eviction run() {
    if (owner_.kind == "Job") return job();
    if (owner_.kind == "StatefulSet") {
      if (const auto kept = first_ordinal(); kept && *kept > 0) return to(*kept);
    } else if (goes_first()) {
      return by_some();
    }
    return ending(fmt::format("scale down {} ({})", name(), count_text(bound_.size())),
                  scale_command("--replicas=0"), bound_);
  }

 private:
  [[nodiscard]] std::string kind() const { return lower_case(owner_.kind); }
  [[nodiscard]] std::string name() const {
    return fmt::format("{}/{} in {}", kind(), owner_.name, ns_);
  }

  [[nodiscard]] Eviction ending(std::string title, std::string command,
                                std::vector<const Pod*> pods) const {
    return {.target = kind() + "/" + ns_ + "/" + owner_.name,
            .title = std::move(title),
            .command = std::move(command),
            .note = {},
            .pods = std::move(pods)};
  }

  [[nodiscard]] std::string scale_command(std::string_view to) const {
    return fmt::format("kubectl scale {} {} -n {} {}", kind(), shell_quoted(owner_.name),
                       shell_quoted(ns_), to);
  }

  /// Who starts a Job by a queue would resume it, and a CronJob waits for it to end.
  [[nodiscard]] Eviction job() const {
    const bool is_labelled = std::any_of(all_.begin(), all_.end(), [](const Pod* pod) {
      return std::any_of(pod->labels.begin(), pod->labels.end(), [](const auto& label) {
        return label.first.starts_with("kueue.x-k8s.io/");
      });
    });
    const std::string where = fmt::format("{} -n {}", shell_quoted(owner_.name), shell_quoted(ns_));
    const std::string what = fmt::format("{} ({})", name(), count_text(bound_.size()));
    if (is_of_cron_job_ || has_workload_ || is_labelled)
      return ending("delete " + what, "kubectl delete job " + where, bound_);
    Eviction made = ending(
        "suspend " + what,
        fmt::format("kubectl patch job {} --type merge -p '{{\"spec\":{{\"suspend\":true}}}}'",
                    where),
        bound_);
    made.note = "a suspended Job stays, and starts its pods again once spec.suspend is false";
    return made;
  }

  /// Of a pod of the StatefulSet; nothing where its name is no such one.
  [[nodiscard]] std::optional<std::size_t> ordinal_of(const Pod& pod) const {
    const std::string_view all = pod.name;
    if (!all.starts_with(owner_.name + "-")) return std::nullopt;
    const std::string_view text = all.substr(owner_.name.size() + 1);
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
  }

  /// The first that ends, where all before it are there and ready: a StatefulSet waits for them
  /// before it ends any. One whose ordinals do not start at 0 is not told from one that lacks some.
  [[nodiscard]] std::optional<std::size_t> first_ordinal() const {
    std::optional<std::size_t> first;
    for (const Pod* pod : ended_) {
      const auto ordinal = ordinal_of(*pod);
      if (!ordinal) return std::nullopt;
      first = std::min(first.value_or(*ordinal), *ordinal);
    }
    std::size_t before = 0;
    for (const Pod* pod : all_)
      if (const auto ordinal = ordinal_of(*pod); ordinal && *ordinal < *first)
        before += !pod->deleted && progress_of(*pod) == std::tuple(true, 2, true) ? 1 : 0;
    return before == *first ? first : std::nullopt;
  }

  [[nodiscard]] Eviction to(std::size_t kept) const {
    std::vector<const Pod*> pods;
    for (const Pod* pod : bound_)
      if (ordinal_of(*pod).value_or(0) >= kept) pods.push_back(pod);
    Eviction made = ending(fmt::format("scale {} to {}", name(), kept),
                           scale_command(fmt::format("--replicas={}", kept)), std::move(pods));
    made.is_whole = false;
    return made;
  }

  /// Whether these pods, once marked, are sure to go before the others: none of them is less far,
  /// and no rollout is under way.
  [[nodiscard]] bool goes_first() const {
    if (ended_.size() >= all_.size()) return false;
    auto furthest = progress_of(*ended_.front());
    for (const Pod* pod : ended_) furthest = std::max(furthest, progress_of(*pod));
    const std::string& controller = scheduler::controller_of(*ended_.front())->uid;
    return std::all_of(all_.begin(), all_.end(), [&](const Pod* pod) {
      return !pod->deleted && scheduler::controller_of(*pod)->uid == controller &&
             (progress_of(*pod) >= furthest ||
              std::find(ended_.begin(), ended_.end(), pod) != ended_.end());
    });
  }

  [[nodiscard]] Eviction by_some() const {
    std::string names;
    for (const Pod* pod : ended_) names += " " + shell_quoted(pod->name);
    const std::size_t kept = all_.size() - ended_.size();
    Eviction made = ending(
        fmt::format("scale down {} by {}", name(), count_text(ended_.size())),
        fmt::format(
            "kubectl annotate pod -n {}{} --overwrite "
            "controller.kubernetes.io/pod-deletion-cost=-2147483648\n{}",
            shell_quoted(ns_), names,
            scale_command(fmt::format("--current-replicas={} --replicas={}", all_.size(), kept))),
        ended_);
    made.is_whole = false;
    return made;
  }

  Owner owner_;
  std::vector<const Pod*> ended_;
  std::string ns_;
  bool is_of_cron_job_ = false;
  bool has_workload_ = false;      ///< of Kueue
  std::vector<const Pod*> all_;    ///< of the owner, waiting ones too
  std::vector<const Pod*> bound_;  ///< those of them on nodes
};

}  // namespace

bool is_evictable(const Pod& pod) {
  if (pod.ns == "kube-system" || pod.deleted || is_gpu_reservation(pod)) return false;
  const OwnerReference* const controller = scheduler::controller_of(pod);
  return controller == nullptr || (controller->kind != "DaemonSet" && controller->kind != "Node");
}

bool is_evictable_for(const scheduler::Cluster& cluster, const Pod& pod, const Pod& asked) {
  if (!is_evictable(pod)) return false;
  const OwnerReference* const controller = scheduler::controller_of(pod);
  return controller == nullptr || is_scaled(controller->kind) || controller->kind == "Job" ||
         may_preempt(cluster, asked, pod);
}

std::optional<std::vector<Eviction>> evictions_for(const scheduler::Cluster& cluster,
                                                   const std::vector<const Pod*>& pods,
                                                   const Pod& asked) {
  std::vector<Eviction> endings;
  std::vector<std::pair<Owner, std::vector<const Pod*>>> owned;
  for (const Pod* pod : pods) {
    const OwnerReference* const controller = scheduler::controller_of(*pod);
    if (controller == nullptr || may_preempt(cluster, asked, *pod)) {
      endings.push_back(deletion_of(*pod));
      continue;
    }
    Owner owner = top_owner(*pod, cluster.snapshot());
    if (!may_be_scaled(owner, *controller, *pod)) return std::nullopt;
    const auto known = std::find_if(owned.begin(), owned.end(),
                                    [&](const auto& each) { return each.first.uid == owner.uid; });
    if (known == owned.end())
      owned.emplace_back(std::move(owner), std::vector{pod});
    else
      known->second.push_back(pod);
  }
  for (const auto& [owner, ended] : owned) endings.push_back(Scaling(cluster, owner, ended).run());
  return endings;
}

}  // namespace gpu::diagnose
