#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/snapshot/snapshot.hpp"
#include "telemetry/dialects/series.hpp"
#include "telemetry/history/queries_of_past.hpp"
#include "telemetry/history/written_names.hpp"

namespace gpu::telemetry {

/// Builds pods from series in any order. A series may come several times: from several instances of
/// kube-state-metrics, for several days, with moved labels.
class PastPods {
 public:
  /// Refers to both. Ignores times after `now`.
  PastPods(const Snapshot& snapshot, const WrittenNames& names, Time now);

  /// `end` is the end of the day that the series is about.
  void add(PodFact fact, const Series& one, Time end);
  /// When metrics last reported a pod.
  void add_seen(const Series& one);
  /// Up to when that was, of last_slot_query().
  void add_slot(const Series& one);
  /// Pods whose end only those times show: not listed, and in no terminal phase.
  struct Endless {
    std::vector<std::string> uids;
    /// The same by what add_slot() reported; a pod without that is at the end of its day.
    std::map<Time, std::vector<std::string>> slots;
    bool has_nameless = false;  ///< there are some without a uid
  };
  /// Of those the ones whose last day ends so.
  [[nodiscard]] Endless endless(Time end) const;
  /// Whether nodes or controllers are missing that kube_pod_info may report.
  [[nodiscard]] bool lacks_places() const;
  /// Metrics are missing for everything, or most of it, from `first` to `last`: a pod that seems to
  /// end then may have run on.
  void add_silence(Time first, Time last) { silences_.emplace_back(first, last); }

  /// Whether there were more pods than the limit; the others were left out.
  [[nodiscard]] bool is_full() const { return is_full_; }
  /// How many values were impossible: NaN, below 0, times in the future.
  [[nodiscard]] std::int64_t unusable() const { return unusable_; }
  /// The clusters in the metrics; several if Prometheus collects several.
  [[nodiscard]] std::set<std::string> clusters() const;
  /// Of these clusters the one that is this cluster: it has pods that are listed, or nodes with the
  /// names of ours. Nothing: not known.
  [[nodiscard]] std::optional<std::string> own_cluster() const;
  /// Those of `cluster` that had GPUs after `from`, without those that are listed now.
  std::vector<PastPod> finish(const std::string& cluster, Time from);

 private:
  /// What one container requests; the largest value that was reported.
  struct Amount {
    std::string container;
    std::string resource;
    std::int64_t units = 0;
    bool is_init = false;
  };
  struct Gathered {
    std::string cluster;
    PastPod pod;
    std::vector<Amount> amounts;
    std::optional<Time> completed;
    std::optional<Time> seen;
    std::optional<Time> slot;     ///< up to when, about
    Time last_day;                ///< the end of the last day that reports its requests
    bool has_controller = false;  ///< by kube_pod_owner, which says most
  };

  Gathered* place_of(const Series& one);
  std::optional<Time> time_of(const Series& one);
  void add_amount(Gathered& gathered, const Series& one, bool is_init);
  void add_owner(Gathered& gathered, const Series& one);
  static void add_maker(Gathered& gathered, const Series& one);
  [[nodiscard]] bool is_listed(const PastPod& pod) const;
  [[nodiscard]] PastEnd end_of(const Gathered& gathered) const;
  [[nodiscard]] bool conclude(Gathered& gathered, Time from) const;

  const WrittenNames& names_;
  Time latest_;
  std::set<std::string, std::less<>> listed_;  ///< by uid, and by NAMESPACE/NAME
  std::set<std::string, std::less<>> nodes_;
  std::map<std::string, Gathered, std::less<>> pods_;  ///< by cluster and uid, or name
  std::vector<std::pair<Time, Time>> silences_;
  bool is_full_ = false;
  std::int64_t unusable_ = 0;
  bool has_owners_ = false;
};

}  // namespace gpu::telemetry
