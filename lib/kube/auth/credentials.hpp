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

/// How long a credential plugin is waited for, and who hears of it.
struct PluginPatience {
  std::optional<std::chrono::milliseconds> limit;  ///< --request-timeout
  /// Called with its name when it has run for 5 seconds: people wonder what is waited for.
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

  /// What to send now; may read a file or run a plugin.
  ResolvedCredentials get(const PluginPatience& patience = {});
  /// After a 401: drops what a plugin returned, or reads the token file again. True if a new
  /// request can get another answer.
  bool refresh();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gpu::kube
