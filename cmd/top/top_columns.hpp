#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cmd/top/pool_key.hpp"
#include "cmd/top/use.hpp"
#include "model/gpu/pool.hpp"
#include "report/columns.hpp"
#include "report/fields.hpp"
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

/// A key that several views have, and how a row's pool fills it.
using PoolKey = report::Fields<Pool>::Entry;
PoolKey resource_key();
PoolKey source_key();
PoolKey vendor_key();
PoolKey model_key();
PoolKey unit_key();
PoolKey sharing_key();
PoolKey second_view_key();

/// Adds it for machines; `pool_of` gives a row's pool.
template <class Row, class PoolOf>
report::Column& add_pool_key(report::Columns<Row>& columns, const PoolKey& key, PoolOf pool_of) {
  return columns.machine(key.field, [fill = key.fill, pool_of](const Row& row) {
    return fill(std::invoke(pool_of, row));
  });
}

// Keys that several views have, and fill each in its own way.
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
