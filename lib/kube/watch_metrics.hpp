#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kube/client.hpp"
#include "kube/collect.hpp"
#include "kube/exporter_scrape.hpp"
#include "kube/live_metrics.hpp"
#include "model/live.hpp"

namespace gpu::kube {

/// How often a watch reads live use, and how long it shows what an exporter told last.
struct MetricsRhythm {
  std::chrono::milliseconds every{15'000};
  /// With --since: such queries cost a server much.
  std::chrono::milliseconds every_window{60'000};
  std::chrono::milliseconds forget_after{60'000};
  /// What other sources may take of a round: nothing else is done meanwhile.
  std::chrono::milliseconds others{5'000};
  /// For how long they are left alone once that was not enough.
  std::chrono::milliseconds pause{60'000};
};

/// Keeps live use up to date while the cluster is watched. Exporters are read beside the watches;
/// other sources are asked in one go, for a few seconds at most.
class WatchedMetrics {
 public:
  using Exporters = std::map<std::string, Exporter, std::less<>>;  ///< by NAMESPACE/NAME

  /// Both have to outlive it.
  WatchedMetrics(Client& client, const Needs& needs, MetricsRhythm rhythm);

  /// Begins what is due and takes in what came, into `facts`; `exporters` are those among the
  /// watched pods. Throws Error{interrupted} only.
  Changed turn(Snapshot& facts, const Exporters& exporters);
  /// How long turn() has nothing to do.
  [[nodiscard]] std::chrono::milliseconds until_due() const;
  /// Whether it was read once, or nobody asked for it.
  [[nodiscard]] bool has_read() const { return has_read_; }

 private:
  struct Kept {
    std::vector<Sample> samples;
    Clock::time_point read{};
  };

  void begin(const Snapshot& facts, const Exporters& exporters);
  void find_in_all_namespaces();
  Changed conclude(Snapshot& facts);
  void keep_samples(std::vector<Scraped>& scraped);
  Changed fail(Snapshot& facts, const Error& error);

  Client& client_;
  Needs needs_;  ///< without those who hear of objects and of progress
  MetricsRhythm rhythm_;
  bool has_read_;
  Clock::time_point due_{};
  Clock::time_point paused_until_{};  ///< other sources than exporters
  TelemetryPods pods_;
  std::set<std::string, std::less<>> nodes_;
  std::vector<Gap> early_gaps_;  ///< of this round, before exporters were read
  std::unique_ptr<Scraper> scraper_;
  std::map<std::string, Kept, std::less<>> kept_;  ///< by NAMESPACE/NAME of the exporter
};

}  // namespace gpu::kube
