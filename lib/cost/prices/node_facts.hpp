#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/prices/capacity.hpp"
#include "cost/prices/price.hpp"
#include "model/gpu/gpu_models.hpp"
#include "model/gpu/instance_table.hpp"

namespace gpu::cost {

/// The facts about a node that rules compare. Refers to the node.
struct NodeFacts {
  const PricedNode* node = nullptr;
  std::string provider;                   ///< "aws", "kind"; empty: not known
  std::string_view type;                  ///< instance type; empty: no label has it
  std::string region;                     ///< empty: not known
  const GpuInstance* instance = nullptr;  ///< the table's row of its type, of any region
  std::string product;                    ///< of its GPUs, without what sharing and MIG add
  std::vector<const GpuModel*> models;    ///< that the product can be
  std::optional<std::int64_t> cards;      ///< the most that it has or that were bought; above 0
  Capacity capacity;
};

NodeFacts facts_of(const PricedNode& node);

/// "aws" for "aws:///us-east-1a/i-0", by the scheme of spec.providerID whatever its case, and "oci"
/// for a bare OCID. Empty where there is no scheme.
std::string provider_of(std::string_view provider_id);

/// By label, or else by the zone that is in the provider ID of AWS and Google Cloud.
std::string region_of(const StringMap& labels, std::string_view provider_id);

/// A product without "-SHARED" and "-MIG-1g.5gb".
std::string_view whole_product(std::string_view product);

/// The models that people call so: by gpu_models_named(), or by the short name that we print
/// ("H100-80G").
std::vector<const GpuModel*> models_called(std::string_view name);

}  // namespace gpu::cost
