#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/environment.hpp"

namespace gpu::kube {

/// clusters[].cluster of a kubeconfig.
struct ClusterEntry {
  std::string server;
  std::string tls_server_name;
  std::string certificate_authority;       ///< a path
  std::string certificate_authority_data;  ///< decoded
  std::string proxy_url;
  bool insecure_skip_tls_verify = false;
  bool disable_compression = false;
  nlohmann::json exec_extension;  ///< extension client.authentication.k8s.io/exec; null: none

  friend bool operator==(const ClusterEntry&, const ClusterEntry&) = default;
};

/// users[].user.exec.
struct ExecEntry {
  std::string api_version;
  std::string command;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  std::string install_hint;
  std::string interactive_mode;
  bool provide_cluster_info = false;

  friend bool operator==(const ExecEntry&, const ExecEntry&) = default;
};

/// users[].user.auth-provider.
struct AuthProviderEntry {
  std::string name;
  std::map<std::string, std::string> config;

  friend bool operator==(const AuthProviderEntry&, const AuthProviderEntry&) = default;
};

/// users[].user of a kubeconfig.
struct UserEntry {
  std::string client_certificate;       ///< a path
  std::string client_certificate_data;  ///< decoded
  std::string client_key;               ///< a path
  std::string client_key_data;          ///< decoded
  std::string token;
  std::string token_file;
  std::string username;
  std::string password;
  std::string as;
  std::string as_uid;
  std::vector<std::string> as_groups;
  std::map<std::string, std::vector<std::string>> as_user_extra;
  std::optional<AuthProviderEntry> auth_provider;
  std::optional<ExecEntry> exec;

  friend bool operator==(const UserEntry&, const UserEntry&) = default;
};

/// contexts[].context of a kubeconfig.
struct ContextEntry {
  std::string cluster;
  std::string user;
  std::string ns;
};

/// One kubeconfig file, or several merged. Holds secrets.
struct Kubeconfig {
  std::string current_context;
  std::map<std::string, ClusterEntry> clusters;
  std::map<std::string, UserEntry> users;
  std::map<std::string, ContextEntry> contexts;
};

/// What a kubeconfig's text says; paths stay as they are written. Throws Error{config} that names
/// line and key, never a value.
Kubeconfig decode_kubeconfig(std::string_view text);

/// The kubeconfig that kubectl would load: `explicit_path` alone, or the files of KUBECONFIG, or
/// ~/.kube/config; merged, relative paths resolved. Throws Error{config}.
Kubeconfig load_kubeconfig(const std::optional<std::string>& explicit_path,
                           const Environment& environment);

}  // namespace gpu::kube
