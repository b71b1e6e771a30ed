#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kube/config/connection.hpp"

namespace gpu::kube {

/// What goes on the wire for one request.
struct ResolvedCredentials {
  std::string authorization;  ///< value of the Authorization header; empty: none
  std::string client_certificate_pem;
  std::string client_key_pem;
};

/// How long a credential plugin may run, and the callback for a slow one.
struct PluginPatience {
  std::optional<std::chrono::milliseconds> limit;  ///< --request-timeout
  /// Called with its name after 5 seconds, to report what the program waits for.
  std::function<void(const std::string& plugin)> on_slow;
};

/// Turns Credentials into what a request carries: reads the token file, runs the exec plugin (at
/// most once per run, and once more after a 401). Throws Error{config} in kubectl's words.
class CredentialSource {
 public:
  CredentialSource(Credentials credentials, Environment environment);
  ~CredentialSource();
  CredentialSource(CredentialSource&&) noexcept;
  CredentialSource& operator=(CredentialSource&&) noexcept;

  /// The headers of the next request; may read a file or run a plugin.
  ResolvedCredentials get(const PluginPatience& patience = {});
  /// After a 401: drops what a plugin returned, or reads the token file again. True if a new
  /// request can get another answer.
  bool refresh();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpu::kube
