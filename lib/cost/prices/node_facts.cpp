#include "cost/prices/node_facts.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/split.hpp"
#include "model/gpu/gpu_labels.hpp"

namespace gpu::cost {
namespace {

/// The first of the labels that is there.
std::string_view first_of(const StringMap& labels, std::string_view key, std::string_view old_key) {
  const std::string_view value = value_of(labels, key);
  return value.empty() ? value_of(labels, old_key) : value;
}

/// "us-east-1" of "us-east-1a" and of the local zone "us-east-1-bos-1a".
std::string region_of_aws(std::string_view zone) {
  for (std::size_t at = 1; at < zone.size(); ++at)
    if (zone[at - 1] == '-' && is_digit(zone[at])) {
      while (at < zone.size() && is_digit(zone[at])) ++at;
      return std::string(zone.substr(0, at));
    }
  return {};
}

/// "us-central1" of "us-central1-a".
std::string region_of_gcp(std::string_view zone) {
  const std::size_t last = zone.rfind('-');
  return last == std::string_view::npos ? std::string() : std::string(zone.substr(0, last));
}

std::vector<const GpuModel*> models_of(const PricedNode& node, const NodeFacts& facts) {
  if (facts.product.empty()) {
    if (facts.instance == nullptr || facts.instance->model.empty()) return {};
    return gpu_models_named(facts.instance->model, std::nullopt);
  }
  const bool is_of_slice = contains(node.product, "-MIG-");  // so its memory may be the slice's
  const std::vector<const GpuModel*> found =
      gpu_models_named(facts.product, is_of_slice ? std::nullopt : node.memory_mib);
  return found.empty() ? models_called(facts.product) : found;
}

/// What each model is called where it is printed: finding that out is work.
const std::vector<std::pair<std::string, const GpuModel*>>& short_names() {
  static const auto names = [] {
    std::vector<std::pair<std::string, const GpuModel*>> all;
    for (const GpuModel& model : gpu_models())
      all.emplace_back(short_model(model.name, model.memory_mib), &model);
    return all;
  }();
  return names;
}

/// EC2 says that an instance with a slice has 0 GPUs, so 0 is not known.
std::optional<std::int64_t> most_cards(const PricedNode& node, const GpuInstance* instance) {
  const std::int64_t most =
      std::max(node.cards.value_or(0), instance == nullptr ? 0 : instance->gpus);
  return most > 0 ? std::optional(most) : std::nullopt;
}

}  // namespace

std::string provider_of(std::string_view provider_id) {
  const std::string id = lower_case(provider_id);
  if (id.starts_with("ocid1.")) return "oci";
  const std::size_t scheme = id.find("://");
  if (scheme == std::string::npos) return {};
  const std::string name = id.substr(0, scheme);
  return name == "gce" ? "gcp" : name;
}

std::string region_of(const StringMap& labels, std::string_view provider_id) {
  const std::string_view label =
      first_of(labels, "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region");
  if (!label.empty()) return std::string(label);
  const std::vector<std::string_view> parts = split(provider_id, '/');
  const std::string provider = provider_of(provider_id);
  if (provider == "aws" && parts.size() > 4) return region_of_aws(parts[3]);  // aws:///ZONE/ID
  if (provider == "gcp" && parts.size() > 4) return region_of_gcp(parts[3]);  // gce://PROJECT/ZONE/
  return {};
}

std::string_view whole_product(std::string_view product) {
  if (product.ends_with("-SHARED")) product.remove_suffix(7);
  return product.substr(0, product.find("-MIG-"));
}

std::vector<const GpuModel*> models_called(std::string_view name) {
  std::vector<const GpuModel*> found = gpu_models_named(name, std::nullopt);
  if (!found.empty() || name.empty()) return found;
  for (const auto& [short_name, model] : short_names())
    if (equal_ignoring_case(short_name, name)) found.push_back(model);
  return found;
}

NodeFacts facts_of(const PricedNode& node) {
  NodeFacts facts{.node = &node};
  facts.provider = provider_of(node.provider_id);
  facts.type = first_of(*node.labels, "node.kubernetes.io/instance-type",
                        "beta.kubernetes.io/instance-type");
  facts.region = region_of(*node.labels, node.provider_id);
  facts.instance = instance_named(facts.type, facts.provider);
  facts.product = std::string(whole_product(node.product));
  facts.models = models_of(node, facts);
  facts.cards = most_cards(node, facts.instance);
  facts.capacity = capacity_of(*node.labels);
  return facts;
}

}  // namespace gpu::cost
