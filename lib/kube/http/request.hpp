#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace gpu::kube {

/// What to do when the server says 429 or 503 with Retry-After.
enum class OnThrottle {
  wait,    ///< wait as the server requests, and send it again
  report,  ///< give the reply as it is: the caller knows a cheaper way
};

/// How long a Request may last.
enum class Lifetime {
  answer,  ///< as long as --request-timeout allows
  stream,  ///< a watch: until the server ends it, or is silent for long
};

/// Who says what an answer says.
enum class Answerer {
  api_server,
  /// A pod or a Service behind the API server's proxy. A 401 there does not mean that the
  /// credentials are invalid, and a 503 or 429 does not come from the API server. After 429 with
  /// Retry-After, only this request waits.
  behind_proxy,
};

/// One GET. With `on_data`, a 2xx body goes there while it arrives and is never stored.
struct Request {
  std::string path;  ///< "/api/v1/pods?resourceVersion=0", below the server's prefix
  std::string accept = "application/json";
  /// Once the head of a 2xx answer came. Must not throw.
  std::function<void()> on_success;
  /// Before the first byte of a 2xx body; again if the request had to be sent again.
  std::function<void(std::string_view content_type)> on_start;
  /// Body bytes, inflated. May throw: that ends this request, and fetch() throws it.
  std::function<void(std::string_view bytes)> on_data;
  OnThrottle on_throttle = OnThrottle::wait;
  Lifetime lifetime = Lifetime::answer;
  /// For this answer alone, over all attempts; --request-timeout may be shorter.
  std::optional<std::chrono::milliseconds> limit = {};
  /// More headers, name and value: for a server behind a proxy. Their values are never shown.
  std::vector<std::pair<std::string, std::string>> headers = {};
  Answerer answerer = Answerer::api_server;
  /// No attempt goes on after this time.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  /// The most bytes of a 2xx body for `on_data`, inflated; the rest is not received. Zero: no
  /// limit.
  std::size_t most_bytes = 0;
};

/// What came of a Request.
struct Reply {
  int status = 0;  ///< HTTP status; 0 when there was no answer
  std::string content_type;
  std::string body;  ///< without on_data, or when not 2xx; at most 16 MiB (1 MiB if not 2xx)
  std::optional<Error> error;  ///< no answer: unreachable, TLS, timeout, cut off
  bool is_late = false;        ///< that error: it took too long
  bool is_cut = false;         ///< it is good, and had more bytes than were wanted
  [[nodiscard]] bool ok() const { return !error && status >= 200 && status < 300; }
};

/// How a Client behaves, and its callbacks.
struct ClientOptions {
  std::string user_agent;
  int verbosity = 0;            ///< kubectl's -v: from 6 on, requests are shown on `log`
  std::ostream* log = nullptr;  ///< for -v, warnings and "waiting" lines; null: silent
  std::size_t in_flight = 16;
  std::chrono::milliseconds connect_timeout{30'000};
  std::chrono::milliseconds silence_timeout{30'000};  ///< without a byte
  /// Of streams: with bookmarks a server sends something about every minute.
  std::chrono::milliseconds stream_silence_timeout{180'000};
  std::chrono::milliseconds retry_budget{90'000};  ///< waiting on 429 and 503, in all
  /// While requests are under way, about ten times a second. What it throws, fetch() throws.
  std::function<void()> on_tick;
  /// Before a credential plugin runs, which may talk to the user on stderr.
  std::function<void()> before_plugin;
};

}  // namespace gpu::kube
