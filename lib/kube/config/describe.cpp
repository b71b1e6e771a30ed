#include "kube/config/describe.hpp"

#include <set>

#include "kube/config/pem.hpp"
#include "kube/config/proxy.hpp"

namespace gpu::kube {
namespace {

using nlohmann::json;

json auth_kinds(const Credentials& credentials) {
  json kinds = json::array();
  if (!credentials.token.empty()) kinds.push_back("token");
  if (!credentials.token_file.empty()) kinds.push_back("tokenFile");
  if (!credentials.username.empty()) kinds.push_back("basic");
  if (!credentials.client_certificate_pem.empty()) kinds.push_back("clientCertificate");
  if (credentials.exec) kinds.push_back("exec");
  return kinds;
}

json impersonation(const Credentials& credentials) {
  std::set<std::string> keys;
  for (const auto& [key, value] : credentials.impersonate_extra) keys.insert(key);
  return {{"user", credentials.impersonate_user},
          {"uid", credentials.impersonate_uid},
          {"groups", credentials.impersonate_groups},
          {"extraKeys", keys}};
}

}  // namespace

json describe(const Connection& connection) {
  json timeout;
  if (connection.request_timeout)
    timeout = std::chrono::duration<double>(*connection.request_timeout).count();
  json ca;
  if (!connection.ca_pem.empty()) ca = sha256_hex(connection.ca_pem);
  return {{"server", connection.server},
          {"namespace", connection.ns},
          {"context", connection.context},
          {"cluster", connection.cluster},
          {"user", connection.user},
          {"tlsServerName", connection.tls_server_name},
          {"insecure", !connection.verify_tls},
          {"proxy", without_password(connection.proxy)},
          {"compression", connection.compression},
          {"requestTimeoutSeconds", timeout},
          {"auth", auth_kinds(connection.credentials)},
          {"impersonate", impersonation(connection.credentials)},
          {"caSha256", ca}};
}

}  // namespace gpu::kube
