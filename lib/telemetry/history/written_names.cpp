#include "telemetry/history/written_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::telemetry {
namespace {

/// Labels by which prices are looked up, and GPUs are known.
constexpr auto kKnownLabels = std::to_array<std::string_view>({
    "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/instance-type",
    "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/zone",
    "karpenter.sh/capacity-type",
    "karpenter.k8s.aws/capacity-reservation-id",
    "karpenter.k8s.aws/capacity-reservation-type",
    "eks.amazonaws.com/capacityType",
    "cloud.google.com/gke-spot",
    "cloud.google.com/gke-preemptible",
    "cloud.google.com/gke-provisioning",
    "kubernetes.azure.com/scalesetpriority",
    "oci.oraclecloud.com/oke-is-preemptible",
    "node.kubernetes.io/lifecycle",
    "kops.k8s.io/instancegroup",
    "nvidia.com/gpu.product",
    "nvidia.com/gpu.count",
    "nvidia.com/gpu.memory",
    "nvidia.com/gpu.replicas",
    "nvidia.com/gpu.sharing-strategy",
    "nvidia.com/mig.strategy",
    "amd.com/gpu.product-name",
    "amd.com/gpu.vram",
    "amd.com/gpu.compute-memory-partition",
    "gpu.intel.com/product",
    "gpu.intel.com/device.count",
    "cloud.google.com/gke-accelerator",
    "cloud.google.com/gke-accelerator-count",
    "cloud.google.com/gke-gpu-sharing-strategy",
    "cloud.google.com/gke-max-shared-clients-per-gpu",
    "cloud.google.com/gke-tpu-accelerator",
    "karpenter.k8s.aws/instance-gpu-name",
    "karpenter.k8s.aws/instance-gpu-count",
    "karpenter.k8s.aws/instance-gpu-memory",
    "karpenter.k8s.aws/instance-gpu-manufacturer",
    "karpenter.k8s.aws/instance-accelerator-name",
    "karpenter.k8s.aws/instance-accelerator-count",
    "eks.amazonaws.com/instance-gpu-name",
    "eks.amazonaws.com/instance-gpu-count",
    "karpenter.k8s.gcp/instance-gpu-name",
    "karpenter.k8s.gcp/instance-gpu-count",
    "k8s.amazonaws.com/accelerator",
    "gpu.nvidia.com/model",
    "gpu.nvidia.com/count",
});

/// A maker's domain as it is written, and as it is.
constexpr auto kDomains = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"nvidia_com_", "nvidia.com/"},
    {"amd_com_", "amd.com/"},
    {"gpu_intel_com_", "gpu.intel.com/"},
    {"habana_ai_", "habana.ai/"},
    {"google_com_", "google.com/"},
    {"aws_amazon_com_", "aws.amazon.com/"},
    {"aliyun_com_", "aliyun.com/"},
    {"volcano_sh_", "volcano.sh/"},
});

std::string written(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (!is_letter(c) && !is_digit(c)) c = '_';
  return text;
}

/// "capacity_type" for "capacityType", as newer releases write labels.
std::string in_small_letters(std::string_view text) {
  std::string small;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_capital = text[i] >= 'A' && text[i] <= 'Z';
    const bool is_inside =
        i > 0 && (is_digit(text[i - 1]) || (text[i - 1] >= 'a' && text[i - 1] <= 'z'));
    if (is_capital && is_inside) small += '_';
    small += is_capital ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
  }
  return small;
}

void replace_all(std::string& text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
}

/// What stands behind the domain: "mig-1g.5gb" for "mig_1g_5gb", "gpu.shared" for "gpu_shared".
std::string rest_of_nvidia(std::string_view rest) {
  constexpr std::string_view kShared = "_shared";
  constexpr std::string_view kMig = "mig_";
  const bool is_shared = rest.ends_with(kShared);
  if (is_shared) rest.remove_suffix(kShared.size());
  std::string name(rest);
  if (rest.starts_with(kMig)) {
    name = rest.substr(kMig.size());
    replace_all(name, '_', '.');
    name.insert(0, "mig-");
  }
  return is_shared ? name + ".shared" : name;
}

std::string by_habit(std::string_view text) {
  for (const auto& [begin, domain] : kDomains) {
    if (!text.starts_with(begin)) continue;
    const std::string_view rest = text.substr(begin.size());
    std::string name(domain);
    if (domain == "nvidia.com/") return name + rest_of_nvidia(rest);
    name += rest;
    // Aliyun and Volcano write gpu-mem, vgpu-number.
    if (domain == "aliyun.com/" || domain == "volcano.sh/")
      std::replace(name.begin() + static_cast<std::ptrdiff_t>(domain.size()), name.end(), '_', '-');
    return name;
  }
  return {};
}

}  // namespace

WrittenNames::WrittenNames(const Snapshot& snapshot) {
  for (const std::string_view key : kKnownLabels) add_label(key);
  for (const Node& node : snapshot.nodes) {
    for (const auto& [name, amount] : node.capacity)
      if (gpu_resource(name)) resources_.try_emplace(written(name), name);
    for (const auto& [key, value] : node.labels) add_label(key);
  }
}

void WrittenNames::add_label(std::string_view key) {
  const std::string plain = written(key);
  labels_.try_emplace(in_small_letters(plain), key);
  labels_.try_emplace(plain, key);
}

std::string WrittenNames::resource(std::string_view text) const {
  const auto known = resources_.find(text);
  std::string name = known == resources_.end() ? by_habit(text) : known->second;
  return gpu_resource(name) ? name : std::string();
}

std::string WrittenNames::label(std::string_view text) const {
  constexpr std::string_view kBegin = "label_";
  if (!text.starts_with(kBegin)) return {};
  const auto known = labels_.find(text.substr(kBegin.size()));
  return known == labels_.end() ? std::string() : known->second;
}

}  // namespace gpu::telemetry
