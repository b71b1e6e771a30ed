#include "model/gpu/gpu_labels.hpp"

#include <array>
#include <vector>

#include "base/ascii.hpp"
#include "model/gpu/gpu_models.hpp"
#include "model/gpu/instance_table.hpp"

namespace gpu {
namespace {

std::optional<std::int64_t> number(std::string_view text) {
  const std::optional<std::int64_t> value = whole_number(text);
  return value && *value >= 0 ? value : std::nullopt;
}

/// A label that names the card, and what it says about the vendor.
struct ProductLabel {
  std::string_view key;
  Vendor vendor;
};
/// The most exact first.
constexpr std::array<ProductLabel, 16> kProductLabels = {{
    {"nvidia.com/gpu.product", Vendor::nvidia},
    {"amd.com/gpu.product-name", Vendor::amd},
    {"gpu.intel.com/product", Vendor::intel},
    {"cloud.google.com/gke-tpu-accelerator", Vendor::google},
    {"cloud.google.com/gke-accelerator", Vendor::nvidia},
    {"karpenter.k8s.aws/instance-gpu-name", Vendor::nvidia},
    {"karpenter.k8s.aws/instance-accelerator-name", Vendor::aws},
    {"eks.amazonaws.com/instance-gpu-name", Vendor::nvidia},
    {"eks.amazonaws.com/instance-accelerator-name", Vendor::aws},
    {"karpenter.k8s.gcp/instance-gpu-name", Vendor::nvidia},
    {"karpenter.azure.com/sku-gpu-name", Vendor::nvidia},
    {"doks.digitalocean.com/gpu-model", Vendor::nvidia},
    {"aliyun.accelerator/nvidia_name", Vendor::nvidia},
    {"k8s.amazonaws.com/accelerator", Vendor::nvidia},
    {"gpu.nvidia.com/model", Vendor::nvidia},  // CoreWeave
    {"gpu.intel.com/family", Vendor::intel},
}};

/// A label that says only that there are GPUs; `value` empty: any value counts.
struct PresenceLabel {
  std::string_view key;
  std::string_view value;
  Vendor vendor;
};
constexpr std::array<PresenceLabel, 22> kPresenceLabels = {{
    {"nvidia.com/gpu.present", "true", Vendor::nvidia},
    {"kubernetes.azure.com/accelerator", "nvidia", Vendor::nvidia},
    {"accelerator", "nvidia", Vendor::nvidia},  // AKS, before 2023
    {"karpenter.azure.com/sku-gpu-manufacturer", "nvidia", Vendor::nvidia},
    {"doks.digitalocean.com/gpu-brand", "nvidia", Vendor::nvidia},
    {"doks.digitalocean.com/gpu-brand", "amd", Vendor::amd},
    {"cloud.google.com/gke-gpu", "true", Vendor::nvidia},
    {"feature.node.kubernetes.io/pci-10de.present", "true", Vendor::nvidia},
    {"feature.node.kubernetes.io/pci-0300_10de.present", "true", Vendor::nvidia},
    {"feature.node.kubernetes.io/pci-0302_10de.present", "true", Vendor::nvidia},
    {"feature.node.kubernetes.io/amd-gpu", "true", Vendor::amd},
    {"feature.node.kubernetes.io/amd-vgpu", "true", Vendor::amd},
    // Of AMD and Intel only the classes that no part of a processor has.
    {"feature.node.kubernetes.io/pci-0380_1002.present", "true", Vendor::amd},
    {"feature.node.kubernetes.io/pci-1200_1002.present", "true", Vendor::amd},
    {"feature.node.kubernetes.io/pci-0380_8086.present", "true", Vendor::intel},
    {"feature.node.kubernetes.io/pci-1200_1da3.present", "true", Vendor::habana},
    {"intel.feature.node.kubernetes.io/gpu", "true", Vendor::intel},
    {"intel.feature.node.kubernetes.io/gaudi", "true", Vendor::habana},
    {"amd.com/gpu.device-id", "", Vendor::amd},
    {"amd.com/gpu.vram", "", Vendor::amd},
    {"gpu.intel.com/device.count", "", Vendor::intel},
    {"habana.ai/gaudi.present", "true", Vendor::habana},
}};

/// Of physical cards, from tables of instance types or from the PCI bus.
constexpr std::array<std::string_view, 10> kCardLabels = {
    "karpenter.k8s.aws/instance-gpu-count", "karpenter.k8s.aws/instance-accelerator-count",
    "eks.amazonaws.com/instance-gpu-count", "eks.amazonaws.com/instance-accelerator-count",
    "karpenter.k8s.gcp/instance-gpu-count", "karpenter.azure.com/sku-gpu-count",
    "aliyun.accelerator/nvidia_count",      "gpu.nvidia.com/count",
    "gpu.intel.com/device.count",           "cloud.google.com/gke-accelerator-count"};

constexpr std::array<std::string_view, 3> kMemoryLabels = {"nvidia.com/gpu.memory",
                                                           "karpenter.k8s.aws/instance-gpu-memory",
                                                           "eks.amazonaws.com/instance-gpu-memory"};

std::optional<std::int64_t> first_number(const StringMap& labels, auto& keys) {
  for (const std::string_view key : keys)
    if (const auto value = number(value_of(labels, key))) return value;
  return std::nullopt;
}

/// The machine that the cloud calls the node, if it has GPUs.
const GpuInstance* machine_of(const StringMap& labels) {
  std::string_view type = value_of(labels, "node.kubernetes.io/instance-type");
  if (type.empty()) type = value_of(labels, "beta.kubernetes.io/instance-type");
  const GpuInstance* const machine = type.empty() ? nullptr : instance_named(type);
  return machine != nullptr && machine->gpus > 0 ? machine : nullptr;
}

std::optional<Vendor> vendor_of(const GpuInstance& machine) {
  const GpuModel* const model = find_gpu_model(machine.model, std::nullopt);
  if (model == nullptr) return std::nullopt;
  for (const Vendor vendor :
       {Vendor::nvidia, Vendor::amd, Vendor::intel, Vendor::habana, Vendor::google, Vendor::aws})
    if (name_of(vendor) == model->vendor) return vendor;
  return std::nullopt;
}

/// How many cards there are, and what tells it.
void read_counts(const StringMap& labels, const GpuInstance* machine, GpuLabels& result) {
  constexpr std::string_view kCount = "nvidia.com/gpu.count";
  result.count = number(value_of(labels, kCount));
  for (const std::string_view key : kCardLabels) {
    result.cards = number(value_of(labels, key));
    if (!result.cards) continue;
    result.told_by = std::string(key) + "=" + std::string(value_of(labels, key));
    break;
  }
  // A type that sells parts of a card (AWS g6f) counts 0 of them.
  if (result.cards == 0) result.cards.reset();
  if (!result.cards && machine != nullptr && !machine->is_slice) {
    result.cards = machine->gpus;
    result.told_by = "instance type " + machine->type;
  }
  // The larger counts: a card that fell off the bus is not discovered, and was sold all the same.
  if (result.count && result.count >= result.cards)
    result.told_by = std::string(kCount) + "=" + std::string(value_of(labels, kCount));
}

/// Karpenter names the maker beside the card: dl1 and g4ad are not NVIDIA.
Vendor maker(const StringMap& labels, Vendor otherwise) {
  for (const std::string_view key : {"karpenter.k8s.aws/instance-gpu-manufacturer",
                                     "eks.amazonaws.com/instance-gpu-manufacturer"}) {
    const std::string_view value = value_of(labels, key);
    if (value == "habana") return Vendor::habana;
    if (value == "amd") return Vendor::amd;
  }
  return otherwise;
}

std::optional<Vendor> find_vendor(const StringMap& labels, GpuLabels& result) {
  for (const auto& [key, vendor] : kProductLabels) {
    const std::string_view value = value_of(labels, key);
    if (value.empty()) continue;
    result.product_label = key;
    result.product = value;
    return key.find("gpu-name") == std::string_view::npos ? vendor : maker(labels, vendor);
  }
  for (const auto& [key, value, vendor] : kPresenceLabels) {
    const std::string* found = labels.find(key);
    if (found != nullptr && (value.empty() || *found == value)) return vendor;
  }
  // The AMD labeller before 2023 wrote the value into the key: beta.amd.com/gpu.vram.64G=1.
  for (const auto& [key, value] : labels) {
    static constexpr std::string_view kOld = "beta.amd.com/gpu.product-name.";
    if (key.starts_with(kOld)) {
      result.product = key.substr(kOld.size());
      return Vendor::amd;
    }
    if (key.starts_with("beta.amd.com/gpu.")) return Vendor::amd;
  }
  return std::nullopt;
}

/// amd.com/gpu.vram is "192G".
std::optional<std::int64_t> amd_memory_mib(const StringMap& labels) {
  std::string_view vram = value_of(labels, "amd.com/gpu.vram");
  if (!vram.ends_with('G')) return std::nullopt;
  vram.remove_suffix(1);
  const auto gib = number(vram);
  if (!gib || *gib > 1'000'000) return std::nullopt;
  return *gib * 1024;
}

/// The labeller has written it under several prefixes; "spx_nps1" is the whole card.
std::string amd_partition(const StringMap& labels) {
  for (const std::string_view key :
       {"amd.com/gpu.compute-memory-partition", "amd.com/compute-memory-partition",
        "beta.amd.com/gpu.compute-memory-partition", "amd.com/gpu.compute-partition"}) {
    const std::string mode = lower_case(value_of(labels, key));
    if (!mode.empty()) return mode.starts_with("spx") ? std::string{} : mode;
  }
  return {};
}

Sharing sharing_of(const StringMap& labels, std::string_view product) {
  Sharing sharing;
  const std::string_view nvidia = value_of(labels, "nvidia.com/gpu.sharing-strategy");
  const std::string_view gke = value_of(labels, "cloud.google.com/gke-gpu-sharing-strategy");
  if (nvidia == "mps" || gke == "mps") sharing.strategy = SharingStrategy::mps;
  if (nvidia == "time-slicing" || gke == "time-sharing")
    sharing.strategy = SharingStrategy::time_slicing;
  const auto replicas = number(value_of(labels, "nvidia.com/gpu.replicas"));
  const auto clients = number(value_of(labels, "cloud.google.com/gke-max-shared-clients-per-gpu"));
  if (replicas && *replicas > 1)
    sharing.replicas = *replicas;
  else if (clients && *clients > 1 && sharing.strategy != SharingStrategy::none)
    sharing.replicas = *clients;
  // Plugins before 0.15 have no strategy label; the product's suffix and the replicas tell.
  const bool is_shared =
      sharing.replicas > std::optional<std::int64_t>(1) || product.ends_with("-SHARED");
  if (sharing.strategy == SharingStrategy::none && is_shared)
    sharing.strategy = SharingStrategy::time_slicing;
  return sharing;
}

std::string driver_of(const StringMap& labels) {
  const std::string_view full = value_of(labels, "nvidia.com/cuda.driver-version.full");
  if (!full.empty()) return std::string(full);
  const std::string_view major = value_of(labels, "nvidia.com/cuda.driver.major");
  if (!major.empty()) {
    std::string version(major);
    for (const std::string_view key :
         {"nvidia.com/cuda.driver.minor", "nvidia.com/cuda.driver.rev"})
      if (const std::string_view part = value_of(labels, key); !part.empty())
        version.append(".").append(part);
    return version;
  }
  return std::string(value_of(labels, "amd.com/gpu.driver-version"));
}

/// "1g.5gb" of "A100-SXM4-40GB-MIG-1g.5gb-SHARED"; "INVALID" where the single strategy does not fit
/// the cards.
std::string mig_profile_in(std::string_view product) {
  const std::size_t at = product.find("-MIG-");
  if (at == std::string_view::npos) return {};
  std::string_view profile = product.substr(at + 5);
  if (profile.ends_with("-SHARED")) profile.remove_suffix(7);
  return std::string(profile);
}

/// "80GB" -> "80G"; nothing for a word that is no memory size.
std::optional<std::string> memory_word(std::string_view word) {
  if (!word.ends_with("GB") || !number(word.substr(0, word.size() - 2))) return std::nullopt;
  return std::string(word.substr(0, word.size() - 1));
}

/// Form factors say nothing to someone who reads a table of nodes.
bool is_form_factor(std::string_view word) {
  return word.starts_with("SXM") || word.starts_with("HBM") || word == "PCIe" || word == "PCIE" ||
         word == "NVL" || word == "OAM";
}

struct Shortened {
  std::string family;
  std::string memory;  ///< "80G", empty when the name has none
};

Shortened shortened(std::string_view name) {
  Shortened result;
  while (!name.empty()) {
    const std::size_t dash = name.find('-');
    const std::string_view word = name.substr(0, dash);
    name = dash == std::string_view::npos ? std::string_view{} : name.substr(dash + 1);
    if (const auto memory = memory_word(word)) {
      result.memory = *memory;
    } else if (!is_form_factor(word)) {
      if (!result.family.empty()) result.family += '-';
      result.family += word;
    }
  }
  return result;
}

std::string joined(const Shortened& name) {
  return name.memory.empty() ? name.family : name.family + "-" + name.memory;
}

}  // namespace

std::string_view name_of(SharingStrategy strategy) {
  switch (strategy) {
    case SharingStrategy::none:
      return "none";
    case SharingStrategy::time_slicing:
      return "time-slicing";
    case SharingStrategy::mps:
      return "mps";
    case SharingStrategy::hami:
      return "hami";
    case SharingStrategy::volcano:
      return "volcano";
    case SharingStrategy::gpushare:
      return "gpushare";
    case SharingStrategy::shared:
      return "shared";
    case SharingStrategy::capacity:
      return "capacity";
  }
  return "";
}

std::string short_model(std::string_view product, std::optional<std::int64_t> memory_mib) {
  if (product.ends_with("-SHARED")) product.remove_suffix(7);
  product = product.substr(0, product.find("-MIG-"));
  if (const GpuModel* model = find_gpu_model(product, memory_mib)) {
    Shortened name = shortened(model->name);
    const bool sold_by_memory = model->vendor != "google" && model->vendor != "aws";
    if (name.memory.empty() && sold_by_memory && model->memory_mib)
      name.memory = std::to_string(*model->memory_mib / 1024) + "G";
    return joined(name);
  }
  for (const std::string_view maker : {"NVIDIA-", "nvidia-", "Tesla-", "tesla-", "GeForce-"})
    if (product.starts_with(maker)) product.remove_prefix(maker.size());
  return joined(shortened(product));
}

std::string family_of(std::string_view short_model) {
  const std::size_t dash = short_model.rfind('-');
  if (dash == std::string_view::npos || !short_model.ends_with('G'))
    return std::string(short_model);
  const std::string_view memory = short_model.substr(dash + 1, short_model.size() - dash - 2);
  return number(memory) ? std::string(short_model.substr(0, dash)) : std::string(short_model);
}

std::optional<std::int64_t> labelled_cards(const GpuLabels& labels) {
  return labels.count ? labels.count : labels.cards;
}

std::optional<GpuLabels> gpu_labels(const StringMap& labels) {
  GpuLabels result;
  const GpuInstance* machine = machine_of(labels);
  const std::optional<Vendor> sold = machine == nullptr ? std::nullopt : vendor_of(*machine);
  std::optional<Vendor> vendor = find_vendor(labels, result);
  if (!vendor) vendor = sold;
  if (!vendor) return std::nullopt;
  if (sold != vendor) machine = nullptr;
  result.vendor = *vendor;
  read_counts(labels, machine, result);
  result.memory_mib = first_number(labels, kMemoryLabels);
  if (result.vendor == Vendor::amd) {
    if (!result.memory_mib) result.memory_mib = amd_memory_mib(labels);
    result.partition = amd_partition(labels);
  }
  result.single_mig_profile = mig_profile_in(result.product);
  // Count and memory are then written as 0.
  if (result.single_mig_profile == "INVALID") {
    result.single_mig_profile.clear();
    result.count.reset();
    result.told_by.clear();
    result.memory_mib.reset();
  }
  // GKE cuts cards itself and says so in a label of its own.
  if (result.single_mig_profile.empty())
    result.single_mig_profile = value_of(labels, "cloud.google.com/gke-gpu-partition-size");
  // The memory is then that of a slice or partition, and tells nothing about the card.
  const bool is_part = !result.single_mig_profile.empty() || !result.partition.empty();
  if (!result.product.empty())
    result.model = short_model(result.product, is_part ? std::nullopt : result.memory_mib);
  else if (machine != nullptr && !is_part)
    result.model = short_model(machine->model, machine->gpu_memory_mib);
  result.sharing = sharing_of(labels, result.product);
  result.denies_sharing = value_of(labels, "nvidia.com/gpu.sharing-strategy") == "none";
  result.driver = driver_of(labels);
  return result;
}

}  // namespace gpu
