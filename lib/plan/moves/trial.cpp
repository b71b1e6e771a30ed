#include "plan/moves/trial.hpp"

#include <algorithm>

#include "plan/moves/movable.hpp"
#include "scheduler/scores/scores.hpp"

namespace gpu::plan {
namespace {

/// So many ways to break ties are tried.
constexpr std::size_t kWays = 8;

std::vector<std::uint32_t> without(std::vector<std::uint32_t> nodes, std::uint32_t node) {
  std::erase(nodes, node);
  return nodes;
}

bool contains_node(const std::vector<std::uint32_t>& nodes, std::uint32_t node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

void add_nodes(std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
  for (const std::uint32_t node : more)
    if (!contains_node(all, node)) all.push_back(node);
}

/// One way through the moves. Refers to all that it is made of.
class Way {
 public:
  Way(Filling& filling, std::uint32_t node, TieBreak ties)
      : filling_(filling), node_(node), ties_(ties) {}

  /// Its new nodes, with the old one cordoned; nothing where it finds none.
  std::optional<std::vector<std::uint32_t>> move(const Pod& pod, bool& needs_cordon) {
    const Pod copy = created_again(pod, filling_.cluster());
    // Its controller creates it while the old one still ends, or when that is gone.
    const std::vector<std::uint32_t> early = without(filling_.room_for(copy).nodes, node_);
    filling_.end(&pod);
    const std::vector<std::uint32_t> late = filling_.room_for(copy).nodes;
    if (contains_node(choices(copy, late), node_)) needs_cordon = true;
    std::vector<std::uint32_t> best = choices(copy, without(late, node_));
    if (best.empty()) return std::nullopt;
    const std::uint32_t taken = ties_.pick(filling_.cluster(), copy, best);
    if (!early.empty()) add_nodes(best, choices(copy, early));
    filling_.put(copy, taken);
    return best;
  }

 private:
  /// Those that the scheduler may take of `nodes`: of so many that it samples them, any.
  [[nodiscard]] std::vector<std::uint32_t> choices(const Pod& pod,
                                                   const std::vector<std::uint32_t>& nodes) {
    const std::size_t sampled = scheduler::nodes_to_find(filling_.cluster().nodes().size());
    return nodes.size() > sampled ? nodes : filling_.best_of(pod, nodes);
  }

  Filling& filling_;
  std::uint32_t node_;
  TieBreak ties_;
};

}  // namespace

TrialResult try_moves(Filling& filling, const Pod& pod, std::uint32_t node,
                      std::span<const Pod* const> pods) {
  TriedMoves tried{.node = node, .pods = {pods.begin(), pods.end()}, .to = {}};
  tried.to.resize(pods.size());
  for (std::size_t number = 0; number < kWays; ++number) {
    const Filling::Mark before = filling.mark();
    Way way(filling, node, TieBreak::of_run(number));
    const Pod* stuck = nullptr;
    for (std::size_t i = 0; i < pods.size() && stuck == nullptr; ++i) {
      const auto to = way.move(*pods[i], tried.needs_cordon);
      if (to)
        add_nodes(tried.to[i], *to);
      else
        stuck = pods[i];
    }
    const bool fits = stuck == nullptr && filling.room_for(pod).nodes == std::vector{node};
    filling.back_to(before);
    if (!fits) return {.moves = std::nullopt, .stuck = stuck};
    const bool is_by_chance =
        std::any_of(tried.to.begin(), tried.to.end(), [](const auto& to) { return to.size() > 1; });
    if (!is_by_chance) break;
  }
  return {.moves = std::move(tried)};
}

std::vector<const Pod*> rivals_of(Filling& filling, const Pod& pod, const TriedMoves& moves) {
  const Filling::Mark before = filling.mark();
  Way way(filling, moves.node, TieBreak::of_run(0));
  bool ignored = false;
  for (const Pod* each : moves.pods) static_cast<void>(way.move(*each, ignored));
  std::vector<const Pod*> rivals;
  for (const Pod& other : filling.cluster().snapshot().pods) {
    const bool waits = other.node_name.empty() && !is_finished(other) && !other.deleted &&
                       other.scheduling_gates.empty();
    if (!waits || (other.uid == pod.uid && other.name == pod.name)) continue;
    if (contains_node(filling.room_for(other).nodes, moves.node)) rivals.push_back(&other);
  }
  filling.back_to(before);
  return rivals;
}

}  // namespace gpu::plan
