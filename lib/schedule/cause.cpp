#include "schedule/cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "model/gpu_labels.hpp"
#include "model/gpu_resource.hpp"
#include "model/toleration.hpp"
#include "schedule/candidates.hpp"
#include "schedule/device_filter.hpp"
#include "schedule/node_groups.hpp"
#include "schedule/overlay.hpp"
#include "schedule/refusal_cause.hpp"
#include "schedule/unknown_resource.hpp"
#include "schedule/volume_claims.hpp"

namespace gpu::schedule {
namespace {

/// Where a volume of the pod has to be used: "only in topology.kubernetes.io/zone eu-1b (claim
/// data)".
std::string volume_place(const Cluster& cluster, const Pod& pod) {
  for (const ClaimedVolume& each : claimed_volumes(cluster, pod, ClaimKinds::named_and_ephemeral)) {
    if (each.claim == nullptr) continue;
    for (const PersistentVolume& volume : cluster.snapshot().scheduling.volumes) {
      if (volume.name != each.claim->volume || !volume.node_affinity) continue;
      for (const NodeSelectorTerm& term : *volume.node_affinity)
        for (const Requirement& requirement : term.expressions)
          if (requirement.op == "In")
            return fmt::format("only in {} {} (claim {})", requirement.key,
                               fmt::join(requirement.values, ", "), each.claim->name);
    }
  }
  return {};
}

/// Finds the cause among nodes. Refers to all that it is made from.
class Finder {
 public:
  Finder(const Cluster& cluster, const Pod& pod, const Verdict& verdict, const NodeReasons& reasons)
      : cluster_(cluster),
        pod_(pod),
        verdict_(verdict),
        reasons_(reasons),
        candidates_(candidates_of(verdict, reasons)),
        need_(need_text(cluster, pod, reasons)) {}

  Cause find() const {
    Cause cause = cause_among_nodes();
    if (cause.nearest.empty()) cause.nearest = nearest_text();
    return cause;
  }

 private:
  [[nodiscard]] std::string name_of(const Candidate& candidate) const {
    return cluster_.nodes()[candidate.verdict->node].node->name;
  }

  [[nodiscard]] Cause cause_among_nodes() const {
    if (verdict_.nodes.empty())
      return {.code = Code::resource_not_advertised, .summary = "the cluster has no nodes"};
    if (candidates_.empty()) return selector_cause();
    if (!reasons_.gpus().empty() && candidates_.front().has(Word::no_gpus))
      return {.code = Code::resource_not_advertised,
              .summary = "pod needs " + need_ + ", and no node that it may run on has any"};
    if (const Candidate* broken =
            first([](const Candidate& each) { return each.lacks_only_stack(); }))
      return stack_cause(*broken);
    if (first([](const Candidate& each) { return each.lacks_only_room(); })) return room_cause();
    return nearest_cause(candidates_.front());
  }

  template <class Wanted>
  [[nodiscard]] const Candidate* first(Wanted wanted) const {
    const auto found = std::find_if(candidates_.begin(), candidates_.end(), wanted);
    return found == candidates_.end() ? nullptr : &*found;
  }

  [[nodiscard]] Cause selector_cause() const {
    Cause cause{.code = Code::node_selector_mismatch,
                .summary = "no node has the labels that the pod selects"};
    if (pod_.node_selector.size() == 1 && !pod_.placement.node_affinity) {
      const auto& [key, value] = *pod_.node_selector.begin();
      cause.summary = fmt::format("no node has the label {}={}", key, value);
    }
    return cause;
  }

  [[nodiscard]] Cause stack_cause(const Candidate& broken) const {
    const Word word = broken.words.front();
    Cause cause{.code = code_of(word)};
    const std::size_t alike = static_cast<std::size_t>(
        std::count_if(candidates_.begin(), candidates_.end(),
                      [&](const Candidate& each) { return each.words == broken.words; }));
    const std::string where = alike == 1 ? name_of(broken) : fmt::format("{} nodes", alike);
    const std::string detail = reasons_.detail_of(*broken.verdict, word);
    cause.summary = fmt::format("pod needs {}, and {} cannot offer {}: {}", need_, where,
                                alike == 1 ? "its GPUs" : "their GPUs", detail);
    cause.advice = stack_advice(broken);
    return cause;
  }

  /// Some nodes would do if other pods did not hold so much, or if they were larger.
  [[nodiscard]] Cause room_cause() const {
    if (const Candidate* short_of = first(
            [](const Candidate& each) { return each.lacks_only_room() && each.has_the_gpus(); }))
      return short_of_other_cause(*short_of);
    if (const Candidate* unhealthy = first([](const Candidate& each) {
          return each.lacks_only_room() && each.has(Word::unhealthy_gpus);
        }))
      return unhealthy_cause(*unhealthy);
    if (first([](const Candidate& each) { return each.has(Word::no_devices); }))
      return devices_cause();
    return gpu_room_cause();
  }

  /// What the nearest node lacks for the claim; "cannot allocate all claims" does not say.
  [[nodiscard]] Cause devices_cause() const {
    constexpr std::size_t kMostAsked = 100;
    const Overlay overlay(cluster_);
    const DeviceFilter filter(cluster_, pod_);
    std::optional<RequestShortage> best;
    const Candidate* where = nullptr;
    const auto left = [](const RequestShortage& each) {
      return std::pair(each.matching - each.in_use - each.tainted, each.matching);
    };
    std::size_t asked = 0;
    for (const Candidate& each : candidates_) {
      if (!each.has(Word::no_devices) || asked++ == kMostAsked) continue;
      const auto shortages = filter.shortages(overlay.view(each.verdict->node));
      if (shortages.empty() || (best && left(shortages.front()) <= left(*best))) continue;
      best = shortages.front();
      where = &each;
    }
    Cause cause{.code = Code::claim_unsatisfiable,
                .summary = "no node has free what the pod's claims ask for"};
    if (!best) return cause;
    const std::string wanted =
        best->wanted == 0
            ? "all devices"
            : fmt::format("{} {}", best->wanted, best->wanted == 1 ? "device" : "devices");
    cause.summary =
        fmt::format("request {} of claim {} asks for {} of class {}, and no node has them free",
                    best->request, best->claim, wanted, best->device_class);
    cause.nearest =
        fmt::format("{}: {} match, {} in use", name_of(*where), best->matching, best->in_use);
    std::string remark = cause.nearest;
    if (best->tainted > 0) remark += fmt::format(", {} tainted", best->tainted);
    if (best->incomplete > 0)
      remark += fmt::format(", {} in pools that lack slices", best->incomplete);
    cause.remarks.push_back({"nearest is " + remark});
    return cause;
  }

  [[nodiscard]] Cause unhealthy_cause(const Candidate& unhealthy) const {
    Cause cause{.code = Code::gpu_unhealthy,
                .summary = fmt::format(
                    "pod needs {}, and {} would have them, but {}", need_, name_of(unhealthy),
                    reasons_.detail_of(*unhealthy.verdict, Word::unhealthy_gpus))};
    cause.advice = stack_advice(unhealthy);
    return cause;
  }

  [[nodiscard]] std::vector<Advice> stack_advice(const Candidate& candidate) const {
    for (const Amount& gpu : reasons_.gpus())
      if (const auto& fault = reasons_.fault(candidate.verdict->node, gpu.resource))
        return fault->advice;
    return {};
  }

  [[nodiscard]] Cause short_of_other_cause(const Candidate& short_of) const {
    const Word word = short_of.words.front();
    Cause cause{.code = code_of(word)};
    const std::string title = reasons_.blocker_of(*short_of.verdict, word).title;
    if (reasons_.gpus().empty())
      cause.summary = fmt::format("pod needs {}, and no node it may run on has that free", need_);
    else
      cause.summary = fmt::format("{} has {} free, but {}", name_of(short_of), need_, title);
    return cause;
  }

  [[nodiscard]] Cause gpu_room_cause() const {
    std::vector<std::int64_t> free;
    bool is_ever = false;
    std::int64_t largest = 0;
    const std::int64_t wanted = reasons_.gpus().empty() ? 0 : reasons_.gpus().front().value;
    for (const Candidate& each : candidates_) {
      if (!each.lacks_only_room()) continue;
      is_ever = is_ever || !each.has(Word::few_gpus);
      const NodeState& state = cluster_.nodes()[each.verdict->node];
      for (const Amount& gpu : reasons_.gpus())
        largest = std::max(largest, state.allocatable[gpu.resource]);
      if (each.free_gpus > 0) free.push_back(each.free_gpus);
    }
    if (!is_ever)
      return {.code = Code::request_exceeds_every_node,
              .summary = fmt::format("pod needs {} on one node, and no node it may run on has more "
                                     "than {}",
                                     need_, largest)};
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
      cause.summary =
          fmt::format("pod needs {} on one node, and no open node has {} free", need_, wanted);
      cause.remarks.push_back(
          {fmt::format("{} GPUs are free on open{} nodes ({}), but one pod "
                       "cannot use GPUs of two nodes",
                       all, model_word(), sum_text(free))});
      return cause;
    }
    Cause cause{.code = Code::insufficient_gpus};
    cause.summary = all == 0 ? fmt::format("pod needs {}, and all on open nodes are held", need_)
                             : fmt::format("pod needs {}, and only {} free on open nodes", need_,
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

  /// What the nearest node is ruled out by is the reason, where nothing says more.
  [[nodiscard]] Cause nearest_cause(const Candidate& nearest) const {
    const Word word = nearest.words.front();
    Cause cause{.code = code_of(word)};
    std::size_t alike = 0;
    for (const Candidate& each : candidates_) alike += each.words == nearest.words ? 1 : 0;
    const std::string nodes = alike == 1 ? "the 1 node" : fmt::format("the {} nodes", alike);
    cause.summary = nearest_summary(word, nodes, nearest);
    if (word == Word::volume_elsewhere) {
      const std::string place = volume_place(cluster_, pod_);
      cause.summary = fmt::format("pod needs {}, and its volume keeps it from {} {}: it is {}",
                                  need_, nodes, with_free(), place.empty() ? "elsewhere" : place);
      cause.advice.push_back(
          {.summary =
               "add a node with such GPUs where the volume is, or start with a new volume: a "
               "StorageClass with volumeBindingMode WaitForFirstConsumer makes it where the "
               "pod goes"});
    }
    return cause;
  }

  [[nodiscard]] std::string with_free() const {
    if (reasons_.gpus().empty()) return "that would do";
    const std::string model = model_of(pod_);
    return model.empty() ? "with free GPUs" : fmt::format("with a free {}", model);
  }

  [[nodiscard]] std::string nearest_summary(Word word, const std::string& nodes,
                                            const Candidate& nearest) const {
    if (word == Word::taint)
      return fmt::format("pod does not tolerate the taint of {} {}", nodes, with_free());
    if (word == Word::cordoned)
      return fmt::format("{} {} {} cordoned", nodes, with_free(),
                         nodes == "the 1 node" ? "is" : "are");
    if (word == Word::not_ready)
      return fmt::format("{} {} {} not ready", nodes, with_free(),
                         nodes == "the 1 node" ? "is" : "are");
    const std::string title = reasons_.blocker_of(*nearest.verdict, word).title;
    return fmt::format("pod needs {}, and what rules out {} that would do is: {}", need_, nodes,
                       title);
  }

  [[nodiscard]] std::string nearest_text() const {
    if (candidates_.empty()) return "no node has the labels";
    const Candidate& nearest = candidates_.front();
    const std::string name = name_of(nearest);
    if (nearest.words == Words{Word::cordoned}) return name + ", if uncordoned";
    if (nearest.words == Words{Word::taint}) {
      const auto taints =
          untolerated(pod_.tolerations, *cluster_.nodes()[nearest.verdict->node].node).size();
      return fmt::format("{}, with {} {}", name, taints,
                         taints == 1 ? "toleration" : "tolerations");
    }
    const std::string note = note_of(cluster_, nearest.verdict->node, reasons_);
    if (nearest.lacks_only_room() && !note.empty() && !nearest.has_the_gpus())
      return fmt::format("{} ({})", name, note);
    std::string words;
    for (const Word word : nearest.words)
      words += (words.empty() ? "" : ", ") + std::string(text_of(word));
    return fmt::format("{}: {}", name, words);
  }

  const Cluster& cluster_;
  const Pod& pod_;
  const Verdict& verdict_;
  const NodeReasons& reasons_;
  std::vector<Candidate> candidates_;
  std::string need_;
};

}  // namespace

std::string model_of(const Pod& pod) {
  const std::string_view product = value_of(pod.node_selector, "nvidia.com/gpu.product");
  return product.empty() ? "" : family_of(short_model(product, std::nullopt));
}

std::string need_text(const Cluster& cluster, const Pod& pod, const NodeReasons& reasons) {
  for (const Amount& gpu : reasons.gpus()) {
    const std::string_view name = cluster.name_of(gpu.resource);
    const auto resource = gpu_resource(name);
    if (resource && resource->kind != DeviceKind::card)
      return fmt::format("{} {}", gpu.value, name);
    const std::string model = model_of(pod);
    return fmt::format("{} {}{}", gpu.value, model.empty() ? "" : model + " ",
                       gpu.value == 1 ? "GPU" : "GPUs");
  }
  for (const Amount& asked : reasons.asks()) {
    const std::string_view name = cluster.name_of(asked.resource);
    if (name.find('/') != std::string_view::npos) return fmt::format("{} {}", asked.value, name);
  }
  for (const Amount& asked : reasons.asks())
    if (cluster.name_of(asked.resource) == "cpu")
      return fmt::format("{:g} cpu", static_cast<double>(asked.value) / 1000);
  return "a node";
}

Cause cause_of(const Cluster& cluster, const Pod& pod, const Verdict& verdict,
               const NodeReasons& reasons) {
  if (auto refused = refusal_cause(cluster, verdict)) return *refused;
  if (auto unknown = unknown_resource(cluster, pod)) return *unknown;
  return Finder(cluster, pod, verdict, reasons).find();
}

}  // namespace gpu::schedule
