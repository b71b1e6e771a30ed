#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "kube/http/client.hpp"
#include "kube/read/needs.hpp"
#include "kube/watch/use_reader.hpp"
#include "model/snapshot/live.hpp"
#include "telemetry/exporters/exporters.hpp"

namespace gpu::kube {

/// Keeps live use up to date while the cluster is watched. A thread of its own reads it, so that
/// the watch never waits for an exporter or for Prometheus.
class WatchedMetrics {
 public:
  using Exporters = std::map<std::string, telemetry::Exporter, std::less<>>;  ///< by NAMESPACE/NAME

  /// Both have to outlive it.
  WatchedMetrics(Client& client, const Needs& needs, MetricsRhythm rhythm);
  WatchedMetrics(const WatchedMetrics&) = delete;
  WatchedMetrics& operator=(const WatchedMetrics&) = delete;
  /// Ends the round under way, in a fraction of a second.
  ~WatchedMetrics();

  /// Starts what is due and stores new results in `facts`; `exporters` are those among the watched
  /// pods. Never waits. Throws Error{interrupted}, and, before anything was read, Error{usage} for
  /// mistakes in flags.
  Changed turn(Snapshot& facts, const Exporters& exporters);
  /// How long turn() has nothing to do. If results come earlier, the client's session wakes up.
  [[nodiscard]] std::chrono::milliseconds until_due() const;
  /// Whether it was read once, took too long, or is not needed.
  [[nodiscard]] bool has_read() const { return has_read_; }

 private:
  /// What the thread hands over.
  struct Mail {
    std::mutex mutex;  ///< for all but `is_there`
    std::optional<std::vector<Sample>> samples;
    std::optional<UseAnswer> answer;
    std::exception_ptr failure;
    std::atomic<bool> is_there = false;
  };

  void begin(const Snapshot& facts, const Exporters& exporters);
  void read(UseQuestion question, std::stop_token stop);
  void wake();
  Changed take(Snapshot& facts);
  Changed conclude(Snapshot& facts, UseAnswer answer);
  Changed fail(Snapshot& facts, const Error& error);
  void flush_log();
  Changed lose_patience(Snapshot& facts);

  Client& client_;
  const MetricsChoice choice_;
  const std::chrono::milliseconds interval_;
  const std::chrono::milliseconds patience_;
  bool has_read_;
  bool has_begun_ = false;
  Clock::time_point due_{};
  Clock::time_point patient_until_{};
  int generation_ = 0;  ///< of the credentials that the round under way uses
  UseReader reader_;
  Mail mail_;
  std::jthread thread_;  ///< joinable while a round is under way; uses reader_ and mail_
};

}  // namespace gpu::kube
