#include "telemetry/dialects/interpret.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "telemetry/dialects/dialect.hpp"

namespace gpu::telemetry {
namespace {

/// A name in a dialect.
struct Place {
  const Dialect* dialect = nullptr;
  std::size_t metric = 0;
};

/// Finds names in all dialects.
class MetricNames {
 public:
  static const MetricNames& all() {
    static const MetricNames names;
    return names;
  }

  /// Where `name` stands; the same name may stand in several dialects.
  [[nodiscard]] std::vector<Place> find(std::string_view name) const {
    std::vector<Place> places;
    if (name.size() > kLongestName) return places;
    collect(exact_, name, places);
    collect(any_case_, lower_case(name), places);
    if (places.empty()) collect_longest_end(name, places);
    return places;
  }

  [[nodiscard]] const std::vector<std::string_view>& list() const { return list_; }

 private:
  using Map = std::multimap<std::string, Place, std::less<>>;

  MetricNames() {
    for (const Dialect* dialect : dialects())
      for (std::size_t i = 0; i < dialect->metrics.size(); ++i) add({dialect, i});
    std::sort(list_.begin(), list_.end());
    list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
  }

  void add(const Place& place) {
    const std::string_view name = place.dialect->metrics[place.metric];
    list_.push_back(name);
    switch (place.dialect->match) {
      case NameMatch::exact:
        exact_.emplace(name, place);
        break;
      case NameMatch::any_case:
        any_case_.emplace(lower_case(name), place);
        list_.push_back(lowered_.emplace_back(lower_case(name)));
        break;
      case NameMatch::any_prefix:
        any_prefix_.push_back(place);
        break;
    }
  }

  static void collect(const Map& map, std::string_view name, std::vector<Place>& places) {
    const auto [first, last] = map.equal_range(name);
    for (auto at = first; at != last; ++at) places.push_back(at->second);
  }

  /// A prefix ends in an underscore: "amd_" before "gpu_health".
  void collect_longest_end(std::string_view name, std::vector<Place>& places) const {
    std::size_t longest = 0;
    for (const Place& place : any_prefix_) {
      const std::string_view end = place.dialect->metrics[place.metric];
      if (end.size() < longest || !name.ends_with(end)) continue;
      if (end.size() < name.size() && name[name.size() - end.size() - 1] != '_') continue;
      if (end.size() > longest) places.clear();
      longest = end.size();
      places.push_back(place);
    }
  }

  static constexpr std::size_t kLongestName = 256;

  Map exact_, any_case_;
  std::vector<Place> any_prefix_;
  std::deque<std::string> lowered_;  ///< what list_ refers to
  std::vector<std::string_view> list_;
};

/// A name without its ending, and what the ending says. Nothing for a timestamp.
struct Stem {
  std::string_view name;
  std::optional<Aspect> aspect;
};

Stem stem_of(std::string_view name) {
  if (name.ends_with(kTimestampEnding)) {
    name.remove_suffix(kTimestampEnding.size());
    return {name, std::nullopt};
  }
  static constexpr std::array<std::pair<std::string_view, Aspect>, 3> kEndings = {
      {{kAverageEnding, Aspect::average},
       {kHighestEnding, Aspect::highest},
       {kIdleEnding, Aspect::idle}}};
  for (const auto& [ending, aspect] : kEndings) {
    if (!name.ends_with(ending)) continue;
    name.remove_suffix(ending.size());
    return {name, aspect};
  }
  return {name, Aspect::now};
}

/// A time as Prometheus tells it; nothing for what is no time since 1970.
std::optional<Time> time_of(double unix_seconds) {
  // 9999-12-31: past it, arithmetic on times could overflow, and it is no time of a sample.
  const bool is_time = unix_seconds > 0 && unix_seconds < 253402300800.0;  // not NaN
  if (!is_time) return std::nullopt;
  return Time(std::chrono::seconds(static_cast<std::int64_t>(unix_seconds)));
}

using Labels = std::vector<StringMap::Entry>;
using Times = std::map<std::pair<std::string_view, Labels>, Time>;

Labels labels_of(const Series& series) { return {series.labels.begin(), series.labels.end()}; }

Times times_in(const std::vector<Series>& all) {
  Times times;
  for (const Series& series : all) {
    const Stem stem = stem_of(series.name);
    if (stem.aspect) continue;
    if (const std::optional<Time> at = time_of(series.value))
      times.insert_or_assign({stem.name, labels_of(series)}, *at);
  }
  return times;
}

std::optional<Time> time_of(const Series& series, const Times& times, const Origin& origin) {
  if (!times.empty()) {
    const auto known = times.find({series.name, labels_of(series)});
    if (known != times.end()) return known->second;
  }
  return series.at ? series.at : origin.read_at;
}

using ToldByDialect = std::map<const Dialect*, std::vector<DialectSample>>;

std::vector<Sample> samples_by_dialect(const ToldByDialect& told, const Origin& origin) {
  std::vector<Sample> samples;
  for (const Dialect* dialect : dialects()) {
    const auto known = told.find(dialect);
    if (known == told.end()) continue;
    std::vector<Sample> some = dialect->samples(known->second, origin);
    // nvidia-smi measures when it is run.
    if (origin.source != MetricSource::exec)
      for (Sample& sample : some) sample.interval = origin.interval.value_or(dialect->interval);
    samples.insert(samples.end(), std::make_move_iterator(some.begin()),
                   std::make_move_iterator(some.end()));
  }
  return samples;
}

/// What is dated ahead would be newer than all that is true. Of its device it leaves only a doubt.
Sample doubt_of_ahead(const Sample& told, const Time& read_at) {
  Sample doubt;
  doubt.source = told.source;
  doubt.vendor = told.vendor;
  doubt.mig_instance = told.mig_instance;
  doubt.partition = told.partition;
  fill_identity(doubt, told);
  doubt.doubts.push_back(fmt::format("some of its metrics are dated {} ahead",
                                     human_duration(told.at.value_or(read_at) - read_at)));
  return doubt;
}

}  // namespace

bool is_known_metric(std::string_view name) {
  return !MetricNames::all().find(stem_of(name).name).empty();
}

const std::vector<std::string_view>& known_metrics() { return MetricNames::all().list(); }

std::vector<Sample> samples_of(const std::vector<Series>& series, const Origin& origin) {
  const bool is_answer = origin.source == MetricSource::prometheus;
  const Times times = is_answer ? times_in(series) : Times{};
  ToldByDialect told;
  ToldByDialect ahead;
  for (const Series& each : series) {
    const Stem stem = is_answer ? stem_of(each.name) : Stem{each.name, Aspect::now};
    if (!stem.aspect) continue;
    const std::optional<Time> at = time_of(each, times, origin);
    const bool is_ahead = at && origin.read_at && *at > *origin.read_at + kMostClockSkew;
    for (const Place& place : MetricNames::all().find(stem.name))
      (is_ahead ? ahead : told)[place.dialect].push_back({&each, place.metric, *stem.aspect, at});
  }
  std::vector<Sample> samples = samples_by_dialect(told, origin);
  for (const Sample& sample : samples_by_dialect(ahead, origin))
    samples.push_back(doubt_of_ahead(sample, *origin.read_at));
  return samples;
}

}  // namespace gpu::telemetry
