#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/environment.hpp"
#include "kube/config/connection.hpp"
#include "kube/http/request.hpp"

namespace gpu::kube {

struct Session;

/// Talks to one API server: GET only, TLS verified as kubectl does, a bounded number in flight.
class Client {
 public:
  Client(Connection connection, Environment environment, ClientOptions options);
  ~Client();
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;

  /// Sends all, at most `in_flight` at a time, and waits for all; replies in the order of requests.
  /// Throws what a callback threw, Error{config} when there are no usable credentials, and
  /// Error{interrupted} after SIGINT or SIGTERM.
  std::vector<Reply> fetch(const std::vector<Request>& requests);
  Reply fetch(const Request& request);

  [[nodiscard]] const Connection& connection() const;
  /// Replaces ClientOptions::on_tick, and returns the old one.
  std::function<void()> exchange_on_tick(std::function<void()> on_tick);
  /// For those who keep a Fetcher of their own.
  [[nodiscard]] Session& session();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpu::kube
