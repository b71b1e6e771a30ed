#include "diagnose/nodes/cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <tuple>

#include "diagnose/nodes/candidates.hpp"
#include "diagnose/nodes/nearest_cause.hpp"
#include "diagnose/nodes/need_text.hpp"
#include "diagnose/nodes/refusal_cause.hpp"
#include "diagnose/nodes/selector_cause.hpp"
#include "diagnose/nodes/shortage_text.hpp"
#include "diagnose/nodes/unknown_resource.hpp"
#include "diagnose/stack/dra_driver.hpp"
#include "diagnose/stack/gpu_stack.hpp"
#include "model/objects/selector_text.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/devices/dynamic_resources.hpp"
#include "scheduler/devices/shortage.hpp"

namespace gpu::diagnose {
namespace {

/// Finds the cause among nodes. Refers to all that it is made from.
class Finder {
 public:
  Finder(const scheduler::Cluster& cluster, const Pod& pod, const scheduler::Verdict& verdict,
         const NodeReasons& reasons)
      : cluster_(cluster),
        pod_(pod),
        verdict_(verdict),
        reasons_(reasons),
        candidates_(candidates_of(verdict, reasons)),
        need_(need_text(cluster, pod, reasons)) {}

  Cause find() const {
    Cause cause = cause_among_nodes();
    if (cause.nearest.empty()) cause.nearest = nearest_text(cluster_, pod_, reasons_, candidates_);
    return cause;
  }

 private:
  [[nodiscard]] const std::string& name_of(const Candidate& candidate) const {
    return cluster_.nodes()[candidate.verdict->node].node->name;
  }

  [[nodiscard]] Cause cause_among_nodes() const {
    if (verdict_.nodes.empty())
      return {.code = Code::resource_not_advertised, .summary = "the cluster has no nodes"};
    if (candidates_.empty()) return selector_cause(cluster_, pod_);
    if (candidates_.front().has(BlockerKind::no_gpus)) return no_gpus_cause();
    if (const auto largest = largest_if_too_small()) return exceeding_cause(*largest);
    if (const Candidate* broken =
            first([](const Candidate& each) { return each.lacks_only_stack(); }))
      return stack_cause(*broken);
    // A pod that needs no GPUs may be meant for the free room of a node that something else closes.
    const bool is_room_nearest = !reasons_.gpus().empty() || candidates_.front().lacks_only_room();
    const auto lacks_room = [](const Candidate& each) { return each.lacks_only_room(); };
    if (is_room_nearest && first(lacks_room) != nullptr) {
      if (auto rule = rule_cause()) return *std::move(rule);
      const std::vector<Candidate> meant = with_the_gpus();
      if (std::any_of(meant.begin(), meant.end(), lacks_room)) return room_cause();
      return nearest_cause(cluster_, pod_, reasons_, meant);
    }
    return nearest_cause(cluster_, pod_, reasons_, candidates_);
  }

  /// Those that have GPUs of the name that is asked for, held or not; all, where none has.
  [[nodiscard]] std::vector<Candidate> with_the_gpus() const {
    std::vector<Candidate> meant;
    for (const Candidate& each : candidates_) {
      const scheduler::NodeState& state = cluster_.nodes()[each.verdict->node];
      const bool has_all = std::all_of(
          reasons_.gpus().begin(), reasons_.gpus().end(),
          [&](const scheduler::Amount& gpu) { return state.allocatable[gpu.resource] > 0; });
      if (has_all || each.has(BlockerKind::no_devices)) meant.push_back(each);
    }
    return meant.empty() ? candidates_ : meant;
  }

  template <class Wanted>
  [[nodiscard]] const Candidate* first(Wanted wanted) const {
    const auto found = std::find_if(candidates_.begin(), candidates_.end(), wanted);
    return found == candidates_.end() ? nullptr : &*found;
  }

  /// Of nodes that could do, the most GPUs that one has, where none has enough even when empty:
  /// that stays, whatever else is solved.
  [[nodiscard]] std::optional<std::int64_t> largest_if_too_small() const {
    std::int64_t largest = 0;
    for (const Candidate& each : candidates_) {
      if (each.has(BlockerKind::no_gpus) || is_cut_too_small(each)) continue;
      if (!each.has(BlockerKind::few_gpus)) return std::nullopt;
      const scheduler::NodeState& state = cluster_.nodes()[each.verdict->node];
      for (const scheduler::Amount& gpu : reasons_.gpus())
        largest = std::max(largest, state.allocatable[gpu.resource]);
    }
    return largest == 0 ? std::nullopt : std::optional(largest);
  }

  /// Whether its cards are cut into slices, and would be too few as whole ones, too.
  [[nodiscard]] bool is_cut_too_small(const Candidate& each) const {
    const scheduler::NodeState& state = cluster_.nodes()[each.verdict->node];
    const std::string_view text = value_of(state.node->labels, "nvidia.com/gpu.count");
    // Nobody builds more into one machine.
    std::int64_t cards = 16;
    if (!text.empty()) std::from_chars(text.data(), text.data() + text.size(), cards);
    return std::any_of(
        reasons_.gpus().begin(), reasons_.gpus().end(), [&](const scheduler::Amount& gpu) {
          const auto& fault = reasons_.fault(each.verdict->node, gpu.resource);
          const bool is_cut =
              fault && (fault->code == Code::mig_mismatch || fault->code == Code::resource_renamed);
          return state.allocatable[gpu.resource] == 0 && is_cut && gpu.value > cards;
        });
  }

  [[nodiscard]] Cause exceeding_cause(std::int64_t largest) const {
    return {.code = Code::request_exceeds_every_node,
            .summary = fmt::format("pod needs {} on one node, and no node it may run on has more "
                                   "than {}",
                                   need_, largest)};
  }

  /// All nodes with GPUs are left out by the pod's own selector, or there are none.
  [[nodiscard]] Cause no_gpus_cause() const {
    const std::string need = reasons_.gpus().empty() ? "a part of a GPU" : need_;
    std::vector<std::string> left_out;
    for (const scheduler::NodeVerdict& node : verdict_.nodes)
      if (const BlockerKinds kinds = reasons_.kinds_of(node);
          kinds.has(BlockerKind::node_selector) && !kinds.has(BlockerKind::no_gpus))
        left_out.push_back(cluster_.nodes()[node.node].node->name);
    if (left_out.empty())
      return {.code = Code::resource_not_advertised,
              .summary = "pod needs " + need + ", and no node that it may run on has any"};
    return {.code = Code::node_selector_mismatch,
            .summary = fmt::format("pod needs {}, and its node selector leaves out all nodes that "
                                   "have any: {}",
                                   need, names_text(left_out)),
            .nearest = left_out.front() + ": node selector"};
  }

  [[nodiscard]] Cause stack_cause(const Candidate& broken) const {
    const BlockerKind kind = broken.kinds.front();
    Cause cause{.code = code_of(kind),
                .nearest = fmt::format("{}: {}", name_of(broken), text_of(kind))};
    const std::size_t alike = static_cast<std::size_t>(
        std::count_if(candidates_.begin(), candidates_.end(),
                      [&](const Candidate& each) { return each.kinds == broken.kinds; }));
    const std::string where = alike == 1 ? name_of(broken) : fmt::format("{} nodes", alike);
    const StackFault* const fault = fault_of(broken);
    const std::string detail = fault_text(broken);
    const bool reads_on = fault != nullptr && fault->reads == StackFault::Reads::behind_name;
    if (alike == 1 && reads_on)
      cause.summary = fmt::format("pod needs {}, and {} {}", need_, where, detail);
    else
      cause.summary = fmt::format("pod needs {}, and {} cannot offer {}: {}", need_, where,
                                  alike == 1 ? "its GPUs" : "their GPUs", detail);
    cause.advice = stack_advice(broken);
    return cause;
  }

  /// A rule that keeps the pod off nodes that are open and have the GPUs: more telling than that
  /// others are full.
  [[nodiscard]] std::optional<Cause> rule_cause() const {
    if (first([](const Candidate& each) { return each.lacks_only_room() && each.has_the_gpus(); }))
      return std::nullopt;
    std::vector<Candidate> ruled_out;
    for (const Candidate& each : candidates_)
      if (each.kinds.are_among(kinds_with(BlockerTrait::rule))) ruled_out.push_back(each);
    if (ruled_out.empty()) return std::nullopt;
    return nearest_cause(cluster_, pod_, reasons_, ruled_out);
  }

  /// Some nodes would do if other pods did not hold so much, or if they were larger.
  [[nodiscard]] Cause room_cause() const {
    if (const Candidate* short_of = first(
            [](const Candidate& each) { return each.lacks_only_room() && each.has_the_gpus(); }))
      return short_of_other_cause(*short_of);
    if (const Candidate* unhealthy = first([](const Candidate& each) {
          return each.lacks_only_room() && each.has(BlockerKind::unhealthy_gpus);
        }))
      return unhealthy_cause(*unhealthy);
    if (first([](const Candidate& each) { return each.has(BlockerKind::no_devices); }))
      return devices_cause();
    return gpu_room_cause();
  }

  /// What the nearest node lacks for the claim; "cannot allocate all claims" does not say.
  [[nodiscard]] Cause devices_cause() const {
    constexpr std::size_t kMostAsked = 100;
    const scheduler::Overlay overlay(cluster_);
    const scheduler::DynamicResources filter(cluster_, pod_);
    std::optional<scheduler::RequestShortage> best;
    const Candidate* where = nullptr;
    const auto left = [](const scheduler::RequestShortage& each) {
      return std::tuple(each.matching - each.in_use - each.tainted, each.matching, each.of_class);
    };
    std::size_t asked = 0;
    for (const Candidate& each : candidates_) {
      if (!each.has(BlockerKind::no_devices) || asked++ == kMostAsked) continue;
      const auto shortages = filter.shortages(overlay.view(each.verdict->node));
      if (shortages.empty() || (best && left(shortages.front()) <= left(*best))) continue;
      best = shortages.front();
      where = &each;
    }
    Cause cause{.code = Code::claim_unsatisfiable,
                .summary = "no node has free what the pod's claims request"};
    if (!best) {
      cause.advice = advice_without_devices(cluster_);
      return cause;
    }
    const std::string wanted =
        best->wanted == 0
            ? "all devices"
            : fmt::format("{} {}", best->wanted, best->wanted == 1 ? "device" : "devices");
    cause.summary =
        fmt::format("request {} of claim {} requests {} of class {}, and {}", best->request,
                    best->claim, wanted, best->device_class,
                    best->matching == 0 ? "no node has one that matches"
                    : best->matching < best->wanted
                        ? fmt::format("no node has more than {} that match", best->matching)
                        : "no node has them free");
    cause.nearest =
        fmt::format("{}: {} match, {} in use", name_of(*where), best->matching, best->in_use);
    if (best->of_class == 0) add_silent_driver(cause, best->device_class);
    if (best->matching == 0 && best->of_class > 0)
      cause.advice.push_back(
          {.summary = "correct the request's selectors, or add a node with devices that they match",
           .command = "kubectl get resourceslices -o yaml"});
    cause.remarks.push_back({fmt::format("nearest is {}: {}", name_of(*where), text_of(*best))});
    return cause;
  }

  /// No device of the class is published: what keeps the driver from it, where that is seen.
  void add_silent_driver(Cause& cause, const std::string& device_class) const {
    auto silent = silent_dra_driver(cluster_, device_class);
    if (!silent) {
      cause.advice = advice_without_devices(cluster_);
      return;
    }
    cause.summary += fmt::format("; {}: {}", silent->node, silent->fault.detail);
    cause.nearest = fmt::format("{}: {}", silent->node, silent->fault.detail);
    cause.advice = std::move(silent->fault.advice);
  }

  [[nodiscard]] Cause unhealthy_cause(const Candidate& unhealthy) const {
    Cause cause{.code = Code::gpu_unhealthy,
                .summary = fmt::format("pod needs {}, and {} would have them, but only {}", need_,
                                       name_of(unhealthy), fault_text(unhealthy))};
    cause.advice = stack_advice(unhealthy);
    return cause;
  }

  [[nodiscard]] const StackFault* fault_of(const Candidate& candidate) const {
    return first_fault(candidate.verdict->node, reasons_);
  }

  [[nodiscard]] std::string fault_text(const Candidate& candidate) const {
    const StackFault* const fault = fault_of(candidate);
    return fault == nullptr ? std::string() : fault->detail;
  }

  [[nodiscard]] std::vector<Advice> stack_advice(const Candidate& candidate) const {
    const StackFault* const fault = fault_of(candidate);
    return fault == nullptr ? std::vector<Advice>() : fault->advice;
  }

  [[nodiscard]] Cause short_of_other_cause(const Candidate& short_of) const {
    const BlockerKind kind = short_of.kinds.front();
    Cause cause{.code = code_of(kind)};
    const std::optional<Lack> lack = lack_of(cluster_, reasons_, *short_of.verdict, kind);
    std::string title = lack ? text_of(*lack) : std::string(text_of(kind));
    const std::string& name = name_of(short_of);
    if (reasons_.gpus().empty()) {
      cause.summary = fmt::format("no node that the pod may run on has room: {} {}", name, title);
      return cause;
    }
    scheduler::Amount free = reasons_.gpus().front();
    free.value = reasons_.free_of(short_of.verdict->node, free.resource);
    if (lack && lack->verb == Lack::Verb::has) title = lack->what;
    cause.summary =
        fmt::format("{} has {} free, but {}", name, gpus_text(cluster_, pod_, free), title);
    return cause;
  }

  [[nodiscard]] Cause gpu_room_cause() const {
    std::vector<std::int64_t> free;
    const std::int64_t wanted = reasons_.gpus().empty() ? 0 : reasons_.gpus().front().value;
    for (const Candidate& each : candidates_)
      if (each.lacks_only_room() && each.free_gpus > 0) free.push_back(each.free_gpus);
    return held_cause(free, wanted);
  }

  /// What nobody holds on the nodes that the pod selects, closed ones too.
  [[nodiscard]] std::int64_t free_in_cluster() const {
    std::int64_t free = 0;
    for (const Candidate& each : candidates_) free = capped_sum(free, each.free_gpus);
    return free;
  }

  /// They are scattered where the cluster has enough of them, and some on more than one open node;
  /// else they are too few.
  [[nodiscard]] Cause held_cause(const std::vector<std::int64_t>& free, std::int64_t wanted) const {
    const std::int64_t all = std::accumulate(free.begin(), free.end(), std::int64_t{0});
    if (free.size() > 1 && free_in_cluster() >= wanted) {
      Cause cause{.code = Code::gpus_scattered};
      cause.summary = fmt::format("pod needs {} on one node, and no node open to it has {} free",
                                  need_, wanted);
      cause.remarks.push_back(
          {fmt::format("{} GPUs are free on{} nodes open to it ({}), but one pod "
                       "cannot use GPUs of two nodes",
                       all, model_word(), sum_text(free))});
      return cause;
    }
    Cause cause{.code = Code::insufficient_gpus};
    cause.summary = all == 0
                        ? fmt::format("pod needs {}, and all on nodes open to it are held", need_)
                        : fmt::format("pod needs {}, and only {} free on nodes open to it", need_,
                                      all == 1 ? "1 is" : fmt::format("{} are", all));
    return cause;
  }

  [[nodiscard]] std::string model_word() const {
    const std::string model = model_of(pod_);
    return model.empty() ? "" : " " + model;
  }

  static std::string sum_text(const std::vector<std::int64_t>& free) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(free.size(), kMost); ++i)
      text += (i == 0 ? "" : " + ") + std::to_string(free[i]);
    return free.size() > kMost ? text + " + ..." : text;
  }

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  const scheduler::Verdict& verdict_;
  const NodeReasons& reasons_;
  std::vector<Candidate> candidates_;
  std::string need_;
};

}  // namespace

Cause cause_of(const scheduler::Cluster& cluster, const Pod& pod, const scheduler::Verdict& verdict,
               const NodeReasons& reasons) {
  if (auto refused = refusal_cause(cluster, pod, verdict)) return *refused;
  if (auto unknown = unknown_resource(cluster, pod)) return *unknown;
  return Finder(cluster, pod, verdict, reasons).find();
}

}  // namespace gpu::diagnose
