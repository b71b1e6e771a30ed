#include "telemetry/history/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "telemetry/history/past_places.hpp"
#include "telemetry/history/past_pods.hpp"
#include "telemetry/history/queries_of_past.hpp"
#include "telemetry/history/written_names.hpp"
#include "telemetry/prometheus/discovery.hpp"
#include "telemetry/prometheus/query.hpp"

namespace gpu::telemetry {
namespace {

using std::chrono::seconds;

/// A day of a large cluster is work.
constexpr std::chrono::seconds kDayLimit{60};
constexpr seconds kDay = std::chrono::hours(24);

class HistoryReader {
 public:
  HistoryReader(kube::CollectContext& reading, seconds window)
      : reading_(reading),
        window_(window),
        now_(std::chrono::floor<seconds>(std::chrono::system_clock::now())),
        names_(reading.snapshot()),
        pods_(reading.snapshot(), names_) {}

  void run(FoundPrometheus& found) {
    if (!found) found = prometheus_places(reading_);
    std::vector<Gap> missing = found->gaps;
    for (const PrometheusPlace& place : found->places)
      if (read(place)) return conclude(place);
    tell_of_nothing(missing);
  }

 private:
  /// Some questions about `length` up to `end`, all at once.
  void ask_all(const PrometheusPlace& place, const std::vector<StreamedQuery>& queries) {
    for (const QueryResult& result : ask(reading_, place, queries, kDayLimit)) {
      if (result.problem) problem_ = result.problem;
      if (!result.problem) is_answered_ = true;
      is_partial_ = is_partial_ || result.problem || result.answer.is_partial;
    }
  }

  template <class Fact, class Take>
  void ask_facts(const PrometheusPlace& place, const std::vector<Fact>& facts, Time end,
                 seconds length, Take take) {
    std::vector<StreamedQuery> queries;
    for (const Fact fact : facts)
      queries.push_back({.query = query_of(fact, length),
                         .at = end,
                         .take = [take, fact](const Series& one) { take(fact, one); }});
    ask_all(place, queries);
  }

  /// Calls `visit` with the end and the length of each day, the last one first.
  template <class Visit>
  void visit_days(Visit visit) const {
    for (Time end = now_; end > now_ - window_; end -= kDay)
      visit(end, std::min(kDay, std::chrono::duration_cast<seconds>(end - (now_ - window_))));
  }

  /// Whether `place` keeps what kube-state-metrics tells.
  bool read(const PrometheusPlace& place) {
    is_answered_ = is_partial_ = false;
    visit_days([&](Time end, seconds length) { read_day(place, end, length); });
    if (!pods_.clusters().empty()) return true;
    return is_answered_ && knows_pods(place);
  }

  void read_day(const PrometheusPlace& place, Time end, seconds length) {
    const auto take = [this](PodFact fact, const Series& one) { pods_.add(fact, one); };
    ask_facts<PodFact>(place,
                       {PodFact::requests, PodFact::init_requests, PodFact::scheduled,
                        PodFact::completed, PodFact::owner},
                       end, length, take);
    if (pods_.lacks_places()) ask_facts<PodFact>(place, {PodFact::info}, end, length, take);
    read_ends(place, end, length);
  }

  /// Of pods that are gone and did not come to an end by themselves. Days are asked from the last
  /// one on, so that the first that tells of a pod tells of its last moment.
  void read_ends(const PrometheusPlace& place, Time end, seconds length) {
    const PastPods::Endless endless = pods_.endless();
    if (endless.uids.empty() && !endless.has_nameless) return;
    const auto take = [this](const Series& one) { pods_.add_seen(one); };
    std::vector<StreamedQuery> queries;
    if (endless.has_nameless) queries.push_back({seen_query(length, {}), end, take});
    for (std::size_t i = 0; i < endless.uids.size() && !endless.has_nameless; i += kMostUids) {
      const auto first = endless.uids.begin() + static_cast<std::ptrdiff_t>(i);
      const auto left = static_cast<std::size_t>(endless.uids.end() - first);
      const std::vector<std::string> some(
          first, first + static_cast<std::ptrdiff_t>(std::min(kMostUids, left)));
      queries.push_back({seen_query(length, some), end, take});
    }
    ask_all(place, queries);
    ask_silence(place, end, length);
  }

  /// Without an answer ends are what they seem to be.
  void ask_silence(const PrometheusPlace& place, Time end, seconds length) {
    std::optional<Time> first, last;
    const auto take = [&](const Series& one) {
      const Time moment{seconds(static_cast<std::int64_t>(one.value))};
      (value_of(one.labels, kEdge) == kFirstEdge ? first : last) = moment;
    };
    ask(reading_, place, std::vector{StreamedQuery{silence_query(length), end, take}}, kDayLimit);
    // A metric that is told at no time is one that kube-state-metrics does not tell.
    const bool is_all = first && last && *last - *first > length - 2 * kSilenceStep;
    if (first && last && !is_all) pods_.add_silence(*first, *last);
  }

  bool knows_pods(const PrometheusPlace& place) {
    bool knows = false;
    const StreamedQuery query{.query = pods_told_query(std::min(window_, kDay)),
                              .at = now_,
                              .take = [&](Series&&) { knows = true; }};
    for (const QueryResult& result : ask(reading_, place, std::vector{query}, kDayLimit))
      if (result.problem) problem_ = result.problem;
    return knows;
  }

  void conclude(const PrometheusPlace& place) {
    Snapshot& snapshot = reading_.snapshot();
    const std::set<std::string> clusters = pods_.clusters();
    const std::optional<std::string> own =
        clusters.empty() ? std::optional<std::string>("") : pods_.own_cluster();
    if (!own) return tell_of_clusters(place, clusters);
    std::vector<PastPod> pods = pods_.finish(*own, now_ - window_);
    PastPlaces places(snapshot, names_, pods, *own);
    const auto take = [&](PlaceFact fact, const Series& one) { places.add(fact, one); };
    if (const std::vector<PlaceFact> facts = places.wanted(); !facts.empty())
      visit_days([&](Time end, seconds length) { ask_facts(place, facts, end, length, take); });
    places.climb(pods);
    snapshot.history = {
        .window = window_,
        .coverage = is_partial_ || pods_.is_full() ? Coverage::partial : Coverage::whole,
        .pods = std::move(pods),
        .nodes = places.nodes()};
    if (is_partial_) tell_of_part(place);
    if (pods_.is_full())
      add_gap("some pods that are gone are not counted: there are too many",
              place.name + " tells of more than 200,000", "ask for less time with --since");
  }

  void tell_of_nothing(const std::vector<Gap>& missing) {
    std::string why = "--since counts them by what kube-state-metrics told Prometheus";
    std::string help =
        "kube-state-metrics comes with kube-prometheus-stack, and has a Helm chart of its own";
    if (problem_) {
      why += "; " + problem_->why;
      help = problem_->help;
    } else if (!missing.empty()) {
      why += "; " + missing.front().what + ": " + missing.front().why;
      help = missing.front().help;
    } else {
      why += ", and there are no series of it";
    }
    add_gap("pods that are gone are not counted: totals are of those that are listed",
            std::move(why), std::move(help));
  }

  void tell_of_part(const PrometheusPlace& place) {
    add_gap("some pods that are gone may be missing, or their times and owners",
            place.name + ": " + (problem_ ? problem_->why : "it calls its answer partial"),
            problem_ ? problem_->help : "a store behind it does not answer");
  }

  void tell_of_clusters(const PrometheusPlace& place, const std::set<std::string>& clusters) {
    std::string names;
    for (const std::string& cluster : clusters)
      names += (names.empty() ? "" : ", ") + (cluster.empty() ? "one without a name" : cluster);
    add_gap("pods that are gone are not counted: Prometheus holds several clusters",
            place.name + ": " + names + ", and which of them is this one is unknown",
            "ask one that knows this cluster alone: --prometheus-service, --prometheus-url");
  }

  void add_gap(std::string what, std::string why, std::string help) {
    reading_.snapshot().gaps.push_back({.what = std::move(what),
                                        .why = std::move(why),
                                        .help = std::move(help),
                                        .about = GapTopic::jobs});
  }

  kube::CollectContext& reading_;
  seconds window_;
  Time now_;
  WrittenNames names_;
  PastPods pods_;
  std::optional<QueryProblem> problem_;
  bool is_answered_ = false;
  bool is_partial_ = false;
};

}  // namespace

void read_history(kube::CollectContext& reading, FoundPrometheus& found) {
  const auto& since = reading.needs().metrics.since;
  if (!since) return;
  try {
    HistoryReader(reading, *since).run(found);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || error.kind() == ErrorKind::usage) throw;
    reading.snapshot().gaps.push_back({.what = "pods that are gone are not counted",
                                       .why = error.message(),
                                       .help = error.help(),
                                       .about = GapTopic::jobs});
  }
}

}  // namespace gpu::telemetry
