#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "cmd/gen/gen_flags.hpp"
#include "manifest/fit/options.hpp"

namespace gpu::cmd {

// What was typed behind a flag, in types; nothing where the flag was not given. Each throws
// Error{usage} that names the flag, and shows a value that can be read.

/// A whole number of at least `least`.
std::optional<std::int64_t> count_of(std::string_view flag, const std::optional<std::string>& typed,
                                     std::int64_t least);

/// A whole number, below 0 too.
std::optional<std::int64_t> number_of(std::string_view flag,
                                      const std::optional<std::string>& typed);

/// An amount above 0, as Kubernetes writes it.
std::optional<Quantity> quantity_of(std::string_view flag, const std::optional<std::string>& typed,
                                    std::string_view example);

/// A time above 0: "90m", "2d".
std::optional<std::int64_t> seconds_of(std::string_view flag,
                                       const std::optional<std::string>& typed);

/// NAME=VALUE of each word.
manifest::TextPairs pairs_of(std::string_view flag, const std::vector<std::string>& typed);

/// --env and --env-from-secret. Refuses secrets that would stand in the manifest.
std::vector<manifest::EnvVariable> env_of(const GenFlags& flags);

/// KEY[=VALUE][:EFFECT] of each word.
std::vector<manifest::WantedToleration> tolerations_of(const std::vector<std::string>& typed);

/// --data, --results and --volume.
std::vector<manifest::MountedClaim> claims_of(const GenFlags& flags);

/// Of words with commas, too.
std::vector<std::string> models_of(const std::vector<std::string>& typed);

}  // namespace gpu::cmd
