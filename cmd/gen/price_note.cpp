#include "cmd/gen/price_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/duration.hpp"
#include "base/phrase.hpp"
#include "cmd/cost/price_sources.hpp"
#include "cost/forecast/forecast.hpp"
#include "cost/ledger/ledger.hpp"
#include "manifest/read/manifest.hpp"
#include "report/values.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::cmd {
namespace {

std::string usd(Money amount) {
  return "$" + report::words_of(report::Usd{amount.nano}, report::PowerUnit::watts, "").text;
}

std::string usd(const cost::MoneyRange& amount) {
  return usd(*amount.low) + (amount.low == amount.high ? "" : " to " + usd(*amount.high));
}

/// Nodes and devices: what runs on them does not change what they cost.
Snapshot without_pods(const Snapshot& seen) {
  Snapshot bare{.nodes = seen.nodes,
                .slices = seen.slices,
                .claims = {},
                .device_classes = seen.device_classes,
                .node_coverage = seen.node_coverage,
                .slice_coverage = seen.slice_coverage};
  bare.scheduling.claim_templates = seen.scheduling.claim_templates;
  return bare;
}

bool has_estimate(const cost::ObjectForecast& object) {
  for (const cost::PodForecast& pod : object.pods)
    for (const cost::MachineOffer& offer : pod.offers)
      if (offer.is_estimate || offer.is_upper_bound) return true;
  return false;
}

/// What autoscalers may make of it; empty where they may do nothing.
std::string growth_text(const cost::ObjectForecast& object) {
  const std::optional<cost::MoneyRange>& grown = object.cost.grown_hour;
  if (!grown) return ", and nothing limits how many pods it may grow to";
  const std::optional<std::int64_t> most = object.pods_at_most();
  if (!grown->high || grown->high == object.cost.hour.high || !most) return {};
  return fmt::format(", and up to {} an hour with the {} that it may grow to", usd(*grown->high),
                     counted(*most, "pod"));
}

/// Of an object that was asked about for one hour.
std::string bound_text(const cost::RunCost& cost) {
  if (cost.by_deadline)
    return fmt::format(", at most {} by its deadline of {}", usd(*cost.by_deadline->high),
                       typed_duration(*cost.deadline));
  if (!cost.ends) return " until it is deleted";
  if (!cost.grown_hour) return {};
  if (!cost.worst) return ", and nothing bounds its retries";
  if (cost.worst == cost.total) return {};
  return fmt::format("; with retries an hour of work costs at most {}", usd(*cost.worst->high));
}

}  // namespace

std::optional<manifest::GenNote> price_note(const GenSight& sight, const std::string& manifest,
                                            const Env& env) {
  const Snapshot bare = without_pods(*sight.snapshot);
  const usage::Inventory inventory(bare);
  const cost::PriceBook prices = usual_prices(env);
  const cost::Ledger ledger(inventory, prices, {});
  const std::vector<cost::CostLine> none;
  const std::vector<cost::ObjectForecast> objects =
      cost::forecast(manifest::read_manifest(manifest, "", sight.ns), {bare, ledger, prices, none},
                     {.run_for = std::chrono::hours(1)});
  const auto object = std::find_if(objects.begin(), objects.end(),
                                   [](const auto& each) { return each.has_gpus(); });
  if (object == objects.end() || !object->cost.hour.is_known()) return std::nullopt;
  return manifest::GenNote{
      .level = manifest::GenNote::Level::note,
      .text = fmt::format("it costs {}{} an hour{}{}", has_estimate(*object) ? "about " : "",
                          usd(object->cost.hour), bound_text(object->cost), growth_text(*object))};
}

}  // namespace gpu::cmd
