#include "telemetry/prometheus/prometheus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "telemetry/dialects/interpret.hpp"
#include "telemetry/dialects/queries.hpp"
#include "telemetry/exporters/scrape_json.hpp"
#include "telemetry/prometheus/discovery.hpp"
#include "telemetry/prometheus/nodes.hpp"
#include "telemetry/prometheus/query.hpp"
#include "telemetry/prometheus/series.hpp"

namespace gpu::telemetry {
namespace {

using NodeNames = std::set<std::string, std::less<>>;

constexpr std::chrono::seconds kInstantLimit{20};
/// Days at a step of minutes are work.
constexpr std::chrono::seconds kWindowLimit{60};

class PrometheusReader {
 public:
  PrometheusReader(kube::CollectContext& reading, const std::vector<Exporter>& exporters,
                   const NodeNames& nodes)
      : reading_(reading),
        snapshot_(reading.snapshot()),
        exporters_(exporters),
        nodes_(nodes),
        finder_(reading.snapshot(), exporters) {}

  PrometheusUse run(FoundPrometheus& found) {
    if (!found) found = prometheus_places(reading_);
    PrometheusUse use{.nodes = {}, .place = {}, .missing = found->gaps};
    std::vector<PrometheusPlace>& places = found->places;
    const auto knows =
        std::find_if(places.begin(), places.end(), [&](const auto& place) { return read(place); });
    if (knows == places.end()) {
      found.reset();
    } else {
      use.place = knows->name;
      std::rotate(places.begin(), knows, std::next(knows));  // the next time it is asked first
    }
    if (seen_.empty() && !failures_.empty()) use.missing.push_back(gap_of_failures());
    if (!is_window_read_) tell_of_no_window(use.missing);
    use.nodes = std::move(seen_);
    return use;
  }

 private:
  /// Whether `place` knows GPUs; else the next is asked.
  bool read(const PrometheusPlace& place) {
    std::vector<std::string> queries = instant_queries();
    queries.push_back(age_query());
    std::vector<QueryResult> results = ask(reading_, place, queries, kInstantLimit);
    const QueryResult ages = std::move(results.back());
    results.pop_back();
    std::vector<Series> series = take_series(place, results);
    if (series.empty()) return false;
    date(place, series, ages);
    const ClusterChoice cluster = choose_cluster(series, exporters_, snapshot_);
    if (cluster.clusters.size() > 1 && !cluster.chosen) tell_of_clusters(place, cluster.clusters);
    add_window(place, series);
    keep_cluster(series, cluster);
    for (const std::vector<Series>& target : by_target(std::move(series))) take_target(target);
    tell_of_strangers(place);
    tell_of_namespace(place);
    return true;
  }

  /// An answer of now carries the time of the question: when a sample was measured is asked for.
  void date(const PrometheusPlace& place, std::vector<Series>& series, const QueryResult& ages) {
    constexpr std::size_t kMostQueries = 6;
    std::size_t undated = set_times(series, ages.series);
    for (const QueryResult& more :
         ask(reading_, place, more_age_queries(series, kMostQueries), kInstantLimit))
      undated = set_times(series, more.series);
    if (undated == 0) return;
    const std::string why =
        place.name + ": " + (ages.problem ? ages.problem->why : "it tells no time of samples");
    if (undated == series.size()) {
      drop_undecidable(series);
      return add_gap("the age of live use is unknown: some may be 5 minutes old", why);
    }
    // Beside others these would look newest, and may be of an owner who is gone.
    std::erase_if(series, [](const Series& one) { return !one.at; });
    add_gap(fmt::format("{} of Prometheus' values {} left out: their age is unknown", undated,
                        undated == 1 ? "is" : "are"),
            why);
  }

  /// The series of all that was answered. What was not is a gap, or the reason to ask elsewhere.
  std::vector<Series> take_series(const PrometheusPlace& place, std::vector<QueryResult>& results) {
    std::vector<Series> series;
    std::optional<QueryProblem> problem;
    for (QueryResult& result : results) {
      if (result.problem) problem = result.problem;
      if (result.answer.is_partial) tell_of_part(place, result.answer);
      std::move(result.series.begin(), result.series.end(), std::back_inserter(series));
    }
    if (series.empty())
      failures_.emplace_back(place.name, problem.value_or(QueryProblem{
                                             "it answers, and knows no GPUs",
                                             "does it scrape the exporters of this cluster?"}));
    else if (problem)
      add_gap("some live use is missing: Prometheus did not answer every question",
              place.name + ": " + problem->why, problem->help);
    return series;
  }

  /// Adds averages and maxima, and idle times where nothing of the time is missing.
  void add_window(const PrometheusPlace& place, std::vector<Series>& series) {
    const auto& since = reading_.needs().metrics.since;
    if (!since) return;
    std::vector<QueryResult> results = ask(reading_, place, window_queries(*since), kWindowLimit);
    bool is_whole = true;
    std::optional<QueryProblem> problem;
    for (QueryResult& result : results) {
      if (result.problem) problem = result.problem;
      if (!result.problem) is_window_read_ = true;
      if (result.answer.is_partial) tell_of_part(place, result.answer);
      is_whole = is_whole && !result.problem && !result.answer.is_partial;
      std::move(result.series.begin(), result.series.end(), std::back_inserter(series));
    }
    if (is_window_read_) snapshot_.sample_window = *since;
    if (problem && is_window_read_)
      add_gap("some averages over the time of --since are missing",
              place.name + ": " + problem->why, problem->help);
    if (!is_window_read_ && problem) failures_.emplace_back(place.name, std::move(*problem));
    if (!is_whole || is_partial_)
      std::erase_if(series, [](const Series& one) { return one.name.ends_with(kIdleEnding); });
  }

  void take_target(const std::vector<Series>& series) {
    const Time now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    Origin origin{.source = MetricSource::prometheus, .read_at = now};
    NodeNames nodes;
    NodeNames all;
    for (Sample& sample : samples_of(series, origin)) {
      const std::optional<std::string> node = finder_.node_of(sample);
      all.insert(node.value_or(""));
      if (!node) {
        add_stranger(sample);
        continue;
      }
      if (!nodes_.contains(*node)) continue;
      sample.node = *node;
      fill_interval(sample, exporters_);
      std::erase_if(sample.owners, [this](const SampleOwner& owner) { return exports(owner); });
      nodes.insert(*node);
      snapshot_.samples.push_back(std::move(sample));
    }
    if (nodes.empty()) return;
    seen_.insert(nodes.begin(), nodes.end());
    if (!reading_.needs().on_object) return;
    // Whoever reads the file has no pods' addresses to find the node by.
    // One that federates may tell of others beside it.
    if (all.size() == 1) origin.node = *all.begin();
    reading_.tell(scrape_json(series, origin), kScrapeVersion, kScrapeKind);
  }

  /// Relabelled series may call the exporter's own pod the owner.
  [[nodiscard]] bool exports(const SampleOwner& owner) const {
    for (const Exporter& exporter : exporters_)
      if (exporter.ns == owner.ns && exporter.pod == owner.pod) return true;
    return false;
  }

  /// Where only some nodes were asked for, others are no strangers. One that a label names and that
  /// is not here is of another cluster, or gone; it matters only where nothing else is told.
  void add_stranger(const Sample& sample) {
    const kube::Needs& needs = reading_.needs();
    if (!needs.node_names.empty() || !needs.node_selector.empty()) return;
    if (!sample.node.empty()) {
      ++elsewhere_;
      if (!stranger_.empty()) return;
    } else {
      ++strangers_;
      if (strangers_ > 1) return;
    }
    stranger_ = fmt::format("node \"{}\", instance \"{}\", Hostname \"{}\"", sample.node,
                            sample.instance, sample.host);
  }

  void tell_of_strangers(const PrometheusPlace& place) {
    if (seen_.empty()) strangers_ += elsewhere_;
    if (strangers_ == 0) return;
    add_gap(fmt::format("{} {} that Prometheus reports {} left out: on which node is unknown",
                        strangers_, strangers_ == 1 ? "device" : "devices",
                        strangers_ == 1 ? "is" : "are"),
            fmt::format("{}: no label names a node of this cluster, and neither address nor pod is "
                        "an exporter's here, for example {}",
                        place.name, stranger_),
            "a relabelling that keeps the node makes it sure, for example in the ServiceMonitor:\n"
            "relabelings: [{sourceLabels: [__meta_kubernetes_pod_node_name], targetLabel: node}]");
  }

  /// Anybody who may make Services in a namespace can make one that looks like Prometheus.
  void tell_of_namespace(const PrometheusPlace& place) {
    if (seen_.empty() || place.doubtful_namespace.empty()) return;
    std::string typed = place.name;
    if (place.path.find("/services/https:") != std::string::npos)
      typed.insert(typed.find('/') + 1, "https:");
    add_gap("live use is what " + place.name + " tells, which was found by its looks",
            "whoever may make Services in " + place.doubtful_namespace +
                " can make one that tells anything: it is none of the namespaces in which "
                "Prometheus mostly runs",
            "if it is yours, say so:\n--prometheus-service " + typed);
  }

  void tell_of_part(const PrometheusPlace& place, const PrometheusAnswer& answer) {
    if (std::exchange(is_partial_, true)) return;
    std::string why = place.name + " calls its answer partial";
    for (const std::string& warning : answer.warnings) why += "; " + warning;
    add_gap("live use is partial: some of it may be missing, and nothing is called idle for long",
            std::move(why), "a store behind it does not answer");
  }

  void tell_of_clusters(const PrometheusPlace& place,
                        const std::set<std::string, std::less<>>& clusters) {
    std::string names;
    for (const std::string& cluster : clusters)
      names += (names.empty() ? "" : ", ") + (cluster.empty() ? "one without a name" : cluster);
    add_gap("live use is left out: Prometheus holds several clusters, and which is this is unknown",
            place.name + ": " + names,
            "use one that knows this cluster alone: --prometheus-service, --prometheus-url");
  }

  [[nodiscard]] Gap gap_of_failures() const {
    std::string why;
    for (const auto& [name, problem] : failures_)
      why += (why.empty() ? "" : "; ") + name + ": " + problem.why;
    return {.what = "Prometheus reports nothing about the GPUs",
            .why = std::move(why),
            .help = failures_.front().second.help,
            .help_form = failures_.front().second.help_form};
  }

  void tell_of_no_window(const std::vector<Gap>& missing) {
    if (!reading_.needs().metrics.since) return;
    std::string why = "--since needs Prometheus, which keeps what was";
    if (!missing.empty()) why += "; " + missing.front().what + ": " + missing.front().why;
    snapshot_.gaps.push_back({.what = "averages, maxima and idle times are unknown",
                              .why = std::move(why),
                              .help = missing.empty() ? "" : missing.front().help,
                              .missing = Missing::window,
                              .cause = missing.empty() ? GapCause::absent : missing.front().cause});
  }

  void add_gap(std::string what, std::string why, std::string help = {}) {
    snapshot_.gaps.push_back(
        {.what = std::move(what), .why = std::move(why), .help = std::move(help)});
  }

  kube::CollectContext& reading_;
  Snapshot& snapshot_;
  const std::vector<Exporter>& exporters_;
  const NodeNames& nodes_;
  NodeFinder finder_;
  NodeNames seen_;
  std::vector<std::pair<std::string, QueryProblem>> failures_;
  bool is_window_read_ = false;
  bool is_partial_ = false;
  std::size_t strangers_ = 0;
  std::size_t elsewhere_ = 0;  ///< with the name of a node that is not here
  std::string stranger_;
};

}  // namespace

PrometheusUse read_prometheus(kube::CollectContext& reading, const std::vector<Exporter>& exporters,
                              const NodeNames& nodes, FoundPrometheus& found) {
  if (nodes.empty()) return {};
  return PrometheusReader(reading, exporters, nodes).run(found);
}

}  // namespace gpu::telemetry
