#include "plan/moves/room.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "model/objects/own_kind.hpp"
#include "model/snapshot/requests.hpp"
#include "plan/api_refusal.hpp"
#include "plan/moves/movable.hpp"
#include "plan/moves/trial.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/owned_pods.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::plan {
namespace {

using scheduler::Amount;

constexpr std::size_t kMostMoves = 8;
constexpr std::size_t kMostTrials = 4000;
/// Pods of one node of which sets are built, those first that are the best to move.
constexpr std::size_t kMostPods = 24;

/// A pod on a node, and what moving it costs: the lower, the better.
using PodCost = std::tuple<bool, std::int64_t, std::int64_t>;
struct Candidate {
  scheduler::BoundPod bound;
  [[nodiscard]] PodCost cost() const {
    const Pod& pod = *bound.pod;
    const Time since = pod.started.value_or(pod.created.value_or(Time{}));
    return {pod.has_host_path, bound.priority, -std::int64_t{since.time_since_epoch().count()}};
  }
};

/// A node that could hold the pod, and who could leave it.
struct CandidateNode {
  std::uint32_t node = 0;
  std::vector<Candidate> pods;  ///< the best to move first
};

using Cost = std::tuple<bool, std::vector<PodCost>, std::string>;

std::vector<Amount> amounts_of(const scheduler::Cluster& cluster, const Pod& pod) {
  std::vector<Amount> amounts;
  for (const auto& [name, amount] : effective_requests(pod))
    if (const auto number = cluster.resource(name))
      if (const std::int64_t value = scheduler::compared_amount(name, amount); value != 0)
        amounts.push_back({*number, value});
  return amounts;
}

std::int64_t amount_in(const scheduler::BoundPod& pod, scheduler::ResourceId resource) {
  for (const Amount& each : pod.requests)
    if (each.resource == resource) return each.value;
  return 0;
}

/// The search for one pod. Refers to all that it is made of.
class RoomSearch {
 public:
  RoomSearch(const Snapshot& snapshot, const Pod& pod)
      : pod_(pod),
        movability_(snapshot, pod.priority.value_or(0)),
        filling_(snapshot),
        requests_(amounts_of(filling_.cluster(), pod)) {}

  RoomAnswer answer() {
    RoomAnswer answer;
    add_unread(answer);
    answer.is_refused = !is_let_in(filling_.cluster(), pod_);
    if (answer.is_refused) return answer;
    for (const std::uint32_t node : filling_.room_for(pod_).nodes)
      if (answer.free_now.size() < 4)
        answer.free_now.push_back(filling_.cluster().nodes()[node].node->name);
    if (!answer.free_now.empty()) return answer;
    find_candidates();
    answer.candidates = nodes_.size();
    for (std::size_t moves = 1; moves <= kMostMoves && !best_; ++moves)
      for (const CandidateNode& each : nodes_) try_sets(each, moves);
    if (best_) answer.plan = plan_of(*best_);
    if (!stuck_.empty())
      staying_[Stays::fits_nowhere_else] = static_cast<std::int64_t>(stuck_.size());
    if (!without_retry_.empty())
      staying_[Stays::no_retries] += static_cast<std::int64_t>(without_retry_.size());
    answer.staying.assign(staying_.begin(), staying_.end());
    std::stable_sort(answer.staying.begin(), answer.staying.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    const bool may_take_more =
        std::any_of(nodes_.begin(), nodes_.end(),
                    [](const CandidateNode& each) { return each.pods.size() > kMostMoves; });
    answer.is_search_cut = trials_ >= kMostTrials || (!best_ && (has_cut_pods_ || may_take_more));
    return answer;
  }

 private:
  void add_unread(RoomAnswer& answer) const {
    const SchedulingFacts& facts = filling_.cluster().snapshot().scheduling;
    if (coverage_of(facts, "poddisruptionbudgets") != Coverage::whole)
      answer.not_checked.emplace_back("PodDisruptionBudgets, which were not all read");
    answer.not_checked.emplace_back(
        "scheduler profiles with other plugins or weights, extenders, and what Services spread");
    answer.not_checked.emplace_back(
        "of pods that move whether their controllers still want them, podFailurePolicy, volumes "
        "that "
        "were not read, and ResourceQuotas of their namespaces");
  }

  void find_candidates() {
    const scheduler::Cluster& cluster = filling_.cluster();
    for (std::uint32_t node = 0; node < cluster.nodes().size(); ++node) {
      std::vector<const Pod*> all;
      for (const scheduler::BoundPod& bound : cluster.nodes()[node].pods)
        if (movability_.stays(*bound.pod) != Stays::daemon) all.push_back(bound.pod);
      const std::array place = {std::size_t{node}};
      const scheduler::Verdict verdict = scheduler::judge(cluster, pod_, {.ended = all}, place);
      if (verdict.error || !verdict.rejections.empty() || !verdict.nodes.front().lets_in())
        continue;
      nodes_.push_back({.node = node, .pods = candidates_on(node)});
    }
  }

  std::vector<Candidate> candidates_on(std::uint32_t node) {
    std::vector<Candidate> pods;
    for (const scheduler::BoundPod& bound : filling_.cluster().nodes()[node].pods) {
      const bool helps = std::any_of(requests_.begin(), requests_.end(), [&](const Amount& each) {
        return amount_in(bound, each.resource) > 0;
      });
      if (!helps) continue;
      if (const auto stays = movability_.stays(*bound.pod)) {
        if (gpu_devices_in(effective_requests(*bound.pod)) > 0) ++staying_[*stays];
        continue;
      }
      pods.push_back({bound});
    }
    std::sort(pods.begin(), pods.end(),
              [](const Candidate& a, const Candidate& b) { return a.cost() < b.cost(); });
    if (pods.size() <= kMostPods) return pods;
    has_cut_pods_ = true;
    std::stable_partition(pods.begin(), pods.end(), [](const Candidate& each) {
      return gpu_devices_in(effective_requests(*each.bound.pod)) > 0;
    });
    pods.resize(kMostPods);
    return pods;
  }

  /// Whether the sums of the node leave room once these are gone.
  [[nodiscard]] bool leaves_room(const CandidateNode& at,
                                 const std::vector<std::size_t>& set) const {
    const scheduler::NodeState& state = filling_.cluster().nodes()[at.node];
    const auto left =
        static_cast<std::int64_t>(state.pods.size()) - static_cast<std::int64_t>(set.size());
    if (left + 1 > state.allowed_pods) return false;
    return std::all_of(requests_.begin(), requests_.end(), [&](const Amount& each) {
      std::int64_t held = state.requested[each.resource];
      for (const std::size_t pod : set) held -= amount_in(at.pods[pod].bound, each.resource);
      return held + each.value <= state.allocatable[each.resource];
    });
  }

  void try_sets(const CandidateNode& at, std::size_t size) {
    if (at.pods.size() < size) return;
    std::vector<std::size_t> set(size);
    for (std::size_t i = 0; i < size; ++i) set[i] = i;
    do {
      if (trials_ >= kMostTrials) return;
      if (leaves_room(at, set)) try_set(at, set);
    } while (next_set(set, at.pods.size()));
  }

  /// The next choice of so many of `count`, in order; false after the last.
  static bool next_set(std::vector<std::size_t>& set, std::size_t count) {
    for (std::size_t i = set.size(); i-- > 0;) {
      if (set[i] + (set.size() - i) >= count) continue;
      ++set[i];
      for (std::size_t j = i + 1; j < set.size(); ++j) set[j] = set[j - 1] + 1;
      return true;
    }
    return false;
  }

  [[nodiscard]] Cost cost_of(const CandidateNode& at, const std::vector<std::size_t>& set,
                             bool has_rivals) const {
    std::vector<PodCost> costs;
    for (const std::size_t pod : set) costs.push_back(at.pods[pod].cost());
    std::sort(costs.rbegin(), costs.rend());
    return {has_rivals, std::move(costs), filling_.cluster().nodes()[at.node].node->name};
  }

  /// The first pod for which its Job has no retry left once those before it have moved, each of
  /// them counting as one that failed; null: there is none.
  [[nodiscard]] const Pod* without_retry(const CandidateNode& at,
                                         const std::vector<std::size_t>& set) const {
    std::map<std::string_view, std::int64_t> moved;
    for (const std::size_t each : set) {
      const Pod* const pod = at.pods[each].bound.pod;
      const auto left = movability_.retries_of(*pod);
      if (left && ++moved[scheduler::controller_of(*pod)->uid] > *left) return pod;
    }
    return nullptr;
  }

  /// The largest first; where these do not find a place so, the smallest first.
  void try_set(const CandidateNode& at, const std::vector<std::size_t>& set) {
    if (best_ && best_cost_ <= cost_of(at, set, false)) return;
    if (const Pod* const last = without_retry(at, set)) {
      without_retry_.insert(last);
      return;
    }
    std::vector<const Pod*> pods;
    for (const std::size_t each : set) pods.push_back(at.pods[each].bound.pod);
    std::stable_sort(pods.begin(), pods.end(), [](const Pod* a, const Pod* b) {
      return gpu_devices_in(effective_requests(*a)) > gpu_devices_in(effective_requests(*b));
    });
    for (int order = 0; order < 2; ++order) {
      ++trials_;
      TrialResult tried = try_moves(filling_, pod_, at.node, pods);
      if (tried.moves) return keep(at, set, *std::move(tried.moves));
      if (pods.size() == 1) {
        if (tried.stuck != nullptr && !is_stuck(tried.stuck)) stuck_.push_back(tried.stuck);
        return;
      }
      std::reverse(pods.begin(), pods.end());
    }
  }

  [[nodiscard]] bool is_stuck(const Pod* pod) const {
    return std::find(stuck_.begin(), stuck_.end(), pod) != stuck_.end();
  }

  void keep(const CandidateNode& at, const std::vector<std::size_t>& set, TriedMoves moves) {
    std::vector<const Pod*> rivals = rivals_of(filling_, pod_, moves);
    Cost cost = cost_of(at, set, !rivals.empty());
    if (best_ && best_cost_ <= cost) return;
    moves.needs_cordon = moves.needs_cordon || !rivals.empty();
    best_ = std::move(moves);
    best_cost_ = std::move(cost);
    rivals_ = std::move(rivals);
  }

  [[nodiscard]] RoomPlan plan_of(const TriedMoves& tried) const {
    const scheduler::Cluster& cluster = filling_.cluster();
    RoomPlan plan{.node = cluster.nodes()[tried.node].node->name,
                  .moves = {},
                  .needs_cordon = tried.needs_cordon};
    for (std::size_t i = 0; i < tried.pods.size(); ++i) {
      const Pod& pod = *tried.pods[i];
      Move move{.ns = pod.ns,
                .name = pod.name,
                .owner = top_owner(pod, cluster.snapshot()),
                .gpus = gpu_devices_in(effective_requests(pod)),
                .priority = pod.priority.value_or(0),
                .running_since = pod.started,
                .to = {},
                .loses_empty_dir = pod.has_empty_dir,
                .leaves_host_path = pod.has_host_path};
      for (const std::uint32_t node : tried.to[i])
        move.to.push_back(cluster.nodes()[node].node->name);
      if (const DisruptionBudget* const budget = movability_.budget_of(pod))
        move.budget = budget->name;
      move.restarts = std::any_of(pod.owners.begin(), pod.owners.end(), [](const auto& owner) {
        return owner.controller && is_own(owner, "Job");
      });
      plan.moves.push_back(std::move(move));
    }
    for (const Pod* rival : rivals_) plan.rivals.push_back(rival->ns + "/" + rival->name);
    return plan;
  }

  const Pod& pod_;
  Movability movability_;
  Filling filling_;
  std::vector<Amount> requests_;
  std::vector<CandidateNode> nodes_;
  std::optional<TriedMoves> best_;
  Cost best_cost_;
  std::vector<const Pod*> rivals_;
  std::vector<const Pod*> stuck_;
  std::map<Stays, std::int64_t> staying_;
  std::set<const Pod*> without_retry_;  ///< beside others of their Jobs
  std::size_t trials_ = 0;
  bool has_cut_pods_ = false;  ///< of a node with very many
};

}  // namespace

RoomAnswer make_room(const Snapshot& snapshot, const Pod& pod) {
  return RoomSearch(snapshot, pod).answer();
}

}  // namespace gpu::plan
