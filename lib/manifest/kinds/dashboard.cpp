#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "manifest/fit/pod.hpp"
#include "manifest/kinds/dcgm.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::ordered_json;

/// What the variables of the dashboard choose.
constexpr std::string_view kChosen = R"(Hostname=~"$node",namespace=~"$namespace",pod=~"$pod")";

/// How one line of a graph is called.
constexpr std::string_view kCardLegend = "{{Hostname}}{{hostname}} GPU {{gpu}}";
constexpr std::string_view kHolderLegend =
    "{{Hostname}}{{hostname}} GPU {{gpu}} {{GPU_I_PROFILE}} {{namespace}}/{{pod}}";

std::string chosen_and_held() { return fmt::format("{},{}", kChosen, kHeld); }

/// The one that the reader chooses: no dashboard knows the id of another Grafana's.
ordered_json chosen_source() { return {{"type", "prometheus"}, {"uid", "${datasource}"}}; }

ordered_json source_variable() {
  return {{"name", "datasource"},  {"label", "Data source"}, {"type", "datasource"},
          {"query", "prometheus"}, {"refresh", 1},           {"current", ordered_json::object()}};
}

/// All is ".*", not the list of all values, which would leave out GPUs that no pod holds.
ordered_json label_variable(std::string_view name, std::string_view title,
                            const std::string& query) {
  return {{"name", name},
          {"label", title},
          {"type", "query"},
          {"datasource", chosen_source()},
          {"query", {{"query", query}, {"refId", name}}},
          {"definition", query},
          {"refresh", 2},
          {"sort", 1},
          {"multi", true},
          {"includeAll", true},
          {"allValue", ".*"},
          {"current",
           {{"text", ordered_json::array({"All"})}, {"value", ordered_json::array({"$__all"})}}}};
}

/// By the temperature: every GPU has it, and GPU_UTIL is missing with MIG.
ordered_json variables() {
  return ordered_json::array(
      {source_variable(),
       label_variable("node", "Node", "label_values(DCGM_FI_DEV_GPU_TEMP, Hostname)"),
       label_variable("namespace", "Namespace",
                      R"(label_values(DCGM_FI_DEV_GPU_TEMP{Hostname=~"$node"}, namespace))"),
       label_variable(
           "pod", "Pod",
           R"(label_values(DCGM_FI_DEV_GPU_TEMP{Hostname=~"$node",namespace=~"$namespace"}, pod))")});
}

/// Grafana's grid is 24 wide.
struct Place {
  int x, y, width, height;
};

struct Query {
  std::string expr;
  std::string_view legend = {};
};

class Panels {
 public:
  /// One number.
  void number(std::string_view title, std::string_view unit, Place place, std::string expr) {
    ordered_json panel = begin("stat", title, unit, place);
    panel["options"] = {{"reduceOptions", {{"calcs", ordered_json::array({"lastNotNull"})}}},
                        {"colorMode", "none"}};
    panel["targets"] =
        ordered_json::array({target({std::move(expr), {}}, /*format=*/"time_series")});
    all_.push_back(std::move(panel));
  }

  void graph(std::string_view title, std::string_view unit, Place place, Query query) {
    ordered_json panel = begin("timeseries", title, unit, place);
    if (unit == "percent") panel["fieldConfig"]["defaults"].update({{"min", 0}, {"max", 100}});
    panel["targets"] = ordered_json::array({target(std::move(query), "time_series")});
    all_.push_back(std::move(panel));
  }

  /// What is so now.
  void table(std::string_view title, std::string_view unit, Place place, std::string expr) {
    ordered_json panel = begin("table", title, unit, place);
    ordered_json now = target({std::move(expr), {}}, "table");
    now["instant"] = true;
    panel["targets"] = ordered_json::array({std::move(now)});
    panel["transformations"] = ordered_json::array(
        {{{"id", "organize"}, {"options", {{"excludeByName", {{"Time", true}, {"UUID", true}}}}}}});
    all_.push_back(std::move(panel));
  }

  [[nodiscard]] ordered_json take() && { return std::move(all_); }

 private:
  [[nodiscard]] ordered_json begin(std::string_view type, std::string_view title,
                                   std::string_view unit, Place place) const {
    return {
        {"id", all_.size() + 1},
        {"type", type},
        {"title", title},
        {"datasource", chosen_source()},
        {"gridPos", {{"x", place.x}, {"y", place.y}, {"w", place.width}, {"h", place.height}}},
        {"fieldConfig", {{"defaults", {{"unit", unit}}}, {"overrides", ordered_json::array()}}}};
  }

  static ordered_json target(Query query, std::string_view format) {
    return {{"refId", "A"},
            {"datasource", chosen_source()},
            {"expr", std::move(query.expr)},
            {"legendFormat", query.legend},
            {"format", format}};
  }

  ordered_json all_ = ordered_json::array();
};

/// GPUs that did nothing for the time of --idle-after, and that a pod has held since then.
std::string idle_now(const GenOptions& options) {
  const std::string held = chosen_and_held();
  return fmt::format(
      "max_over_time(({0})[{1}:1m]) < {2}\n"
      "and on (UUID, namespace, pod) DCGM_FI_DEV_GPU_TEMP{{{3}}}\n"
      "and on (UUID, namespace, pod) DCGM_FI_DEV_GPU_TEMP{{{3}}} offset {1}",
      busy_percent(held, kHolderLabels), idle_window(options), kIdlePercent, held);
}

void add_numbers(Panels& panels, const GenOptions& options) {
  panels.number(
      "GPUs", "none", {0, 0, 6, 4},
      fmt::format("count(max by ({}) (DCGM_FI_DEV_GPU_TEMP{{{}}}))", kCardLabels, kChosen));
  panels.number("Held by pods", "none", {6, 0, 6, 4},
                fmt::format("count(max by ({}) (DCGM_FI_DEV_GPU_TEMP{{{}}})) or vector(0)",
                            kCardLabels, chosen_and_held()));
  panels.number("Held and idle for " + idle_window(options), "none", {12, 0, 6, 4},
                fmt::format("count({}) or vector(0)", idle_now(options)));
  panels.number(
      "Power", "watt", {18, 0, 6, 4},
      fmt::format("sum(max by ({}) (DCGM_FI_DEV_POWER_USAGE{{{}}}))", kCardLabels, kChosen));
}

/// One line for each card: time-slicing and MIG repeat what is measured of the whole card.
std::string of_cards(std::string_view metric) {
  return fmt::format("max by ({}) ({}{{{}}})", kCardLabels, metric, kChosen);
}

void add_graphs(Panels& panels) {
  panels.graph("Utilization", "percent", {0, 4, 12, 9},
               {busy_percent(kChosen, kHolderLabels), kHolderLegend});
  panels.graph("Memory used", "percent", {12, 4, 12, 9},
               {"100 * " + memory_share(kChosen, kHolderLabels), kHolderLegend});
  panels.graph("Temperature", "celsius", {0, 13, 12, 8},
               {of_cards("DCGM_FI_DEV_GPU_TEMP"), kCardLegend});
  panels.graph("Power of each GPU", "watt", {12, 13, 12, 8},
               {of_cards("DCGM_FI_DEV_POWER_USAGE"), kCardLegend});
}

void add_tables(Panels& panels, const GenOptions& options) {
  panels.table("Idle GPUs: held, and never 2 % busy in the last " + idle_window(options), "percent",
               {0, 21, 12, 8}, idle_now(options));
  panels.table(
      "Xid: the last error of each GPU since its exporter started", "none", {12, 21, 12, 8},
      fmt::format("max by ({}, err_msg) (DCGM_FI_DEV_XID_ERRORS{{{}}}) > 0", kCardLabels, kChosen));
}

ordered_json dashboard_of(const GenOptions& options) {
  Panels panels;
  add_numbers(panels, options);
  add_graphs(panels);
  add_tables(panels, options);
  return {{"id", nullptr},
          {"uid", options.name},
          {"title", "GPUs"},
          {"tags", ordered_json::array({"gpu"})},
          {"schemaVersion", 39},
          {"editable", true},
          {"refresh", "30s"},
          {"time", {{"from", "now-6h"}, {"to", "now"}}},
          {"templating", {{"list", variables()}}},
          {"panels", std::move(panels).take()}};
}

Documents make_dashboard(GenRequest& request) {
  const GenOptions& options = request.options;
  Tree object = object_of(
      "v1", "ConfigMap",
      metadata_of(request, options.name,
                  Tree::map({{"grafana_dashboard",
                              "1",
                              {"Grafana's sidecar takes ConfigMaps with this label",
                               "The sidecar of kube-prometheus-stack watches ConfigMaps of all "
                               "namespaces by this label.",
                               ""}}})));
  object.set("data", Tree::map({{options.name + ".json",
                                 dashboard_of(options).dump(2) + '\n',
                                 {"queries work where dcgm-exporter is scraped with honorLabels: "
                                  "true",
                                  "namespace and pod are then those of the pod that holds the GPU.",
                                  "NVIDIA/dcgm-exporter#379"}}}));
  request.note(
      "its queries work where dcgm-exporter is scraped with honorLabels: true, as `gen "
      "servicemonitor` does");
  return {std::move(object)};
}

}  // namespace

const GenKind kDashboardKind = {
    .word = "dashboard",
    .kind = "Dashboard",
    .group = "",
    .summary = "a ConfigMap with a Grafana dashboard of GPUs",
    .example = "-n monitoring",
    .install = "",
    .name = {.form = NameForm::dns_1123,
             .most = 40,
             .why = "it is the uid of the dashboard, which Grafana limits"},
    .options = {Option::idle},
    .make = make_dashboard,
};

}  // namespace gpu::manifest
