#include "telemetry/prometheus/service.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.hpp"
#include "kube/read/list_path.hpp"
#include "model/gpu/usual_namespace.hpp"

namespace gpu::telemetry {
namespace {

using nlohmann::json;

struct Port {
  std::string name;
  std::int64_t number = 0;
  bool is_tls = false;
};

/// The parts of a Service by which stacks are told apart.
struct Looks {
  std::string ns;
  std::string name;
  std::string app;        ///< app.kubernetes.io/name, else app
  std::string component;  ///< app.kubernetes.io/component, else component
  std::string old_app;    ///< app
  bool monitors_itself = false;
  bool is_operated = false;
  std::vector<Port> ports;

  [[nodiscard]] bool is_called(std::string_view part) const {
    return name.find(part) != std::string::npos;
  }
};

/// One row of the table: how a stack looks, and how it is asked.
struct Stack {
  bool (*matches)(const Looks& looks);
  int rank;
  std::string_view path;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::pair<std::string, std::string>> headers;
};

bool has_port(const Looks& looks, std::string_view name, std::int64_t number) {
  return std::any_of(looks.ports.begin(), looks.ports.end(),
                     [&](const Port& port) { return port.name == name && port.number == number; });
}

bool is_thanos_query(const Looks& looks) {
  return looks.app == "thanos-query" || looks.name == "thanos-query" ||
         (looks.app == "thanos" && looks.component == "query") ||
         looks.name.ends_with("-thanos-query");
}

bool is_thanos_frontend(const Looks& looks) {
  return looks.app == "thanos-query-frontend" || looks.name.ends_with("thanos-query-frontend") ||
         (looks.app == "thanos" && looks.component == "query-frontend");
}

bool is_vmselect(const Looks& looks) {
  return looks.app == "vmselect" || looks.old_app == "vmselect" ||
         looks.name.starts_with("vmselect-") || looks.name.ends_with("-vmselect");
}

bool is_vmsingle(const Looks& looks) {
  return looks.app == "vmsingle" || looks.name.starts_with("vmsingle-") ||
         looks.app == "victoria-metrics-single" || looks.is_called("victoria-metrics-single");
}

bool is_mimir_gateway(const Looks& looks) {
  const bool is_mimir = looks.app == "mimir" || looks.is_called("mimir");
  return is_mimir && (looks.component == "nginx" || looks.component == "gateway" ||
                      looks.name.ends_with("-nginx") || looks.name.ends_with("-gateway"));
}

bool is_mimir_frontend(const Looks& looks) {
  const bool is_mimir = looks.app == "mimir" || looks.is_called("mimir");
  return is_mimir &&
         (looks.component == "query-frontend" || looks.name.ends_with("-query-frontend"));
}

bool is_operators_prometheus(const Looks& looks) {
  return (looks.monitors_itself && looks.old_app.ends_with("-prometheus")) ||
         looks.name == "prometheus-k8s" || looks.name == "rancher-monitoring-prometheus";
}

bool is_prometheus_server(const Looks& looks) {
  return looks.app == "prometheus" &&
         (looks.component == "server" || looks.component == "prometheus");
}

/// Google's managed Prometheus; "frontend" alone is a name that others have, too.
bool is_gmp_frontend(const Looks& looks) {
  return looks.name == "frontend" && looks.old_app == "frontend" && has_port(looks, "web", 9090);
}

bool is_operated(const Looks& looks) {
  return looks.is_operated || looks.name == "prometheus-operated";
}

bool is_called_prometheus(const Looks& looks) {
  return looks.is_called("prometheus") &&
         std::any_of(looks.ports.begin(), looks.ports.end(), [](const Port& port) {
           return port.number == 9090 || port.name == "web" || port.name == "http-web";
         });
}

const std::vector<Stack>& stacks() {
  static const std::vector<std::pair<std::string, std::string>> kThanos = {
      {"dedup", "true"}, {"partial_response", "true"}};
  // Without a tenant Mimir refuses; "anonymous" is the one that it has when told of none.
  static const std::vector<std::pair<std::string, std::string>> kTenant = {
      {"X-Scope-OrgID", "anonymous"}};
  static const std::vector<Stack> kStacks = {
      {is_thanos_query, 10, "", kThanos, {}},
      {is_thanos_frontend, 11, "", kThanos, {}},
      {is_vmselect, 12, "/select/0/prometheus", {}, {}},
      {is_mimir_gateway, 13, "/prometheus", {}, kTenant},
      {is_mimir_frontend, 14, "/prometheus", {}, kTenant},
      {is_vmsingle, 20, "", {}, {}},
      {is_operated, 40, "", {}, {}},
      {is_operators_prometheus, 30, "", {}, {}},
      {is_prometheus_server, 31, "", {}, {}},
      {is_gmp_frontend, 32, "", {}, {}},
      {is_called_prometheus, 50, "", {}, {}},
  };
  return kStacks;
}

/// What is part of such stacks and answers no queries.
bool is_helper(const Looks& looks) {
  static constexpr std::array<std::string_view, 16> kHelpers = {
      "alertmanager",  "grafana",   "operator", "node-exporter", "pushgateway", "kube-state",
      "adapter",       "blackbox",  "webhook",  "discovery",     "sidecar",     "storegateway",
      "store-gateway", "compactor", "receive",  "ruler"};
  return std::any_of(kHelpers.begin(), kHelpers.end(), [&](std::string_view helper) {
    return looks.is_called(helper) || looks.app.find(helper) != std::string::npos ||
           looks.component.find(helper) != std::string::npos;
  });
}

std::string text_of(const json& object, std::string_view name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

json member_of(const json& object, std::string_view name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() ? *found : json();
}

Port port_of(const json& object) {
  Port port{.name = text_of(object, "name")};
  const json number = member_of(object, "port");
  if (number.is_number_integer()) port.number = number.get<std::int64_t>();
  port.is_tls =
      port.name == "https" || port.number == 443 || text_of(object, "appProtocol") == "https";
  return port;
}

Looks looks_of(const json& service) {
  Looks looks;
  const json metadata = member_of(service, "metadata");
  const json labels = member_of(metadata, "labels");
  looks.ns = text_of(metadata, "namespace");
  looks.name = text_of(metadata, "name");
  looks.old_app = text_of(labels, "app");
  looks.app = text_of(labels, "app.kubernetes.io/name");
  if (looks.app.empty()) looks.app = looks.old_app;
  looks.component = text_of(labels, "app.kubernetes.io/component");
  if (looks.component.empty()) looks.component = text_of(labels, "component");
  looks.monitors_itself = text_of(labels, "self-monitor") == "true";
  looks.is_operated = text_of(labels, "operated-prometheus") == "true";
  for (const json& port : member_of(member_of(service, "spec"), "ports")) {
    Port read = port_of(port);
    if (read.number > 0) looks.ports.push_back(std::move(read));
  }
  return looks;
}

/// The port that speaks HTTP, by the names and numbers that stacks give it.
Port query_port(const std::vector<Port>& ports) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "http", "web", "http-web", "http-query", "query", "http-metrics", "https"};
  static constexpr std::array<std::int64_t, 7> kNumbers = {9090, 10902, 8481, 8428, 8429, 8080, 80};
  for (const std::string_view name : kNames)
    for (const Port& port : ports)
      if (port.name == name) return port;
  for (const std::int64_t number : kNumbers)
    for (const Port& port : ports)
      if (port.number == number) return port;
  return ports.front();
}

bool is_openshift(const Looks& looks) {
  return looks.ns == "openshift-monitoring" && looks.name == "thanos-querier";
}

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorKind::usage, "--prometheus-service \"" + text + "\" names no service",
              "write NAMESPACE/NAME:PORT, with a path behind where it needs one:\n"
              "--prometheus-service monitoring/prometheus-k8s:9090\n"
              "--prometheus-service monitoring/vmselect:8481/select/0/prometheus");
}

/// Names and ports as the API knows them: nothing that would change the path.
bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

}  // namespace

std::string query_base(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  for (const std::string_view end : {"/query", "/api/v1"})
    if (path.ends_with(end) && (end != "/query" || path.ends_with("/api/v1/query")))
      path.remove_suffix(end.size());
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

std::optional<PrometheusService> prometheus_service_of(const json& service) {
  const Looks looks = looks_of(service);
  if (looks.name.empty() || looks.ports.empty()) return std::nullopt;
  const Port port = query_port(looks.ports);
  PrometheusService found{.ns = looks.ns,
                          .name = looks.name,
                          .port = std::to_string(port.number),
                          .is_tls = port.is_tls};
  if (is_openshift(looks)) {
    found.wants_token = true;
    return found;
  }
  if (is_helper(looks)) return std::nullopt;
  const auto stack = std::find_if(stacks().begin(), stacks().end(),
                                  [&](const Stack& each) { return each.matches(looks); });
  if (stack == stacks().end()) return std::nullopt;
  found.path = stack->path;
  found.parameters = stack->parameters;
  found.headers = stack->headers;
  constexpr int kBehindAllUsual = 1000;
  found.is_in_usual_namespace = is_usual_namespace(looks.ns);
  found.rank = stack->rank + (found.is_in_usual_namespace ? 0 : kBehindAllUsual);
  return found;
}

PrometheusService prometheus_service_typed(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) refuse(text);
  PrometheusService service{.ns = text.substr(0, slash)};
  std::string rest = text.substr(slash + 1);
  if (const std::size_t path = rest.find('/'); path != std::string::npos) {
    service.path = query_base(std::string_view(rest).substr(path));
    rest.erase(path);
  }
  for (const std::string_view scheme : {"https:", "http:"}) {
    if (!rest.starts_with(scheme)) continue;
    service.is_tls = scheme == "https:";
    rest.erase(0, scheme.size());
    break;
  }
  const std::size_t colon = rest.find(':');
  service.name = rest.substr(0, colon);
  if (colon != std::string::npos) service.port = rest.substr(colon + 1);
  const bool has_port = colon != std::string::npos;
  const bool is_whole = is_name(service.ns) && is_name(service.name) &&
                        (has_port ? is_name(service.port) : true) &&
                        service.path.find_first_of("?#% ") == std::string::npos;
  if (!is_whole) refuse(text);
  return service;
}

std::string proxy_path(const PrometheusService& service) {
  // With a scheme the port's colon has to be there even without a port.
  const std::string scheme = service.is_tls ? "https:" : "";
  const bool has_colon = service.is_tls || !service.port.empty();
  return "/api/v1/namespaces/" + kube::percent_encoded(service.ns) + "/services/" + scheme +
         kube::percent_encoded(service.name) + (has_colon ? ":" : "") +
         kube::percent_encoded(service.port) + "/proxy" + service.path;
}

std::string shown(const PrometheusService& service) {
  return service.ns + "/" + service.name + (service.port.empty() ? "" : ":" + service.port) +
         service.path;
}

}  // namespace gpu::telemetry
