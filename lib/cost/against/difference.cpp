#include "cost/against/difference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "cost/ledger/use_now.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::cost {
namespace {

constexpr double kTolerance = 0.01;
/// OpenCost's default price of a CPU (configs/default.json).
constexpr double kDefaultCpu = 0.031611;

struct Words {
  std::string_view name, meaning;
};

const Words& words_of(WhyDifferent why) {
  static constexpr std::array<Words, 13> kWords = {{
      {"shared-billed-whole", "OpenCost bills each share of a GPU as a whole GPU"},
      {"shared-billed-nothing", "OpenCost does not see GPUs that are shared under another name"},
      {"mig-not-billed", "OpenCost does not see MIG slices under names of their own"},
      {"not-started-not-billed", "OpenCost bills a pod only while a container runs"},
      {"init-request-ignored", "OpenCost leaves out what init containers hold"},
      {"efficiency-per-gpu", "OpenCost divides the mean use by the number of GPUs once more"},
      {"gpu-price-doubled", "OpenCost adds the listed price of GPUs to that of the node"},
      {"node-price-is-one-cpu", "OpenCost has no price of the node, and takes that of one CPU"},
      {"split-by-ratio", "OpenCost splits the node by default prices of CPU, memory and GPUs"},
      {"discount-without-gpu", "OpenCost's discount leaves GPUs as they are"},
      {"window-edges", "OpenCost counts nodes and pods over different parts of the window"},
      {"no-figure", "OpenCost's amounts are negative, no numbers, or of no time"},
      {"unexplained", "none of the known reasons"},
  }};
  return kWords.at(static_cast<std::size_t>(why));
}

double dollars(Money amount) { return static_cast<double>(amount.nano) / 1e9; }

bool is_near(double a, double b) {
  return std::abs(a - b) <= kTolerance * std::max(std::abs(a), std::abs(b)) + 1e-9;
}

/// All that one pod holds, by our count.
struct OurPod {
  const Pod* pod = nullptr;
  std::string node;
  std::vector<const CostLine*> lines;
  std::optional<double> hour = 0.0;
  std::int64_t units = 0;
};

using PodKey = std::pair<std::string, std::string>;

std::map<PodKey, OurPod> our_pods(const std::vector<CostLine>& lines) {
  std::map<PodKey, OurPod> pods;
  for (const CostLine& line : lines) {
    if (line.pod == nullptr || !line.holds_now) continue;
    OurPod& pod = pods[{line.ns, line.pod->name}];
    pod.pod = line.pod;
    pod.node = line.node;
    pod.lines.push_back(&line);
    pod.units += line.units;
    if (!line.hour)
      pod.hour.reset();
    else if (pod.hour)
      *pod.hour += dollars(*line.hour);
  }
  return pods;
}

/// Answers that are added up by pod may leave the namespace out.
const OpenCostPod* pod_named(const OpenCostAnswer& answer, const PodKey& key) {
  for (const PodKey& wanted : {key, PodKey{"", key.second}})
    if (const auto at = answer.places.find(wanted); at != answer.places.end())
      return &answer.pods[at->second];
  return nullptr;
}

const OpenCostNode* node_named(const OpenCostAnswer& answer, std::string_view name) {
  for (const OpenCostNode& node : answer.nodes)
    if (node.name == name) return &node;
  return nullptr;
}

/// GPUs that the main containers ask for alone.
std::int64_t main_gpus(const Pod& pod) {
  std::int64_t sum = 0;
  for (const Container& container : pod.containers)
    for (const auto& [resource, amount] : container.requests)
      if (gpu_resource(resource)) sum += amount.value();
  return sum;
}

/// Why the price of a node is another; empty where it is the same.
std::vector<WhyDifferent> why_node(const OpenCostNode& theirs, const std::optional<double>& ours) {
  if (!theirs.hour) return {WhyDifferent::no_figure};
  const double hour = *theirs.hour;
  if (theirs.gpus > 0 && std::abs(hour - kDefaultCpu) < kDefaultCpu / 30)
    return {WhyDifferent::node_price_is_one_cpu};
  if (theirs.gpus > 0 && theirs.gpu_hour == 0 && hour > 0)
    return {WhyDifferent::gpu_price_doubled};  // its product is not in the list
  if (!ours || is_near(hour, *ours)) return {};
  const double each = theirs.gpus > 0 ? theirs.gpu_hour / theirs.gpus : 0;
  if (each > 0 && is_near(hour, *ours + 2 * theirs.gpu_hour - each))
    return {WhyDifferent::gpu_price_doubled};
  if (theirs.discount > 0) return {WhyDifferent::discount_without_gpu};
  return {WhyDifferent::unexplained};
}

class PodReasons {
 public:
  PodReasons(const OurPod& ours, const OpenCostPod& theirs, const OpenCostNode* node)
      : ours_(ours), theirs_(theirs), node_(node) {}

  std::vector<WhyDifferent> find(const std::vector<WhyDifferent>& of_node) {
    if (!theirs_.hour) return {WhyDifferent::no_figure};
    const bool differs = ours_.hour && !is_near(*theirs_.hour, *ours_.hour);
    if (differs) {
      look_at_units();
      for (const WhyDifferent why : of_node)
        if (why != WhyDifferent::no_figure) add(why);
      if (why_.empty() && is_split_by_ratio()) add(WhyDifferent::split_by_ratio);
      if (why_.empty()) add(is_at_edge() ? WhyDifferent::window_edges : WhyDifferent::unexplained);
    }
    if (divides_use()) add(WhyDifferent::efficiency_per_gpu);
    return std::exchange(why_, {});
  }

 private:
  void add(WhyDifferent why) {
    if (std::find(why_.begin(), why_.end(), why) == why_.end()) why_.push_back(why);
  }

  /// What it counts otherwise than the scheduler.
  void look_at_units() {
    for (const CostLine* line : ours_.lines) {
      const Pool& pool = *line->pool;
      const bool is_unseen = theirs_.gpus == 0;
      const bool is_mig = pool.resource.starts_with("nvidia.com/mig-");
      const bool is_shared = pool.sharing.strategy != SharingStrategy::none;
      if (is_mig && is_unseen) add(WhyDifferent::mig_not_billed);
      if (!is_mig && is_shared && is_unseen) add(WhyDifferent::shared_billed_nothing);
      if (is_shared && theirs_.gpu_hour > 0) add(WhyDifferent::shared_billed_whole);
    }
    const bool leaves_out_init =
        static_cast<double>(ours_.units) > theirs_.gpus && ours_.units > main_gpus(*ours_.pod);
    if (leaves_out_init && theirs_.gpus > 0) add(WhyDifferent::init_request_ignored);
  }

  /// Its GPUs cost their part of the node's, and the node's GPUs less than the node.
  [[nodiscard]] bool is_split_by_ratio() const {
    if (node_ == nullptr || node_->gpus <= 0 || theirs_.gpus <= 0) return false;
    const double part = node_->gpu_hour * theirs_.gpus / node_->gpus;
    return is_near(theirs_.gpu_hour, part) && node_->hour && node_->gpu_hour < *node_->hour;
  }

  [[nodiscard]] bool is_at_edge() const {
    return node_ != nullptr && node_->minutes > 0 && !is_near(node_->minutes, theirs_.minutes);
  }

  /// Of several GPUs it tells less use than it measures.
  [[nodiscard]] bool divides_use() const {
    return theirs_.use && theirs_.gpus > 1 && !is_near(theirs_.efficiency, *theirs_.use) &&
           is_near(theirs_.efficiency * theirs_.gpus, *theirs_.use);
  }

  const OurPod& ours_;
  const OpenCostPod& theirs_;
  const OpenCostNode* node_;
  std::vector<WhyDifferent> why_;
};

/// It lists no pod of which no container has run.
Difference missing_pod(const PodKey& key, const OurPod& pod) {
  const bool never_ran = !runs_on_gpus(*pod.pod);
  return {.ns = key.first,
          .name = key.second,
          .ours = pod.hour,
          .why = {never_ran ? WhyDifferent::not_started_not_billed : WhyDifferent::unexplained}};
}

double size_of(const Difference& difference) {
  return std::abs(difference.ours.value_or(0) - difference.theirs.value_or(0));
}

void sort(std::vector<Difference>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Difference& a, const Difference& b) {
    if (a.is_node != b.is_node) return a.is_node;
    return size_of(a) > size_of(b);
  });
}

}  // namespace

std::string_view name_of(WhyDifferent why) {
  return why > WhyDifferent::unexplained ? std::string_view() : words_of(why).name;
}

std::string_view meaning_of(WhyDifferent why) { return words_of(why).meaning; }

std::vector<Difference> differences(const Ledger& ledger, const std::vector<CostLine>& lines,
                                    const OpenCostAnswer& answer) {
  std::vector<Difference> found;
  std::map<std::string, std::vector<WhyDifferent>> of_nodes;
  for (const Ledger::Entry& entry : ledger.nodes()) {
    const OpenCostNode* theirs = node_named(answer, entry.name());
    if (theirs == nullptr) continue;
    const auto price = entry.ledger.price().per_hour;
    const auto ours = price ? std::optional(dollars(*price)) : std::nullopt;
    of_nodes[entry.name()] = why_node(*theirs, ours);
    const bool is_same = ours && theirs->hour && is_near(*theirs->hour, *ours);
    if (of_nodes[entry.name()].empty() || is_same) continue;
    found.push_back({.is_node = true,
                     .name = entry.name(),
                     .theirs = theirs->hour,
                     .ours = ours,
                     .why = of_nodes[entry.name()]});
  }
  if (answer.has_pods) {
    for (const auto& [key, pod] : our_pods(lines)) {
      const OpenCostPod* theirs = pod_named(answer, key);
      if (theirs == nullptr) {
        found.push_back(missing_pod(key, pod));
        continue;
      }
      auto why = PodReasons(pod, *theirs, node_named(answer, pod.node)).find(of_nodes[pod.node]);
      if (why.empty()) continue;
      found.push_back({.ns = key.first,
                       .name = key.second,
                       .theirs = theirs->hour,
                       .ours = pod.hour,
                       .why = std::move(why)});
    }
  }
  sort(found);
  return found;
}

Overlap overlap_of(const Ledger& ledger, const std::vector<CostLine>& lines,
                   const OpenCostAnswer& answer) {
  Overlap both;
  for (const Ledger::Entry& entry : ledger.nodes()) {
    if (node_named(answer, entry.name()) == nullptr) continue;
    ++both.nodes;
    if (!entry.ledger.price().per_hour) ++both.unpriced_nodes;
  }
  for (const auto& [key, pod] : our_pods(lines)) {
    if (pod_named(answer, key) == nullptr) continue;
    ++both.pods;
    if (!pod.hour) ++both.unpriced_pods;
  }
  return both;
}

}  // namespace gpu::cost
