#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kube/http/easy.hpp"
#include "kube/http/request.hpp"
#include "kube/http/retry.hpp"
#include "kube/http/trace.hpp"
#include "kube/http/transfer.hpp"

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
  int generation = 0;       ///< counts refreshes
  bool is_refused = false;  ///< the API server answered 401, and a second request did not help
  /// Transfers that ended while another Fetcher was reading.
  std::vector<std::pair<const CURL*, CURLcode>> ended;
  Clock::time_point last_tick{};
};

/// Loads the credentials of the next requests again: may read a file or run a plugin. Throws
/// Error{config}.
void load_credentials(Session& session);
/// After a 401: false if there are no other credentials, or none yet.
bool renew_credentials(Session& session);

/// Keeps up to `in_flight` transfers going until every request has its reply. Several may live on
/// one session: watches that stay open, and a fetch() beside them.
class Fetcher {
 public:
  /// The result of a request, by the number that add() returned.
  struct Outcome {
    std::size_t number = 0;
    Reply reply;
  };

  /// `in_flight` at a time; 0: as many as the session's options say.
  explicit Fetcher(Session& session, std::size_t in_flight = 0)
      : session_(session), in_flight_(in_flight) {}
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;
  ~Fetcher();

  /// Queues `request`, which has to outlive its reply. It is not sent before the given time.
  /// Returns the number that its reply will have.
  std::size_t add(const Request& request, Clock::time_point not_before = {});
  /// Sleeps until bytes, a signal or input on `descriptor` (-1: none) come, at most `longest`; then
  /// sends and receives what is possible. Throws as Client::fetch() does.
  void turn(std::chrono::milliseconds longest, int descriptor = -1);
  /// The replies that have come since the last call.
  std::vector<Outcome> take_outcomes() { return std::exchange(outcomes_, {}); }
  /// Whether no request is waiting or under way.
  [[nodiscard]] bool is_idle() const { return waiting_.empty() && active_.empty(); }

 private:
  /// A request and its attempts.
  struct Job {
    std::size_t number = 0;
    const Request* request = nullptr;
    std::unique_ptr<Transfer> transfer;  ///< while in flight
    Clock::time_point not_before{};
    std::optional<Clock::time_point> deadline;  ///< over all attempts
    bool is_timed = false;                      ///< its limits are in the deadline
    int generation = 0;                         ///< of the credentials that were sent
    bool was_refused = false;                   ///< had its second try after a 401
    int busy_answers = 0;                       ///< that asked the client to retry later
  };
  using JobPointer = std::unique_ptr<Job>;

  void start_ready();
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::chrono::milliseconds time_for(Job& job, Clock::time_point now) const;
  void start(JobPointer job);
  JobPointer take_ready(Clock::time_point now);
  void read_messages();
  void collect_finished();
  void collect_silent();
  void drop_late();
  void conclude(JobPointer job, Reply reply);
  bool retried_after_refusal(JobPointer& job);
  bool retried_when_busy(JobPointer& job, const Reply& reply);
  void spare_the_server(const Reply& refusal);
  JobPointer take_active(const CURL* handle);
  void tick();
  [[nodiscard]] std::chrono::milliseconds silence_limit(const Job& job) const;
  [[nodiscard]] std::chrono::milliseconds sleep_time(std::chrono::milliseconds longest) const;
  void sleep(std::chrono::milliseconds longest, int descriptor);

  Session& session_;
  std::size_t in_flight_;
  std::size_t added_ = 0;
  std::vector<Outcome> outcomes_;
  std::deque<JobPointer> waiting_;
  std::vector<JobPointer> active_;
  Clock::time_point hold_until_{};  ///< after a 429 nothing new is sent before this
};

}  // namespace gpu::kube
