#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/dcgm.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

/// How dcgm-exporter was installed: what its Service is labelled, and how its port is called.
struct ExporterService {
  std::string_view word;
  std::string_view label;
  std::string_view value;
  std::string_view port;
};

constexpr std::array<ExporterService, 2> kExporterServices = {{
    {"gpu-operator", "app", "nvidia-dcgm-exporter", "gpu-metrics"},
    {"dcgm-exporter", "app.kubernetes.io/name", "dcgm-exporter", "metrics"},
}};

const ExporterService& exporter_service_of(const GenOptions& options) {
  std::vector<std::string_view> words;
  for (const ExporterService& each : kExporterServices) {
    if (options.preset.empty() || each.word == options.preset) return each;
    words.push_back(each.word);
  }
  throw Error(ErrorKind::usage, fmt::format("there is no preset `{}`", sanitize(options.preset)),
              "presets are " + joined(words));
}

/// What is changed of the labels that a scrape adds to each metric.
Tree target_labels() {
  return Tree::list({{Tree::map({{"sourceLabels", Tree::texts({"__meta_kubernetes_pod_node_name"})},
                                 {"targetLabel", "node"}})
                          .on_one_line(),
                      {"", "`up` then says on which node an exporter is down.", ""}},
                     {Tree::map({{"action", "labeldrop"}, {"regex", "namespace|pod|container"}}),
                      {"a GPU that no pod holds would be counted as the exporter's own",
                       "A scrape adds the exporter's pod to every metric that names no pod.",
                       "NVIDIA/dcgm-exporter#27, NVIDIA/dcgm-exporter#363"}}});
}

Tree exporter_endpoint(const ExporterService& service) {
  return Tree::map(
      {{"port",
        service.port,
        {"the name of the port in the Service, not its number",
         "A number is accepted, and no target is found.", ""}},
       {"path", "/metrics"},
       {"interval", "30s", {"", "The exporter reads the GPUs every 30 seconds.", ""}},
       {"honorLabels",
        true,
        {"namespace and pod stay those of the pod that holds the GPU",
         "Without it they become exported_namespace and exported_pod, and the queries of alerts "
         "and dashboards find the exporter instead of the pods.",
         "NVIDIA/dcgm-exporter#379"}},
       {"relabelings", target_labels()}});
}

Documents make_service_monitor(GenRequest& request) {
  const GenOptions& options = request.options;
  const ExporterService& service = exporter_service_of(options);
  Tree monitor = object_of("monitoring.coreos.com/v1", "ServiceMonitor",
                           metadata_of(request, options.name, release_label(options)));
  monitor.set(
      "spec",
      Tree::map(
          {{"namespaceSelector",
            Tree::map({{"any", true}}).on_one_line(),
            {"wherever the exporter was installed",
             "The namespace differs: gpu-operator, nvidia-gpu-operator, or one of your own.", ""}},
           {"selector",
            Tree::map({{"matchLabels",
                        Tree::map({{std::string(service.label), service.value}}).on_one_line()}})},
           {"endpoints", Tree::list({exporter_endpoint(service)})}}));
  if (options.preset.empty())
    request.note(
        "it selects the dcgm-exporter of the GPU operator; --preset dcgm-exporter selects that of "
        "its own Helm chart");
  return {std::move(monitor)};
}

}  // namespace

const GenKind kServiceMonitorKind = {
    .word = "servicemonitor",
    .kind = "ServiceMonitor",
    .group = "monitoring.coreos.com",
    .summary = "lets Prometheus scrape dcgm-exporter",
    .example = "--release kube-prometheus-stack",
    .install = "the Prometheus operator, for example with the chart kube-prometheus-stack",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::release, Option::preset},
    .make = make_service_monitor,
    .meanings = {{"--preset", "whose exporter: gpu-operator, dcgm-exporter"}},
};

}  // namespace gpu::manifest
