#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/objects/gap.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// The first and the last time for which metrics of a cluster exist.
struct ToldSpan {
  std::optional<Time> first, last;
};

/// Adds a series of a query for edges: the first moment, or the last.
void add_edge(ToldSpan& span, const Series& one);

/// The spans of all clusters that Prometheus holds.
class ToldSpans {
 public:
  /// A series of told_query().
  void add(const Series& one);

  /// Whether there are no such metrics at all, so that their absence at some time shows nothing.
  [[nodiscard]] bool is_empty() const { return spans_.empty(); }
  /// Whether no cluster has metrics before `time`.
  [[nodiscard]] bool begins_after(Time time) const;
  /// The span of `cluster`; if no cluster has that name, the time that all clusters have metrics
  /// for.
  [[nodiscard]] ToldSpan of(const std::string& cluster) const;

 private:
  std::map<std::string, ToldSpan> spans_;
};

/// The time span that was queried.
struct AskedTime {
  Time from, until;
};

/// Gaps for the part of `asked` that `span` lacks, each end within `slack`: the beginning, if
/// Prometheus keeps less or kube-state-metrics was installed later; the end; or all. Empty: it
/// lacks nothing. `place` names the Prometheus for people.
std::vector<Gap> gaps_in(const ToldSpan& span, const AskedTime& asked, std::chrono::seconds slack,
                         const std::string& place);

}  // namespace gpu::telemetry
