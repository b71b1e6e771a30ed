#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "kube/client.hpp"
#include "kube/easy.hpp"
#include "kube/retry.hpp"
#include "kube/trace.hpp"
#include "kube/transfer.hpp"

namespace gpu::kube {

/// What a client keeps between calls of fetch().
struct Session {
  Session(Connection connection, Environment environment, ClientOptions given);

  ClientOptions options;
  RequestSetup setup;
  CredentialSource source;
  RetryBudget budget;
  Trace trace;
  Share share;  ///< TLS sessions, so that a second connection costs half a handshake
  Multi multi;
  bool has_credentials = false;
  bool may_refresh = true;  ///< false from a refresh on, until an answer shows that it helped
  int generation = 0;       ///< counts refreshes
  bool throttled = false;
};

/// One call of fetch(): keeps up to `in_flight` transfers going until every request has its reply.
class Fetcher {
 public:
  Fetcher(Session& session, const std::vector<Request>& requests);
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;
  ~Fetcher();

  /// The replies, in the order of the requests. Throws as Client::fetch() does.
  std::vector<Reply> run();

 private:
  /// A request and its attempts.
  struct Job {
    std::size_t index = 0;
    std::unique_ptr<Transfer> transfer;  ///< while in flight
    Clock::time_point not_before{};
    std::optional<Clock::time_point> deadline;  ///< of --request-timeout, over all attempts
    int generation = 0;                         ///< of the credentials that were sent
    bool was_refused = false;                   ///< had its second try after a 401
  };
  using JobPointer = std::unique_ptr<Job>;

  void start_ready();
  void start(JobPointer job);
  void load_credentials();
  JobPointer take_ready(Clock::time_point now);
  void collect_finished();
  void collect_silent();
  void conclude(JobPointer job, Reply reply);
  bool retried_after_refusal(JobPointer& job);
  bool retried_when_busy(JobPointer& job, const Reply& reply);
  void spare_the_server(const Reply& refusal);
  JobPointer take_active(const CURL* handle);
  [[nodiscard]] std::chrono::milliseconds sleep_time() const;
  void sleep();

  Session& session_;
  const std::vector<Request>& requests_;
  std::vector<Reply> replies_;
  std::deque<JobPointer> waiting_;
  std::vector<JobPointer> active_;
  Clock::time_point hold_until_{};  ///< after a 429 nothing new is sent before this
};

}  // namespace gpu::kube
