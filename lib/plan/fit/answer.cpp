#include "plan/fit/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "cost/ledger/ledger.hpp"
#include "model/objects/own_kind.hpp"
#include "model/snapshot/requests.hpp"
#include "plan/api_refusal.hpp"
#include "plan/existing_pods.hpp"
#include "plan/explain_planned.hpp"
#include "plan/fit/ask.hpp"
#include "plan/fit/cordons.hpp"
#include "plan/fit/needs.hpp"
#include "plan/fit/run.hpp"
#include "plan/plan.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/filters/node_affinity.hpp"
#include "usage/rows/inventory.hpp"
#include "usage/rows/node_usage.hpp"

namespace gpu::plan {
namespace {

constexpr std::size_t kMostRuns = 200;
constexpr std::size_t kLeastRuns = 4;
/// In so many it is counted how many more would start: the first, and the two ends.
constexpr std::size_t kRunsForMore = 3;
/// Nodes that all runs together may look at; beside these each pod costs as much as so many.
constexpr std::int64_t kMostLooks = 4'000'000;
constexpr std::int64_t kLooksOfPod = 200;

bool is_daemon_set(const PlannedPod& planned) {
  return !planned.pod.owners.empty() && is_own(planned.pod.owners.front(), "DaemonSet");
}

FitRow row_of(const PlannedPod& planned, const AskedObject& object) {
  const Pod& pod = planned.pod;
  FitRow row{.ns = pod.ns,
             .kind = pod.owners.empty() ? "Pod" : pod.owners.front().kind,
             .name = pod.owners.empty() ? pod.name : pod.owners.front().name,
             .template_at = planned.template_at,
             .file = planned.file,
             .pods = planned.count};
  const ResourceList requests = effective_requests(pod);
  row.gpus = gpu_devices_in(requests);
  for (const auto& [name, amount] : requests)
    if (const std::int64_t value = scheduler::compared_amount(name, amount); value != 0)
      row.requests.push_back({name, value});
  row.priority = pod.priority.value_or(0);
  row.gang = object.gang;
  const std::string_view group = value_of(pod.annotations, "scheduling.k8s.io/group-name");
  row.gang_name =
      group.empty() ? lower_case(row.kind) + "/" + row.name : "podgroup/" + std::string(group);
  row.gang_pods = object.pods();
  row.gang_least = object.gang == Gang::whole ? object.least : 0;
  row.not_checked = planned.not_checked;
  return row;
}

/// Runs for as long as something is left to chance. Refers to all that it is made of.
class Runs {
 public:
  Runs(Filling& filling, const std::vector<AskedObject>& objects,
       const diagnose::ExplainOptions& options)
      : filling_(filling), objects_(objects), options_(options) {
    all_.push_back(run(0, Detail::explained));
    const bool is_by_chance = std::any_of(all_.front().begin(), all_.front().end(),
                                          [](const PartRun& part) { return part.is_by_chance; });
    if (!is_by_chance) return;
    for (std::size_t number = 1; number < most_runs(); ++number)
      all_.push_back(run(number, number < kRunsForMore ? Detail::more : Detail::starts));
    for (std::size_t row = 0; row < all_.front().size(); ++row) explain(fewest(row));
  }

  /// The first run in which the fewest pods of a row start.
  [[nodiscard]] std::size_t fewest(std::size_t row) const {
    std::size_t found = 0;
    for (std::size_t number = 1; number < all_.size(); ++number)
      if (all_[number][row].started < all_[found][row].started) found = number;
    return found;
  }

  [[nodiscard]] const std::vector<std::vector<PartRun>>& all() const { return all_; }

 private:
  std::vector<PartRun> run(std::size_t number, Detail detail) {
    return run_through(filling_, objects_, TieBreak::of_run(number), detail, options_);
  }

  /// Plays a run again, as it was, to say why pods do not start.
  void explain(std::size_t number) {
    if (number == 0 || !explained_.insert(number).second) return;
    all_[number] = run(number, Detail::explained);
  }

  [[nodiscard]] std::size_t most_runs() const {
    std::int64_t looks = 0;
    for (const AskedObject& object : objects_) looks += std::min(object.pods(), kMostTriedPods);
    looks = std::max<std::int64_t>(looks, 1) *
            (kLooksOfPod + static_cast<std::int64_t>(filling_.cluster().nodes().size()));
    return std::clamp(static_cast<std::size_t>(kMostLooks / looks), kLeastRuns, kMostRuns);
  }

  Filling& filling_;
  const std::vector<AskedObject>& objects_;
  const diagnose::ExplainOptions& options_;
  std::vector<std::vector<PartRun>> all_;
  std::set<std::size_t> explained_;
};

std::vector<Place> places_of(const PartRun& part, const scheduler::Cluster& cluster) {
  std::vector<Place> places;
  for (const auto& [node, pods] : part.places)
    places.push_back({cluster.nodes()[node].node->name, pods});
  return places;
}

void widen(std::optional<Range>& range, std::int64_t value) {
  if (!range) range = Range{value, value};
  range->least = std::min(range->least, value);
  range->most = std::max(range->most, value);
}

/// Why the next pod does not start, in the run in which the fewest do.
void say_why(FitRow& row, const PartRun& part) {
  if (!part.stopped) return;
  if (!part.stopped->is_blocked) {
    row.code = diagnose::Code::not_modelled;
    row.summary = "which devices or parts of cards a pod takes is not known";
    return;
  }
  row.code = part.stopped->code;
  row.summary = part.stopped->summary;
  row.not_checked.insert(row.not_checked.end(), part.stopped->not_checked.begin(),
                         part.stopped->not_checked.end());
}

void combine(FitRow& row, std::size_t at, const Runs& played, const scheduler::Cluster& cluster) {
  const std::vector<std::vector<PartRun>>& runs = played.all();
  const PartRun& fewest = runs[played.fewest(at)][at];
  row.is_certain = true;
  for (const std::vector<PartRun>& run : runs) {
    const PartRun& part = run[at];
    widen(row.starts, part.started);
    if (part.more) widen(row.more, *part.more);
    row.is_sure = row.is_sure && part.is_sure;
    row.is_certain = row.is_certain && part.is_sure && part.stops.empty() &&
                     part.places == runs.front()[at].places;
  }
  const PartRun& first = runs.front()[at];
  row.places = places_of(first, cluster);
  row.stops = first.stops;
  row.is_more_capped = row.more && row.more->most >= kMostMore;
  if (row.starts->least < row.pods) {
    say_why(row, fewest);
    if (row.gang == Gang::whole) row.room_for = fewest.room_for;
  }
  if (!first.is_open) return;
  row.starts->most = row.pods;
  if (row.gang == Gang::whole) row.starts->least = 0;
  row.is_certain = false;
  row.not_checked.push_back(
      row.pods > kMostTriedPods
          ? fmt::format("more than {} pods of one template", kMostTriedPods)
          : std::string("which devices or volumes pods take from those after them"));
}

/// What the answer for a pod that starts leaves open, as `why-pending -f` says it.
void add_doubts(FitRow& row, const PlannedPod& planned, const scheduler::Cluster& cluster,
                const diagnose::ExplainOptions& options) {
  const diagnose::Explanation why = explain_planned(cluster, planned.pod, options);
  row.not_checked.insert(row.not_checked.end(), why.not_checked.begin(), why.not_checked.end());
  for (const diagnose::Remark& each : why.remarks)
    if (each.kind == diagnose::RemarkKind::shares) row.warnings.push_back(each.text);
  row.is_sure =
      row.is_sure && sees_quotas(cluster.snapshot().scheduling) && why.not_checked.size() == 1;
}

/// Names of the nodes that selector and affinity of any of the pods allow.
std::set<std::string_view> nodes_meant(const std::vector<AskedObject>& objects,
                                       const scheduler::Cluster& cluster) {
  std::set<std::string_view> names;
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts) {
      const scheduler::NodeAffinity affinity(cluster, each.planned.pod);
      for (std::size_t at = 0; at < cluster.nodes().size(); ++at)
        if (affinity.matches(at)) names.insert(cluster.nodes()[at].node->name);
    }
  return names;
}

/// The most of each model on nodes of those names, by model; where none is free, so it is said: 0.
std::vector<FreeBlock> free_blocks(const usage::Inventory& inventory,
                                   const std::set<std::string_view>& nodes) {
  std::map<std::tuple<std::string, std::string, usage::Unit>, FreeBlock> blocks;
  for (const usage::NodeUsage& each : usage::node_usage(inventory)) {
    const Pool& pool = each.pool;
    if (pool.is_second_view || !pool.free || !nodes.contains(pool.node)) continue;
    const usage::Unit unit = usage::unit_of(pool);
    FreeBlock& block = blocks[{pool.model, pool.resource, unit}];
    if (!block.node.empty() && block.free >= *pool.free) continue;
    block = {.model = pool.model,
             .unit = unit,
             .resource = pool.resource,
             .node = pool.node,
             .free = *pool.free};
  }
  std::vector<FreeBlock> sorted;
  for (auto& [key, block] : blocks) sorted.push_back(std::move(block));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FreeBlock& a, const FreeBlock& b) { return a.free > b.free; });
  return sorted;
}

std::vector<NominatedPod> nominated_pods(const scheduler::Cluster& cluster) {
  std::vector<NominatedPod> pods;
  for (const scheduler::NodeState& state : cluster.nodes())
    for (const scheduler::BoundPod& bound : state.nominated)
      if (const std::int64_t gpus = gpu_devices_in(effective_requests(*bound.pod)); gpus > 0)
        pods.push_back({bound.pod->ns, bound.pod->name, state.node->name, gpus});
  return pods;
}

/// Whether a node may help: what the API server or a queue refuses it does not.
bool may_help(const FitRow& row) {
  using diagnose::Code;
  static constexpr std::array kOthers = {Code::admission_rejected, Code::limit_range,
                                         Code::quota_exceeded,     Code::quota_needs_requests,
                                         Code::held_by_queue,      Code::scheduling_gated,
                                         Code::claim_missing,      Code::device_class_missing,
                                         Code::volume_unbound,     Code::unknown_scheduler};
  return row.code && std::find(kOthers.begin(), kOthers.end(), *row.code) == kOthers.end();
}

void sum_up(FitAnswer& answer) {
  answer.starts = Range{};
  for (const FitRow& row : answer.rows) {
    answer.pods += row.pods;
    if (!row.starts) answer.starts.reset();
    if (!answer.starts) continue;
    answer.starts->least += row.starts->least;
    answer.starts->most += row.starts->most;
  }
}

void add_remarks(FitAnswer& answer, const std::vector<AskedObject>& objects) {
  bool has_services = false;
  std::set<std::string> schedulers;
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts) {
      const std::string& name = each.planned.pod.scheduler_name;
      if (!name.empty() && name != "default-scheduler") schedulers.insert(name);
      has_services = has_services || (!each.planned.pod.labels.empty() &&
                                      each.planned.pod.placement.spread.empty());
    }
  for (const std::string& name : schedulers)
    answer.not_checked.push_back(
        fmt::format("how {} chooses among nodes: those of kube-scheduler are taken", name));
  answer.not_checked.emplace_back(
      "scheduler profiles with other plugins or weights, and extenders");
  if (has_services)
    answer.not_checked.emplace_back("Services, whose pods the scheduler spreads over nodes");
}

}  // namespace

FitAnswer fit_answer(PlannedObjects planned, Snapshot snapshot, const FitContext& context) {
  const usage::Inventory inventory(snapshot, context.now);
  const cost::Ledger ledger(inventory, context.prices, {});
  FitAnswer answer;
  Snapshot with_planned = snapshot;
  add_planned(planned, with_planned);
  for (const std::string& unknown : planned.unknown)
    answer.not_checked.push_back("the pods of " + unknown +
                                 ", which does not say what they are made of");
  std::erase_if(planned.pods, [&](const PlannedPod& each) {
    if (!is_daemon_set(each)) return false;
    answer.not_checked.push_back(
        fmt::format("the pods of daemonset/{}: one for each node, see `why-pending -f`",
                    each.pod.owners.front().name));
    return true;
  });
  diagnose::ExplainOptions options{.now = context.now};
  options.fixes = diagnose::ExplainOptions::Fixes::leave_out;
  Filling filling(with_planned);
  const std::vector<AskedObject> objects = asked_objects(planned, filling.cluster());
  answer.rows.resize(planned.pods.size());
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts)
      answer.rows[each.row] = row_of(planned.pods[each.row], object);
  answer.blocks = free_blocks(inventory, nodes_meant(objects, filling.cluster()));
  answer.nominated = nominated_pods(filling.cluster());
  const Runs runs(filling, objects, options);
  answer.runs = runs.all().size();
  const ExistingPods existing(with_planned, planned);
  for (std::size_t at = 0; at < answer.rows.size(); ++at)
    if (const auto remark = existing.remark_on(planned.pods[at].pod))
      answer.rows[at].exists = remark->text;
  for (std::size_t at = 0; at < answer.rows.size(); ++at) {
    combine(answer.rows[at], at, runs, filling.cluster());
    if (!answer.rows[at].code)
      add_doubts(answer.rows[at], planned.pods[at], filling.cluster(), options);
  }
  sum_up(answer);
  const bool is_short = !answer.all_start();
  answer.needs_were_tried =
      is_short && std::all_of(answer.rows.begin(), answer.rows.end(), [](const FitRow& row) {
        return row.starts->least == row.pods || may_help(row);
      });
  if (answer.needs_were_tried) {
    answer.uncordoning = uncordoning_for(filling, objects, options);
    NeededNodes needed = nodes_needed(filling, objects, ledger, options);
    answer.needs = std::move(needed.needs);
    answer.needs_too_many = needed.is_cut;
  }
  add_remarks(answer, objects);
  return answer;
}

}  // namespace gpu::plan
