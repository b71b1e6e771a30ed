#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/gpu/pool.hpp"

namespace gpu::usage {

/// What one unit of a pool is: amounts of different units are never added to each other. Whole
/// devices come first.
enum class Unit {
  gpu,
  tpu,
  neuron,
  mig,
  mig_share,
  share,
  gib,  ///< of a card's memory
  partition,
  vgpu,
  neuroncore,
  neurondevice,
};

/// The unit that `pool` counts in.
Unit unit_of(const Pool& pool);

/// For machines: "gpu", "mig", "mig-share", "share", "gib", ...
std::string_view name_of(Unit unit);

/// An amount for people: "8", "9 mig", "1 share", "4 GiB". A whole GPU has no word after its
/// number.
std::string amount_text(std::int64_t amount, Unit unit);

/// The name of a total over pools like this one: "GPUs", "MIG", "Shares", "TPUs"; cards that are in
/// another pool too have a total of their own.
std::string total_label(const Pool& pool);

/// A regular expression that all of these match.
std::string total_label_pattern();

}  // namespace gpu::usage
