#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cmd/top/pool_key.hpp"
#include "cmd/top/use.hpp"
#include "model/gpu/pool.hpp"
#include "report/report.hpp"
#include "usage/rows/node_usage.hpp"
#include "usage/rows/pod_usage.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {

/// Unknown when empty.
report::Cell text_or_unknown(std::string_view text);

/// How much a reader should worry about a node in `state`.
report::Concern concern_of(usage::NodeState state);

/// "H100-80G"; a unit that is a share of a card says so: T4-16G/4 is a quarter of a T4.
report::Cell model_cell(const Pool& pool);

/// "none", "time-slicing/4", "mps/?".
report::Cell sharing_text(const Pool& pool);

/// What sharing_field() declares.
report::Cell sharing_record(const Pool& pool);

// Keys that several views have.
report::Field resource_field();
report::Field source_field();
report::Field vendor_field();
report::Field model_field();
report::Field unit_field();
report::Field sharing_field();
report::Field second_view_field();
report::Field at_least_field();
report::Field of_whole_device_field();
/// -L: the value of `label`.
report::Field label_field(const std::string& label);

/// What of a pool, or of many, is held.
struct HeldOf {
  std::optional<std::int64_t> allocated;
  std::optional<std::int64_t> at_least;
  std::optional<std::int64_t> total;
  std::optional<std::int64_t> unavailable;
  usage::Unit unit = usage::Unit::gpu;
};

/// Marks and `6/8`; unknown where nobody knows how many there are, or are held.
report::Cell share_cell(const HeldOf& held, report::Concern unavailable_concern);

/// "shared x4", or "shared" where nobody says with how many; empty for whole devices.
std::string shared_text(const Sharing& sharing);

/// Yellow where most of what is held of a node's row is idle; `idle_units` by pool_key().
report::Concern concern_of_use(const usage::NodeUsage& row, const IdleUnits& idle_units);

/// The value of a label, by the labels of the object that a row is about.
report::Cell label_cell(const StringMap& labels, const std::string& label);

/// The title of a label's column: what follows its domain, in capitals.
std::string label_title(std::string_view label);

}  // namespace gpu::cmd
