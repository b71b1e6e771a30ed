#include "diagnose/fix/candidate_fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "diagnose/fix/eviction.hpp"
#include "diagnose/fix/victims.hpp"
#include "diagnose/nodes/label_typo.hpp"
#include "diagnose/nodes/shares.hpp"
#include "diagnose/stack/daemon_reach.hpp"
#include "diagnose/stack/gpu_stack.hpp"
#include "diagnose/stack/node_maintenance.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::diagnose {
namespace {

// What a step costs the people who do it; the sum ranks remedies.
constexpr int kEdit = 1;
constexpr int kSmallerRequest = 3;
constexpr int kUncordon = 4;
constexpr int kRelax = 6;

/// Where machines of the cluster itself run, not people's pods.
bool is_control_plane_taint(const Taint& taint) {
  return taint.key == "node-role.kubernetes.io/control-plane" ||
         taint.key == "node-role.kubernetes.io/master";
}

/// Builds one fix, blocker by blocker.
class FixBuilder {
 public:
  FixBuilder(const scheduler::Cluster& cluster, const Pod& pod, const scheduler::NodeVerdict& node,
             const NodeReasons& reasons, const std::set<std::string>& idle_pods)
      : cluster_(cluster),
        pod_(pod),
        state_(cluster.nodes()[node.node]),
        reasons_(reasons),
        idle_pods_(idle_pods) {
    remedy_.node = node.node;
  }

  /// Adds what helps against `kind`; false where nothing does.
  bool add(BlockerKind kind) {
    const auto remedies = remedies_of(kind);
    return std::any_of(remedies.begin(), remedies.end(),
                       [&](Remedy remedy) { return apply(remedy, kind); });
  }

  /// Asks for one share where several of a card are asked for: they give no more of it, and the
  /// node's device plugin can refuse the pod once it is bound. False where that is no change.
  bool ask_for_one_share() {
    if (!asks_for_several_shares(cluster_, pod_, remedy_.node)) return true;
    const auto& gpus = reasons_.gpus();
    if (gpus.size() != 1) return false;
    const std::string name(cluster_.name_of(gpus.front().resource));
    std::int64_t most = 0;
    for (auto* list : {&edited().containers, &edited().init_containers})
      for (Container& container : *list) {
        most = std::max(most, amount_of(container.requests, name).value());
        for (ResourceList* amounts : {&container.requests, &container.limits})
          if (amount_of(*amounts, name).value() > 1) amounts->set(name, Quantity::of(1));
      }
    count_edit(fmt::format("request 1 {} instead of {}, since its GPUs are shared", name, most),
               kSmallerRequest);
    is_smaller_gpu_request_ = true;
    return true;
  }

  /// Nothing where no pods can make the room that is wanted.
  [[nodiscard]] std::optional<CandidateFix> take() {
    if (!remedy_.seeks_pods && wants_room_ && !find_pods()) return std::nullopt;
    return std::move(remedy_);
  }

 private:
  bool apply(Remedy remedy, BlockerKind kind) {
    switch (remedy) {
      case Remedy::tolerate:
        return tolerate();
      case Remedy::correct_selector:
        return correct_selector();
      case Remedy::uncordon:
        return uncordon();
      case Remedy::correct_name:
        return correct_name();
      case Remedy::rename_gpus:
        return rename_gpus();
      case Remedy::smaller_request:
        return shrink(std::string(fixed_resource(kind)));
      case Remedy::fewer_pods:
        wants_room_ = true;
        return true;
      case Remedy::other_pods:
        remedy_.seeks_pods = true;
        return true;
      case Remedy::relax_spread:
        return relax_spread();
    }
    return false;
  }

  Pod& edited() {
    if (!remedy_.change.pod) remedy_.change.pod = pod_;
    return *remedy_.change.pod;
  }

  void count_edit(std::string text, int cost) {
    remedy_.edits.push_back(std::move(text));
    remedy_.cost += cost;
  }

  bool tolerate() {
    for (const Taint* taint : untolerated(pod_.tolerations, *state_.node)) {
      if (lifecycle_of(*taint) == Unavailable::cordoned) continue;  // uncordoning takes it off
      if (is_health_taint(*taint) || is_control_plane_taint(*taint)) return false;
      Toleration toleration{.key = taint->key, .value = taint->value, .effect = taint->effect};
      // What keeps others off GPUs is tolerated whatever its value: clouds write "present" or
      // "true".
      if (taint->value.empty() || gpu_resource(taint->key)) {
        toleration.op = "Exists";
        toleration.value.clear();
      }
      edited().tolerations.push_back(toleration);
      count_edit("tolerate " + text_of(*taint), kEdit);
    }
    return !remedy_.edits.empty();
  }

  bool correct_selector() {
    auto corrected = corrected_labels(cluster_, pod_, *state_.node);
    if (!corrected) return false;
    edited().node_selector = std::move(corrected->selector);
    edited().placement.node_affinity = std::move(corrected->affinity);
    for (std::string& edit : corrected->edits) count_edit(std::move(edit), kEdit);
    return true;
  }

  /// A node that is ill or going away was cordoned for a reason.
  bool uncordon() {
    if (!may_be_uncordoned(*state_.node)) return false;
    remedy_.change.uncordoned.push_back(state_.node->name);
    remedy_.cost += kUncordon;
    return true;
  }

  /// The same number of the resource under the name that the node has.
  bool rename_gpus() {
    for (const scheduler::Amount& gpu : reasons_.gpus()) {
      const std::string asked(cluster_.name_of(gpu.resource));
      const auto& fault = reasons_.fault(remedy_.node, gpu.resource);
      if (!fault || fault->code != Code::resource_renamed || fault->other_name.empty())
        return false;
      const std::string& has = fault->other_name;
      // Several whole cards are not several shares, which device plugins can refuse.
      if (gpu.value > 1 && shares_on(has)) return false;
      rename_in(edited(), asked, has);
      count_edit(fmt::format("request {}", has), kEdit);
    }
    return !remedy_.edits.empty();
  }

  [[nodiscard]] bool shares_on(const std::string& name) const {
    const auto resource = cluster_.resource(name);
    return resource && cluster_.shared<Shares>().are_on(remedy_.node, *resource);
  }

  /// Asks for the resource that was meant, by its look, where the node has it and no node has what
  /// is asked for. What a node's GPU stack lacks is no typo.
  bool correct_name() {
    bool is_any = false;
    for (const auto& [name, amount] : effective_requests(pod_)) {
      if (name.find('/') == std::string::npos || amount.value() <= 0) continue;
      if (amount_of(state_.node->allocatable, name).value() > 0) continue;
      const std::string near = nearest_resource(cluster_, name);
      const bool is_meant_here = !near.empty() && near != name &&
                                 amount_of(state_.node->allocatable, near).value() > 0 &&
                                 !stack_fault(cluster_, state_, name);
      if (!is_meant_here) return false;
      rename_in(edited(), name, near);
      count_edit(fmt::format("request {} instead of {}", near, name), kEdit);
      is_any = true;
    }
    return is_any;
  }

  static void rename_in(Pod& pod, const std::string& from, const std::string& to) {
    for (auto* list : {&pod.containers, &pod.init_containers})
      for (Container& container : *list)
        for (ResourceList* amounts : {&container.requests, &container.limits}) {
          ResourceList renamed;
          for (const auto& [name, amount] : *amounts) renamed.set(name == from ? to : name, amount);
          *amounts = std::move(renamed);
        }
  }

  /// Asks for what the node has left, if that is at least half of what was asked for; only where
  /// one container asks for all of it.
  bool shrink(const std::string& name) {
    const auto resource = cluster_.resource(name);
    const auto asked =
        std::find_if(reasons_.requests().begin(), reasons_.requests().end(),
                     [&](const scheduler::Amount& each) { return each.resource == resource; });
    if (asked == reasons_.requests().end()) return false;
    const std::int64_t free = reasons_.free_of(remedy_.node, asked->resource);
    if (free * 2 < asked->value || free >= asked->value) return false;
    const auto only = only_container_asking(name, asked->value);
    if (!only) return false;
    const Quantity less = resource == scheduler::kCpu
                              ? Quantity::of_milli(rounded_down(free, 500))
                              : Quantity::of(rounded_down(free, std::int64_t{1} << 30));
    if (less <= Quantity{}) return false;
    edited().containers[*only].requests.set(name, less);
    count_edit(fmt::format("request {} {} instead of {}", quantity_text(name, less), name,
                           amount_text(name, asked->value)),
               kSmallerRequest);
    return true;
  }

  static std::int64_t rounded_down(std::int64_t amount, std::int64_t step) {
    return amount >= step ? amount - amount % step : amount;
  }

  /// The place of the container that asks for all of it; nothing where others have a part in it.
  [[nodiscard]] std::optional<std::size_t> only_container_asking(const std::string& name,
                                                                 std::int64_t amount) const {
    const Pod& pod = remedy_.change.pod ? *remedy_.change.pod : pod_;
    if (pod.pod_requests || !pod.init_containers.empty()) return std::nullopt;
    for (std::size_t i = 0; i < pod.containers.size(); ++i)
      if (scheduler::compared_amount(name, amount_of(pod.containers[i].requests, name)) == amount)
        return i;
    return std::nullopt;
  }

  bool find_pods() {
    if (!remedy_.change.pod) {
      remedy_.victims = victims_for(cluster_, pod_, remedy_.node, reasons_, idle_pods_);
      return !remedy_.victims.empty();
    }
    // Of a smaller request there may be room already.
    const Pod& pod = *remedy_.change.pod;
    const NodeReasons reasons = reasons_.with(pod);
    if (is_smaller_gpu_request_ && share_free_on(remedy_.node, reasons) >= 1) return true;
    remedy_.victims = victims_for(cluster_, pod, remedy_.node, reasons, idle_pods_);
    return !remedy_.victims.empty();
  }

  /// A patch finds a rule by its key.
  bool relax_spread() {
    std::vector<TopologySpread>& rules = edited().placement.spread;
    std::map<std::string_view, int> by_key;
    for (const TopologySpread& rule : rules) ++by_key[rule.topology_key];
    for (TopologySpread& rule : rules) {
      if (rule.when_unsatisfiable != "DoNotSchedule") continue;
      if (by_key[rule.topology_key] > 1) return false;
      rule.when_unsatisfiable = "ScheduleAnyway";
      rule.min_domains.reset();
      count_edit(relaxed_text(rule), kRelax);
    }
    return true;
  }

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  const scheduler::NodeState& state_;
  const NodeReasons& reasons_;
  const std::set<std::string>& idle_pods_;
  CandidateFix remedy_;
  bool wants_room_ = false;
  bool is_smaller_gpu_request_ = false;
};

}  // namespace

std::string relaxed_text(const TopologySpread& rule) {
  return fmt::format("spread over {} only where that is possible", rule.topology_key);
}

bool add_evictions(const scheduler::Cluster& cluster, const Pod& pod, CandidateFix& remedy) {
  if (remedy.victims.empty()) return true;
  std::vector<const Pod*> pods;
  for (const scheduler::BoundPod* bound : remedy.victims) pods.push_back(bound->pod);
  const auto endings = evictions_for(cluster, pods, pod);
  if (!endings) return false;
  for (const Eviction& ending : *endings)
    remedy.change.ended.insert(remedy.change.ended.end(), ending.pods.begin(), ending.pods.end());
  remedy.victims.clear();
  return true;
}

std::optional<CandidateFix> candidate_fix_for(const scheduler::Cluster& cluster, const Pod& pod,
                                              const scheduler::NodeVerdict& node,
                                              const NodeReasons& reasons,
                                              const std::set<std::string>& idle_pods) {
  const BlockerKinds kinds = reasons.kinds_of(node);
  if (kinds.empty() || node.is_left_out) return std::nullopt;
  FixBuilder builder(cluster, pod, node, reasons, idle_pods);
  if (!builder.ask_for_one_share()) return std::nullopt;
  for (const BlockerKind kind : kinds)
    if (!builder.add(kind)) return std::nullopt;
  return builder.take();
}

bool evicts_pods(const CandidateFix& remedy) {
  return !remedy.change.ended.empty() || !remedy.victims.empty() || remedy.seeks_pods;
}

std::string key_of(const CandidateFix& remedy) {
  std::string essence;
  for (const std::string& edit : remedy.edits) essence += edit + '\n';
  for (const std::string& node : remedy.change.uncordoned) essence += "uncordon " + node + '\n';
  for (const scheduler::BoundPod* bound : remedy.victims)
    essence += "end " + bound->pod->ns + "/" + bound->pod->name + '\n';
  for (const Pod* pod : remedy.change.ended) essence += "end " + pod->ns + "/" + pod->name + '\n';
  if (remedy.seeks_pods) essence += fmt::format("on {}\n", remedy.node);
  return essence;
}

}  // namespace gpu::diagnose
