#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/environment.hpp"
#include "base/time.hpp"
#include "kube/auth/credentials.hpp"
#include "kube/config/connection.hpp"

namespace gpu::kube {

/// What a credential plugin answered: a token, a certificate with its key, or both.
struct PluginAnswer {
  std::string token;
  std::string client_certificate_pem;
  std::string client_key_pem;
  std::optional<Time> expires;
};

/// Whether a plugin may prompt its user.
enum class Interaction { none, possible };

/// The value of KUBERNETES_EXEC_INFO.
std::string exec_info(const ExecPlugin& plugin, Interaction interaction);

/// Reads an ExecCredential (JSON or YAML). Throws Error{config} in kubectl's words, without any of
/// the answer in them.
PluginAnswer decode_exec_credential(std::string_view output, std::string_view api_version);

/// Runs the plugin and reads its answer. Throws Error{config} in kubectl's words, also after its
/// time limit, and Error{interrupted}.
PluginAnswer run_exec_plugin(const ExecPlugin& plugin, const Environment& environment,
                             const PluginPatience& patience = {});

}  // namespace gpu::kube
