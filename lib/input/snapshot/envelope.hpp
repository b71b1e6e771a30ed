#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "decode/wire/list_framer.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::input {

/// `kind` of our own file, which is a list of objects and what is known of all of them.
inline constexpr std::string_view kSnapshotKind = "Snapshot";

/// The name of a sight in a file: "whole", "partial", "none".
std::string_view name_of(Coverage sight);

/// What the members of a Snapshot file beside `items` say, read into `snapshot`: when it was taken,
/// of which server, what was seen how far, and which gaps there were; gaps are added to those that
/// are there. Needs a framer that is finished. Throws Error{data} naming the member.
void read_envelope(const decode::ListFramer& framer, Snapshot& snapshot);

/// `sight` and `gaps` of a file.
nlohmann::ordered_json sight_json(const Snapshot& snapshot);
nlohmann::ordered_json gaps_json(const Snapshot& snapshot);

}  // namespace gpu::input
