#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/gpu/sample.hpp"
#include "model/objects/pod.hpp"

namespace gpu::telemetry {

/// A pod that exports metrics of GPUs.
struct Exporter {
  std::string kind;  ///< "dcgm-exporter", "amd-metrics-exporter", ...: for people
  std::string ns;
  std::string pod;
  std::string node;  ///< what the text is about: never the text's own Hostname
  std::string port;  ///< number or name
  std::string path = "/metrics";
  bool is_tls = false;
  bool is_ready = false;
  std::string ip;  ///< of the pod, to know it again in Prometheus' `instance`
  /// How often it measures, if its container says so.
  std::optional<std::chrono::milliseconds> interval = {};
  friend bool operator==(const Exporter&, const Exporter&) = default;
};

/// Whether a request to `pod` makes sense: it runs, and is not known to be unready.
bool is_answering(const Pod& pod);

/// The exporter that `pod` is, by its labels, image and port names (spec/telemetry A8, C): nothing
/// for other pods.
std::optional<Exporter> exporter_of(const Pod& pod);

/// Fills in how often `sample` of Prometheus was measured: by the exporter that it names, otherwise
/// by the only one on its node.
void fill_interval(Sample& sample, const std::vector<Exporter>& exporters);

/// The label selectors that find exporters where pods are not listed anyway.
std::vector<std::string> exporter_selectors();

/// Reads --exporter: NS/POD:PORT, NS/https:POD:PORT/path. Throws Error{usage}.
Exporter exporter_typed(const std::string& text);

/// The path below the API server that gives its text.
std::string proxy_path(const Exporter& exporter);

}  // namespace gpu::telemetry
