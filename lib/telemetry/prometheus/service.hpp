#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpu::telemetry {

/// A Service that may answer Prometheus' queries, and how to query it.
struct PrometheusService {
  std::string ns;
  std::string name;
  std::string port;  ///< a number, or a name; empty: the only one
  bool is_tls = false;
  std::string path;  ///< before /api/v1: "/prometheus"; empty: none
  /// Sent with each query: parameters that aggregating layers need.
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::pair<std::string, std::string>> headers;
  /// Smaller is better: in well-known namespaces first layers that query several servers, then
  /// single servers, then replicas of the same; then the same in other namespaces, where any user
  /// may have created it.
  int rank = 0;
  bool is_in_usual_namespace = true;  ///< false only of one that was found
  /// OpenShift's: it requires a bearer token, which the API server's proxy removes.
  bool wants_token = false;
  friend bool operator==(const PrometheusService&, const PrometheusService&) = default;
};

/// The kind of Prometheus that a core/v1 Service looks like, by its name, labels and ports
/// (spec/telemetry B1); nothing for other software, including Prometheus' own helpers.
std::optional<PrometheusService> prometheus_service_of(const nlohmann::json& service);

/// Reads --prometheus-service: NS/NAME, NS/NAME:PORT, NS/https:NAME:PORT, each with a path behind.
/// Throws Error{usage}.
PrometheusService prometheus_service_typed(const std::string& text);

/// The path below the API server that leads to it, up to /api/v1.
std::string proxy_path(const PrometheusService& service);

/// A path or URL without the /api/v1 or /api/v1/query that the user may have copied with it.
std::string query_base(std::string_view path);

/// "monitoring/prometheus-k8s:9090".
std::string shown(const PrometheusService& service);

}  // namespace gpu::telemetry
