#include "diagnose/nodes/nearest_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "diagnose/nodes/affinity_detail.hpp"
#include "diagnose/nodes/blocker_detail.hpp"
#include "diagnose/nodes/need_text.hpp"
#include "diagnose/nodes/node_condition_taints.hpp"
#include "diagnose/stack/daemon_reach.hpp"
#include "diagnose/stack/node_maintenance.hpp"
#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::diagnose {
namespace {

/// Says what keeps the nearest nodes away. Refers to all that it is made from.
class Nearest {
 public:
  Nearest(const scheduler::Cluster& cluster, const Pod& pod, const NodeReasons& reasons,
          const std::vector<Candidate>& candidates)
      : cluster_(cluster),
        pod_(pod),
        reasons_(reasons),
        candidates_(candidates),
        details_(cluster, pod, reasons) {}

  [[nodiscard]] Cause cause() const {
    const BlockerKind kind = decisive_kind();
    const bool is_of_all = rules_out_all(kind);
    std::vector<const Candidate*> alike;
    for (const Candidate& each : candidates_)
      if (is_of_all ? could_do(each) : each.kinds == candidates_.front().kinds)
        alike.push_back(&each);
    Cause cause{.code = code_of(kind), .summary = summary(kind, alike)};
    add_next(cause, kind);
    if (auto work = common_work(alike); work && kind == BlockerKind::cordoned) {
      cause.advice.push_back(std::move(work->advice));
      cause.advice.insert(cause.advice.end(), work->more.begin(), work->more.end());
    }
    if (kind == BlockerKind::not_ready)
      cause.advice.push_back(
          {.summary = "see why the node is not ready",
           .command = "kubectl describe node " + shell_quoted(name_of(*alike.front()))});
    if (auto ailment = common_ailment(alike);
        ailment && ailment->advice && kind == BlockerKind::taint)
      cause.advice.push_back(*std::move(ailment->advice));
    for (Advice& each : details_.advice(kind, alike.front()->verdict->node))
      cause.advice.push_back(std::move(each));
    if (kind == BlockerKind::pod_affinity)
      if (auto advice = AffinityDetails(cluster_, pod_).affinity_advice())
        cause.advice.push_back(*std::move(advice));
    if (kind == BlockerKind::volume_elsewhere)
      cause.advice.push_back(
          {.summary = "add a node with such GPUs where the volume is, or start with a new volume: "
                      "a StorageClass with volumeBindingMode WaitForFirstConsumer makes it where "
                      "the pod goes"});
    return cause;
  }

 private:
  [[nodiscard]] const std::string& name_of(const Candidate& candidate) const {
    return cluster_.nodes()[candidate.verdict->node].node->name;
  }

  /// Nodes without GPUs would not do whatever else changes.
  [[nodiscard]] static bool could_do(const Candidate& each) {
    return !each.has(BlockerKind::no_gpus);
  }

  [[nodiscard]] bool rules_out_all(BlockerKind kind) const {
    return std::all_of(candidates_.begin(), candidates_.end(),
                       [&](const Candidate& each) { return !could_do(each) || each.has(kind); });
  }

  /// Of the nearest node, what would remain on every node if all else were solved; else the first.
  [[nodiscard]] BlockerKind decisive_kind() const {
    const BlockerKinds kinds = candidates_.front().kinds;
    for (const BlockerKind kind : kinds)
      if (rules_out_all(kind)) return kind;
    return kinds.front();
  }

  /// What the taints of all of `alike` say of them, where nothing but one ailment keeps the pod
  /// away; with the advice for the nearest.
  [[nodiscard]] std::optional<NodeConditionTaints> common_ailment(
      const std::vector<const Candidate*>& alike) const {
    std::optional<NodeConditionTaints> common;
    for (const Candidate* each : alike) {
      const Node& node = *cluster_.nodes()[each->verdict->node].node;
      auto ailment = condition_taints_of(node, untolerated(pod_.tolerations, node));
      if (!ailment || (common && common->what != ailment->what)) return std::nullopt;
      if (!common) common = std::move(ailment);
    }
    return common;
  }

  /// What is being done to all of `alike`; nothing where one is only cordoned.
  [[nodiscard]] std::optional<NodeMaintenance> common_work(
      const std::vector<const Candidate*>& alike) const {
    std::optional<NodeMaintenance> common;
    for (const Candidate* each : alike) {
      auto work = maintenance_of(cluster_, cluster_.nodes()[each->verdict->node]);
      if (!work || (common && common->what != work->what)) return std::nullopt;
      if (!common) common = std::move(work);
    }
    return common;
  }

  /// How the nodes are spoken of, by what can be said of all of them.
  enum class Trait { would_do, has_gpus, has_free_gpus };
  [[nodiscard]] Trait common_trait(const std::vector<const Candidate*>& alike) const {
    if (reasons_.gpus().empty()) return Trait::would_do;
    const bool have_the_gpus = std::all_of(
        alike.begin(), alike.end(), [](const Candidate* each) { return each->has_the_gpus(); });
    return have_the_gpus ? Trait::has_free_gpus : Trait::has_gpus;
  }

  /// How many of all nodes have it, whatever else rules them out.
  [[nodiscard]] std::size_t count_with(Trait trait) const {
    const auto has_it = [&](const Candidate& each) {
      switch (trait) {
        case Trait::would_do:
          return each.free_share >= 1;
        case Trait::has_gpus:
          return could_do(each);
        case Trait::has_free_gpus:
          return could_do(each) && each.has_the_gpus();
      }
      return false;
    };
    return static_cast<std::size_t>(std::count_if(candidates_.begin(), candidates_.end(), has_it));
  }

  [[nodiscard]] std::string trait_text(Trait trait, std::size_t nodes) const {
    const bool is_one = nodes == 1;
    if (trait == Trait::would_do) return " that would do";
    if (trait == Trait::has_gpus) return is_one ? " that has GPUs" : " that have GPUs";
    const std::string model = model_of(pod_);
    if (model.empty()) return " with free GPUs";
    return reasons_.gpus().front().value == 1 ? " with a free " + model
                                              : " with free " + model + " GPUs";
  }

  /// "the only node with free GPUs", "2 of the 4 nodes that have GPUs": true of all of `alike`.
  [[nodiscard]] std::string title(const std::vector<const Candidate*>& alike) const {
    const Trait trait = common_trait(alike);
    const std::size_t count = std::max(count_with(trait), alike.size());
    const std::string all = (count == 1 ? "the only node" : fmt::format("the {} nodes", count)) +
                            trait_text(trait, count);
    return count == alike.size() ? all : fmt::format("{} of {}", alike.size(), all);
  }

  /// The same for a sentence of its own: those that are not all of a kind are the nearest ones.
  [[nodiscard]] RuledOut ruled_out_of(const std::vector<const Candidate*>& alike) const {
    RuledOut ruled_out{.nodes = {}, .title = {}, .all = {}};
    for (const Candidate* each : alike) ruled_out.nodes.push_back(each->verdict->node);
    const Trait trait = common_trait(alike);
    const std::size_t count = alike.size();
    const bool are_nearest = count_with(trait) > count;
    std::string rest = count == 1 ? "node" : "nodes";
    rest = are_nearest ? "nearest " + rest : rest + trait_text(trait, count);
    if (count == 1)
      ruled_out.title = are_nearest ? rest : "only " + rest;
    else
      ruled_out.title = fmt::format("{} {}", count, rest);
    ruled_out.all = count == 2 ? "both " + rest : "all " + ruled_out.title;
    return ruled_out;
  }

  /// "dedicated=research:NoSchedule, and 2 more taints".
  [[nodiscard]] std::string taints_of(const Candidate& candidate) const {
    constexpr std::size_t kMost = 2;
    const Node& node = *cluster_.nodes()[candidate.verdict->node].node;
    std::string text;
    std::size_t taints = 0;
    for (const Taint* taint : untolerated(pod_.tolerations, node)) {
      if (lifecycle_of(*taint) == Unavailable::cordoned && node.unschedulable) continue;
      if (++taints <= kMost) text += (text.empty() ? "" : " and ") + text_of(*taint);
    }
    if (taints > kMost)
      text +=
          fmt::format(", and {} more {}", taints - kMost, taints == kMost + 1 ? "taint" : "taints");
    return text;
  }

  /// "pod does not tolerate dedicated=research:NoSchedule of gpu-a1, the only node with free GPUs".
  [[nodiscard]] std::string taint_summary(const std::vector<const Candidate*>& alike,
                                          const std::string& nodes) const {
    const std::string taints = taints_of(*alike.front());
    const bool is_common = std::all_of(alike.begin(), alike.end(), [&](const Candidate* each) {
      return taints_of(*each) == taints;
    });
    if (alike.size() == 1)
      return fmt::format("pod does not tolerate {} of {}, {}", taints, name_of(*alike.front()),
                         nodes);
    if (is_common) return fmt::format("pod does not tolerate {} of {}", taints, nodes);
    return fmt::format("pod does not tolerate the taints of {}: {} of {}, and others", nodes,
                       taints, name_of(*alike.front()));
  }

  [[nodiscard]] std::string summary(BlockerKind kind,
                                    const std::vector<const Candidate*>& alike) const {
    const std::string nodes = title(alike);
    const std::string subject =
        alike.size() == 1 ? fmt::format("{}, {},", name_of(*alike.front()), nodes) : nodes;
    const std::string_view verb = alike.size() == 1 ? "is" : "are";
    if (const auto ailment = common_ailment(alike); ailment && kind == BlockerKind::taint)
      return fmt::format("{} {} {}, and {} no new pods: {}", subject, verb, ailment->state,
                         alike.size() == 1 ? "takes" : "take", ailment->what);
    if (kind == BlockerKind::taint) return taint_summary(alike, nodes);
    if (kind == BlockerKind::cordoned) {
      const auto work = common_work(alike);
      return fmt::format("{} {} cordoned{}", subject, verb, work ? ": " + work->what : "");
    }
    if (kind == BlockerKind::not_ready) return fmt::format("{} {} not ready", subject, verb);
    if (std::string fact = details_.headline(kind, ruled_out_of(alike)); !fact.empty()) return fact;
    return fmt::format("{} {} ruled out: {}", subject, verb,
                       reasons_.blocker_of(*alike.front()->verdict, kind).title);
  }

  /// What the nearest node would be ruled out by next.
  void add_next(Cause& cause, BlockerKind kind) const {
    const Candidate& nearest = candidates_.front();
    std::string rest;
    for (const BlockerKind each : nearest.kinds)
      if (each != kind)
        rest += (rest.empty() ? "" : ", ") + reasons_.blocker_of(*nearest.verdict, each).title;
    if (!rest.empty())
      cause.next =
          fmt::format("once that is solved, {} is still ruled out by: {}", name_of(nearest), rest);
  }

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  const NodeReasons& reasons_;
  const std::vector<Candidate>& candidates_;
  BlockerDetails details_;
};

}  // namespace

Cause nearest_cause(const scheduler::Cluster& cluster, const Pod& pod, const NodeReasons& reasons,
                    const std::vector<Candidate>& candidates) {
  return Nearest(cluster, pod, reasons, candidates).cause();
}

std::string nearest_text(const scheduler::Cluster& cluster, const Pod& pod,
                         const NodeReasons& reasons, const std::vector<Candidate>& candidates) {
  if (candidates.empty()) return "no node has the labels";
  const Candidate& nearest = candidates.front();
  const Node& node = *cluster.nodes()[nearest.verdict->node].node;
  if (nearest.kinds == BlockerKinds{BlockerKind::cordoned}) {
    const auto work = maintenance_of(cluster, cluster.nodes()[nearest.verdict->node]);
    return node.name + ", " + (work ? work->nearest : "if uncordoned");
  }
  if (nearest.kinds == BlockerKinds{BlockerKind::taint}) {
    const std::vector<const Taint*> taken = untolerated(pod.tolerations, node);
    if (const auto ailment = condition_taints_of(node, taken))
      return node.name + ", " + ailment->nearest;
    const std::size_t taints = taken.size();
    return fmt::format("{}, with {} {}", node.name, taints,
                       taints == 1 ? "toleration" : "tolerations");
  }
  const auto free = free_of_advertised(cluster, nearest.verdict->node, reasons);
  const std::string note =
      free ? fmt::format("{} free", *free) : note_of(cluster, nearest.verdict->node, reasons);
  if (nearest.lacks_only_room() && !note.empty() && !nearest.has_the_gpus())
    return fmt::format("{} ({})", node.name, note);
  std::string list;
  for (const BlockerKind kind : nearest.kinds)
    list += (list.empty() ? "" : ", ") + std::string(text_of(kind));
  return fmt::format("{}: {}", node.name, list);
}

}  // namespace gpu::diagnose
