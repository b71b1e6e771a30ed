#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kube/http/client.hpp"
#include "kube/read/needs.hpp"
#include "model/objects/gap.hpp"
#include "telemetry/prometheus/service.hpp"

namespace gpu::telemetry {

/// Where queries are sent.
struct PrometheusPlace {
  std::string name;  ///< for people: "monitoring/prometheus-k8s:9090", "https://prom.example.com"
  std::string path;  ///< below the client's server, up to /api/v1
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::pair<std::string, std::string>> headers;
  std::unique_ptr<kube::Client> outside;  ///< null: through the API server's proxy
  /// The namespace, if it was found there by its labels and someone other than the cluster's
  /// administrators may have created it; empty: the user named it, or its namespace is a well-known
  /// one.
  std::string doubtful_namespace = {};
};

/// --prometheus-header as typed: name and value. Throws Error{usage}; Authorization is refused, as
/// it would replace the cluster's own.
std::pair<std::string, std::string> header_typed(const std::string& text);

/// `service` through the API server's proxy, with the headers of `needs`.
PrometheusPlace place_of(const PrometheusService& service, const kube::MetricsNeeds& needs);

/// The prometheus_url of `needs`, with a client of its own: its token, the system's authorities (or
/// those of SSL_CERT_FILE), the environment's proxy. Nothing of the kubeconfig is sent there.
/// Throws Error{config} for an invalid URL.
PrometheusPlace place_of_url(kube::Client& cluster, const kube::MetricsNeeds& needs);

/// OpenShift's Thanos by its Route and the user's own bearer token, because the API server's proxy
/// removes the token; or why that is not possible, and what would help.
struct NoPlace {
  std::string why;
  std::string help;
  HelpForm help_form = HelpForm::prose;
};
std::variant<PrometheusPlace, NoPlace> place_of_route(kube::Client& cluster,
                                                      const kube::MetricsNeeds& needs);

}  // namespace gpu::telemetry
