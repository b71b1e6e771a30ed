#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "report/report.hpp"
#include "usage/devices/use.hpp"

namespace gpu::cmd {

/// Whether averages and maxima over --since are columns.
enum class Window { none, some };

/// Live use of a row, and how much a reader should worry about it.
struct ShownUse {
  usage::Use use;
  report::Concern concern = report::Concern::none;
};

/// A bar and per cent.
report::Cell utilization_cell(const ShownUse& shown);
/// A part of 1 that may be unknown.
report::Cell ratio_cell(const std::optional<double>& ratio);
/// A bar and `401/640Gi`; the used part alone where nobody says how much there is.
report::Cell memory_cell(const usage::Use& use);
/// Power of all cards together.
report::Cell power_cell(const usage::Use& use);
/// An amount of memory that may be unknown.
report::Cell bytes_cell(const std::optional<std::int64_t>& bytes);
/// A length of time that may be unknown.
report::Cell seconds_cell(const std::optional<std::chrono::seconds>& length);
/// "gpu-util", "engine-active", ...: what the utilization counts.
report::Cell kind_cell(const usage::Use& use);
/// "exporter", "prometheus", ...
report::Cell source_cell(const usage::Use& use);
/// true, false, or unknown.
report::Cell idle_cell(const usage::Use& use);
/// How many devices the numbers are of; unknown where nobody counted.
report::Cell devices_cell(const usage::Use& use);

/// Yellow for what is held and idle.
report::Concern concern_of_held(const usage::Use& use);

/// "idle", and "idle 5h" where it is known for how long; empty where it is not idle.
std::string idle_note(const usage::Use& use);
/// "3m old"; empty for use that is fresh or of unknown age.
std::string age_note(const usage::Use& use);
/// `first`, and `second` behind it; either may be empty.
std::string joined_notes(std::string first, const std::string& second);

}  // namespace gpu::cmd
