#include "diagnose/nodes/blocker_kind.hpp"

#include <array>
#include <initializer_list>

#include "base/contains.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::diagnose {
namespace {

using scheduler::Filter;

/// Failures of one filter; of all that it has, or only of those whose text has `part`.
struct Failures {
  Filter filter{};
  std::string_view part = {};
};

/// The few values of one column.
template <class Value>
struct Few {
  constexpr Few() = default;
  constexpr Few(std::initializer_list<Value> values) {
    for (const Value& value : values) all[size++] = value;
  }
  [[nodiscard]] constexpr const Value* begin() const { return all.data(); }
  [[nodiscard]] constexpr const Value* end() const { return all.data() + size; }

  std::array<Value, 2> all{};
  std::size_t size = 0;
};

/// All that is known of one kind.
struct Row {
  BlockerKind kind{};
  std::string_view text;
  Code code{};
  Few<BlockerTrait> traits = {};
  DetailSource detail = DetailSource::none;
  std::string_view resource = {};
  Few<Remedy> remedies = {};
  Few<Failures> from = {};
};

constexpr auto kRows = std::to_array<Row>({
    {.kind = BlockerKind::other_node_name,
     .text = "other node name",
     .code = Code::node_selector_mismatch,
     .traits = {BlockerTrait::left_out},
     .from = {{Filter::node_name}}},
    {.kind = BlockerKind::node_selector,
     .text = "node selector",
     .code = Code::node_selector_mismatch,
     .traits = {BlockerTrait::left_out},
     .detail = DetailSource::selector,
     .remedies = {Remedy::correct_selector},
     .from = {{Filter::node_affinity}}},
    {.kind = BlockerKind::cordoned,
     .text = "cordoned",
     .code = Code::cordoned,
     .detail = DetailSource::maintenance,
     .remedies = {Remedy::uncordon},
     .from = {{Filter::node_unschedulable}}},
    {.kind = BlockerKind::not_ready,
     .text = "not ready",
     .code = Code::node_not_ready,
     .detail = DetailSource::taints},
    {.kind = BlockerKind::taint,
     .text = "taint",
     .code = Code::untolerated_taint,
     .detail = DetailSource::taints,
     .remedies = {Remedy::tolerate},
     .from = {{Filter::taint_toleration}}},
    {.kind = BlockerKind::port_taken,
     .text = "port taken",
     .code = Code::port_taken,
     .traits = {BlockerTrait::rule},
     .detail = DetailSource::ports,
     .remedies = {Remedy::other_pods},
     .from = {{Filter::node_ports}}},
    {.kind = BlockerKind::too_many_pods,
     .text = "too many pods",
     .code = Code::too_many_pods,
     .traits = {BlockerTrait::room},
     .detail = DetailSource::amounts,
     .remedies = {Remedy::fewer_pods},
     .from = {{Filter::node_resources_fit, "Too many pods"}}},
    {.kind = BlockerKind::few_free_gpus,
     .text = "too few free GPUs",
     .code = Code::insufficient_gpus,
     .traits = {BlockerTrait::room, BlockerTrait::gpus},
     .remedies = {Remedy::fewer_pods}},
    {.kind = BlockerKind::few_gpus,
     .text = "too few GPUs",
     .code = Code::request_exceeds_every_node,
     .traits = {BlockerTrait::room, BlockerTrait::gpus}},
    {.kind = BlockerKind::no_gpus,
     .text = "no GPUs",
     .code = Code::resource_not_advertised,
     .traits = {BlockerTrait::gpus},
     .remedies = {Remedy::correct_name}},
    {.kind = BlockerKind::renamed_gpus,
     .text = "GPUs have another name",
     .code = Code::resource_renamed,
     .traits = {BlockerTrait::gpus, BlockerTrait::stack},
     .detail = DetailSource::stack,
     .remedies = {Remedy::rename_gpus}},
    {.kind = BlockerKind::unhealthy_gpus,
     .text = "unhealthy GPUs",
     .code = Code::gpu_unhealthy,
     .traits = {BlockerTrait::room, BlockerTrait::gpus},
     .detail = DetailSource::stack},
    {.kind = BlockerKind::no_device_plugin,
     .text = "no device plugin",
     .code = Code::device_plugin_missing,
     .traits = {BlockerTrait::gpus, BlockerTrait::stack},
     .detail = DetailSource::stack},
    {.kind = BlockerKind::unhealthy_device_plugin,
     .text = "unhealthy device plugin",
     .code = Code::device_plugin_unhealthy,
     .traits = {BlockerTrait::gpus, BlockerTrait::stack},
     .detail = DetailSource::stack},
    {.kind = BlockerKind::no_driver,
     .text = "no driver",
     .code = Code::driver_missing,
     .traits = {BlockerTrait::gpus, BlockerTrait::stack},
     .detail = DetailSource::stack},
    {.kind = BlockerKind::few_resources,
     .text = "too few of a resource",
     .code = Code::insufficient_extended_resource,
     .traits = {BlockerTrait::room},
     .detail = DetailSource::amounts,
     .remedies = {Remedy::correct_name, Remedy::fewer_pods}},
    {.kind = BlockerKind::little_cpu,
     .text = "too little cpu",
     .code = Code::insufficient_cpu,
     .traits = {BlockerTrait::room},
     .detail = DetailSource::amounts,
     .resource = "cpu",
     .remedies = {Remedy::smaller_request, Remedy::fewer_pods}},
    {.kind = BlockerKind::little_memory,
     .text = "too little memory",
     .code = Code::insufficient_memory,
     .traits = {BlockerTrait::room},
     .detail = DetailSource::amounts,
     .resource = "memory",
     .remedies = {Remedy::smaller_request, Remedy::fewer_pods}},
    {.kind = BlockerKind::little_storage,
     .text = "too little storage",
     .code = Code::insufficient_storage,
     .traits = {BlockerTrait::room},
     .detail = DetailSource::amounts,
     .resource = "ephemeral-storage",
     .remedies = {Remedy::smaller_request, Remedy::fewer_pods}},
    {.kind = BlockerKind::volume_in_use,
     .text = "volume in use",
     .code = Code::volume_in_use,
     .traits = {BlockerTrait::rule},
     .detail = DetailSource::volume_use,
     .remedies = {Remedy::other_pods},
     .from = {{Filter::volume_restrictions}}},
    {.kind = BlockerKind::many_volumes,
     .text = "too many volumes",
     .code = Code::volume_limit,
     .traits = {BlockerTrait::rule},
     .detail = DetailSource::volume_limit,
     .remedies = {Remedy::other_pods},
     .from = {{Filter::node_volume_limits}}},
    {.kind = BlockerKind::volume_elsewhere,
     .text = "volume elsewhere",
     .code = Code::volume_zone,
     .traits = {BlockerTrait::rule},
     .detail = DetailSource::volume_place,
     .from = {{Filter::volume_zone}, {Filter::volume_binding, "node affinity"}}},
    {.kind = BlockerKind::no_volume,
     .text = "no volume",
     .code = Code::volume_unbound,
     .traits = {BlockerTrait::rule},
     .detail = DetailSource::missing_volume,
     .from = {{Filter::volume_binding}}},
    {.kind = BlockerKind::spread,
     .text = "spread rule",
     .code = Code::topology_spread,
     .traits = {BlockerTrait::rule},
     .detail = DetailSource::spread,
     .remedies = {Remedy::relax_spread},
     .from = {{Filter::pod_topology_spread}}},
    {.kind = BlockerKind::pod_affinity,
     .text = "pod affinity",
     .code = Code::pod_affinity,
     .traits = {BlockerTrait::rule},
     .detail = DetailSource::affinity,
     .from = {{Filter::inter_pod_affinity}}},
    {.kind = BlockerKind::pod_anti_affinity,
     .text = "pod anti-affinity",
     .code = Code::pod_anti_affinity,
     .traits = {BlockerTrait::rule},
     .detail = DetailSource::anti_affinity,
     .remedies = {Remedy::other_pods},
     .from = {{Filter::inter_pod_affinity, "anti-affinity"}}},
    {.kind = BlockerKind::no_devices,
     .text = "too few devices",
     .code = Code::claim_unsatisfiable,
     .traits = {BlockerTrait::room, BlockerTrait::gpus},
     .remedies = {Remedy::other_pods},
     .from = {{Filter::dynamic_resources}}},
    {.kind = BlockerKind::missing_feature,
     .text = "missing feature",
     .code = Code::node_selector_mismatch,
     .detail = DetailSource::features,
     .from = {{Filter::node_declared_features}}},
    {.kind = BlockerKind::no_gpu_part,
     .text = "no GPU with room",
     .code = Code::insufficient_gpus,
     .traits = {BlockerTrait::gpus},
     .detail = DetailSource::shared_gpus,
     .remedies = {Remedy::other_pods},
     .from = {{Filter::shared_gpus}}},
    {.kind = BlockerKind::no_memory_label,
     .text = "GPU memory not labelled",
     .code = Code::resource_not_advertised,
     .traits = {BlockerTrait::gpus},
     .detail = DetailSource::memory_label,
     .from = {{Filter::shared_gpus, "GPU memory"}}},
    {.kind = BlockerKind::other,
     .text = "other reason",
     .code = Code::not_modelled,
     .from = {{Filter::node_resources_fit}}},
});

constexpr const Row& row_of(BlockerKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

constexpr bool is_in_order() {
  for (const Row& row : kRows)
    if (&row_of(row.kind) != &row) return false;
  return kRows.back().kind == BlockerKind::other;
}
static_assert(is_in_order(), "one row for each kind, in their order");

constexpr auto kByTrait = [] {
  std::array<BlockerKinds, kBlockerTraits> sets;
  for (const Row& row : kRows)
    for (const BlockerTrait trait : row.traits) sets[static_cast<std::size_t>(trait)].add(row.kind);
  return sets;
}();

/// What the failures of one filter are: where their text has a part, and otherwise.
struct Kinds {
  BlockerKind otherwise = BlockerKind::other;
  std::string_view part;
  BlockerKind with_part = BlockerKind::other;
};

constexpr auto kByFilter = [] {
  std::array<Kinds, scheduler::kFilters> by_filter;
  for (const Row& row : kRows)
    for (const Failures& from : row.from) {
      Kinds& kinds = by_filter[static_cast<std::size_t>(from.filter)];
      (from.part.empty() ? kinds.otherwise : kinds.with_part) = row.kind;
      if (!from.part.empty()) kinds.part = from.part;
    }
  return by_filter;
}();

}  // namespace

std::string_view text_of(BlockerKind kind) { return row_of(kind).text; }

Code code_of(BlockerKind kind) { return row_of(kind).code; }

DetailSource detail_source(BlockerKind kind) { return row_of(kind).detail; }

std::string_view fixed_resource(BlockerKind kind) { return row_of(kind).resource; }

std::span<const Remedy> remedies_of(BlockerKind kind) {
  const Few<Remedy>& remedies = row_of(kind).remedies;
  return {remedies.begin(), remedies.end()};
}

BlockerKinds kinds_with(BlockerTrait trait) { return kByTrait[static_cast<std::size_t>(trait)]; }

BlockerKind kind_of_failure(Filter filter, std::string_view reason) {
  const Kinds& kinds = kByFilter[static_cast<std::size_t>(filter)];
  const bool has_part = !kinds.part.empty() && contains(reason, kinds.part);
  return has_part ? kinds.with_part : kinds.otherwise;
}

BlockerKind kind_of_shortage(std::string_view resource) {
  for (const Row& row : kRows)
    if (!row.resource.empty() && row.resource == resource) return row.kind;
  return gpu_resource(resource) ? BlockerKind::few_free_gpus : BlockerKind::few_resources;
}

BlockerKind kind_of_fault(Code fault) {
  for (const BlockerKind kind : kinds_with(BlockerTrait::stack))
    if (code_of(kind) == fault) return kind;
  return BlockerKind::few_free_gpus;
}

}  // namespace gpu::diagnose
