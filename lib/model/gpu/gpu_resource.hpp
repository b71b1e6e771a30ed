#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpu {

/// Whose device plugin or DRA driver a resource comes from; `other`: a DRA driver of a maker that
/// is not known here, such as gpu.example.com.
enum class Vendor { nvidia, amd, intel, habana, google, aws, other };

/// What one unit of a resource is. A card is a card: these are never added to each other.
enum class DeviceKind {
  card,       ///< a whole physical card (or a share of one: see Sharing)
  mig_slice,  ///< a MIG instance
  partition,  ///< an AMD compute partition or virtual function
  vgpu,       ///< a virtual GPU for KubeVirt
  alias,      ///< cards that are advertised under another name too: neuroncore, neurondevice
};

/// An extended resource that counts devices.
struct GpuResource {
  Vendor vendor = Vendor::nvidia;
  DeviceKind kind = DeviceKind::card;
  std::string profile;     ///< MIG "1g.10gb", AMD "cpx_nps4", vGPU "GRID_T4-4Q"; empty for cards
  bool renamed = false;    ///< ".shared": time-sliced or MPS replicas under their own name
  bool is_memory = false;  ///< a unit is a GiB of a card, and no device: aliyun.com/gpu-mem
  friend bool operator==(const GpuResource&, const GpuResource&) = default;
};

/// What `name` counts, or nothing when it does not count GPU devices: memory and core amounts
/// (gpumem, gpucores, vgpu-memory), monitoring, network devices of GPU vendors. Names by
/// the device plugins of NVIDIA, AMD, Intel, Gaudi, GKE TPU and AWS Neuron, of Volcano and ACK.
std::optional<GpuResource> gpu_resource(std::string_view name);

/// Whether NVIDIA's own device plugin, or HAMi's in its place, advertises `resource`.
bool is_nvidia_resource(std::string_view resource);

/// "nvidia", "amd", ...; "other" for `other`.
std::string_view name_of(Vendor vendor);

/// The resource that the vendor's device plugin advertises unless told otherwise; empty for
/// `other`.
std::string_view usual_resource(Vendor vendor);

}  // namespace gpu
