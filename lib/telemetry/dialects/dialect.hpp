#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "model/gpu/sample.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// What a value is: the metric's value now, or an aggregate over a window.
enum class Aspect { now, average, highest, idle };

/// One series that a dialect reads.
struct DialectSample {
  const Series* series = nullptr;
  std::size_t metric = 0;  ///< place of its name in Dialect::metrics
  Aspect aspect = Aspect::now;
  std::optional<Time> at;  ///< of the sample, or when it was read
};

/// How names are compared with those of a dialect.
enum class NameMatch {
  exact,
  any_case,    ///< without letter case
  any_prefix,  ///< a site may have put a prefix before the name: "amd_" and "gpu_health"
};

/// A metric that is worth a look back: use, or memory held. Windows of what several rows of a
/// device add up to (dies, parts of memory) are not: the highest row is not the device's.
struct Windowed {
  /// What it is in, for thresholds.
  enum class Scale { percent, ratio, memory };
  std::string_view pattern;  ///< of its name, for Prometheus
  Scale scale{};
};

/// A label of an exporter's pods. A value that begins with `*` is a suffix: Helm puts the release's
/// name before it.
struct PodLabel {
  enum class Weight {
    proof,
    hint,  ///< others write it, too: it finds pods, and their image decides
  };
  std::string_view key;
  std::string_view value;
  Weight weight = Weight::proof;
};

inline constexpr std::string_view kApp = "app";
inline constexpr std::string_view kK8sApp = "k8s-app";
inline constexpr std::string_view kAppName = "app.kubernetes.io/name";
inline constexpr std::string_view kComponent = "app.kubernetes.io/component";

/// How to recognize the pods of an exporter, and on which port they answer.
struct ExporterPods {
  std::string_view kind;  ///< for people: "AMD device-metrics-exporter"
  std::int32_t usual_port = 0;
  std::span<const PodLabel> labels;
  std::span<const std::string_view> images = {};  ///< how the name of its image ends
  /// Its container, if the pod has several; empty: the one with the image, otherwise any.
  std::string_view container = {};
  /// How manifests name its container: relabelling may take it for a workload's container.
  std::span<const std::string_view> containers = {};
};

/// The metrics of one exporter: the names that it writes, and what they mean for devices. Each has
/// its own file.
struct Dialect {
  std::string_view name;                      ///< "dcgm-exporter"
  std::span<const std::string_view> metrics;  ///< names that it reads
  NameMatch match = NameMatch::exact;
  /// A condition on the labels of its series, if other software writes the same names.
  std::string_view matcher = {};
  std::span<const Windowed> windowed;
  /// Names of metrics that are queried for how old the values in Prometheus are. One name that all
  /// devices have would be enough, but a site may not collect it.
  std::span<const std::string_view> dated;
  /// Reads the series of these names, in the order in which they came, into devices.
  std::vector<Sample> (*samples)(const std::vector<DialectSample>& told,
                                 const Origin& origin) = nullptr;
  /// How often it measures by default; 0: whenever it is scraped, or not known.
  std::chrono::milliseconds interval{0};
  ExporterPods pods;
};

/// All that are known, one row each: samples come in this order.
std::span<const Dialect* const> dialects();

}  // namespace gpu::telemetry
