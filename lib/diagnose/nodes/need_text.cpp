#include "diagnose/nodes/need_text.hpp"

#include <fmt/format.h>

#include "diagnose/nodes/shares.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::diagnose {

std::string gpus_text(const scheduler::Cluster& cluster, const Pod& pod,
                      const scheduler::Amount& gpu) {
  const std::string_view name = cluster.name_of(gpu.resource);
  const auto resource = gpu_resource(name);
  if (resource && resource->kind != DeviceKind::card) return fmt::format("{} {}", gpu.value, name);
  const std::string model = model_of(pod);
  return fmt::format("{} {}{}", gpu.value, model.empty() ? "" : model + " ",
                     gpu_word(cluster, gpu.resource, gpu.value));
}

std::string model_of(const Pod& pod) {
  const std::string_view product = value_of(pod.node_selector, "nvidia.com/gpu.product");
  return product.empty() ? "" : family_of(short_model(product, std::nullopt));
}

std::string need_text(const scheduler::Cluster& cluster, const Pod& pod,
                      const NodeReasons& reasons) {
  if (!reasons.gpus().empty()) return gpus_text(cluster, pod, reasons.gpus().front());
  for (const scheduler::Amount& asked : reasons.requests()) {
    const std::string_view name = cluster.name_of(asked.resource);
    if (name.find('/') != std::string_view::npos) return fmt::format("{} {}", asked.value, name);
  }
  for (const scheduler::Amount& asked : reasons.requests())
    if (cluster.name_of(asked.resource) == "cpu")
      return fmt::format("{:g} cpu", static_cast<double>(asked.value) / 1000);
  return "a node";
}

}  // namespace gpu::diagnose
