#include "cmd/top/top_columns.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "report/fields.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::Concern;
using report::Type;
using usage::NodeState;

/// "?" where nobody says how many units share a card.
std::string replicas_text(const Sharing& sharing) {
  return sharing.replicas ? std::to_string(*sharing.replicas) : "?";
}

const report::Fields<Sharing>& sharing_fields() {
  static const report::Fields<Sharing> fields = {
      {{"strategy", Type::one_of<SharingStrategy>(gpu::name_of)},
       [](const Sharing& sharing) { return gpu::name_of(sharing.strategy); }},
      {{"replicas", Type::count(1).or_null(), "Units for each card; null: not reported."},
       [](const Sharing& sharing) { return report::cell_of(sharing.replicas); }},
  };
  return fields;
}

}  // namespace

report::Cell text_or_unknown(std::string_view text) {
  return text.empty() ? report::Cell() : report::Cell(text);
}

report::Concern concern_of(usage::NodeState state) {
  switch (state) {
    case usage::NodeState::ready:
    case usage::NodeState::dra:
      return report::Concern::none;
    case usage::NodeState::full:
    case usage::NodeState::cordoned:
    case usage::NodeState::leaving:
    case usage::NodeState::tainted:
      return report::Concern::warning;
    case usage::NodeState::unhealthy:
    case usage::NodeState::no_plugin:
    case usage::NodeState::not_ready:
      return report::Concern::broken;
  }
  return report::Concern::none;
}

report::Cell model_cell(const Pool& pool) {
  if (pool.model.empty()) return {};
  if (pool.sharing.strategy == SharingStrategy::none) return pool.model;
  return fmt::format("{}/{}", pool.model, replicas_text(pool.sharing));
}

report::Cell sharing_text(const Pool& pool) {
  if (pool.sharing.strategy == SharingStrategy::none) return "none";
  return fmt::format("{}/{}", gpu::name_of(pool.sharing.strategy), replicas_text(pool.sharing));
}

PoolKey resource_key() {
  return {{"resource", Type::text(),
           "nvidia.com/gpu, nvidia.com/mig-1g.10gb; of DRA gpu.nvidia.com, "
           "gpu.nvidia.com/mig-1g.10gb."},
          &Pool::resource};
}

PoolKey source_key() {
  return {{"source", Type::one_of<PoolSource>(gpu::name_of), "Who hands out the units."},
          [](const Pool& pool) { return gpu::name_of(pool.source); }};
}

PoolKey vendor_key() {
  return {{"vendor", Type::one_of<Vendor>(gpu::name_of)},
          [](const Pool& pool) { return gpu::name_of(pool.kind.vendor); }};
}

PoolKey model_key() {
  return {{"model", Type::text().or_null(),
           "Short: H100-80G, A100-1g.10gb, T4-16G/4 for a quarter of a T4."},
          model_cell};
}

PoolKey unit_key() {
  return {{"unit", Type::one_of<usage::Unit>(usage::name_of),
           "What one unit is; amounts of different units are never added."},
          [](const Pool& pool) { return usage::name_of(usage::unit_of(pool)); }};
}

PoolKey sharing_key() {
  return {{"sharing", sharing_fields().type(), "How pods share a card."},
          [](const Pool& pool) { return sharing_fields().record(pool.sharing); }};
}

PoolKey second_view_key() {
  return {{"secondView", Type::flag(),
           "The same cards are in another item, too: never add this one to totals of cards."},
          &Pool::is_second_view};
}

report::Field at_least_field() {
  return {"allocatedAtLeast", Type::count().or_null(), "Held by the pods that could be seen."};
}

report::Field of_whole_device_field() {
  return {"ofWholeDevice", Type::flag(), "The device has other holders too."};
}

report::Field label_field(const std::string& label) {
  return {"label." + label, Type::any_text().or_null(), "A label chosen with -L.",
          report::Presence::by_name};
}

report::Cell share_cell(const HeldOf& held, report::Concern unavailable_concern) {
  const std::optional<std::int64_t> known = held.allocated ? held.allocated : held.at_least;
  if (!held.total || !known) return {};
  return report::Share{.allocated = *known,
                       .total = *held.total,
                       .unavailable = held.unavailable.value_or(0),
                       .unavailable_concern = unavailable_concern,
                       .at_least = !held.allocated.has_value(),
                       .unit = held.unit == usage::Unit::gib ? "Gi" : ""};
}

std::string shared_text(const Sharing& sharing) {
  if (sharing.strategy == SharingStrategy::none) return {};
  // Units of gpushare are GiB: how many of these a card has is not how many share it.
  const bool is_number_of_shares = sharing.strategy != SharingStrategy::gpushare;
  return sharing.replicas && is_number_of_shares ? fmt::format("shared x{}", *sharing.replicas)
                                                 : "shared";
}

report::Concern concern_of_use(const usage::NodeUsage& row, const IdleUnits& idle_units) {
  const std::int64_t held = row.pool.allocated.value_or(0);
  if (held <= 0) return report::Concern::none;
  if (idle_units.empty()) return concern_of_held(row.use);
  const auto idle = idle_units.find(pool_key(row.pool));
  const bool is_mostly_idle = idle != idle_units.end() && idle->second * 2 >= held;
  return is_mostly_idle ? report::Concern::warning : concern_of_held(row.use);
}

report::Cell label_cell(const StringMap& labels, const std::string& label) {
  return text_or_unknown(value_of(labels, label));
}

std::string label_title(std::string_view label) {
  return upper_case(label.substr(label.rfind('/') + 1));
}

}  // namespace gpu::cmd
