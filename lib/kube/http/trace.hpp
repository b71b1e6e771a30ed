#pragma once

#include <chrono>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kube/http/headers.hpp"

namespace gpu::kube {

/// What a client writes to its log stream: -v as in kubectl (6: one line for each request, 7:
/// request headers, 8: response headers and errors' bodies, 9: a curl command), the server's
/// warnings, and that it waits. Secrets are masked, and text of the cluster is made safe for a
/// terminal.
class Trace {
 public:
  Trace(std::ostream* log, int verbosity) : log_(log), verbosity_(verbosity) {}

  /// Levels 7 and 9, before a request is sent.
  void request(std::string_view url, const std::vector<Header>& headers);
  /// Level 6; `outcome` is "200 OK", or "failed".
  void answer(std::string_view url, std::string_view outcome, std::chrono::milliseconds elapsed);
  /// Level 8; `headers` are whole lines.
  void response_headers(const std::vector<std::string>& headers);
  /// Level 8: the first KiB of the body of an error.
  void error_body(std::string_view body);

  /// The value of a Warning header, as `Warning: text`: each text once, at every level.
  void warning(std::string_view value);
  /// `waiting 2 s: the API server is busy (429)`: once for each client, at every level.
  void waiting(std::chrono::seconds wait, int status);
  /// `waiting for credential plugin NAME`, at every level.
  void waiting_for_plugin(std::string_view name);

 private:
  [[nodiscard]] bool shows(int level) const { return log_ != nullptr && verbosity_ >= level; }

  std::ostream* log_;
  int verbosity_;
  std::set<std::string, std::less<>> warned_;
  bool told_waiting_ = false;
};

/// The text in a Warning header (`299 - "text"`), without its quotes; the value as it is when it
/// has another form.
std::string warning_text(std::string_view value);

}  // namespace gpu::kube
