#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu {

/// How live use was read.
enum class MetricSource {
  exporter,    ///< an exporter's text, through the API server's pod proxy or from a file
  prometheus,  ///< a query
  custom,      ///< custom.metrics.k8s.io: of pods, not of devices
  exec,        ///< nvidia-smi through kubectl exec
};

/// By how much two clocks may differ before one of them is not believed: a sample that is dated
/// further ahead tells nothing.
inline constexpr std::chrono::minutes kMostClockSkew{1};

/// "exporter", "prometheus", "custom", "exec".
std::string_view name_of(MetricSource source);

/// What a utilization counts: makers mean different things by it.
enum class UtilizationKind {
  kernel_time,    ///< NVML's: the part of time in which any kernel ran
  engine_active,  ///< DCGM's PROF_GR_ENGINE_ACTIVE: the only one of MIG instances
  gfx_activity,   ///< AMD
  engine_ratio,   ///< Intel: the busiest engine group
  duty_cycle,     ///< TPU
  tensor_core,    ///< TPU's tensor cores, where no duty cycle is told
  core,           ///< Neuron, Gaudi: the accelerator's own counter
  adapter,        ///< custom.metrics.k8s.io: as the adapter defines it
};

/// For machines: "gpu-util", "engine-active", "gfx-activity", "engine-ratio", "duty-cycle",
/// "tensor-core", "core", "adapter".
std::string_view name_of(UtilizationKind kind);

/// What an exporter tells of a card's health. Nothing: it does not tell; most are off by default.
struct CardFaults {
  std::optional<std::int64_t> remap_failure;  ///< above 0: a row of memory could not be remapped
  std::optional<std::int64_t> remap_pending;  ///< above 0: a row is remapped at the next reset
  std::optional<std::int64_t> uncorrectable_rows;    ///< remapped after uncorrectable errors
  std::optional<std::int64_t> uncorrectable_errors;  ///< double-bit, since the driver was loaded
  std::optional<std::int64_t> clock_reasons;         ///< NVML's bits of what holds the clocks down
  friend bool operator==(const CardFaults&, const CardFaults&) = default;
};

/// What telemetry tells of a device, or of one pod on it. Nothing: not told, or not credible.
struct Measures {
  std::optional<double> utilization;  ///< 0 to 1
  UtilizationKind kind = UtilizationKind::kernel_time;
  std::optional<double> sm_active;      ///< 0 to 1
  std::optional<double> tensor_active;  ///< 0 to 1
  std::optional<double> dram_active;    ///< 0 to 1: part of time in which memory was moved
  std::optional<std::int64_t> memory_used_bytes;
  std::optional<std::int64_t> memory_total_bytes;
  std::optional<double> temperature_celsius;
  std::optional<double> power_watts;
  std::optional<double> power_limit_watts;
  std::optional<std::int64_t> last_xid;  ///< 0: none; the time of it is not known
  CardFaults faults;                     ///< of the card
  /// Over the window of --since; only from Prometheus.
  std::optional<double> average_utilization;  ///< 0 to 1
  std::optional<double> highest_utilization;  ///< 0 to 1
  std::optional<std::int64_t> highest_memory_bytes;
  /// For how long use was below 5 % until now, at most the window; 0 when it is not. Only where
  /// samples cover that time.
  std::optional<std::chrono::seconds> idle_for;
  friend bool operator==(const Measures&, const Measures&) = default;
};

/// Who telemetry says uses a device. A claim to be checked against the pods there are.
struct SampleOwner {
  std::string ns;
  std::string pod;
  std::string container;
  std::string pod_uid;
  std::string share;  ///< the replica's number on a shared card: `vgpu`
  Measures own;       ///< what is said of this pod alone, never a copy of the whole device's
  friend bool operator==(const SampleOwner&, const SampleOwner&) = default;
};

/// A DRA device as the exporter names it: dra_driver_name, dra_pool_name, dra_device_name.
struct SampleDraDevice {
  std::string driver;
  std::string pool;
  std::string device;
  friend bool operator==(const SampleDraDevice&, const SampleDraDevice&) = default;
};

/// What one scrape, or one query, tells of one device: a card, a MIG instance, a partition, an
/// accelerator's core. Whatever stands in several series of it is there once.
struct Sample {
  MetricSource source = MetricSource::exporter;
  std::string exporter;  ///< "NAMESPACE/POD" that told it; of Prometheus where labels say it
  std::string node;      ///< of the scraped pod, or as Prometheus' labels say; empty: see below
  std::string host;      ///< Hostname label: often the exporter pod's name; the last to be believed
  std::string instance;  ///< Prometheus' "10.1.2.3:9400"

  Vendor vendor = Vendor::nvidia;
  std::string uuid;                   ///< of the card, as told; empty: not told. See same_uuid()
  std::optional<std::int64_t> index;  ///< of the card on its node; only to show, or without a UUID
  std::optional<std::int64_t> minor;  ///< of the card's device file: 0 for nvidia0
  std::string mig_instance;           ///< GPU instance ID; empty: the whole card
  std::string profile;                ///< of the MIG instance: "1g.10gb"
  std::string partition;              ///< AMD's partition, Intel's tile, a core of an accelerator
  std::string pci_bus_id;
  std::string product;  ///< "NVIDIA H100 80GB HBM3"
  std::optional<SampleDraDevice> dra;
  std::string pod_only;  ///< custom metrics name a pod and no device: "NAMESPACE/POD"

  Measures measures;  ///< of the whole device
  std::vector<SampleOwner> owners;
  std::optional<Time> at;  ///< when it was measured, as far as is told; else when read
  /// By how much earlier than `at` it may have been measured: exporters measure every so often, and
  /// tell the same until the next time.
  std::chrono::milliseconds interval{0};
  /// Its profiling fields are 0 while it is busy (dcgm-exporter issue 662), and not believed.
  bool has_dead_profiling = false;
  std::vector<std::string> doubts;   ///< what was told and not believed, one text each
  std::vector<std::string> suspect;  ///< what is shown as it was told, and looks wrong
  friend bool operator==(const Sample&, const Sample&) = default;
};

/// Fills in what `told`, another part of the same device's telemetry, says of which device it is
/// and where it was measured, and `known` does not.
void fill_identity(Sample& known, const Sample& told);

/// UUIDs are compared without letter case and without a "GPU-" before them.
bool same_uuid(std::string_view a, std::string_view b);

/// `uuid` in the form in which equal ones are equal texts.
std::string uuid_key(std::string_view uuid);

}  // namespace gpu
