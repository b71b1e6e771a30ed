#include "kube/config/in_cluster.hpp"

#include <sys/stat.h>

#include "base/ascii.hpp"
#include "kube/config/files.hpp"
#include "kube/config/pem.hpp"
#include "kube/config/url.hpp"

namespace gpu::kube {

bool in_cluster_possible(const Surroundings& surroundings) {
  const Environment& environment = surroundings.environment;
  struct stat info {};
  const std::string token = surroundings.service_account_folder + "/token";
  return !environment.get_or_empty("KUBERNETES_SERVICE_HOST").empty() &&
         !environment.get_or_empty("KUBERNETES_SERVICE_PORT").empty() &&
         ::stat(token.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

Connection in_cluster_connection(const ConnectionFlags& flags, const Surroundings& surroundings) {
  const std::string& folder = surroundings.service_account_folder;
  Url server;
  server.scheme = "https";
  server.host = surroundings.environment.get_or_empty("KUBERNETES_SERVICE_HOST");
  server.port = surroundings.environment.get_or_empty("KUBERNETES_SERVICE_PORT");
  Connection connection;
  connection.server = server.scheme + "://" + server.authority();
  // A CA file that is no CA is only logged by client-go; then the system's roots count.
  const FileContent roots = read_file(folder + "/ca.crt");
  if (roots.ok() && root_certificates_problem(roots.bytes).empty()) connection.ca_pem = roots.bytes;
  if (flags.token && !flags.token->empty()) {
    connection.credentials.token = *flags.token;
  } else {
    connection.credentials.token_file = folder + "/token";
  }
  return connection;
}

std::string in_cluster_namespace(const Surroundings& surroundings) {
  std::string ns = surroundings.environment.get_or_empty("POD_NAMESPACE");
  if (!ns.empty()) return ns;
  ns = trimmed(read_file(surroundings.service_account_folder + "/namespace").bytes);
  return ns.empty() ? "default" : ns;
}

}  // namespace gpu::kube
