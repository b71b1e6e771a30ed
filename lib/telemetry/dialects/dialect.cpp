#include "telemetry/dialects/dialect.hpp"

#include <array>

namespace gpu::telemetry {

namespace dcgm {
extern const Dialect kDialect;  ///< NVIDIA dcgm-exporter, all versions, all-case names
}
namespace nvidia_smi {
extern const Dialect kDialect;  ///< utkuozdemir/nvidia_gpu_exporter
}
namespace hami {
extern const Dialect kDialect;  ///< HAMi's monitor, old and new names
}
namespace amd {
extern const Dialect kDialect;  ///< ROCm device-metrics-exporter, with any prefix
}
namespace xpu_manager {
extern const Dialect kDialect;  ///< Intel XPU Manager 1.x
}
namespace xpumd {
extern const Dialect kDialect;  ///< Intel xpumd 2.x (OpenTelemetry names)
}
namespace gaudi {
extern const Dialect kDialect;  ///< habana-metric-exporter
}
namespace tpu {
extern const Dialect kDialect;  ///< GKE TPU device plugin
}
namespace neuron {
extern const Dialect kDialect;  ///< neuron-monitor
}
namespace all_smi {
extern const Dialect kDialect;  ///< all-smi api
}

std::span<const Dialect* const> dialects() {
  static constexpr std::array kAll = {&dcgm::kDialect,   &nvidia_smi::kDialect,  &hami::kDialect,
                                      &amd::kDialect,    &xpu_manager::kDialect, &xpumd::kDialect,
                                      &gaudi::kDialect,  &tpu::kDialect,         &neuron::kDialect,
                                      &all_smi::kDialect};
  return kAll;
}

}  // namespace gpu::telemetry
