#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kube/http/client.hpp"
#include "kube/http/fetcher.hpp"
#include "kube/read/needs.hpp"
#include "kube/watch/live_owners.hpp"
#include "kube/watch/reflector.hpp"
#include "kube/watch/watch_metrics.hpp"
#include "kube/watch/watch_sources.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::kube {

/// A watch without a connection: what it shows is old.
struct Lost {
  std::chrono::seconds age{0};  ///< how long ago the connection was lost
  std::string problem;          ///< of the last try
};

/// Follows the cluster: what collect() reads, read once and then kept up to date by watches.
/// Reconnects after 1 s, then after twice as long each time, up to 30 s.
class Watch {
 public:
  /// Both have to outlive it.
  Watch(Client& client, const Needs& needs, MetricsRhythm rhythm = {});
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// Sleeps until bytes, a signal or input on `descriptor` (-1: none) come, at most `longest`, and
  /// reads them. Throws as collect() does until everything was read once; later only
  /// Error{interrupted} and errors for which a retry cannot help.
  void wait(std::chrono::milliseconds longest, int descriptor = -1);

  /// Whether all was read once.
  [[nodiscard]] bool is_complete() const { return is_complete_; }
  /// Whether the snapshot changed since the last call.
  [[nodiscard]] Changed take_changed();
  /// The cluster as far as it is known at `now`.
  [[nodiscard]] const Snapshot& snapshot(Time now);
  /// Nothing while all is well.
  [[nodiscard]] std::optional<Lost> lost() const;

 private:
  enum class Kind { nodes, pods, slices, claims, classes };
  struct Part {
    Kind kind = Kind::nodes;
    std::string ns;  ///< of pods that are followed namespace by namespace
    std::unique_ptr<Reflector> reflector;
    std::optional<std::size_t> number;  ///< of the request under way
    bool is_over = false;               ///< it may not be, or is not, read
  };

  void add(Kind kind, ReflectorSource source, const std::string& ns = {});
  void send_due(Clock::time_point now);
  [[nodiscard]] std::chrono::milliseconds until_due(Clock::time_point now) const;
  void take_outcomes();
  void take(Part& part, const Reply& reply);
  void take_failure(Part& part, const Reply& reply);
  void lose_all(const Error& error);
  [[nodiscard]] bool has_listed_all() const;
  void complete();
  void check_names() const;
  void start_pods_of_namespaces(const Reply& forbidden);
  void say_which_namespaces();
  void judge_pods();
  void check_size();
  void start_slices();
  void start_claims();
  void end(Part& part, const Reply& reply);
  void end_listed(const Part& part, const Reply& reply);
  void add_gap(std::string what, const Reply& forbidden, Missing missing = Missing::none);
  void judge_slices();

  Client& client_;
  const Needs& needs_;
  WatchTarget target_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::optional<Fetcher> fetcher_;  ///< refers to requests of the parts
  std::size_t version_ = 0;         ///< of resource.k8s.io, that is tried or served
  bool has_claims_ = false;
  bool is_complete_ = false;
  std::optional<Error> pods_refused_;  ///< why pods are followed namespace by namespace
  bool knows_all_namespaces_ = false;
  std::optional<Error> slices_refused_;
  LiveOwners owners_;
  WatchedMetrics metrics_;
  std::string problem_;
};

}  // namespace gpu::kube
