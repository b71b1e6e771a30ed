#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/environment.hpp"

namespace gpu::kube {

/// kubectl's connection flags, as typed. Nothing means: not given.
struct ConnectionFlags {
  std::optional<std::string> kubeconfig;
  std::optional<std::string> context;
  std::optional<std::string> cluster;
  std::optional<std::string> user;
  std::optional<std::string> ns;
  std::optional<std::string> server;
  std::optional<std::string> token;
  std::optional<std::string> username;
  std::optional<std::string> password;
  std::optional<std::string> as;
  std::optional<std::string> as_uid;
  std::vector<std::string> as_groups;
  std::vector<std::string> as_user_extra;  ///< "key=value"
  std::optional<std::string> certificate_authority;
  std::optional<std::string> client_certificate;
  std::optional<std::string> client_key;
  std::optional<bool> insecure_skip_tls_verify;
  std::optional<std::string> tls_server_name;
  std::optional<std::string> request_timeout;
  std::optional<bool> disable_compression;
};

/// A credential plugin to run (users[].user.exec).
struct ExecPlugin {
  std::string api_version;
  std::string command;  ///< already resolved against the kubeconfig's folder
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  std::string install_hint;
  bool provide_cluster_info = false;
  std::string interactive_mode;  ///< Never, IfAvailable, Always
  nlohmann::json cluster;  ///< spec.cluster of KUBERNETES_EXEC_INFO, if the plugin requests it
};

/// The user's credentials. At most one of token, token_file, basic and exec applies, and exec only
/// if no other does, as in client-go.
struct Credentials {
  std::string token;
  std::string token_file;  ///< wins over `token`; read when needed, trimmed
  std::string username;
  std::string password;
  std::string client_certificate_pem;
  std::string client_key_pem;
  std::optional<ExecPlugin> exec;

  std::string impersonate_user;
  std::string impersonate_uid;
  std::vector<std::string> impersonate_groups;
  std::vector<std::pair<std::string, std::string>> impersonate_extra;
};

/// Everything that is needed to send a request: the kubeconfig, the flags and the environment,
/// resolved as kubectl resolves them. Holds secrets: never printed.
struct Connection {
  std::string server;  ///< scheme://host[:port][/prefix], no trailing slash
  std::string ca_pem;  ///< empty: the system's roots
  bool verify_tls = true;
  std::string tls_server_name;
  std::string proxy;  ///< as libcurl takes it (socks5h:// for socks5://); empty: none
  Credentials credentials;
  bool compression = true;
  std::optional<std::chrono::milliseconds> request_timeout;  ///< nothing: no limit

  std::string context;  ///< names, for messages and for what `-n` defaults to
  std::string cluster;
  std::string user;
  std::string ns;
  ConnectionFlags flags;  ///< as typed, for the kubectl that --allow-exec runs
};

/// What resolving may read in addition to the flags; tests supply their own.
struct Surroundings {
  Environment environment;
  /// Where a pod's service account lives.
  std::string service_account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

/// The connection that kubectl would use with these flags. Throws Error{config} or Error{usage}
/// with kubectl's first words. Runs nothing and connects to nothing.
Connection resolve_connection(const ConnectionFlags& flags, const Surroundings& surroundings);

}  // namespace gpu::kube
