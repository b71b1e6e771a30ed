#include "telemetry/live/live_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "model/holdings/pools.hpp"
#include "telemetry/exporters/scrape.hpp"
#include "telemetry/exporters/scrape_gaps.hpp"
#include "telemetry/exporters/typed_exporters.hpp"
#include "telemetry/live/custom_metrics.hpp"
#include "telemetry/live/smi_exec.hpp"

namespace gpu::telemetry {
namespace {

using Nodes = std::set<std::string, std::less<>>;

bool is_same_pod(const Exporter& a, const Exporter& b) { return a.ns == b.ns && a.pod == b.pod; }

void insert_all(Nodes& nodes, const Nodes& more) { nodes.insert(more.begin(), more.end()); }

Nodes without(const Nodes& nodes, const Nodes& told) {
  Nodes rest;
  std::set_difference(nodes.begin(), nodes.end(), told.begin(), told.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

/// What fails is a gap, and all gaps since are about use.
template <class Read>
void read_as_told(kube::CollectContext& reading, Read read) {
  std::vector<Gap>& gaps = reading.snapshot().gaps;
  const auto first = static_cast<std::ptrdiff_t>(gaps.size());
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || error.kind() == ErrorKind::usage) throw;
    gaps.push_back(
        {.what = "live use could not be read", .why = error.message(), .help = error.help()});
  }
  std::for_each(gaps.begin() + first, gaps.end(), [](Gap& gap) { gap.about = GapTopic::use; });
}

/// Reads live use for one run of collect(), once exporters were asked.
class LiveMetrics {
 public:
  LiveMetrics(kube::CollectContext& reading, TelemetryPods&& pods, const Nodes& gpu_nodes,
              std::vector<Scraped>&& scraped, KnownPrometheus& known)
      : reading_(reading),
        known_(known),
        pods_(std::move(pods)),
        gpu_nodes_(gpu_nodes),
        scraped_(std::move(scraped)) {
    for (const Scraped& each : scraped_)
      if (each.devices > 0) told_.insert(each.exporter.node);
  }

  void run() {
    switch (reading_.needs().metrics.choice) {
      case kube::MetricsChoice::none:
        return;
      case kube::MetricsChoice::exporter:
        ask_smi();
        break;
      case kube::MetricsChoice::prometheus:
        ask_prometheus(gpu_nodes_);
        break;
      case kube::MetricsChoice::custom:
        ask_adapter();
        break;
      case kube::MetricsChoice::automatic:
        // Only Prometheus knows of a time before now.
        ask_prometheus(reading_.needs().metrics.since ? gpu_nodes_ : without(gpu_nodes_, told_));
        ask_smi();
        if (reading_.snapshot().samples.empty()) ask_adapter();
        break;
    }
    conclude();
  }

 private:
  void ask_prometheus(const Nodes& asked) {
    if (asked.empty()) return;
    std::vector<Gap>& gaps = reading_.snapshot().gaps;
    if (kube::Clock::now() < known_.paused_until) {
      prometheus_ = known_.silence;
      gaps.insert(gaps.end(), known_.gaps.begin(), known_.gaps.end());
      return;
    }
    const auto before = static_cast<std::ptrdiff_t>(gaps.size());
    prometheus_ = read_prometheus(reading_, pods_.exporters, asked, known_.found);
    insert_all(told_, prometheus_.nodes);
    const bool tells = !prometheus_.place.empty();
    const bool has_told = std::exchange(known_.has_told, tells);
    if (tells) return;
    known_.silence = prometheus_;
    known_.gaps.assign(gaps.begin() + before, gaps.end());
    // One that told the last time may have been restarted.
    if (!has_told) known_.paused_until = kube::Clock::now() + known_.pause;
  }

  void ask_adapter() {
    if (!is_too_late()) has_pods_ = read_custom_metrics(reading_);
  }

  [[nodiscard]] bool is_too_late() const {
    const auto& deadline = reading_.needs().metrics.deadline;
    return deadline && kube::Clock::now() >= *deadline;
  }

  void ask_smi() {
    if (!reading_.needs().metrics.may_exec) return;
    const Nodes asked = without(gpu_nodes_, told_);
    std::stable_sort(pods_.smi.begin(), pods_.smi.end(),
                     [](const RankedSmiPod& a, const RankedSmiPod& b) { return a.rank < b.rank; });
    std::vector<SmiPod> usable;
    for (const RankedSmiPod& each : pods_.smi)
      if (asked.contains(each.pod.node)) usable.push_back(each.pod);
    if (!usable.empty()) insert_all(told_, read_smi_by_exec(reading_, usable));
  }

  void conclude() {
    Snapshot& snapshot = reading_.snapshot();
    told_.erase("");
    const Nodes untold = without(gpu_nodes_, told_);
    const bool has_any = !told_.empty() || has_pods_;
    snapshot.use_coverage = !gpu_nodes_.empty() && untold.empty() ? Coverage::whole
                            : has_any                             ? Coverage::partial
                                                                  : Coverage::none;
    std::vector<Gap> faults = gaps_of(scraped_, told_, reading_.client().connection());
    const bool is_by_hand = is_prometheus_by_hand();
    if (!untold.empty() && !is_by_hand && !faults.empty()) add_to_why(faults.front(), untold);
    std::move(faults.begin(), faults.end(), std::back_inserter(snapshot.gaps));
    if (is_by_hand)
      std::copy(prometheus_.missing.begin(), prometheus_.missing.end(),
                std::back_inserter(snapshot.gaps));
    if (!untold.empty()) tell_of_bare(untold);
  }

  [[nodiscard]] bool is_prometheus_by_hand() const {
    const kube::MetricsNeeds& needs = reading_.needs().metrics;
    return needs.choice == kube::MetricsChoice::prometheus || !needs.prometheus_url.empty() ||
           !needs.prometheus_service.empty();
  }

  /// That Prometheus could not stand in for an exporter.
  void add_to_why(Gap& gap, const Nodes& untold) const {
    if (!prometheus_.missing.empty())
      gap.why += "; " + prometheus_.missing.front().what;
    else if (!prometheus_.place.empty())
      gap.why += fmt::format("; {} does not report {}", prometheus_.place, them(untold));
  }

  /// Of nodes without an exporter that could have failed.
  void tell_of_bare(const Nodes& untold) {
    const kube::MetricsNeeds& needs = reading_.needs().metrics;
    Nodes with;
    if (asks_exporters(needs))
      for (const Exporter& each : pods_.exporters) with.insert(each.node);
    const Nodes bare = without(untold, with);
    if (bare.empty() || needs.choice == kube::MetricsChoice::custom) return;
    // What was asked for by hand has said itself why it tells nothing.
    const bool has_place = !prometheus_.place.empty();
    if (is_prometheus_by_hand() && !prometheus_.missing.empty()) return;
    if (has_place && prometheus_.nodes.empty() && told_.empty()) return;
    if (with.empty() && has_place) return tell_of_prometheus_without(bare);
    if (!with.empty() || !told_.empty()) return tell_of_exporters_without(bare, with);
    if (!has_pods_) tell_of_nothing_found(bare);
  }

  void tell_of_prometheus_without(const Nodes& bare) {
    std::string why = fmt::format("{} reports {} of {} GPU nodes", prometheus_.place,
                                  prometheus_.nodes.size(), gpu_nodes_.size());
    if (asks_exporters(reading_.needs().metrics))
      why += fmt::format("; no {} was found {}", wanted_exporter(bare), where());
    reading_.snapshot().gaps.push_back(
        {.what = fmt::format("no metrics from {}: Prometheus does not report {}",
                             nodes_in_words(bare), them(bare)),
         .why = std::move(why),
         .help = "does it scrape the exporters of all nodes?",
         .about = GapTopic::use,
         .missing = Missing::metrics,
         .nodes = {bare.begin(), bare.end()}});
  }

  void tell_of_exporters_without(const Nodes& bare, const Nodes& with) {
    const std::string wanted = wanted_exporter(bare);
    Gap gap{
        .what = "no metrics from " + nodes_in_words(bare) + ": no " + wanted +
                (bare.size() == 1 ? " runs there" : " runs on them"),
        .why = "exporters were found " + std::string(pods_.is_whole ? "" : where() + ", ") +
               fmt::format("on {} of {} GPU nodes",
                           gpu_nodes_.size() - without(gpu_nodes_, with).size(), gpu_nodes_.size()),
        .help = install_help(wanted),
        .missing = Missing::metrics,
        .cause = GapCause::absent};
    add_to_why(gap, bare);
    gap.nodes.assign(bare.begin(), bare.end());
    reading_.snapshot().gaps.push_back(std::move(gap));
  }

  void tell_of_nothing_found(const Nodes& bare) {
    const std::string wanted = wanted_exporter(bare);
    Gap gap{.what = "no utilization: no " + wanted + " found " + where(),
            .why = "UTIL, MEMORY and POWER are `-`; looked for pods of " + wanted +
                   " by labels and images",
            .help = install_help(wanted),
            .cause = GapCause::absent};
    if (!prometheus_.missing.empty()) {
      const Gap& missing = prometheus_.missing.front();
      gap.what += ", and " + missing.what;
      gap.why += "; " + missing.why;
      // Else it only repeats how to name one.
      if (missing.help_form == HelpForm::role) gap.help += "\n" + missing.help;
    }
    reading_.snapshot().gaps.push_back(std::move(gap));
  }

  static std::string_view them(const Nodes& nodes) { return nodes.size() == 1 ? "it" : "them"; }

  [[nodiscard]] std::string where() const {
    return pods_.is_whole ? "in any namespace" : "in the namespaces seen here";
  }

  /// What people call it who have GPUs of one maker.
  [[nodiscard]] std::string wanted_exporter(const Nodes& nodes) const {
    bool is_nvidia = true;
    for (const Pool& pool : pools_of(reading_.snapshot()))
      if (nodes.contains(pool.node)) is_nvidia = is_nvidia && pool.kind.vendor == Vendor::nvidia;
    return is_nvidia ? "dcgm-exporter" : "exporter of GPU metrics";
  }

  static std::string install_help(std::string_view wanted) {
    return (wanted == "dcgm-exporter" ? "the GPU Operator brings it, and it has a Helm chart"
                                      : "makers of GPUs have one each for Kubernetes") +
           std::string(
               "; or say where metrics are\n"
               "kubectl gpu top --exporter NAMESPACE/POD:PORT\n"
               "kubectl gpu top --prometheus-url URL");
  }

  kube::CollectContext& reading_;
  KnownPrometheus& known_;
  TelemetryPods pods_;
  const Nodes& gpu_nodes_;
  std::vector<Scraped> scraped_;
  PrometheusUse prometheus_;
  Nodes told_;             ///< nodes with samples
  bool has_pods_ = false;  ///< use of pods is known without their devices
};

}  // namespace

void TelemetryPods::add(const Pod& pod) {
  if (auto exporter = exporter_of(pod)) exporters.push_back(std::move(*exporter));
  if (auto ranked = smi_pod_of(pod)) smi.push_back(std::move(*ranked));
}

bool asks_exporters(const kube::MetricsNeeds& needs) {
  return needs.choice == kube::MetricsChoice::automatic ||
         needs.choice == kube::MetricsChoice::exporter;
}

void choose_exporters(kube::CollectContext& reading, std::vector<Exporter>& found,
                      const Nodes& gpu_nodes) {
  std::erase_if(found, [&](const Exporter& each) { return !gpu_nodes.contains(each.node); });
  read_as_told(reading, [&] {
    for (const Exporter& typed : typed_exporters(reading)) {
      std::erase_if(found, [&](const Exporter& each) { return is_same_pod(each, typed); });
      found.push_back(typed);
    }
  });
  const auto key = [](const Exporter& each) { return std::tie(each.node, each.ns, each.pod); };
  std::sort(found.begin(), found.end(),
            [&](const Exporter& a, const Exporter& b) { return key(a) < key(b); });
  found.erase(std::unique(found.begin(), found.end(), is_same_pod), found.end());
}

void conclude_live_metrics(kube::CollectContext& reading, TelemetryPods pods,
                           const Nodes& gpu_nodes, std::vector<Scraped> scraped,
                           KnownPrometheus& known) {
  read_as_told(reading, [&] {
    LiveMetrics(reading, std::move(pods), gpu_nodes, std::move(scraped), known).run();
  });
}

void read_live_metrics(kube::CollectContext& reading, TelemetryPods pods, const Nodes& gpu_nodes,
                       KnownPrometheus& known) {
  choose_exporters(reading, pods.exporters, gpu_nodes);
  std::vector<Scraped> scraped;
  if (asks_exporters(reading.needs().metrics))
    read_as_told(reading, [&] { scraped = scrape(reading, pods.exporters); });
  conclude_live_metrics(reading, std::move(pods), gpu_nodes, std::move(scraped), known);
}

}  // namespace gpu::telemetry
