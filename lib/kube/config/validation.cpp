// The checks of client-go's tools/clientcmd/validation.go, in its order and words.
#include <fmt/format.h>

#include <array>

#include "kube/config/files.hpp"
#include "kube/config/proxy.hpp"
#include "kube/config/selection.hpp"

namespace gpu::kube {
namespace {

using Problems = std::vector<std::string>;

void check_readable(Problems& problems, std::string_view field, const std::string& path,
                    const std::string& owner) {
  if (path.empty()) return;
  const FileContent file = read_file(path);
  if (file.ok()) return;
  problems.push_back(
      fmt::format("unable to read {} {} for {} due to {}", field, path, owner, file.problem));
}

void check_client_certificate(Problems& problems, const UserEntry& user, const std::string& name) {
  const bool path = !user.client_certificate.empty();
  const bool data = !user.client_certificate_data.empty();
  if (!path && !data) return;
  if (path && data)
    problems.push_back(
        fmt::format("client-cert-data and client-cert are both specified for {}. "
                    "client-cert-data will override.",
                    name));
  if (!user.client_key.empty() && !user.client_key_data.empty())
    problems.push_back(
        fmt::format("client-key-data and client-key are both specified for {}; "
                    "client-key-data will override",
                    name));
  if (user.client_key.empty() && user.client_key_data.empty())
    problems.push_back(
        fmt::format("client-key-data or client-key must be specified for {} to use "
                    "the clientCert authentication method.",
                    name));
  check_readable(problems, "client-cert", user.client_certificate, name);
  check_readable(problems, "client-key", user.client_key, name);
}

void check_exec(Problems& problems, const UserEntry& user, const std::string& name) {
  if (!user.exec) return;
  const ExecEntry& exec = *user.exec;
  const auto missing = [&](std::string_view what) {
    problems.push_back(
        fmt::format("{} must be specified for {} to use exec authentication plugin", what, name));
  };
  if (user.auth_provider)
    problems.push_back(fmt::format(
        "authProvider cannot be provided in combination with an exec plugin for {}", name));
  if (exec.command.empty()) missing("command");
  if (exec.api_version.empty()) missing("apiVersion");
  for (const auto& [variable, value] : exec.env) {
    if (variable.empty()) missing("env variable name");
  }
  if (exec.interactive_mode.empty()) {
    missing("interactiveMode");
    return;
  }
  const std::string& mode = exec.interactive_mode;
  if (mode != "Never" && mode != "IfAvailable" && mode != "Always")
    problems.push_back(fmt::format("invalid interactiveMode for {}: \"{}\"", name, mode));
}

void check_user(Problems& problems, const UserEntry& user, const std::string& name) {
  check_client_certificate(problems, user, name);
  check_exec(problems, user, name);
  if (!user.token.empty() && (!user.username.empty() || !user.password.empty()))
    problems.push_back(
        fmt::format("more than one authentication method found for {}; found [token "
                    "basicAuth], only one is allowed",
                    name));
  const bool more = !user.as_uid.empty() || !user.as_groups.empty() || !user.as_user_extra.empty();
  if (more && user.as.empty())
    problems.push_back(
        fmt::format("requesting uid, groups or user-extra for {} without "
                    "impersonating a user",
                    name));
}

void check_cluster(Problems& problems, const ClusterEntry& cluster, const std::string& name) {
  if (cluster.server.empty())
    problems.push_back(fmt::format("no server found for cluster \"{}\"", name));
  const std::string proxy = cluster.proxy_url.empty() ? "" : proxy_problem(cluster.proxy_url);
  if (!proxy.empty())
    problems.push_back(fmt::format(R"(invalid 'proxy-url' "{}" for cluster "{}": {})",
                                   without_password(cluster.proxy_url), name, proxy));
  if (!cluster.certificate_authority.empty() && !cluster.certificate_authority_data.empty())
    problems.push_back(
        fmt::format("certificate-authority-data and certificate-authority are both "
                    "specified for {}. certificate-authority-data will override.",
                    name));
  check_readable(problems, "certificate-authority", cluster.certificate_authority, name);
}

/// Our messages have no full stop at their end; kubectl's sometimes do.
void drop_full_stops(Problems& problems) {
  for (std::string& problem : problems) {
    if (problem.ends_with('.')) problem.pop_back();
  }
}

}  // namespace

std::vector<std::string> problems_of(const Selection& selection) {
  Problems problems;
  check_user(problems, selection.user, selection.user_name);
  check_cluster(problems, selection.cluster, selection.cluster_name);
  drop_full_stops(problems);
  return problems;
}

}  // namespace gpu::kube
