#include "cost/prices/table_offer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/phrase.hpp"

namespace gpu::cost {
namespace {

bool is_spot(const NodeFacts& facts) { return facts.capacity.type == CapacityType::spot; }

std::string row_name(const GpuInstance& row) {
  return fmt::format("{} {} {}", row.provider, row.type, row.region);
}

bool is_of_region(const GpuInstance& row, const NodeFacts& facts) {
  return row.region == "global" || equal_ignoring_case(row.region, facts.region);
}

/// Takes the row's price for the node's capacity type.
void take_row_price(const GpuInstance& row, const NodeFacts& facts, Offer& offer) {
  NodePrice& price = offer.price;
  price.rule = row_name(row);
  price.as_of = row.as_of;
  if (is_spot(facts) && row.spot) {
    price.per_hour = row.spot;
    price.rule += " spot";
    if (row.provider != "aws") return;
    price.is_estimate = true;  // the median of the zones
    price.as_of.reset();
    return;
  }
  price.per_hour = row.on_demand;
  price.is_upper_bound = is_spot(facts) && row.on_demand;
  if (!row.on_demand) offer.why_not = row_name(row) + " has no on-demand price";
}

bool is_n1_host(const GpuInstance& row) {
  return row.provider == "gcp" && row.type.starts_with("n1-");
}

constexpr std::string_view kAccelerator = "cloud.google.com/gke-accelerator";

/// The row of the GPU that the host was given; null when there is none.
const GpuInstance* add_on_of(const NodeFacts& facts) {
  const std::string_view label = value_of(*facts.node->labels, kAccelerator);
  if (!label.empty()) return add_on_named(label, {});
  for (const GpuModel* model : facts.models)
    if (const GpuInstance* const row = add_on_named({}, model->name)) return row;
  return nullptr;
}

bool has_gpus(const NodeFacts& facts) {
  return facts.cards || !facts.product.empty() || facts.node->labels->contains(kAccelerator);
}

/// Adds the price of the GPUs to that of their host; takes the price away where one is not known.
void add_gpus(const NodeFacts& facts, Offer& offer) {
  NodePrice& price = offer.price;
  const std::optional<Money> host = std::exchange(price.per_hour, std::nullopt);
  const GpuInstance* const add_on = add_on_of(facts);
  if (add_on == nullptr) {
    offer.why_not = "no price of these GPUs on an N1 host";
    return;
  }
  if (!facts.cards) {
    offer.why_not = "how many GPUs the host has is not known";
    return;
  }
  Offer gpu = offer_of(facts, price.source);
  take_row_price(*add_on, facts, gpu);
  if (host && gpu.price.per_hour)
    price.per_hour = *host + share_of(*gpu.price.per_hour, *facts.cards, 1);
  if (!gpu.price.per_hour) offer.why_not = gpu.why_not;
  price.rule += fmt::format(" + {} x {}", *facts.cards, add_on->type);
  price.as_of = gpu.price.as_of ? price.as_of : std::nullopt;
  price.is_upper_bound |= gpu.price.is_upper_bound;
}

std::string no_row(const NodeFacts& facts) {
  if (facts.type.empty()) return "the node has no label with its instance type";
  return fmt::format("no row for {}{}{}", facts.provider, facts.provider.empty() ? "" : " ",
                     facts.type);
}

Offer row_offer(const NodeFacts& facts, PriceSource source) {
  Offer offer = offer_of(facts, source);
  take_row_price(*facts.instance, facts, offer);
  if (is_n1_host(*facts.instance) && has_gpus(facts)) add_gpus(facts, offer);
  return offer;
}

/// The middle of `prices`, or between the two in the middle; there is at least one.
Money median(std::vector<Money> prices) {
  std::sort(prices.begin(), prices.end());
  const std::size_t half = prices.size() / 2;
  if (prices.size() % 2 == 1) return prices[half];
  return share_of(prices[half - 1] + prices[half], 1, 2);
}

/// On-demand prices for one whole GPU of the models, by provider.
std::map<std::string, std::vector<Money>> prices_of(const std::vector<const GpuModel*>& models) {
  std::map<std::string, std::vector<Money>> prices;
  for (const GpuInstance& row : gpu_instances()) {
    const bool is_whole = row.kind != InstanceKind::add_on && !row.is_slice && row.gpus > 0;
    if (!is_whole || !row.on_demand) continue;
    const bool is_one = std::any_of(models.begin(), models.end(),
                                    [&](const GpuModel* each) { return each->name == row.model; });
    if (is_one) prices[row.provider].push_back(share_of(*row.on_demand, 1, row.gpus));
  }
  return prices;
}

}  // namespace

Offer region_offer(const NodeFacts& facts) {
  constexpr PriceSource kSource = PriceSource::table;
  if (facts.instance == nullptr) return no_offer(facts, kSource, no_row(facts));
  if (is_of_region(*facts.instance, facts)) return row_offer(facts, kSource);
  return no_offer(facts, kSource,
                  facts.region.empty()
                      ? "the node's region is not known"
                      : fmt::format("{} is not of {}", row_name(*facts.instance), facts.region));
}

Offer other_region_offer(const NodeFacts& facts) {
  constexpr PriceSource kSource = PriceSource::other_region;
  if (facts.instance == nullptr) return no_offer(facts, kSource, no_row(facts));
  if (is_of_region(*facts.instance, facts))
    return no_offer(facts, kSource, "no row for another region");
  Offer offer = row_offer(facts, kSource);
  offer.price.is_estimate = offer.price.per_hour.has_value();
  return offer;
}

Offer median_offer(const NodeFacts& facts) {
  constexpr PriceSource kSource = PriceSource::model;
  if (facts.models.empty()) return no_offer(facts, kSource, "the model of its GPUs is not known");
  const std::map<std::string, std::vector<Money>> prices = prices_of(facts.models);
  const std::string name =
      facts.models.size() == 1 ? facts.models.front()->name : std::string(facts.product);
  if (prices.empty()) return no_offer(facts, kSource, "no provider's price for " + name);
  if (!facts.cards) return no_offer(facts, kSource, "how many GPUs the node has is not known");
  std::vector<Money> of_providers;
  of_providers.reserve(prices.size());
  for (const auto& [provider, each] : prices) of_providers.push_back(median(each));
  Offer offer = offer_of(facts, kSource);
  offer.price.per_hour = share_of(median(std::move(of_providers)), *facts.cards, 1);
  offer.price.rule = fmt::format(
      "median of {} for {}", counted(static_cast<std::int64_t>(prices.size()), "provider"), name);
  offer.price.is_estimate = true;
  offer.price.is_upper_bound = is_spot(facts);
  return offer;
}

}  // namespace gpu::cost
