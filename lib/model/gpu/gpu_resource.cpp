#include "model/gpu/gpu_resource.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/contains.hpp"

namespace gpu {
namespace {

/// Under nvidia.com/ stand amounts (HAMi), network devices (Network Operator), and IMEX channels
/// beside GPUs; any other name is a GPU renamed by the device plugin's config, or a vGPU type.
bool is_nvidia_device(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNotDevices = {
      "gpumem", "gpucores", "monitor", "rdma", "hostdev", "nic", "sriov", "imex", "vgpu-mem"};
  return std::none_of(kNotDevices.begin(), kNotDevices.end(),
                      [&](std::string_view part) { return contains(name, part); });
}

std::optional<GpuResource> nvidia_resource(std::string_view name) {
  GpuResource resource{.vendor = Vendor::nvidia};
  if (name.ends_with(".shared")) {
    resource.renamed = true;
    name.remove_suffix(std::string_view(".shared").size());
  }
  if (name.starts_with("mig-")) {
    resource.kind = DeviceKind::mig_slice;
    resource.profile = name.substr(4);
    return resource;
  }
  if (!is_nvidia_device(name)) return std::nullopt;
  // KubeVirt's names are those of the vGPU type or of the PCI device, in capitals.
  const bool is_vgpu = name == "pgpu" || name == "vgpu" || name.starts_with("GRID_") ||
                       name.starts_with("NVIDIA_") ||
                       (contains(name, "_") && name == upper_case(name));
  if (is_vgpu) {
    resource.kind = DeviceKind::vgpu;
    resource.profile = name;
  }
  return resource;
}

std::optional<GpuResource> amd_resource(std::string_view name) {
  // A card in the mode spx is one partition: the whole card.
  if (name == "gpu" || name.starts_with("spx_nps")) return GpuResource{.vendor = Vendor::amd};
  const bool is_partition = contains(name, "_nps") || name == "gpu_vf" || name == "gpu_pf";
  if (!is_partition) return std::nullopt;
  return GpuResource{
      .vendor = Vendor::amd, .kind = DeviceKind::partition, .profile = std::string(name)};
}

std::optional<GpuResource> intel_resource(std::string_view name) {
  // monitoring, i915_monitoring, xe_monitoring give access to all cards for watching them;
  // millicores, memory.max and tiles are amounts of the old fractional scheduling.
  if (name == "i915" || name == "xe") return GpuResource{.vendor = Vendor::intel};
  return std::nullopt;
}

std::optional<GpuResource> neuron_resource(std::string_view name) {
  if (name == "neuron") return GpuResource{.vendor = Vendor::aws};
  if (name == "neuroncore" || name == "neurondevice")
    return GpuResource{
        .vendor = Vendor::aws, .kind = DeviceKind::alias, .profile = std::string(name)};
  return std::nullopt;
}

/// ACK's whole cards, and gpushare's memory. gpu-count tells how many cards stand behind gpu-mem;
/// gpu-core.percentage is an amount.
std::optional<GpuResource> aliyun_resource(std::string_view name) {
  if (name == "gpu") return GpuResource{.vendor = Vendor::nvidia};
  if (name == "gpu-mem") return GpuResource{.vendor = Vendor::nvidia, .is_memory = true};
  return std::nullopt;
}

/// vgpu-memory, vgpu-memory-percentage, vgpu-cores and gpu-memory are amounts.
std::optional<GpuResource> volcano_resource(std::string_view name) {
  if (name == "vgpu-number" || name == "gpu-number") return GpuResource{.vendor = Vendor::nvidia};
  return std::nullopt;
}

}  // namespace

std::optional<GpuResource> gpu_resource(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view domain = name.substr(0, slash);
  const std::string_view rest = name.substr(slash + 1);
  if (domain == "nvidia.com") return nvidia_resource(rest);
  if (domain == "amd.com") return amd_resource(rest);
  if (domain == "gpu.intel.com") return intel_resource(rest);
  if (domain == "aws.amazon.com") return neuron_resource(rest);
  if (domain == "aliyun.com") return aliyun_resource(rest);
  if (domain == "volcano.sh") return volcano_resource(rest);
  if (name == "habana.ai/gaudi") return GpuResource{.vendor = Vendor::habana};
  if (name == "google.com/tpu") return GpuResource{.vendor = Vendor::google};
  return std::nullopt;
}

bool is_nvidia_resource(std::string_view resource) { return resource.starts_with("nvidia.com/"); }

std::string_view name_of(Vendor vendor) {
  switch (vendor) {
    case Vendor::nvidia:
      return "nvidia";
    case Vendor::amd:
      return "amd";
    case Vendor::intel:
      return "intel";
    case Vendor::habana:
      return "habana";
    case Vendor::google:
      return "google";
    case Vendor::aws:
      return "aws";
    case Vendor::other:
      return "other";
  }
  return "";
}

std::string_view usual_resource(Vendor vendor) {
  switch (vendor) {
    case Vendor::nvidia:
      return "nvidia.com/gpu";
    case Vendor::amd:
      return "amd.com/gpu";
    case Vendor::intel:
      return "gpu.intel.com/i915";
    case Vendor::habana:
      return "habana.ai/gaudi";
    case Vendor::google:
      return "google.com/tpu";
    case Vendor::aws:
      return "aws.amazon.com/neuron";
    case Vendor::other:
      return "";
  }
  return "";
}

}  // namespace gpu
