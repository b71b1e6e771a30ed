#include "telemetry/history/told_span.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "telemetry/history/queries_of_past.hpp"
#include "telemetry/history/told_labels.hpp"
#include "telemetry/prometheus/series.hpp"

namespace gpu::telemetry {
namespace {

using std::chrono::seconds;

constexpr seconds kOneDay = std::chrono::hours(24);
constexpr seconds kOneHour = std::chrono::hours(1);
constexpr seconds kOneMinute = std::chrono::minutes(1);

/// 3.5, or 3 for what is a whole number; rounded down, as it is at least so much.
std::string tenths(seconds length, seconds unit) {
  const std::int64_t number = length.count() * 10 / unit.count();
  return number % 10 == 0 ? fmt::format("{}", number / 10)
                          : fmt::format("{}.{}", number / 10, number % 10);
}

/// "3.5 of 7 days".
std::string part_text(seconds part, seconds all) {
  if (all >= 2 * kOneDay)
    return fmt::format("{} of {} days", tenths(part, kOneDay), tenths(all, kOneDay));
  if (all >= 2 * kOneHour)
    return fmt::format("{} of {} hours", tenths(part, kOneHour), tenths(all, kOneHour));
  return fmt::format("{} of {} minutes", tenths(part, kOneMinute), tenths(all, kOneMinute));
}

/// A day is enough where days are asked of.
std::string moment_text(Time time, seconds all) {
  return format_time(time).substr(0, all >= 2 * kOneDay ? 10 : std::string::npos);
}

Gap span_gap(std::string what, std::string why, std::string help) {
  return {.what = std::move(what),
          .why = std::move(why),
          .help = std::move(help),
          .about = GapTopic::jobs};
}

}  // namespace

void add_edge(ToldSpan& span, const Series& one) {
  const std::optional<Time> moment = told_time(one);
  if (!moment) return;
  if (value_of(one.labels, kEdge) == kFirstEdge)
    span.first = std::min(span.first.value_or(*moment), *moment);
  else
    span.last = std::max(span.last, moment);
}

void ToldSpans::add(const Series& one) {
  if (told_time(one)) add_edge(spans_[std::string(cluster_of(one))], one);
}

bool ToldSpans::begins_after(Time time) const {
  return !is_empty() && std::all_of(spans_.begin(), spans_.end(), [&](const auto& each) {
    return each.second.first && *each.second.first > time;
  });
}

ToldSpan ToldSpans::of(const std::string& cluster) const {
  const auto found = spans_.find(cluster);
  if (found != spans_.end()) return found->second;
  ToldSpan common;
  for (const auto& [name, span] : spans_) {
    if (!span.first || !span.last) return {};
    common.first = std::max(common.first, span.first);
    common.last = std::min(common.last.value_or(*span.last), *span.last);
  }
  return common;
}

std::vector<Gap> gaps_in(const ToldSpan& span, const AskedTime& asked, seconds slack,
                         const std::string& place) {
  const seconds all = asked.until - asked.from;
  if (!span.first || !span.last)
    return {
        span_gap("since when Prometheus has data is not known: pods that are gone may be missing",
                 place + " has neither kube_namespace_created nor kube_node_info",
                 "configure kube-state-metrics to report one of them")};
  std::vector<Gap> gaps;
  if (*span.first - asked.from > slack)
    gaps.push_back(span_gap(
        fmt::format("Prometheus has data since {} only ({})", moment_text(*span.first, all),
                    part_text(std::max(asked.until - *span.first, seconds{0}), all)),
        place + ": what ran before that and is gone is not counted",
        "a longer retention keeps more; a store that has it is named by "
        "--prometheus-service or --prometheus-url"));
  if (asked.until - *span.last > slack)
    gaps.push_back(span_gap(fmt::format("Prometheus has no data since {}", format_time(*span.last)),
                            place + ": when pods ended after that is not known, or that they ran",
                            "does kube-state-metrics run, and is it scraped?"));
  return gaps;
}

}  // namespace gpu::telemetry
