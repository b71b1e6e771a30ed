#include "cmd/quota/cells.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace gpu::cmd {
namespace {

constexpr std::int64_t kMilli = 1000;

}  // namespace

std::string units_text(Quantity units) {
  // Beyond what thousandths can hold, and beyond 64 bits, nobody reads a fraction.
  const bool is_large = Quantity::of(std::numeric_limits<std::int64_t>::max() / kMilli) < units;
  if (is_large || units == Quantity::of(units.value())) return std::to_string(units.value());
  const std::int64_t milli = units.milli_value();
  std::string text = fmt::format("{}.{:03}", milli / kMilli, milli % kMilli);
  while (text.ends_with('0')) text.pop_back();
  return text;
}

report::Cell units_cell(const std::optional<Quantity>& units) {
  if (!units) return {};
  if (*units == Quantity::of(units->value()) || Quantity::of(units->value()) < *units)
    return report::Cell(units->value());
  return report::Cell(
      report::Ratio{static_cast<double>(units->milli_value()) / static_cast<double>(kMilli)});
}

std::string resource_text(const std::string& resource, std::string_view unit) {
  const bool is_told = unit != "share" && unit != "mig-share" && unit != "gib" && unit != "mixed";
  return is_told ? resource : fmt::format("{} ({})", resource, unit);
}

std::string limiter_text(quota::Limiter limiter) {
  if (limiter == quota::Limiter::volcano_queue) return "Volcano queue";
  if (limiter == quota::Limiter::kai_queue) return "KAI queue";
  return std::string(quota::kind_of(limiter));
}

std::string_view problem_words(quota::Problem problem) {
  using quota::Problem;
  switch (problem) {
    case Problem::none:
      return "";
    case Problem::limits_of_extended:
    case Problem::without_requests:
    case Problem::wrong_group:
      return "ignored";
    case Problem::not_advertised:
    case Problem::flavor_without_nodes:
    case Problem::not_on_flavor:
      return "no nodes";
    case Problem::no_such_class:
    case Problem::no_such_flavor:
    case Problem::no_such_cluster_queue:
      return "missing";
  }
  return "";
}

}  // namespace gpu::cmd
