#include "kube/live_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "decode/json_item.hpp"
#include "decode/pod.hpp"
#include "kube/custom_metrics.hpp"
#include "kube/exporter_scrape.hpp"
#include "kube/list_path.hpp"
#include "kube/prometheus.hpp"
#include "kube/scrape_gaps.hpp"
#include "kube/smi_exec.hpp"
#include "model/pool.hpp"

namespace gpu::kube {
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

/// What the pod of an exporter that was typed says of it.
void learn(Exporter& exporter, const Reply& reply, Reading& reading) {
  const std::string name = exporter.ns + "/" + exporter.pod;
  if (!reply.ok()) {
    const Error error = error_of(reply, reading.client().connection());
    reading.snapshot().gaps.push_back(
        {.what = "the node of the exporter " + name + " is not known, so its GPUs may not be found",
         .why = error.message(),
         .help = error.help()});
    return;
  }
  const Pod pod = decode::pod_from_json(decode::json_item(reply.body));
  exporter.node = pod.node_name;
  exporter.ip = pod.ip;
  exporter.is_ready = is_answering(pod);
  // The proxy knows no names of ports.
  for (const Container& container : pod.containers)
    for (const ContainerPort& port : container.ports)
      if (port.name == exporter.port) exporter.port = std::to_string(port.port);
}

std::vector<Exporter> typed_exporters(Reading& reading) {
  std::vector<Exporter> typed;
  std::vector<Request> requests;
  for (const std::string& text : reading.needs().metrics.exporters) {
    typed.push_back(exporter_typed(text));
    requests.emplace_back().path = "/api/v1/namespaces/" + percent_encoded(typed.back().ns) +
                                   "/pods/" + percent_encoded(typed.back().pod);
  }
  const std::vector<Reply> replies = reading.client().fetch(requests);
  for (std::size_t i = 0; i < typed.size(); ++i) learn(typed[i], replies[i], reading);
  return typed;
}

/// What fails is a gap, and all gaps since are about use.
template <class Read>
void read_as_told(Reading& reading, Read read) {
  std::vector<Gap>& gaps = reading.snapshot().gaps;
  const auto first = static_cast<std::ptrdiff_t>(gaps.size());
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || error.kind() == ErrorKind::usage) throw;
    gaps.push_back(
        {.what = "live use could not be read", .why = error.message(), .help = error.help()});
  }
  std::for_each(gaps.begin() + first, gaps.end(), [](Gap& gap) { gap.about = "use"; });
}

/// Reads live use for one run of collect(), once exporters were asked.
class LiveMetrics {
 public:
  LiveMetrics(Reading& reading, TelemetryPods&& pods, const Nodes& gpu_nodes,
              std::vector<Scraped>&& scraped)
      : reading_(reading),
        pods_(std::move(pods)),
        gpu_nodes_(gpu_nodes),
        scraped_(std::move(scraped)) {
    for (const Scraped& each : scraped_)
      if (each.devices > 0) told_.insert(each.exporter.node);
  }

  void run() {
    switch (reading_.needs().metrics.choice) {
      case MetricsChoice::none:
        return;
      case MetricsChoice::exporter:
        ask_smi();
        break;
      case MetricsChoice::prometheus:
        insert_all(told_, read_prometheus(reading_, pods_.exporters, gpu_nodes_));
        break;
      case MetricsChoice::custom:
        has_pods_ = read_custom_metrics(reading_);
        break;
      case MetricsChoice::automatic:
        ask_prometheus();
        ask_smi();
        if (reading_.snapshot().samples.empty()) has_pods_ = read_custom_metrics(reading_);
        break;
    }
    conclude();
  }

 private:
  /// Only Prometheus knows of a time before now.
  void ask_prometheus() {
    const bool has_window = reading_.needs().metrics.since.has_value();
    const Nodes asked = has_window ? gpu_nodes_ : without(gpu_nodes_, told_);
    if (asked.empty()) return;
    insert_all(told_, read_prometheus(reading_, pods_.exporters, asked));
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
    snapshot.use_sight = !gpu_nodes_.empty() && untold.empty() ? Sight::whole
                         : has_any                             ? Sight::partial
                                                               : Sight::none;
    for (Gap& gap : gaps_of(scraped_, told_, reading_.client().connection()))
      snapshot.gaps.push_back(std::move(gap));
    tell_of_nodes_without(untold);
  }

  void tell_of_nodes_without(const Nodes& untold) {
    const MetricsChoice choice = reading_.needs().metrics.choice;
    // The others say themselves what they did not find.
    if (choice != MetricsChoice::automatic && choice != MetricsChoice::exporter) return;
    Nodes with;
    for (const Exporter& each : pods_.exporters) with.insert(each.node);
    const Nodes bare = without(untold, with);
    if (bare.empty()) return;
    const std::string wanted = wanted_exporter(bare);
    const std::string where = pods_.is_whole ? "in any namespace" : "in the namespaces seen here";
    std::vector<Gap>& gaps = reading_.snapshot().gaps;
    if (pods_.exporters.empty() && !has_pods_)
      gaps.push_back({.what = "no utilization: no " + wanted + " found " + where,
                      .why = "UTIL, MEMORY and POWER are `-`; looked for pods of " + wanted +
                             " by labels and images" +
                             (choice == MetricsChoice::automatic ? ", and for Prometheus" : ""),
                      .help = install_help(wanted)});
    else if (!pods_.exporters.empty())
      gaps.push_back({.what = "no metrics from " + nodes_in_words(bare) + ": no " + wanted +
                              (bare.size() == 1 ? " runs there" : " runs on them"),
                      .why = "exporters were found " +
                             std::string(pods_.is_whole ? "" : where + ", ") +
                             fmt::format("on {} of {} GPU nodes", gpu_nodes_.size() - bare.size(),
                                         gpu_nodes_.size()),
                      .help = install_help(wanted)});
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

  Reading& reading_;
  TelemetryPods pods_;
  const Nodes& gpu_nodes_;
  std::vector<Scraped> scraped_;
  Nodes told_;             ///< nodes with samples
  bool has_pods_ = false;  ///< use of pods is known without their devices
};

}  // namespace

void TelemetryPods::add(const Pod& pod) {
  if (auto exporter = exporter_of(pod)) exporters.push_back(std::move(*exporter));
  if (auto ranked = smi_pod_of(pod)) smi.push_back(std::move(*ranked));
}

bool asks_exporters(const MetricsNeeds& needs) {
  return needs.choice == MetricsChoice::automatic || needs.choice == MetricsChoice::exporter;
}

void choose_exporters(Reading& reading, std::vector<Exporter>& found, const Nodes& gpu_nodes) {
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

void conclude_live_metrics(Reading& reading, TelemetryPods pods, const Nodes& gpu_nodes,
                           std::vector<Scraped> scraped) {
  read_as_told(reading,
               [&] { LiveMetrics(reading, std::move(pods), gpu_nodes, std::move(scraped)).run(); });
}

void read_live_metrics(Reading& reading, TelemetryPods pods, const Nodes& gpu_nodes) {
  choose_exporters(reading, pods.exporters, gpu_nodes);
  std::vector<Scraped> scraped;
  if (asks_exporters(reading.needs().metrics))
    read_as_told(reading, [&] { scraped = scrape(reading, pods.exporters); });
  conclude_live_metrics(reading, std::move(pods), gpu_nodes, std::move(scraped));
}

}  // namespace gpu::kube
