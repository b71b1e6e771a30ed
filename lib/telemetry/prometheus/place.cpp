#include "telemetry/prometheus/place.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/ascii.hpp"
#include "base/environment.hpp"
#include "base/secrets.hpp"
#include "kube/config/proxy.hpp"
#include "kube/config/url.hpp"
#include "kube/http/advice.hpp"
#include "kube/http/fetcher.hpp"
#include "kube/http/headers.hpp"
#include "kube/http/server_error.hpp"
#include "kube/http/trust.hpp"

namespace gpu::telemetry {
namespace {

using nlohmann::json;

constexpr std::string_view kRoutePath =
    "/apis/route.openshift.io/v1/namespaces/openshift-monitoring/routes/thanos-querier";
constexpr std::string_view kBearer = "Bearer ";
constexpr std::size_t kMostRootBytes = 4U << 20U;

/// The headers that the user typed win over those that a stack wants by itself.
void add_headers(PrometheusPlace& place, const kube::MetricsNeeds& needs) {
  for (const std::string& text : needs.prometheus_headers) {
    auto header = header_typed(text);
    register_header_value(header.second);
    std::erase_if(place.headers,
                  [&](const auto& one) { return equal_ignoring_case(one.first, header.first); });
    place.headers.push_back(std::move(header));
  }
}

std::string roots_as_pem(const Environment& environment) {
  const kube::SystemRoots roots = kube::system_roots(environment);
  if (!roots.pem.empty() || roots.file.empty()) return roots.pem;
  const std::ifstream in(roots.file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str().size() <= kMostRootBytes ? text.str() : std::string();
}

/// A client of another server than the cluster's, which gets nothing of the kubeconfig.
std::unique_ptr<kube::Client> outside_client(kube::Client& cluster, const kube::Url& url,
                                             kube::Connection connection,
                                             const Environment& environment) {
  kube::ClientOptions options = cluster.session().options;
  options.before_plugin = {};
  connection.server = url.scheme + "://" + url.authority() + url.path;
  connection.proxy = environment_proxy(url, environment);
  connection.request_timeout = cluster.connection().request_timeout;
  return std::make_unique<kube::Client>(std::move(connection), environment, std::move(options));
}

std::string text_at(const json& object, const char* pointer) {
  const json::json_pointer at(pointer);
  return object.contains(at) && object.at(at).is_string() ? object.at(at).get<std::string>() : "";
}

/// The host that OpenShift's router serves; empty: none yet.
std::string host_of(const json& route) {
  const std::string admitted = text_at(route, "/status/ingress/0/host");
  return admitted.empty() ? text_at(route, "/spec/host") : admitted;
}

/// A host name goes into a URL, and a token goes there.
bool is_host(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '.';
  });
}

}  // namespace

std::pair<std::string, std::string> header_typed(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name(trimmed(text.substr(0, colon)));
  if (colon == std::string::npos || name.empty() || kube::escape_header_key(name) != name)
    throw Error(ErrorKind::usage, "--prometheus-header \"" + text + "\" is no header",
                "write it as NAME: VALUE\n--prometheus-header 'X-Scope-OrgID: team-a'");
  if (equal_ignoring_case(name, "Authorization"))
    throw Error(ErrorKind::usage, "--prometheus-header takes no Authorization",
                "a token for --prometheus-url is read from a file: --prometheus-token-file FILE");
  return {name, std::string(trimmed(text.substr(colon + 1)))};
}

PrometheusPlace place_of(const PrometheusService& service, const kube::MetricsNeeds& needs) {
  PrometheusPlace place{.name = shown(service),
                        .path = proxy_path(service),
                        .parameters = service.parameters,
                        .headers = service.headers,
                        .outside = nullptr};
  if (!service.is_in_usual_namespace) place.doubtful_namespace = service.ns;
  add_headers(place, needs);
  return place;
}

PrometheusPlace place_of_url(kube::Client& cluster, const kube::MetricsNeeds& needs) {
  const Environment environment = Environment::of_process();
  kube::Url url = kube::server_url(needs.prometheus_url);
  url.path = query_base(url.path);
  kube::Connection connection;
  connection.credentials.token = needs.prometheus_token;
  if (!url.userinfo.empty() && needs.prometheus_token.empty()) {
    const std::size_t colon = url.userinfo.find(':');
    connection.credentials.username = kube::percent_decoded(url.userinfo.substr(0, colon));
    if (colon != std::string::npos)
      connection.credentials.password = kube::percent_decoded(url.userinfo.substr(colon + 1));
  }
  PrometheusPlace place{
      .name = url.scheme + "://" + url.authority() + url.path,
      .path = "",
      .parameters = {},
      .headers = {},
      .outside = outside_client(cluster, url, std::move(connection), environment)};
  add_headers(place, needs);
  return place;
}

std::variant<PrometheusPlace, NoPlace> place_of_route(kube::Client& cluster,
                                                      const kube::MetricsNeeds& needs) {
  static const std::string kOtherWay =
      "--prometheus-url https://HOST --prometheus-token-file FILE reaches it with another token";
  const kube::Connection& inside = cluster.connection();
  if (!inside.credentials.impersonate_user.empty())
    return NoPlace{"it wants a bearer token, and knows nothing of --as", kOtherWay};
  const kube::Reply reply =
      cluster.fetch(kube::Request{.path = std::string(kRoutePath), .deadline = needs.deadline});
  if (!reply.ok()) {
    const Error error = error_of(reply, inside);
    return NoPlace{"its Route thanos-querier cannot be read: " + error.message(), error.help(),
                   kube::names_role(error.message()) ? HelpForm::role : HelpForm::prose};
  }
  const json route = json::parse(reply.body, nullptr, false);
  const std::string host = host_of(route);
  if (!is_host(host)) return NoPlace{"its Route thanos-querier names no host", kOtherWay};
  const std::string& authorization = cluster.session().setup.credentials.authorization;
  if (!authorization.starts_with(kBearer))
    return NoPlace{"it wants a bearer token, and this kubeconfig's user has none",
                   "oc login gives one; or\n" + kOtherWay};
  const Environment environment = Environment::of_process();
  kube::Connection connection;
  connection.credentials.token = authorization.substr(kBearer.size());
  // The router's certificate is often the cluster's own.
  if (!inside.ca_pem.empty()) connection.ca_pem = inside.ca_pem + "\n" + roots_as_pem(environment);
  const kube::Url url = kube::server_url("https://" + host);
  PrometheusPlace place{
      .name = "https://" + host,
      .path = "",
      .parameters = {{"dedup", "true"}, {"partial_response", "true"}},
      .headers = {},
      .outside = outside_client(cluster, url, std::move(connection), environment)};
  add_headers(place, needs);
  return place;
}

}  // namespace gpu::telemetry
