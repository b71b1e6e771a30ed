#include "cmd/top/use.hpp"

#include <cmath>
#include <utility>

#include "base/time.hpp"

namespace gpu::cmd {

using report::Cell;
using usage::Use;

namespace {

/// Means and sums of decimal numbers end in digits that nobody measured.
double rounded(double value, double parts) { return std::round(value * parts) / parts; }
double rounded_ratio(double value) { return rounded(value, 1e6); }
double rounded_watts(double value) { return rounded(value, 1e3); }

}  // namespace

report::Cell utilization_cell(const ShownUse& shown) {
  if (!shown.use.utilization) return {};
  return {report::Ratio{rounded_ratio(*shown.use.utilization)}, shown.concern};
}

report::Cell ratio_cell(const std::optional<double>& ratio) {
  return ratio ? report::Cell(report::Ratio{rounded_ratio(*ratio)}) : report::Cell();
}

report::Cell memory_cell(const usage::Use& use) {
  if (!use.memory_used_bytes) return {};
  // Whole GiB would make a container's limit of 300 MiB nothing.
  constexpr std::int64_t kGi = std::int64_t{1} << 30;
  if (use.memory_total_bytes.value_or(0) < kGi) return report::Bytes{*use.memory_used_bytes};
  return report::BytesOf{.used = *use.memory_used_bytes, .total = *use.memory_total_bytes};
}

report::Cell power_cell(const usage::Use& use) {
  return use.power_watts ? report::Cell(report::Watts{rounded_watts(*use.power_watts)})
                         : report::Cell();
}

report::Cell bytes_cell(const std::optional<std::int64_t>& bytes) {
  return bytes ? report::Cell(report::Bytes{*bytes}) : report::Cell();
}

report::Cell seconds_cell(const std::optional<std::chrono::seconds>& length) {
  return length ? report::Cell(report::Seconds{*length}) : report::Cell();
}

report::Cell kind_cell(const usage::Use& use) {
  return use.kind ? report::Cell(gpu::name_of(*use.kind)) : report::Cell();
}

report::Cell source_cell(const usage::Use& use) {
  return use.source ? report::Cell(gpu::name_of(*use.source)) : report::Cell();
}

report::Cell idle_cell(const usage::Use& use) { return report::cell_of(usage::is_idle(use)); }

report::Cell devices_cell(const usage::Use& use) {
  return use.devices > 0 ? report::Cell(use.devices) : report::Cell();
}

report::Concern concern_of_held(const usage::Use& use) {
  return usage::is_idle(use) == true ? report::Concern::warning : report::Concern::none;
}

std::string idle_note(const usage::Use& use) {
  if (usage::is_idle(use) != true) return {};
  if (!use.idle_for || use.idle_for->count() <= 0) return "idle now";
  return "idle " + human_duration(*use.idle_for);
}

std::string age_note(const usage::Use& use) {
  if (!use.sample_age || *use.sample_age <= usage::kFreshFor) return {};
  return human_duration(*use.sample_age) + " old";
}

std::string joined_notes(std::string first, const std::string& second) {
  if (!first.empty() && !second.empty()) first += ", ";
  return std::move(first) + second;
}

}  // namespace gpu::cmd
