#include "cost/forecast/karpenter_machines.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "cost/prices/node_facts.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/instance_table.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::cost {
namespace {

constexpr std::string_view kCapacity = "karpenter.sh/capacity-type";

/// Whose machines a NodePool creates, by the group of its node class.
std::string provider_of_class(const std::string& group, const MachineMarket& market) {
  if (group == "karpenter.k8s.aws" || group == "eks.amazonaws.com") return "aws";
  if (group == "karpenter.azure.com") return "azure";
  if (group == "karpenter.k8s.gcp") return "gcp";
  return market.provider;
}

/// Labels whose values the table does not know: zones, disks, what GPU feature discovery adds.
bool is_beyond_table(std::string_view key) {
  static constexpr std::array<std::string_view, 9> kStarts = {"topology.",
                                                              "failure-domain.",
                                                              "karpenter.k8s.",
                                                              "karpenter.azure.com/",
                                                              "eks.amazonaws.com/",
                                                              "cloud.google.com/",
                                                              "nvidia.com/",
                                                              "kubernetes.azure.com/",
                                                              "node.kubernetes.io/windows"};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return key.starts_with(start); });
}

/// "p5" of "p5.48xlarge", and what Karpenter makes of it.
void add_aws_labels(StringMap& labels, const GpuInstance& row) {
  const std::string family = row.type.substr(0, row.type.find('.'));
  const std::string prefix = "karpenter.k8s.aws/instance-";
  labels.set(prefix + "family", family);
  labels.set(prefix + "size", row.type.substr(std::min(row.type.size(), family.size() + 1)));
  const std::size_t digit = std::min(family.find_first_of("0123456789"), family.size());
  labels.set(prefix + "category", family.substr(0, digit));
  if (digit < family.size()) labels.set(prefix + "generation", std::string(1, family[digit]));
  labels.set(prefix + "gpu-count", std::to_string(row.gpus));
  if (row.vcpus) labels.set(prefix + "cpu", std::to_string(*row.vcpus));
  if (row.memory_mib) labels.set(prefix + "memory", std::to_string(*row.memory_mib));
  if (row.gpu_memory_mib) labels.set(prefix + "gpu-memory", std::to_string(*row.gpu_memory_mib));
  const std::vector<const GpuModel*> models = models_called(row.model);
  if (!models.empty()) labels.set(prefix + "gpu-manufacturer", models.front()->vendor);
}

StringMap labels_of(const GpuInstance& row, const KarpenterNodePool& pool) {
  StringMap labels = pool.labels;
  labels.set("karpenter.sh/nodepool", pool.name);
  labels.set("node.kubernetes.io/instance-type", row.type);
  labels.set("beta.kubernetes.io/instance-type", row.type);
  labels.set("kubernetes.io/os", "linux");
  if (row.provider == "aws") add_aws_labels(labels, row);
  for (const Requirement& each : pool.requirements)
    if (each.op == "In" && each.values.size() == 1 && !labels.contains(each.key))
      labels.set(each.key, each.values.front());
  return labels;
}

bool is_of_model(std::string_view product, const GpuInstance& row) {
  const std::vector<const GpuModel*> models = models_called(whole_product(product));
  return std::any_of(models.begin(), models.end(),
                     [&](const GpuModel* each) { return each->name == row.model; });
}

bool names_product(const std::string& key, const std::string& value) {
  const auto read = gpu_labels({{key, value}});
  return read && !read->product.empty();
}

/// A machine that a NodePool may create.
struct Candidate {
  const GpuInstance& row;
  const KarpenterNodePool& pool;
  StringMap labels;

  [[nodiscard]] bool holds(const Requirement& requirement) const {
    const bool is_product = requirement.op == "In" && !requirement.values.empty() &&
                            names_product(requirement.key, requirement.values.front());
    if (is_product)
      return std::any_of(requirement.values.begin(), requirement.values.end(),
                         [&](const std::string& value) { return is_of_model(value, row); });
    if (requirement.key == kCapacity) return true;  // decided by itself
    if (labels.contains(requirement.key)) return gpu::holds(requirement, labels);
    for (const Requirement& own : pool.requirements)
      if (own.key == requirement.key) return has_common_value(own, requirement);
    return is_beyond_table(requirement.key) || gpu::holds(requirement, labels);
  }

  [[nodiscard]] bool is_allowed_by_pool() const {
    return std::all_of(
        pool.requirements.begin(), pool.requirements.end(),
        [&](const Requirement& each) { return !labels.contains(each.key) ? true : holds(each); });
  }

  [[nodiscard]] bool takes(const Pod& pod) const {
    for (const auto& [key, value] : pod.node_selector)
      if (!holds({key, "In", {value}})) return false;
    if (!pod.placement.node_affinity) return true;
    const NodeSelector& terms = *pod.placement.node_affinity;
    return std::any_of(terms.begin(), terms.end(), [&](const NodeSelectorTerm& term) {
      const bool is_empty = term.expressions.empty() || !term.fields.empty();
      return !is_empty && std::all_of(term.expressions.begin(), term.expressions.end(),
                                      [&](const Requirement& each) { return holds(each); });
    });
  }

  /// Whether some value is of both; of others than In nobody can say that it is not.
  static bool has_common_value(const Requirement& own, const Requirement& wanted) {
    if (own.op != "In" || wanted.op != "In") return true;
    return std::any_of(own.values.begin(), own.values.end(), [&](const std::string& value) {
      return std::find(wanted.values.begin(), wanted.values.end(), value) != wanted.values.end();
    });
  }
};

bool allows(const std::vector<Requirement>& requirements, const std::string& type) {
  return std::all_of(requirements.begin(), requirements.end(), [&](const Requirement& each) {
    return each.key != kCapacity || holds(each, {{std::string(kCapacity), type}});
  });
}

/// How the machine would be bought: on demand where both allow that, for what may be had as spot
/// stands beside it. Empty: in no way.
std::string capacity_for(const Pod& pod, const KarpenterNodePool& pool) {
  std::vector<Requirement> wanted;
  if (const std::string* const value = pod.node_selector.find(kCapacity))
    wanted.push_back({std::string(kCapacity), "In", {*value}});
  if (pod.placement.node_affinity && pod.placement.node_affinity->size() == 1) {
    const auto& own = pod.placement.node_affinity->front().expressions;
    wanted.insert(wanted.end(), own.begin(), own.end());
  }
  for (const char* const type : {"on-demand", "spot", "reserved"})
    if (allows(pool.requirements, type) && allows(wanted, type)) return type;
  return {};
}

bool is_tolerated(const Pod& pod, const KarpenterNodePool& pool) {
  return std::all_of(pool.taints.begin(), pool.taints.end(), [&](const Taint& taint) {
    return taint.effect == "PreferNoSchedule" || tolerates(pod.tolerations, taint);
  });
}

bool is_of_market(const GpuInstance& row, const std::string& provider) {
  return row.provider == provider && row.kind == InstanceKind::instance && row.gpus > 0 &&
         !row.is_slice;
}

}  // namespace

std::vector<FutureMachine> karpenter_machines(const Pod& pod,
                                              const std::vector<KarpenterNodePool>& pools,
                                              const MachineMarket& market) {
  std::vector<FutureMachine> machines;
  for (const KarpenterNodePool& pool : pools) {
    const std::string provider = provider_of_class(pool.class_group, market);
    const std::string capacity = capacity_for(pod, pool);
    if (capacity.empty() || !is_tolerated(pod, pool)) continue;
    for (const GpuInstance& row : gpu_instances()) {
      if (!is_of_market(row, provider)) continue;
      Candidate one{row, pool, labels_of(row, pool)};
      if (!one.is_allowed_by_pool() || !one.takes(pod)) continue;
      one.labels.set(kCapacity, capacity);
      if (!market.region.empty()) one.labels.set("topology.kubernetes.io/region", market.region);
      machines.push_back({.labels = std::move(one.labels),
                          .provider_id = provider + "://",
                          .product = row.model,
                          .cards = row.gpus});
    }
  }
  return machines;
}

}  // namespace gpu::cost
