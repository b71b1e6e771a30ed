#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/snapshot/snapshot.hpp"
#include "telemetry/dialects/series.hpp"
#include "telemetry/history/queries_of_past.hpp"
#include "telemetry/history/written_names.hpp"

namespace gpu::telemetry {

/// The owners of pods that are gone, and the nodes that these pods were on. Of all that metrics
/// report, only these are kept.
class PastPlaces {
 public:
  /// `pods` of `cluster`. Refers to all but `pods`.
  PastPlaces(const Snapshot& snapshot, const WrittenNames& names, const std::vector<PastPod>& pods,
             std::string cluster);

  /// The queries that are needed: none if listed objects answer everything.
  [[nodiscard]] std::vector<PlaceFact> wanted() const;
  void add(PlaceFact fact, const Series& one);

  /// Finds the owners of `pods` up to the top: by listed objects, otherwise by metrics.
  void climb(std::vector<PastPod>& pods) const;
  /// Nodes that are not there now, sorted by name.
  std::vector<Node> nodes();

 private:
  using Key = std::string;  ///< kind, namespace and name
  static Key key_of(std::string_view kind, std::string_view ns, std::string_view name);
  void add_listed(const Snapshot& snapshot);
  void add_owner(std::string_view kind, std::string_view name_label, const Series& one);
  void add_labels(Node& node, const Series& one) const;
  [[nodiscard]] bool wants(std::string_view kind) const;

  const WrittenNames& names_;
  std::string cluster_;
  std::map<Key, OwnerReference> above_listed_;  ///< its top owner
  /// The owners of those that are gone, if metrics report them; empty: not reported, or there is
  /// none.
  std::map<Key, OwnerReference> above_;
  std::map<std::string, Node, std::less<>> nodes_;
};

}  // namespace gpu::telemetry
