#include "quota/volcano_queues.hpp"

#include <algorithm>
#include <set>

#include "model/snapshot/requests.hpp"
#include "quota/cards.hpp"

namespace gpu::quota {
namespace {

constexpr std::string_view kRoot = "root";
constexpr std::string_view kQueues = "queues.scheduling.volcano.sh";
constexpr std::string_view kGroups = "podgroups.scheduling.volcano.sh";

std::optional<Quantity> found_in(const ResourceList& list, std::string_view resource) {
  const Quantity* const amount = list.find(resource);
  return amount == nullptr ? std::nullopt : std::optional(*amount);
}

/// What groups of one queue, and of those below it, have and wait for.
struct Sum {
  std::map<std::string_view, Quantity> held;
  std::map<std::string_view, std::pair<std::int64_t, Quantity>> waiting;
  std::int64_t pending = 0;
  std::int64_t running = 0;
};

class Rows {
 public:
  Rows(const scheduler::Cluster& cluster, const VolcanoQueues& queues)
      : snapshot_(cluster.snapshot()), queues_(queues) {
    for (const VolcanoPodGroup& group : snapshot_.scheduling.volcano_pod_groups) add(group);
  }

  std::vector<QuotaRow> all() {
    for (const VolcanoQueue& queue : snapshot_.scheduling.volcano_queues)
      for (const std::string_view resource : resources_of(queue)) add(queue, resource);
    return std::move(rows_);
  }

 private:
  void add(const VolcanoPodGroup& group) {
    const std::vector<const VolcanoQueue*> chain = queues_.chain(queue_of(group));
    std::set<std::string_view> resources;
    for (const auto& [name, amount] : group.min_resources)
      if (counts_gpus(name)) resources.insert(name);
    for (const Pod* pod : queues_.pods_of(group))
      for (const Container& container : pod->containers)
        for (const auto& [name, amount] : container.requests)
          if (counts_gpus(name)) resources.insert(name);
    for (const VolcanoQueue* queue : chain) {
      Sum& sum = sums_[queue->name];
      // Its status counts groups of the queue itself.
      if (queue == chain.front()) {
        if (group.phase == "Pending") ++sum.pending;
        if (group.phase == "Running") ++sum.running;
      }
      for (const std::string_view resource : resources) {
        sum.held[resource] += queues_.held_by(group, resource);
        const Quantity awaited = queues_.awaited_by(group, resource);
        if (awaited == Quantity{}) continue;
        ++sum.waiting[resource].first;
        sum.waiting[resource].second += awaited;
      }
    }
  }

  [[nodiscard]] std::set<std::string_view> resources_of(const VolcanoQueue& queue) const {
    std::set<std::string_view> names;
    for (const ResourceList* list : {&queue.capability, &queue.deserved, &queue.guarantee})
      for (const auto& [name, amount] : *list)
        if (counts_gpus(name)) names.insert(name);
    if (queue.allocated)
      for (const auto& [name, amount] : *queue.allocated)
        if (counts_gpus(name) && amount != Quantity{}) names.insert(name);
    if (const auto sum = sums_.find(queue.name); sum != sums_.end()) {
      for (const auto& [name, amount] : sum->second.held)
        if (amount != Quantity{}) names.insert(name);
      for (const auto& [name, waiting] : sum->second.waiting) names.insert(name);
    }
    return names;
  }

  void add(const VolcanoQueue& queue, std::string_view resource) {
    QuotaRow row{.limiter = Limiter::volcano_queue,
                 .name = queue.name,
                 .resource = std::string(resource),
                 .key = "capability",
                 .parent = queue.parent,
                 .limit = found_in(queue.capability, resource),
                 .deserved = found_in(queue.deserved, resource)};
    row.reported = {.pending = queue.pending, .running = queue.running};
    if (queue.allocated) row.reported.used = amount_of(*queue.allocated, resource);
    const SchedulingFacts& facts = snapshot_.scheduling;
    const bool knows_groups = coverage_of(facts, kGroups) == Coverage::whole;
    const Sum sum = sums_[queue.name];
    if (knows_groups) {
      row.counted.pending = sum.pending;
      row.counted.running = sum.running;
    }
    if (knows_groups && snapshot_.pod_coverage == Coverage::whole) {
      const auto held = sum.held.find(resource);
      row.counted.used = held == sum.held.end() ? Quantity{} : held->second;
    }
    if (knows_groups) {
      const auto found = sum.waiting.find(resource);
      row.waiting = found == sum.waiting.end() ? 0 : found->second.first;
      row.waiting_units = found == sum.waiting.end() ? Quantity{} : found->second.second;
    }
    row.used = row.reported.used ? row.reported.used : row.counted.used;
    if (row.limit && row.used) row.free = std::max(Quantity{}, *row.limit - *row.used);
    set_state(row, queue);
    // All queues stand below it; it says something where somebody limits it.
    if (queue.name == kRoot && !row.limit && !row.deserved) return;
    rows_.push_back(std::move(row));
  }

  static void set_state(QuotaRow& row, const VolcanoQueue& queue) {
    if (queue.state == "Closed" || queue.state == "Closing") {
      row.state = State::stopped;
      row.stop = queue.state;
      row.free = Quantity{};
    } else if (!row.used) {
      row.state = State::unknown;
    } else if (row.limit && *row.limit < *row.used) {
      row.state = State::over;
    } else if (row.limit && *row.used == *row.limit) {
      row.state = State::full;
    }
  }

  const Snapshot& snapshot_;
  const VolcanoQueues& queues_;
  std::map<std::string_view, Sum> sums_;
  std::vector<QuotaRow> rows_;
};

}  // namespace

VolcanoQueues::VolcanoQueues(const scheduler::Cluster& cluster) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  for (const VolcanoQueue& each : facts.volcano_queues) queues_.emplace(each.name, &each);
  for (const VolcanoPodGroup& each : facts.volcano_pod_groups)
    groups_.emplace(std::pair(std::string_view(each.ns), std::string_view(each.name)), &each);
  if (groups_.empty()) return;
  for (const Pod& pod : cluster.snapshot().pods)
    if (const VolcanoPodGroup* const group = is_finished(pod) ? nullptr : group_of(pod))
      pods_[group].push_back(&pod);
}

const VolcanoQueue* VolcanoQueues::queue(std::string_view name) const {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : found->second;
}

std::vector<const VolcanoQueue*> VolcanoQueues::chain(std::string_view name) const {
  std::vector<const VolcanoQueue*> chain;
  for (const VolcanoQueue* each = queue(name);
       each != nullptr && std::find(chain.begin(), chain.end(), each) == chain.end();
       each = queue(each->parent.empty() && each->name != kRoot ? kRoot
                                                                : std::string_view(each->parent)))
    chain.push_back(each);
  return chain;
}

const VolcanoPodGroup* VolcanoQueues::group_of(const Pod& pod) const {
  const std::string_view name = value_of(pod.annotations, "scheduling.k8s.io/group-name");
  if (name.empty()) return nullptr;
  const auto found = groups_.find({pod.ns, name});
  return found == groups_.end() ? nullptr : found->second;
}

const std::vector<const Pod*>& VolcanoQueues::pods_of(const VolcanoPodGroup& group) const {
  static const std::vector<const Pod*> kNone;
  const auto found = pods_.find(&group);
  return found == pods_.end() ? kNone : found->second;
}

Quantity VolcanoQueues::held_by(const VolcanoPodGroup& group, std::string_view resource) const {
  Quantity sum;
  for (const Pod* pod : pods_of(group))
    if (!pod->node_name.empty()) sum += amount_of(effective_requests(*pod), resource);
  return sum;
}

Quantity VolcanoQueues::awaited_by(const VolcanoPodGroup& group, std::string_view resource) const {
  if (group.phase == "Completed") return {};
  Quantity sum;
  for (const Pod* pod : pods_of(group))
    if (pod->node_name.empty()) sum += amount_of(effective_requests(*pod), resource);
  // Pods of a group that is not let in do not exist yet.
  return is_waiting(group) ? std::max(sum, amount_of(group.min_resources, resource)) : sum;
}

std::string_view queue_of(const VolcanoPodGroup& group) {
  return group.queue.empty() ? std::string_view("default") : std::string_view(group.queue);
}

bool is_waiting(const VolcanoPodGroup& group) {
  return group.phase.empty() || group.phase == "Pending" || group.phase == "Inqueue";
}

std::vector<QuotaRow> volcano_rows(const scheduler::Cluster& cluster, const VolcanoQueues& queues) {
  return Rows(cluster, queues).all();
}

}  // namespace gpu::quota
