#include "telemetry/exporters/exporters.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "kube/read/list_path.hpp"
#include "telemetry/dialects/dialect.hpp"

namespace gpu::telemetry {
namespace {

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

bool is_image_of(const ExporterPods& rule, const Container& container) {
  const std::string_view name = image_name(container.image);
  return std::any_of(rule.images.begin(), rule.images.end(),
                     [&](std::string_view image) { return ends_with_word(name, image); });
}

bool has_label(const Pod& pod, const PodLabel& label) {
  const std::string_view value = value_of(pod.labels, label.key);
  if (label.value.starts_with('*')) return value.ends_with(label.value.substr(1));
  return value == label.value;
}

bool has_label_of(const Pod& pod, const ExporterPods& rule) {
  return std::any_of(rule.labels.begin(), rule.labels.end(), [&](const PodLabel& label) {
    return label.weight == PodLabel::Weight::proof && has_label(pod, label);
  });
}

/// The container that answers; null: the pod tells too little.
const Container* container_of(const Pod& pod, const ExporterPods& rule) {
  const auto find = [&](auto matches) -> const Container* {
    const auto found = std::find_if(pod.containers.begin(), pod.containers.end(), matches);
    return found == pod.containers.end() ? nullptr : &*found;
  };
  if (!rule.container.empty())
    return find([&](const Container& each) { return each.name == rule.container; });
  return find([&](const Container& each) { return is_image_of(rule, each); });
}

/// How the pods of the exporter are known that `pod` is; null: it is none.
const ExporterPods* rule_of(const Pod& pod) {
  // An image says it best: labels are what somebody chose.
  for (const Dialect* dialect : dialects())
    if (dialect->pods.container.empty() && container_of(pod, dialect->pods) != nullptr)
      return &dialect->pods;
  for (const Dialect* dialect : dialects())
    if (const ExporterPods& rule = dialect->pods;
        has_label_of(pod, rule) && (rule.container.empty() || container_of(pod, rule) != nullptr))
      return &rule;
  return nullptr;
}

/// How likely a port gives metrics: the higher, the better.
int rank_of(const ContainerPort& port, const ExporterPods& rule) {
  if (port.name == "metrics" || port.name == "gpu-metrics") return 3;
  const auto tells = [&](std::string_view word) {
    return port.name.find(word) != std::string::npos;
  };
  if (tells("metrics") || tells("prom")) return 2;
  return port.port == rule.usual_port ? 1 : 0;
}

std::int32_t port_of(const Pod& pod, const ExporterPods& rule) {
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

/// Of the container that answers, else of any: only exporters' commands are read.
std::optional<std::chrono::milliseconds> interval_of(const Pod& pod, const ExporterPods& rule) {
  if (const Container* const answers = container_of(pod, rule)) return answers->collect_interval;
  for (const Container& container : pod.containers)
    if (container.collect_interval) return container.collect_interval;
  return std::nullopt;
}

}  // namespace

bool is_answering(const Pod& pod) {
  if (pod.phase != "Running" || pod.deleted) return false;
  const Condition* const ready = condition_of(pod.conditions, "Ready");
  return ready == nullptr || ready->status == "True";
}

std::optional<Exporter> exporter_of(const Pod& pod) {
  if (is_finished(pod) || pod.node_name.empty()) return std::nullopt;
  const ExporterPods* const rule = rule_of(pod);
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
  exporter.interval = interval_of(pod, *rule);
  return exporter;
}

void fill_interval(Sample& sample, const std::vector<Exporter>& exporters) {
  const Exporter* only = nullptr;
  for (const Exporter& exporter : exporters) {
    const bool is_named = exporter.ns + "/" + exporter.pod == sample.exporter;
    if (!is_named && (!sample.exporter.empty() || exporter.node != sample.node)) continue;
    if (only != nullptr) return;
    only = &exporter;
  }
  if (only != nullptr) sample.interval = only->interval.value_or(sample.interval);
}

std::vector<std::string> exporter_selectors() {
  // One list for each key: selectors know no "or" between keys. Labels whose end alone is known
  // cannot be asked for.
  std::vector<std::string> selectors;
  for (const std::string_view key : {kApp, kAppName, kComponent, kK8sApp}) {
    std::vector<std::string_view> values;
    for (const Dialect* dialect : dialects())
      for (const PodLabel& label : dialect->pods.labels)
        if (label.key == key && !label.value.starts_with('*')) values.push_back(label.value);
    selectors.push_back(std::string(key) + " in (" + joined(values, ",") + ")");
  }
  return selectors;
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
