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
#include "base/phrase.hpp"
#include "telemetry/history/past_places.hpp"
#include "telemetry/history/past_pods.hpp"
#include "telemetry/history/queries_of_past.hpp"
#include "telemetry/history/told_labels.hpp"
#include "telemetry/history/told_span.hpp"
#include "telemetry/history/written_names.hpp"
#include "telemetry/prometheus/discovery.hpp"
#include "telemetry/prometheus/query.hpp"

namespace gpu::telemetry {
namespace {

using std::chrono::seconds;

/// A day of a large cluster is work.
constexpr std::chrono::seconds kDayLimit{60};
constexpr seconds kDay = std::chrono::hours(24);
/// Questions that are put side by side, but for the rest of a day: Prometheus answers 20 at a time,
/// of everybody.
constexpr std::size_t kMostAtOnce = 10;

class HistoryReader {
 public:
  HistoryReader(kube::CollectContext& reading, seconds window)
      : reading_(reading),
        window_(window),
        now_(std::chrono::floor<seconds>(std::chrono::system_clock::now())),
        names_(reading.snapshot()),
        pods_(reading.snapshot(), names_, now_) {}

  void run(FoundPrometheus& found) {
    if (!found) found = prometheus_places(reading_);
    std::vector<Gap> missing = found->gaps;
    for (const PrometheusPlace& place : found->places)
      if (read(place)) return conclude(place);
    tell_of_nothing(missing);
  }

 private:
  /// A day, or what of the window is left of one.
  struct Day {
    Time end;
    seconds length;
  };

  /// Some questions, all at once.
  void ask_all(const PrometheusPlace& place, const std::vector<StreamedQuery>& queries) {
    if (queries.empty()) return;
    for (const QueryResult& result : ask(reading_, place, queries, kDayLimit)) {
      if (result.problem) problem_ = result.problem;
      if (!result.problem) is_answered_ = true;
      is_partial_ = is_partial_ || result.problem || result.answer.is_partial;
    }
  }

  /// The facts of all days, a few days at once.
  template <class Fact, class Take>
  void ask_facts(const PrometheusPlace& place, const std::vector<Fact>& facts, Take take) {
    std::vector<StreamedQuery> queries;
    for (const Day& day : days_) {
      for (const Fact fact : facts)
        queries.push_back(
            {.query = query_of(fact, day.length),
             .at = day.end,
             .take = [take, fact, &day](const Series& one) { take(fact, one, day); }});
      if (queries.size() < kMostAtOnce && &day != &days_.back()) continue;
      ask_all(place, queries);
      queries.clear();
    }
  }

  /// The days of the window, the last one first, without those before anything was told.
  [[nodiscard]] std::vector<Day> told_days() const {
    std::vector<Day> days;
    const Time from = now_ - window_;
    for (Time end = now_; end > from && !told_.begins_after(end); end -= kDay)
      days.push_back({end, std::min(kDay, std::chrono::duration_cast<seconds>(end - from))});
    return days;
  }

  /// Whether `place` keeps what kube-state-metrics tells.
  bool read(const PrometheusPlace& place) {
    is_answered_ = is_partial_ = false;
    ask_told(place);
    days_ = told_days();
    const auto take = [this](PodFact fact, const Series& one, const Day& day) {
      pods_.add(fact, one, day.end);
    };
    ask_facts<PodFact>(place,
                       {PodFact::requests, PodFact::init_requests, PodFact::scheduled,
                        PodFact::completed, PodFact::owner},
                       take);
    if (pods_.lacks_places()) ask_facts<PodFact>(place, {PodFact::info}, take);
    read_ends(place);
    if (!pods_.clusters().empty()) return true;
    return is_answered_ && (!told_.is_empty() || knows_pods(place));
  }

  /// Since when, and until when, the cluster is told of at all.
  void ask_told(const PrometheusPlace& place) {
    told_ = {};
    ask_all(place, {{told_query(window_), now_, [this](const Series& one) { told_.add(one); }}});
  }

  /// Of pods that are gone and did not come to an end by themselves. Of the last day that tells of
  /// each it is asked in which part of it that was, and then of every minute of that part.
  void read_ends(const PrometheusPlace& place) {
    std::vector<StreamedQuery> slots;
    std::vector<StreamedQuery> ends;
    std::vector<Day> days;
    for (const Day& day : days_) {
      const PastPods::Endless endless = pods_.endless(day.end);
      if (!endless.uids.empty() || endless.has_nameless) days.push_back(day);
      if (endless.has_nameless) ends.push_back(seen_by(day, {}));
      visit_some(endless.uids, [&](const std::vector<std::string>& uids) {
        slots.push_back({last_slot_query(day.length, uids), day.end,
                         [this](const Series& one) { pods_.add_slot(one); }});
      });
    }
    ask_all(place, slots);
    for (const Day& day : days)
      for (const auto& [slot, of_slot] : pods_.endless(day.end).slots)
        visit_some(of_slot, [&, part = part_of(day, slot)](const std::vector<std::string>& uids) {
          ends.push_back(seen_by(part, uids));
        });
    ask_all(place, ends);
    ask_silence(place, days);
  }

  /// The part of `day` up to `slot`, and a little before it: what ended just then is seen of the
  /// minute before. Up to the end of the day where no further slot ends in it.
  static Day part_of(const Day& day, Time slot) {
    const Time end = slot + kSlot > day.end ? day.end : slot;
    return {end, std::chrono::duration_cast<seconds>(end - slot) + kSlot + 2 * kSeenStep};
  }

  StreamedQuery seen_by(const Day& day, const std::vector<std::string>& uids) {
    return {seen_query(day.length, uids), day.end,
            [this](const Series& one) { pods_.add_seen(one); }};
  }

  /// Calls `visit` with as many of `uids` as fit into a question.
  template <class Visit>
  static void visit_some(const std::vector<std::string>& uids, Visit visit) {
    for (std::size_t i = 0; i < uids.size(); i += kMostUids) {
      const auto first = uids.begin() + static_cast<std::ptrdiff_t>(i);
      const std::size_t number = std::min(kMostUids, uids.size() - i);
      visit(std::vector<std::string>(first, first + static_cast<std::ptrdiff_t>(number)));
    }
  }

  /// Without an answer ends are what they seem to be.
  void ask_silence(const PrometheusPlace& place, const std::vector<Day>& days) {
    std::vector<std::pair<Day, ToldSpan>> silences;
    silences.reserve(days.size());
    for (const Day& day : days) silences.emplace_back(day, ToldSpan{});
    std::vector<StreamedQuery> queries;
    queries.reserve(days.size());
    for (auto& [day, silence] : silences)
      queries.push_back({silence_query(day.length), day.end,
                         [&to = silence](const Series& one) { add_edge(to, one); }});
    if (!queries.empty()) ask(reading_, place, queries, kDayLimit);
    for (const auto& [day, silence] : silences) {
      if (!silence.first || !silence.last) continue;
      // A metric that is told at no time is one that kube-state-metrics does not tell.
      const bool is_all = *silence.last - *silence.first > day.length - 2 * kSilenceStep;
      if (!is_all || !told_.is_empty()) pods_.add_silence(*silence.first, *silence.last);
    }
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
    judge_span(place, told_.of(*own));
    std::vector<PastPod> pods = pods_.finish(*own, now_ - window_);
    PastPlaces places(snapshot, names_, pods, *own);
    if (const std::vector<PlaceFact> facts = places.wanted(); !facts.empty())
      ask_facts(place, facts, [&](PlaceFact fact, const Series& one, const Day& /*day*/) {
        places.add(fact, one);
      });
    places.climb(pods);
    const bool is_whole = !is_partial_ && !is_short_ && !pods_.is_full() && pods_.unusable() == 0;
    snapshot.history = {.window = window_,
                        .coverage = is_whole ? Coverage::whole : Coverage::partial,
                        .pods = std::move(pods),
                        .nodes = places.nodes()};
    if (is_partial_) tell_of_part(place);
    if (pods_.is_full())
      add_gap("some pods that are gone are not counted: there are too many",
              place.name + " reports more than 200,000", "request less time with --since");
    if (pods_.unusable() > 0)
      add_gap("some pods that are gone may be missing, or their times",
              fmt::format("{} has {} that cannot be: below 0, no number, or a time in the future",
                          place.name, counted(pods_.unusable(), "value")),
              "");
  }

  /// Says what is missing at the ends of the time that was asked of.
  void judge_span(const PrometheusPlace& place, const ToldSpan& span) {
    if (told_.is_empty() && is_partial_) return;  // that says more
    const seconds slack = 2 * told_step(window_) + kStands;
    std::vector<Gap> gaps = gaps_in(span, {now_ - window_, now_}, slack, place.name);
    is_short_ = !gaps.empty();
    if (span.last && now_ - *span.last > slack) pods_.add_silence(*span.last, now_);
    for (Gap& gap : gaps) reading_.snapshot().gaps.push_back(std::move(gap));
  }

  void tell_of_nothing(const std::vector<Gap>& missing) {
    std::string why = "--since counts them by what kube-state-metrics reported to Prometheus";
    std::string help =
        "kube-state-metrics comes with kube-prometheus-stack, and has a Helm chart of its own";
    if (problem_) {
      why += "; " + problem_->why;
      help = problem_->help;
    } else if (is_partial_) {
      why += ", and it calls its answer partial, without series of it";
      help = "a store behind it does not answer";
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
            "use one that knows this cluster alone: --prometheus-service, --prometheus-url");
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
  ToldSpans told_;
  std::vector<Day> days_;
  std::optional<QueryProblem> problem_;
  bool is_answered_ = false;
  bool is_partial_ = false;
  bool is_short_ = false;  ///< metrics do not tell of all of the window
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
