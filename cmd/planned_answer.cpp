#include "cmd/planned_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "schedule/judge.hpp"
#include "schedule/node_reason.hpp"

namespace gpu::cmd {
namespace {

using kube::PlannedPod;
using schedule::Explanation;

constexpr std::int64_t kMostPlaced = 64;

/// "the third", "pod 12".
std::string ordinal(std::int64_t number) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "first", "second",  "third",  "fourth", "fifth",
      "sixth", "seventh", "eighth", "ninth",  "tenth"};
  if (number >= 1 && number <= static_cast<std::int64_t>(kWords.size()))
    return fmt::format("the {}", kWords[static_cast<std::size_t>(number - 1)]);
  return fmt::format("pod {}", number);
}

/// What is said of one pod is said of `who`.
void speak_of(Explanation& answer, const std::string& who) {
  constexpr std::string_view kIt = "it would start";
  constexpr std::string_view kFits = ": it fits";
  if (answer.summary.starts_with(kIt)) answer.summary.replace(0, 2, who);
  if (const std::size_t at = answer.summary.find(kFits); at != std::string::npos)
    answer.summary.replace(at, kFits.size(), ": the first fits");
}

/// The cluster as it fills up with what is planned.
class Placing {
 public:
  Placing(const schedule::Cluster& cluster, const schedule::ExplainOptions& options)
      : snapshot_(cluster.snapshot()), options_(options) {
    cluster_.emplace(snapshot_);
  }

  Explanation answer(const PlannedPod& planned) {
    options_.manifest = planned.file;
    const std::int64_t before = placed_;
    Explanation first = schedule::explain(*cluster_, planned.pod, options_);
    if (first.is_blocked) {
      if (planned.count > 1 && !first.predicted_message.empty())
        first.summary =
            fmt::format("none of {} pods would start: {}", planned.count, first.summary);
      if (before > 0) say_what_stands_there(first);
      return first;
    }
    for (std::int64_t started = 0; started < planned.count; ++started) {
      const schedule::Verdict verdict = schedule::judge(*cluster_, planned.pod);
      if (!verdict.fits()) return stopped(planned, started);
      const std::optional<std::size_t> node = node_for(planned.pod, verdict);
      if (!node || placed_ == kMostPlaced)
        return unfinished(std::move(first), planned, started, node);
      place(planned.pod, *node);
    }
    if (planned.count > 1)
      speak_of(first, planned.count == 2 ? "both pods" : fmt::format("all {} pods", planned.count));
    return first;
  }

 private:
  static void say_what_stands_there(Explanation& answer) {
    answer.remarks.push_back(
        {"the pods before it are taken to have started, each on the node with the fewest free GPUs "
         "on which it fits"});
  }

  /// Those that started leave no room for the next.
  Explanation stopped(const PlannedPod& planned, std::int64_t started) {
    Explanation answer = schedule::explain(*cluster_, planned.pod, options_);
    answer.summary = fmt::format("{} of {} pods would start; {}: {}", started, planned.count,
                                 ordinal(started + 1), answer.summary);
    say_what_stands_there(answer);
    return answer;
  }

  /// The rest is not tried: they are too many, or what a started one takes is not known.
  static Explanation unfinished(Explanation first, const PlannedPod& planned, std::int64_t started,
                                std::optional<std::size_t> node) {
    const std::int64_t known = std::max<std::int64_t>(started, 1);
    if (known < planned.count) {
      speak_of(first, known == 1 ? fmt::format("the first of {} pods", planned.count)
                                 : fmt::format("the first {} of {} pods", known, planned.count));
      first.not_checked.push_back(fmt::format(
          "the other {} of {} pods: {}", planned.count - known, planned.count,
          node ? fmt::format("no more than {} are tried", kMostPlaced)
               : std::string("which devices one that starts takes from them is not known")));
    }
    return first;
  }

  /// Nothing where the node's count of what it holds would not show it: devices of claims.
  std::optional<std::size_t> node_for(const Pod& pod, const schedule::Verdict& verdict) const {
    if (pod.claim_references > 0 || !pod.claim_slots.empty()) return std::nullopt;
    const schedule::NodeReasons reasons(*cluster_, pod, verdict);
    std::optional<std::size_t> best;
    std::int64_t least = 0;
    for (const schedule::NodeVerdict& each : verdict.nodes) {
      if (!each.blockers.empty() || each.is_left_out) continue;
      std::int64_t free = 0;
      bool is_counted = true;
      for (const schedule::Amount& asked : reasons.gpus()) {
        const std::int64_t left = reasons.free_of(each.node, asked.resource);
        is_counted = is_counted && left >= asked.value;
        free += left;
      }
      if (!is_counted || (best && free >= least)) continue;
      best = each.node;
      least = free;
    }
    return best;
  }

  void place(const Pod& planned, std::size_t node) {
    Pod pod = planned;
    pod.node_name = cluster_->nodes()[node].node->name;
    pod.name += fmt::format("-{}", ++placed_);
    pod.uid += "-" + pod.name;
    pod.phase = "Running";
    // No fix ends a pod that would start.
    pod.owners = {{.kind = "Node",
                   .name = pod.node_name,
                   .uid = {},
                   .api_version = "v1",
                   .controller = true}};
    cluster_.reset();
    const auto at = std::upper_bound(
        snapshot_.pods.begin(), snapshot_.pods.end(), pod,
        [](const Pod& a, const Pod& b) { return std::tie(a.ns, a.name) < std::tie(b.ns, b.name); });
    snapshot_.pods.insert(at, std::move(pod));
    cluster_.emplace(snapshot_);
  }

  Snapshot snapshot_;
  std::optional<schedule::Cluster> cluster_;
  schedule::ExplainOptions options_;
  std::int64_t placed_ = 0;
};

}  // namespace

std::vector<Explanation> planned_answer(const kube::PlannedPods& planned,
                                        const schedule::Cluster& cluster,
                                        const schedule::ExplainOptions& options) {
  if (planned.pods.size() == 1 && planned.pods.front().count == 1) {
    schedule::ExplainOptions own = options;
    own.manifest = planned.pods.front().file;
    return {schedule::explain(cluster, planned.pods.front().pod, own)};
  }
  Placing placing(cluster, options);
  std::vector<Explanation> answers;
  for (const PlannedPod& each : planned.pods) answers.push_back(placing.answer(each));
  return answers;
}

}  // namespace gpu::cmd
