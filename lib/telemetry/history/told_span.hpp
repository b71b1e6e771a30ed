#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/objects/gap.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// From when until when metrics tell of a cluster.
struct ToldSpan {
  std::optional<Time> first, last;
};

/// Adds a series of a query that tells of edges: the first moment, or the last.
void add_edge(ToldSpan& span, const Series& one);

/// The spans of all clusters that Prometheus holds.
class ToldSpans {
 public:
  /// A series of told_query().
  void add(const Series& one);

  /// Whether none of its metrics is there at all, so that nothing follows of where they are not.
  [[nodiscard]] bool is_empty() const { return spans_.empty(); }
  /// Whether nothing was told of any cluster until `time`.
  [[nodiscard]] bool begins_after(Time time) const;
  /// Of `cluster`; where none is called so, the time that all are told of.
  [[nodiscard]] ToldSpan of(const std::string& cluster) const;

 private:
  std::map<std::string, ToldSpan> spans_;
};

/// The time that was asked of, to its ends.
struct AskedTime {
  Time from, until;
};

/// What `span` lacks of `asked`, each within `slack`: its beginning, where Prometheus keeps less or
/// kube-state-metrics came later; its end; all. Empty: nothing. `place` is what is asked, as people
/// call it.
std::vector<Gap> gaps_in(const ToldSpan& span, const AskedTime& asked, std::chrono::seconds slack,
                         const std::string& place);

}  // namespace gpu::telemetry
