#include "cmd/planned_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/requests.hpp"
#include "schedule/api_refusal.hpp"
#include "schedule/judge.hpp"
#include "schedule/node_reason.hpp"
#include "schedule/planned_daemon.hpp"
#include "schedule/planned_devices.hpp"
#include "schedule/planned_queue.hpp"
#include "schedule/planned_quota.hpp"
#include "schedule/pod_identity.hpp"

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

/// What is not checked may keep it from starting.
void doubt(Explanation& answer) {
  constexpr std::string_view kSure = " would start: ";
  const std::size_t at = answer.summary.find(kSure);
  if (!answer.is_blocked && at != std::string::npos)
    answer.summary.replace(at, kSure.size(), " would start, as far as could be checked: ");
}

/// The cluster as it fills up with what is planned.
class Placing {
 public:
  Placing(const schedule::Cluster& cluster, const schedule::ExplainOptions& options)
      : snapshot_(cluster.snapshot()), options_(options) {
    cluster_.emplace(snapshot_);
  }

  [[nodiscard]] const schedule::Cluster& cluster() const { return *cluster_; }

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
      const bool starts = verdict.fits() && schedule::is_let_in(*cluster_, planned.pod);
      if (!starts) return stopped(planned, started);
      const std::optional<std::size_t> node = node_for(planned.pod, verdict);
      std::optional<std::vector<schedule::TakenDevices>> devices;
      if (node) devices = schedule::devices_on(*cluster_, planned.pod, *node);
      if (!devices || placed_ == kMostPlaced)
        return unfinished(std::move(first), planned, started,
                          devices ? Rest::too_many : Rest::unknown);
      place(planned.pod, *node, *std::move(devices));
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

  /// Why the rest is not tried: they are too many, or what a started one takes is not known.
  enum class Rest { too_many, unknown };
  static Explanation unfinished(Explanation first, const PlannedPod& planned, std::int64_t started,
                                Rest rest) {
    const std::int64_t known = std::max<std::int64_t>(started, 1);
    if (known < planned.count) {
      speak_of(first, known == 1 ? fmt::format("the first of {} pods", planned.count)
                                 : fmt::format("the first {} of {} pods", known, planned.count));
      first.not_checked.push_back(fmt::format(
          "the other {} of {} pods: {}", planned.count - known, planned.count,
          rest == Rest::too_many
              ? fmt::format("no more than {} are tried", kMostPlaced)
              : std::string(
                    "which devices or volumes one that starts takes from them is not known")));
    }
    return first;
  }

  /// Volumes are found or made only once a pod has a node.
  bool takes_unknown(const Pod& pod) const {
    return std::any_of(pod.volumes.begin(), pod.volumes.end(), [&](const PodVolume& each) {
      if (each.claim.empty()) return false;
      const PersistentVolumeClaim* const claim = cluster_->volume_claim(pod.ns, each.claim);
      return claim == nullptr || !claim->is_bound;
    });
  }

  /// Nothing where the node's count of what it holds would not show it: see takes_unknown().
  std::optional<std::size_t> node_for(const Pod& pod, const schedule::Verdict& verdict) const {
    if (takes_unknown(pod)) return std::nullopt;
    const schedule::NodeReasons reasons(*cluster_, pod, verdict);
    std::optional<std::size_t> best;
    std::int64_t least = 0;
    for (const schedule::NodeVerdict& each : verdict.nodes) {
      if (!each.lets_in()) continue;
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

  void place(const Pod& planned, std::size_t node, std::vector<schedule::TakenDevices>&& devices) {
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
    schedule::count_in_quotas(snapshot_.scheduling, pod);
    schedule::take_devices(snapshot_, pod, std::move(devices));
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

/// What makes no pods now is asked about all the same, by its name.
Explanation makes_none(const PlannedPod& planned, const schedule::Cluster& cluster,
                       const schedule::ExplainOptions& options) {
  Explanation answer = schedule::identity_of(cluster, planned.pod, options.now);
  answer.manifest = planned.file;
  answer.is_blocked = false;
  answer.code = schedule::Code::starting;
  answer.summary = "it makes no pods: " + planned.none_because;
  return answer;
}

/// Pods of one object, which Kueue admits together.
bool have_one_maker(const PlannedPod& a, const PlannedPod& b) {
  if (a.pod.owners.empty() || b.pod.owners.empty()) return false;
  return a.file == b.file && a.pod.ns == b.pod.ns && a.pod.owners == b.pod.owners;
}

/// Whether Kueue makes a Workload of each pod.
bool is_queued_alone(const Pod& pod) {
  static constexpr std::array<std::string_view, 4> kKinds = {"Deployment", "ReplicaSet",
                                                             "ReplicationController", "DaemonSet"};
  return pod.owners.empty() ||
         std::find(kKinds.begin(), kKinds.end(), pod.owners.front().kind) != kKinds.end();
}

QueuedWorkload workload_of(const PlannedPod& planned) {
  QueuedWorkload workload{.ns = planned.pod.ns, .name = planned.pod.name, .queue = planned.queue};
  workload.priority = planned.pod.priority;
  return workload;
}

PodSet pod_set_of(const PlannedPod& planned, std::int64_t count) {
  return {.name = planned.pod.name, .count = count, .requests = effective_requests(planned.pod)};
}

/// Of pods that are admitted one by one, up to the first that is not.
schedule::QueueOpinion one_by_one(const schedule::Cluster& cluster, const PlannedPod& planned) {
  QueuedWorkload workload = workload_of(planned);
  workload.pod_sets = {pod_set_of(planned, 1)};
  schedule::QueueOpinion opinion = schedule::queue_opinion(cluster, workload);
  for (std::int64_t count = 2; count <= std::min(planned.count, kMostPlaced); ++count) {
    if (opinion.hold) break;
    workload.pod_sets.front().count = count;
    opinion = schedule::queue_opinion(cluster, workload);
    if (opinion.hold)
      opinion.hold->summary = fmt::format("{} of {} pods would be admitted; {}: {}", count - 1,
                                          planned.count, ordinal(count), opinion.hold->summary);
  }
  return opinion;
}

/// What Kueue would do, of those whose queue is named. What makes pods is held back before they
/// are made, and a pod only once the API server has let it in.
void add_queues(std::vector<Explanation>& answers, const std::vector<PlannedPod>& planned,
                const schedule::Cluster& cluster) {
  using schedule::Code;
  for (std::size_t i = 0; i < planned.size();) {
    std::size_t end = i + 1;
    while (end < planned.size() && have_one_maker(planned[i], planned[end])) ++end;
    const std::size_t first = std::exchange(i, end);
    if (planned[first].queue.empty()) continue;
    const bool is_alone = is_queued_alone(planned[first].pod);
    QueuedWorkload workload = workload_of(planned[first]);
    for (std::size_t at = first; at < end; ++at)
      workload.pod_sets.push_back(pod_set_of(planned[at], planned[at].count));
    std::optional<schedule::QueueOpinion> together;
    if (!is_alone) together = schedule::queue_opinion(cluster, workload);
    for (std::size_t at = first; at < end; ++at) {
      const Code code = answers[at].code;
      const bool is_refused = code == Code::admission_rejected || code == Code::limit_range ||
                              code == Code::quota_exceeded || code == Code::quota_needs_requests;
      if (planned[at].count == 0 || (is_alone && is_refused)) continue;
      const schedule::QueueOpinion opinion =
          together ? *together : one_by_one(cluster, planned[at]);
      schedule::add_queue_opinion(answers[at], opinion);
      if (!opinion.not_checked.empty()) doubt(answers[at]);
    }
  }
}

}  // namespace

std::vector<Explanation> planned_answer(const kube::PlannedPods& planned,
                                        const schedule::Cluster& cluster,
                                        const schedule::ExplainOptions& options) {
  const bool is_one = planned.pods.size() == 1 && planned.pods.front().count <= 1;
  std::optional<Placing> placing;
  if (!is_one) placing.emplace(cluster, options);
  std::vector<Explanation> answers;
  for (const PlannedPod& each : planned.pods) {
    const schedule::Cluster& now = placing ? placing->cluster() : cluster;
    schedule::ExplainOptions own = options;
    own.manifest = each.file;
    const bool is_daemon = !each.pod.owners.empty() && each.pod.owners.front().kind == "DaemonSet";
    if (each.count == 0)
      answers.push_back(makes_none(each, now, own));
    else if (each.mistake)
      answers.push_back(schedule::explain(now, each.pod, own));
    else if (is_daemon)
      answers.push_back(schedule::explain_daemons(now, each.pod, own));
    else
      answers.push_back(placing ? placing->answer(each) : schedule::explain(now, each.pod, own));
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const PlannedPod& each = planned.pods[i];
    answers[i].not_checked.insert(answers[i].not_checked.end(), each.not_checked.begin(),
                                  each.not_checked.end());
    if (!each.not_checked.empty()) doubt(answers[i]);
    if (each.mistake) schedule::add_mistake(answers[i], *each.mistake);
  }
  add_queues(answers, planned.pods, cluster);
  return answers;
}

}  // namespace gpu::cmd
