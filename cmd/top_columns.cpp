#include "cmd/top_columns.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "usage/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::Concern;
using usage::NodeState;

/// "?" where nobody says how many units share a card.
std::string replicas_text(const Sharing& sharing) {
  return sharing.replicas ? std::to_string(*sharing.replicas) : "?";
}

}  // namespace

Cell text_or_unknown(std::string_view text) { return text.empty() ? Cell() : Cell(text); }

Concern concern_of(NodeState state) {
  switch (state) {
    case NodeState::ready:
    case NodeState::dra:
      return Concern::none;
    case NodeState::full:
    case NodeState::cordoned:
    case NodeState::leaving:
    case NodeState::tainted:
      return Concern::warning;
    case NodeState::unhealthy:
    case NodeState::no_plugin:
    case NodeState::not_ready:
      return Concern::broken;
  }
  return Concern::none;
}

Cell model_cell(const Pool& pool) {
  if (pool.model.empty()) return {};
  if (pool.sharing.strategy == SharingStrategy::none) return pool.model;
  return fmt::format("{}/{}", pool.model, replicas_text(pool.sharing));
}

Cell sharing_text(const Pool& pool) {
  if (pool.sharing.strategy == SharingStrategy::none) return "none";
  return fmt::format("{}/{}", gpu::name_of(pool.sharing.strategy), replicas_text(pool.sharing));
}

Cell sharing_record(const Pool& pool) {
  return report::Record{{"strategy", gpu::name_of(pool.sharing.strategy)},
                        {"replicas", report::cell_of(pool.sharing.replicas)}};
}

std::string pool_key(const Pool& pool) {
  return fmt::format("{}\n{}\n{}\n{}", pool.node, pool.resource, pool.model, pool.is_second_view);
}

Cell share_cell(const HeldOf& held, Concern unavailable_concern) {
  const std::optional<std::int64_t> known = held.allocated ? held.allocated : held.at_least;
  if (!held.total || !known) return {};
  return report::Share{.allocated = *known,
                       .total = *held.total,
                       .unavailable = held.unavailable.value_or(0),
                       .unavailable_concern = unavailable_concern,
                       .at_least = !held.allocated.has_value(),
                       .unit = held.unit == usage::Unit::gib ? "Gi" : ""};
}

Cell sharing_note(const usage::PodUsage& row) {
  const std::int64_t pods = usage::shared_by(row);
  return pods < 2 ? Cell("") : Cell(fmt::format("shared by {} pods", pods));
}

Cell label_cell(const StringMap& labels, const std::string& label) {
  return text_or_unknown(value_of(labels, label));
}

std::string label_title(std::string_view label) {
  return upper_case(label.substr(label.rfind('/') + 1));
}

}  // namespace gpu::cmd
