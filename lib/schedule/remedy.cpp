#include "schedule/remedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "model/gpu_resource.hpp"
#include "model/requests.hpp"
#include "model/toleration.hpp"
#include "schedule/amounts.hpp"
#include "schedule/daemon_reach.hpp"
#include "schedule/ending.hpp"
#include "schedule/gpu_stack.hpp"
#include "schedule/label_typo.hpp"
#include "schedule/node_work.hpp"
#include "schedule/owned_pods.hpp"
#include "schedule/pods_to_end.hpp"
#include "schedule/quantity_text.hpp"
#include "schedule/selector_text.hpp"

namespace gpu::schedule {
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

/// Builds one remedy, word by word.
class Maker {
 public:
  Maker(const Cluster& cluster, const Pod& pod, const NodeVerdict& node, const NodeReasons& reasons,
        const std::set<std::string>& idle_pods)
      : cluster_(cluster),
        pod_(pod),
        state_(cluster.nodes()[node.node]),
        reasons_(reasons),
        idle_pods_(idle_pods) {
    remedy_.node = node.node;
  }

  /// Adds what helps against `word`; false where nothing does.
  bool add(Word word) {
    switch (word) {
      case Word::taint:
        return tolerate();
      case Word::node_selector:
        return correct_selector();
      case Word::cordoned:
        return uncordon();
      case Word::no_gpus:
        return correct_name();
      case Word::few_resources:
        return correct_name() || want_room();
      case Word::renamed_gpus:
        return rename_gpus();
      case Word::little_cpu:
        return shrink(kCpu) || want_room();
      case Word::little_memory:
        return shrink(kMemory) || want_room();
      case Word::little_storage:
        return shrink(kEphemeralStorage) || want_room();
      case Word::few_free_gpus:
      case Word::too_many_pods:
        return want_room();
      case Word::port_taken:
      case Word::volume_in_use:
      case Word::many_volumes:
      case Word::pod_anti_affinity:
      case Word::no_devices:
        remedy_.seeks_pods = true;
        return true;
      case Word::spread:
        return relax_spread();
      case Word::other_node_name:
      case Word::not_ready:
      case Word::few_gpus:
      case Word::unhealthy_gpus:
      case Word::no_device_plugin:
      case Word::unhealthy_device_plugin:
      case Word::no_driver:
      case Word::volume_elsewhere:
      case Word::no_volume:
      case Word::pod_affinity:
      case Word::missing_feature:
      case Word::other:
        return false;
    }
    return false;
  }

  /// Nothing where no pods can make the room that is wanted.
  [[nodiscard]] std::optional<Remedy> take() {
    if (!remedy_.seeks_pods && wants_room_ && !find_pods()) return std::nullopt;
    return std::move(remedy_);
  }

 private:
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
    const bool is_ill = std::any_of(state_.node->taints.begin(), state_.node->taints.end(),
                                    [](const Taint& taint) { return is_health_taint(taint); });
    if (is_ill || !is_ready(*state_.node) || work_on(*state_.node)) return false;
    remedy_.change.uncordoned.push_back(state_.node->name);
    remedy_.cost += kUncordon;
    return true;
  }

  /// The same number of the resource under the name that the node has.
  bool rename_gpus() {
    for (const Amount& gpu : reasons_.gpus()) {
      const std::string asked(cluster_.name_of(gpu.resource));
      const auto& fault = reasons_.fault(remedy_.node, gpu.resource);
      if (!fault || fault->code != Code::resource_renamed || fault->other_name.empty())
        return false;
      const std::string& has = fault->other_name;
      rename_in(edited(), asked, has);
      count_edit(fmt::format("ask for {}", has), kEdit);
    }
    return !remedy_.edits.empty();
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
      count_edit(fmt::format("ask for {} in place of {}", near, name), kEdit);
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
  bool shrink(ResourceId resource) {
    const auto asked = std::find_if(reasons_.asks().begin(), reasons_.asks().end(),
                                    [&](const Amount& each) { return each.resource == resource; });
    if (asked == reasons_.asks().end()) return false;
    const std::int64_t free = reasons_.free_of(remedy_.node, resource);
    if (free * 2 < asked->value || free >= asked->value) return false;
    const std::string name(cluster_.name_of(resource));
    const auto only = only_container_asking(name, asked->value);
    if (!only) return false;
    const Quantity less = resource == kCpu
                              ? Quantity::of_milli(rounded_down(free, 500))
                              : Quantity::of(rounded_down(free, std::int64_t{1} << 30));
    if (less <= Quantity{}) return false;
    edited().containers[*only].requests.set(name, less);
    count_edit(fmt::format("ask for {} {} in place of {}", quantity_text(name, less), name,
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
      if (compared_amount(name, amount_of(pod.containers[i].requests, name)) == amount) return i;
    return std::nullopt;
  }

  bool want_room() {
    wants_room_ = true;
    return true;
  }

  bool find_pods() {
    remedy_.to_end = pods_to_end(cluster_, pod_, remedy_.node, reasons_, idle_pods_);
    return !remedy_.to_end.empty();
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

  const Cluster& cluster_;
  const Pod& pod_;
  const NodeState& state_;
  const NodeReasons& reasons_;
  const std::set<std::string>& idle_pods_;
  Remedy remedy_;
  bool wants_room_ = false;
};

}  // namespace

std::string relaxed_text(const TopologySpread& rule) {
  return fmt::format("spread over {} only where that is possible", rule.topology_key);
}

bool end_pods(const Cluster& cluster, const Pod& pod, Remedy& remedy) {
  if (remedy.to_end.empty()) return true;
  std::vector<const Pod*> pods;
  for (const BoundPod* bound : remedy.to_end) pods.push_back(bound->pod);
  const auto endings = endings_of(cluster, pods, pod);
  if (!endings) return false;
  for (const Ending& ending : *endings)
    remedy.change.ended.insert(remedy.change.ended.end(), ending.pods.begin(), ending.pods.end());
  remedy.to_end.clear();
  return true;
}

std::optional<Remedy> remedy_for(const Cluster& cluster, const Pod& pod, const NodeVerdict& node,
                                 const NodeReasons& reasons,
                                 const std::set<std::string>& idle_pods) {
  const Words words = reasons.words_of(node);
  if (words.empty() || node.is_left_out) return std::nullopt;
  Maker maker(cluster, pod, node, reasons, idle_pods);
  for (const Word word : words)
    if (!maker.add(word)) return std::nullopt;
  return maker.take();
}

bool ends_pods(const Remedy& remedy) {
  return !remedy.change.ended.empty() || !remedy.to_end.empty() || remedy.seeks_pods;
}

std::string essence_of(const Remedy& remedy) {
  std::string essence;
  for (const std::string& edit : remedy.edits) essence += edit + '\n';
  for (const std::string& node : remedy.change.uncordoned) essence += "uncordon " + node + '\n';
  for (const BoundPod* bound : remedy.to_end)
    essence += "end " + bound->pod->ns + "/" + bound->pod->name + '\n';
  for (const Pod* pod : remedy.change.ended) essence += "end " + pod->ns + "/" + pod->name + '\n';
  if (remedy.seeks_pods) essence += fmt::format("on {}\n", remedy.node);
  return essence;
}

}  // namespace gpu::schedule
