#include "kube/config/connection.hpp"

#include "base/base64.hpp"
#include "base/error.hpp"
#include "kube/config/auth_provider.hpp"
#include "kube/config/files.hpp"
#include "kube/config/in_cluster.hpp"
#include "kube/config/kubeconfig.hpp"
#include "kube/config/pem.hpp"
#include "kube/config/proxy.hpp"
#include "kube/config/request_timeout.hpp"
#include "kube/config/selection.hpp"
#include "kube/config/url.hpp"

namespace gpu::kube {
namespace {

using nlohmann::json;

/// `data`, or the bytes of the file when there is none. Throws Error{config} as Go says it.
std::string data_or_file(const std::string& data, const std::string& path) {
  if (!data.empty() || path.empty()) return data;
  FileContent file = read_file(path);
  if (!file.ok()) throw Error(ErrorKind::config, file.problem);
  return std::move(file.bytes);
}

std::string root_certificates(const ClusterEntry& cluster) {
  const bool has_roots =
      !cluster.certificate_authority.empty() || !cluster.certificate_authority_data.empty();
  if (has_roots && cluster.insecure_skip_tls_verify)
    throw Error(
        ErrorKind::config,
        "specifying a root certificates file with the insecure flag is not allowed",
        "remove certificate-authority or insecure-skip-tls-verify from the cluster's entry");
  std::string pem = data_or_file(cluster.certificate_authority_data, cluster.certificate_authority);
  const std::string problem = pem.empty() ? "" : root_certificates_problem(pem);
  if (!problem.empty())
    throw Error(ErrorKind::config, "unable to load root certificates: " + problem,
                "certificate-authority takes PEM text: -----BEGIN CERTIFICATE-----");
  return pem;
}

void take_client_certificate(const UserEntry& user, Credentials& credentials) {
  if (user.client_certificate.empty() && user.client_certificate_data.empty()) return;
  credentials.client_certificate_pem =
      data_or_file(user.client_certificate_data, user.client_certificate);
  credentials.client_key_pem = data_or_file(user.client_key_data, user.client_key);
  const std::string problem =
      key_pair_problem(credentials.client_certificate_pem, credentials.client_key_pem);
  if (!problem.empty())
    throw Error(ErrorKind::config, problem,
                "look at client-certificate and client-key of the user in your kubeconfig; a key "
                "with a passphrase cannot be used");
}

/// spec.cluster of KUBERNETES_EXEC_INFO.
json exec_cluster(const ClusterEntry& cluster, const Connection& connection) {
  json info = {{"server", connection.server}};
  if (!cluster.tls_server_name.empty()) info["tls-server-name"] = cluster.tls_server_name;
  if (cluster.insecure_skip_tls_verify) info["insecure-skip-tls-verify"] = true;
  if (!connection.ca_pem.empty())
    info["certificate-authority-data"] = encode_base64(connection.ca_pem);
  if (!cluster.proxy_url.empty()) info["proxy-url"] = cluster.proxy_url;
  if (cluster.disable_compression) info["disable-compression"] = true;
  if (!cluster.exec_extension.is_null()) info["config"] = cluster.exec_extension;
  return info;
}

ExecPlugin exec_plugin(const ExecEntry& entry, const ClusterEntry& cluster,
                       const Connection& connection) {
  if (entry.api_version != "client.authentication.k8s.io/v1" &&
      entry.api_version != "client.authentication.k8s.io/v1beta1")
    throw Error(ErrorKind::config, "exec plugin: invalid apiVersion \"" + entry.api_version + "\"",
                "kubectl knows client.authentication.k8s.io/v1 and client.authentication.k8s.io/"
                "v1beta1; a newer version of the credential plugin writes one of these");
  ExecPlugin plugin{.api_version = entry.api_version,
                    .command = entry.command,
                    .args = entry.args,
                    .env = entry.env,
                    .install_hint = entry.install_hint,
                    .provide_cluster_info = entry.provide_cluster_info,
                    .interactive_mode = entry.interactive_mode,
                    .cluster = {}};
  if (entry.provide_cluster_info) plugin.cluster = exec_cluster(cluster, connection);
  return plugin;
}

void check_token_file(const UserEntry& user) {
  if (user.token_file.empty() || !user.token.empty()) return;
  const FileContent file = read_file(user.token_file);
  if (!file.ok() || file.bytes.empty())
    throw Error(ErrorKind::config,
                file.ok() ? "read empty token from file \"" + user.token_file + "\"" : file.problem,
                "the kubeconfig's user names this file as tokenFile");
}

void take_user(const Selection& chosen, const Url& server, Connection& connection) {
  const UserEntry& user = chosen.user;
  Credentials& credentials = connection.credentials;
  take_client_certificate(user, credentials);
  check_token_file(user);
  if (user.auth_provider) check_auth_provider(*user.auth_provider);
  const bool has_token = !user.token.empty() || !user.token_file.empty();
  if (has_token && !user.username.empty())
    throw Error(ErrorKind::config, "username/password or bearer token may be set, but not both");
  const bool has_certificate = !credentials.client_certificate_pem.empty();
  if (!server.userinfo.empty()) {
    // net/http makes a Basic header of a URL's user before client-go looks.
    const std::size_t colon = server.userinfo.find(':');
    credentials.username = percent_decoded(server.userinfo.substr(0, colon));
    if (colon != std::string::npos)
      credentials.password = percent_decoded(server.userinfo.substr(colon + 1));
  } else if (has_token) {
    credentials.token = user.token;
    credentials.token_file = user.token_file;
  } else if (!user.username.empty()) {
    credentials.username = user.username;
    credentials.password = user.password;
  } else if (user.auth_provider) {
    credentials.token = auth_provider_token(*user.auth_provider, std::chrono::system_clock::now());
  } else if (user.exec && !has_certificate) {
    credentials.exec = exec_plugin(*user.exec, chosen.cluster, connection);
  }
}

void take_impersonation(const UserEntry& user, Credentials& credentials) {
  credentials.impersonate_user = user.as;
  credentials.impersonate_uid = user.as_uid;
  credentials.impersonate_groups = user.as_groups;
  for (const auto& [key, values] : user.as_user_extra) {
    for (const std::string& value : values) credentials.impersonate_extra.emplace_back(key, value);
  }
}

/// Nothing in kubeconfig or flags says where to connect to.
bool is_default(const Selection& chosen, const Environment& environment) {
  return chosen.cluster.server == default_server(environment) && chosen.cluster.proxy_url.empty();
}

Connection selected_connection(const Selection& chosen, const Environment& environment) {
  const ClusterEntry& cluster = chosen.cluster;
  const Url server = server_url(cluster.server);
  Connection connection;
  connection.server = server.scheme + "://" + server.authority() + server.path;
  connection.proxy = cluster.proxy_url.empty() ? environment_proxy(server, environment)
                                               : explicit_proxy(cluster.proxy_url);
  // client-go sends no credentials, and looks at no certificates, without TLS.
  if (server.scheme == "https") {
    connection.ca_pem = root_certificates(cluster);
    connection.verify_tls = !cluster.insecure_skip_tls_verify;
    connection.tls_server_name = cluster.tls_server_name;
    take_user(chosen, server, connection);
  }
  return connection;
}

std::string namespace_of(const Selection& chosen, const ConnectionFlags& flags,
                         const Surroundings& surroundings) {
  if (flags.ns && !flags.ns->empty()) return *flags.ns;
  if (!chosen.context.ns.empty()) return chosen.context.ns;
  return in_cluster_possible(surroundings) ? in_cluster_namespace(surroundings) : "default";
}

}  // namespace

Connection resolve_connection(const ConnectionFlags& flags, const Surroundings& surroundings) {
  const Environment& environment = surroundings.environment;
  const Kubeconfig config = load_kubeconfig(flags.kubeconfig, environment);
  const Selection chosen = select_entries(config, flags, environment);
  const bool in_cluster = is_default(chosen, environment) && in_cluster_possible(surroundings);
  Connection connection;
  if (in_cluster) {
    connection = in_cluster_connection(flags, surroundings);
    // No file was in force, so this can only be the flag's.
    if (!chosen.cluster.certificate_authority.empty())
      connection.ca_pem = root_certificates(chosen.cluster);
    connection.proxy = environment_proxy(server_url(connection.server), environment);
  } else {
    connection = selected_connection(chosen, environment);
  }
  take_impersonation(chosen.user, connection.credentials);
  connection.compression = !chosen.cluster.disable_compression;
  if (flags.request_timeout && !flags.request_timeout->empty())
    connection.request_timeout = parse_request_timeout(*flags.request_timeout);
  connection.context = chosen.context_name;
  connection.cluster = chosen.cluster_name;
  connection.user = chosen.user_name;
  connection.ns = namespace_of(chosen, flags, surroundings);
  connection.flags = flags;
  return connection;
}

}  // namespace gpu::kube
