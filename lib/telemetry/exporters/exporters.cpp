#include "telemetry/exporters/exporters.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "kube/read/list_path.hpp"

namespace gpu::telemetry {
namespace {

/// A label of an exporter's pods. A value that begins with `*` is the end of one: Helm puts the
/// release before it.
struct PodLabel {
  std::string_view key;
  std::string_view value;
};

/// One maker's exporter.
struct Rule {
  std::string_view kind;
  std::int32_t usual_port = 0;
  std::span<const PodLabel> labels;
  std::span<const std::string_view> images;  ///< how the name of its image ends
  /// The container that it is one of several; empty: the one with the image, else any.
  std::string_view container;
};

constexpr std::string_view kName = "app.kubernetes.io/name";
constexpr std::string_view kComponent = "app.kubernetes.io/component";
constexpr std::string_view kApp = "app";
constexpr std::string_view kK8sApp = "k8s-app";

// GPU Operator and OpenShift; the chart and the plain manifest; GKE; CloudWatch.
constexpr std::array<PodLabel, 7> kDcgmLabels = {{{kApp, "nvidia-dcgm-exporter"},
                                                  {kApp, "dcgm-exporter"},
                                                  {kName, "dcgm-exporter"},
                                                  {kName, "nvidia-dcgm-exporter"},
                                                  {kName, "gke-managed-dcgm-exporter"},
                                                  {kComponent, "dcgm-exporter"},
                                                  {kK8sApp, "dcgm-exporter"}}};
constexpr std::array<std::string_view, 1> kDcgmImages = {"dcgm-exporter"};
constexpr std::array<PodLabel, 2> kAmdLabels = {
    {{kApp, "*-amdgpu-metrics-exporter"}, {kApp, "amdgpu-metrics-exporter"}}};
constexpr std::array<std::string_view, 1> kAmdImages = {"device-metrics-exporter"};
constexpr std::array<PodLabel, 2> kXpuManagerLabels = {
    {{kApp, "intel-xpumanager"}, {kName, "intel-xpumanager"}}};
constexpr std::array<std::string_view, 2> kXpuManagerImages = {"xpumanager", "intel-xpumanager"};
constexpr std::array<PodLabel, 2> kXpumdLabels = {{{kName, "xpumd"}, {kApp, "xpumd"}}};
constexpr std::array<std::string_view, 1> kXpumdImages = {"xpumd"};
constexpr std::array<PodLabel, 2> kGaudiLabels = {
    {{kName, "habana-metric-exporter-ds"}, {kName, "habana-metric-exporter"}}};
constexpr std::array<std::string_view, 3> kGaudiImages = {
    "habana-metric-exporter", "gaudi-metric-exporter", "gaudi-metric-exporter/metric-exporter"};
constexpr std::array<PodLabel, 3> kNvidiaSmiLabels = {{{kName, "nvidia-gpu-exporter"},
                                                       {kName, "nvidia_gpu_exporter"},
                                                       {kApp, "nvidia-gpu-exporter"}}};
constexpr std::array<std::string_view, 2> kNvidiaSmiImages = {"nvidia_gpu_exporter",
                                                              "nvidia-gpu-exporter"};
constexpr std::array<PodLabel, 1> kHamiLabels = {{{kComponent, "hami-device-plugin"}}};
constexpr std::array<PodLabel, 1> kTpuLabels = {{{kK8sApp, "tpu-device-plugin"}}};
constexpr std::array<std::string_view, 1> kTpuImages = {"tpu-device-plugin"};
constexpr std::array<PodLabel, 3> kNeuronLabels = {
    {{kK8sApp, "neuron-monitor"}, {kName, "neuron-monitor"}, {kApp, "neuron-monitor"}}};
constexpr std::array<std::string_view, 1> kNeuronImages = {"neuron-monitor"};
constexpr std::array<PodLabel, 2> kAllSmiLabels = {{{kName, "all-smi"}, {kApp, "all-smi"}}};
constexpr std::array<std::string_view, 1> kAllSmiImages = {"all-smi"};

constexpr std::array<Rule, 10> kRules = {
    {{"dcgm-exporter", 9400, kDcgmLabels, kDcgmImages, {}},
     {"AMD device-metrics-exporter", 5000, kAmdLabels, kAmdImages, {}},
     {"Intel XPU Manager", 29999, kXpuManagerLabels, kXpuManagerImages, {}},
     {"Intel xpumd", 8080, kXpumdLabels, kXpumdImages, {}},
     {"Gaudi metric exporter", 41611, kGaudiLabels, kGaudiImages, {}},
     {"nvidia_gpu_exporter", 9835, kNvidiaSmiLabels, kNvidiaSmiImages, {}},
     {"HAMi monitor", 9394, kHamiLabels, {}, "vgpu-monitor"},
     {"TPU device plugin", 2112, kTpuLabels, kTpuImages, {}},
     {"Neuron monitor", 8000, kNeuronLabels, kNeuronImages, {}},
     {"all-smi", 9090, kAllSmiLabels, kAllSmiImages, {}}}};

/// Amazon's add-on gives its exporters certificates of its agent.
constexpr std::string_view kTlsNamespace = "amazon-cloudwatch";

/// "nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3@sha256:..." without tag and digest.
std::string_view image_name(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.rfind(':');
  if (colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash))
    image = image.substr(0, colon);
  return image;
}

/// Mirrors and clouds put words before it: "gke-dcgm-exporter", "nvidia_k8s_dcgm-exporter".
bool ends_with_word(std::string_view name, std::string_view word) {
  if (!name.ends_with(word)) return false;
  if (name.size() == word.size()) return true;
  const char before = name[name.size() - word.size() - 1];
  return !is_letter(before) && !is_digit(before);
}

bool is_image_of(const Rule& rule, const Container& container) {
  const std::string_view name = image_name(container.image);
  return std::any_of(rule.images.begin(), rule.images.end(),
                     [&](std::string_view image) { return ends_with_word(name, image); });
}

bool has_label(const Pod& pod, const PodLabel& label) {
  const std::string_view value = value_of(pod.labels, label.key);
  if (label.value.starts_with('*')) return value.ends_with(label.value.substr(1));
  return value == label.value;
}

bool has_label_of(const Pod& pod, const Rule& rule) {
  return std::any_of(rule.labels.begin(), rule.labels.end(),
                     [&](const PodLabel& label) { return has_label(pod, label); });
}

/// The container that answers; null: the pod tells too little.
const Container* container_of(const Pod& pod, const Rule& rule) {
  const auto find = [&](auto matches) -> const Container* {
    const auto found = std::find_if(pod.containers.begin(), pod.containers.end(), matches);
    return found == pod.containers.end() ? nullptr : &*found;
  };
  if (!rule.container.empty())
    return find([&](const Container& each) { return each.name == rule.container; });
  return find([&](const Container& each) { return is_image_of(rule, each); });
}

const Rule* rule_of(const Pod& pod) {
  // An image says it best: labels are what somebody chose.
  for (const Rule& rule : kRules)
    if (rule.container.empty() && container_of(pod, rule) != nullptr) return &rule;
  for (const Rule& rule : kRules)
    if (has_label_of(pod, rule) && (rule.container.empty() || container_of(pod, rule) != nullptr))
      return &rule;
  return nullptr;
}

/// How likely a port gives metrics: the higher, the better.
int rank_of(const ContainerPort& port, const Rule& rule) {
  if (port.name == "metrics" || port.name == "gpu-metrics") return 3;
  const auto tells = [&](std::string_view word) {
    return port.name.find(word) != std::string::npos;
  };
  if (tells("metrics") || tells("prom")) return 2;
  return port.port == rule.usual_port ? 1 : 0;
}

std::int32_t port_of(const Pod& pod, const Rule& rule) {
  const Container* const answers = container_of(pod, rule);
  const ContainerPort* best = nullptr;
  for (const Container& container : pod.containers) {
    if (answers != nullptr && &container != answers) continue;
    for (const ContainerPort& port : container.ports) {
      if (port.port <= 0) continue;
      if (best == nullptr || rank_of(port, rule) > rank_of(*best, rule)) best = &port;
    }
  }
  return best == nullptr ? rule.usual_port : best->port;
}

}  // namespace

bool is_answering(const Pod& pod) {
  if (pod.phase != "Running" || pod.deleted) return false;
  const auto ready = std::find_if(pod.conditions.begin(), pod.conditions.end(),
                                  [](const Condition& each) { return each.type == "Ready"; });
  return ready == pod.conditions.end() || ready->status == "True";
}

std::optional<Exporter> exporter_of(const Pod& pod) {
  if (is_finished(pod) || pod.node_name.empty()) return std::nullopt;
  const Rule* const rule = rule_of(pod);
  if (rule == nullptr) return std::nullopt;
  Exporter exporter;
  exporter.kind = rule->kind;
  exporter.ns = pod.ns;
  exporter.pod = pod.name;
  exporter.node = pod.node_name;
  exporter.port = std::to_string(port_of(pod, *rule));
  exporter.is_tls = pod.ns == kTlsNamespace;
  exporter.is_ready = is_answering(pod);
  exporter.ip = pod.ip;
  return exporter;
}

const std::vector<std::string_view>& exporter_selectors() {
  // One list for each key: selectors know no "or" between keys. Labels whose end alone is known
  // cannot be asked for.
  static const std::vector<std::string_view> kSelectors = {
      "app in (nvidia-dcgm-exporter,dcgm-exporter,amdgpu-metrics-exporter,intel-xpumanager,xpumd,"
      "nvidia-gpu-exporter,neuron-monitor,all-smi)",
      "app.kubernetes.io/name in (dcgm-exporter,nvidia-dcgm-exporter,gke-managed-dcgm-exporter,"
      "metrics-exporter,intel-xpumanager,xpumd,habana-metric-exporter-ds,habana-metric-exporter,"
      "nvidia-gpu-exporter,nvidia_gpu_exporter,neuron-monitor,all-smi)",
      "app.kubernetes.io/component in (dcgm-exporter,hami-device-plugin)",
      "k8s-app in (dcgm-exporter,tpu-device-plugin,neuron-monitor)",
  };
  return kSelectors;
}

Exporter exporter_typed(const std::string& text) {
  const auto fail = [&]() -> Error {
    return {ErrorKind::usage, "`--exporter " + text + "`: that is no port of a pod",
            "write NAMESPACE/POD:PORT, or with TLS and a path NAMESPACE/https:POD:PORT/PATH"};
  };
  const auto is_name = [](std::string_view name) {
    return !name.empty() && name.size() <= 253 && std::all_of(name.begin(), name.end(), [](char c) {
      return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
    });
  };
  std::string_view rest = text;
  const auto cut_at = [&](std::size_t at) {
    const std::string_view part = rest.substr(0, at);
    rest.remove_prefix(std::min(at, rest.size()));
    return part;
  };
  Exporter exporter;
  exporter.kind = "exporter";
  exporter.is_ready = true;
  exporter.ns = cut_at(rest.find('/'));
  if (!rest.empty()) rest.remove_prefix(1);
  for (const std::string_view scheme : {"https:", "http:"}) {
    if (!rest.starts_with(scheme)) continue;
    exporter.is_tls = scheme == "https:";
    rest.remove_prefix(scheme.size());
    break;
  }
  exporter.pod = cut_at(rest.find(':'));
  if (!rest.empty()) rest.remove_prefix(1);
  exporter.port = cut_at(rest.find('/'));
  if (!rest.empty()) exporter.path = rest;
  // It may end up in a command that somebody pastes.
  const bool is_path = std::all_of(exporter.path.begin(), exporter.path.end(), [](char c) {
    return c > ' ' && c < 0x7f && std::string_view("#\"'\\$`").find(c) == std::string_view::npos;
  });
  if (!is_name(exporter.ns) || !is_name(exporter.pod) || !is_name(exporter.port) || !is_path)
    throw fail();
  return exporter;
}

std::string proxy_path(const Exporter& exporter) {
  return "/api/v1/namespaces/" + kube::percent_encoded(exporter.ns) + "/pods/" +
         (exporter.is_tls ? "https:" : "") + kube::percent_encoded(exporter.pod) + ":" +
         kube::percent_encoded(exporter.port) + "/proxy" + exporter.path;
}

}  // namespace gpu::telemetry
