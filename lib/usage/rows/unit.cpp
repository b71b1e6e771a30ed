#include "usage/rows/unit.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/phrase.hpp"

namespace gpu::usage {
namespace {

/// All names of a unit, in one place.
struct UnitNames {
  Unit unit;
  std::string_view machine;
  std::string_view one;  ///< behind an amount of 1
  std::string_view many;
  std::string_view total;
};

constexpr std::array<UnitNames, 11> kNames = {{
    {Unit::gpu, "gpu", "", "", "GPUs"},
    {Unit::tpu, "tpu", "tpu", "tpus", "TPUs"},
    {Unit::neuron, "neuron", "neuron", "neuron", "Neuron"},
    {Unit::mig, "mig", "mig", "mig", "MIG"},
    {Unit::mig_share, "mig-share", "mig share", "mig shares", "MIG shares"},
    {Unit::share, "share", "share", "shares", "Shares"},
    {Unit::gib, "gib", "GiB", "GiB", "GPU memory GiB"},
    {Unit::partition, "partition", "partition", "partitions", "Partitions"},
    {Unit::vgpu, "vgpu", "vgpu", "vgpus", "vGPUs"},
    {Unit::neuroncore, "neuroncore", "core", "cores", "Neuron cores"},
    {Unit::neurondevice, "neurondevice", "device", "devices", "Neuron devices"},
}};

constexpr const UnitNames& names_of(Unit unit) { return kNames.at(static_cast<std::size_t>(unit)); }

constexpr bool is_in_order() {
  for (const UnitNames& each : kNames)
    if (&names_of(each.unit) != &each) return false;
  return true;
}
static_assert(is_in_order(), "names are found by the place of their unit");

}  // namespace

Unit unit_of(const Pool& pool) {
  if (pool.kind.is_memory) return Unit::gib;
  const bool is_shared = pool.sharing.strategy != SharingStrategy::none;
  switch (pool.kind.kind) {
    case DeviceKind::mig_slice:
      return is_shared ? Unit::mig_share : Unit::mig;
    case DeviceKind::partition:
      return Unit::partition;
    case DeviceKind::vgpu:
      return Unit::vgpu;
    case DeviceKind::alias:
      return pool.kind.profile == "neuroncore" ? Unit::neuroncore : Unit::neurondevice;
    case DeviceKind::card:
      break;
  }
  if (is_shared) return Unit::share;
  if (pool.kind.vendor == Vendor::google) return Unit::tpu;
  if (pool.kind.vendor == Vendor::aws) return Unit::neuron;
  return Unit::gpu;
}

std::string_view name_of(Unit unit) {
  return static_cast<std::size_t>(unit) < kNames.size() ? names_of(unit).machine : "";
}

std::string amount_text(std::int64_t amount, Unit unit) {
  const std::string_view word = amount == 1 ? names_of(unit).one : names_of(unit).many;
  return word.empty() ? std::to_string(amount) : fmt::format("{} {}", amount, word);
}

std::string total_label(const Pool& pool) {
  // Units that nobody can count would make the sums of the others unknown.
  if (pool.reason == Unavailable::managed_by_dra) return "DRA";
  std::string label(names_of(unit_of(pool)).total);
  // The other names of Neuron's chips are units of their own already.
  if (pool.is_second_view && pool.kind.kind != DeviceKind::alias)
    label += pool.source == PoolSource::dra ? " via DRA" : " via plugin";
  return label;
}

std::string total_label_pattern() {
  std::vector<std::string_view> labels;
  for (const UnitNames& names : kNames) labels.push_back(names.total);
  return fmt::format("^(({})( via (DRA|plugin))?|DRA)$", joined(labels, "|"));
}

}  // namespace gpu::usage
