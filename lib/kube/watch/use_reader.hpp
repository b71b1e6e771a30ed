#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include "kube/http/client.hpp"
#include "kube/read/needs.hpp"
#include "telemetry/exporters/scrape.hpp"
#include "telemetry/live/live_metrics.hpp"

namespace gpu::kube {

/// How often a watch reads live use, and how long it shows an exporter's last values.
struct MetricsRhythm {
  std::chrono::milliseconds every{15'000};
  /// With --since: such queries are expensive for the server.
  std::chrono::milliseconds every_window{60'000};
  std::chrono::milliseconds forget_after{60'000};
  /// How long sources other than exporters may take in a round.
  std::chrono::milliseconds others{15'000};
  std::chrono::milliseconds others_window{45'000};
  /// How long a Prometheus without values for GPUs gets no request.
  std::chrono::milliseconds pause{60'000};
  /// For how long the first answer waits for live use.
  std::chrono::milliseconds patience{3'000};
};

/// What a round of reading starts from.
struct UseQuestion {
  Snapshot facts;  ///< of the cluster; its samples and gaps are ignored
  std::vector<telemetry::Exporter> exporters;
  std::set<std::string, std::less<>> nodes;  ///< with GPUs
};

/// What a round of reading found.
struct UseAnswer {
  std::vector<Sample> samples;
  std::vector<Gap> gaps;
  Coverage sight = Coverage::none;
  std::optional<std::chrono::seconds> window;  ///< see Snapshot::sample_window
  bool is_refused = false;  ///< the API server does not take the credentials any more
};

/// Reads live use round by round, with a client of its own: one thread may use it while another
/// thread uses the client that it was created from. Its memory does not grow from round to round.
class UseReader {
 public:
  /// Called with the samples so far, while the rest of a round is still being read.
  using OnSamples = std::function<void(std::vector<Sample>)>;

  UseReader(Client& client, const Needs& needs, const MetricsRhythm& rhythm);
  UseReader(const UseReader&) = delete;
  UseReader& operator=(const UseReader&) = delete;

  /// Uses the credentials of `session` from now on. It never renews credentials itself, because a
  /// plugin would need the terminal.
  void take_credentials(const Session& session);
  /// Reads one round. Throws Error{interrupted} soon after `stop`, and Error{usage} for mistakes in
  /// flags, as read_live_metrics() does.
  UseAnswer read(UseQuestion question, std::stop_token stop, const OnSamples& on_samples);
  /// What was to be logged since the last call.
  std::string take_log();

 private:
  struct Kept {
    telemetry::Exporter exporter;
    std::vector<Sample> samples;
    Clock::time_point read{};
  };

  static Client client_like(Client& client, std::ostream& log);
  void find_in_all_namespaces(telemetry::TelemetryPods& pods, std::vector<Gap>& gaps);
  std::vector<telemetry::Scraped> scrape(const std::vector<telemetry::Exporter>& exporters,
                                         const OnSamples& on_samples);
  void keep(std::vector<telemetry::Scraped> told, const std::set<std::string, std::less<>>& asked);
  void forget(const std::set<std::string, std::less<>>& asked,
              const std::set<std::string, std::less<>>& nodes);
  void add_kept(std::vector<telemetry::Scraped>& scraped) const;
  [[nodiscard]] std::vector<Sample> kept_samples() const;
  [[nodiscard]] bool is_refused(const std::vector<telemetry::Scraped>& scraped);

  std::ostringstream log_;
  Client client_;
  Needs needs_;  ///< without those who hear of objects and of progress
  MetricsRhythm rhythm_;
  std::stop_token stop_;
  Clock::time_point round_began_{};
  telemetry::KnownPrometheus prometheus_;
  std::map<std::string, Kept, std::less<>> kept_;  ///< by NAMESPACE/NAME of the exporter
  std::vector<Sample> others_;  ///< of other sources than exporters, in the last round
};

}  // namespace gpu::kube
