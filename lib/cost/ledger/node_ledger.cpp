#include "cost/ledger/node_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "cost/ledger/node_weights.hpp"
#include "cost/ledger/use_now.hpp"

namespace gpu::cost {
namespace {

constexpr std::int64_t kParts = 1'000'000'000;

/// OpenCost's default prices (configs/default.json), in millionths of a dollar an hour: only their
/// ratio counts.
constexpr std::int64_t kCpuPrice = 31'611;
constexpr std::int64_t kGibPrice = 4'237;
constexpr std::int64_t kGpuPrice = 950'000;

/// The part of `price` that is the GPUs', where CPU and memory are charged by themselves.
Money gpus_by_ratio(Money price, const Node& node, std::int64_t cards) {
  constexpr Int128 kGib = Int128{1} << 30;
  constexpr Int128 kMilli = 1000;
  // All three in millionths of a dollar times a thousand times a GiB.
  const Int128 gpus = Int128{kGpuPrice} * cards * kMilli * kGib;
  const Int128 cpus = Int128{kCpuPrice} * amount_of(node.capacity, "cpu").milli_value() * kGib;
  const Int128 memory = Int128{kGibPrice} * amount_of(node.capacity, "memory").value() * kMilli;
  return share_of(price, gpus / kGib, (gpus + cpus + memory) / kGib);
}

HeldRate held_rate(Money amount, const std::optional<double>& use) {
  if (!use || !std::isfinite(*use)) return {.unknown = amount};
  const double used = std::clamp(*use, 0.0, 1.0);
  const Money busy = share_of(amount, std::llround(used * kParts), kParts);
  return {.busy = busy, .idle = amount - busy};
}

/// Of several models of one node: their sum, as exact as the least exact of them.
void add_price(NodePrice& sum, const NodePrice& price, bool is_first) {
  if (is_first) {
    sum = price;
    return;
  }
  if (price.per_hour) sum.per_hour = sum.per_hour.value_or(Money{}) + *price.per_hour;
  sum.cards.reset();
  sum.source = std::max(sum.source, price.source);
  sum.rule += "; " + price.rule;
  sum.as_of = sum.as_of && price.as_of ? std::min(sum.as_of, price.as_of) : std::nullopt;
  sum.is_estimate = sum.is_estimate || price.is_estimate;
  sum.is_upper_bound = sum.is_upper_bound || price.is_upper_bound;
}

}  // namespace

std::string_view name_of(Unallocated reason) {
  switch (reason) {
    case Unallocated::free:
      return "free";
    case Unallocated::stranded:
      return "stranded";
    case Unallocated::cordoned:
      return "cordoned";
    case Unallocated::unhealthy:
      return "unhealthy";
    case Unallocated::geometry:
      return "geometry";
  }
  return "free";
}

HeldRate& HeldRate::operator+=(const HeldRate& other) {
  busy += other.busy;
  idle += other.idle;
  unknown += other.unknown;
  return *this;
}

std::optional<std::int64_t> physical_cards(const GpuNode& facts) {
  std::int64_t sum = 0;
  bool is_known = !facts.pools.empty();
  for (const Pool* pool : facts.pools) {
    if (pool->is_second_view) continue;
    is_known = is_known && pool->cards.has_value();
    sum = capped_sum(sum, pool->cards.value_or(0));
  }
  if (is_known && sum > 0) return sum;
  const auto labels = facts.node == nullptr ? std::nullopt : gpu_labels(facts.node->labels);
  if (!labels) return std::nullopt;
  const auto labelled =
      labels->single_mig_profile.empty() ? labelled_cards(*labels) : labels->cards;
  return labelled > 0 ? labelled : std::nullopt;
}

NodeLedger::NodeLedger(const GpuNode& facts, NodePrice price, ChargeRules rules)
    : price_(std::move(price)), rules_(rules), cards_(physical_cards(facts)) {
  if (!cards_) cards_ = price_.cards;
  held_.resize(facts.rows.size());
  const std::int64_t cards = cards_.value_or(0);
  const std::int64_t bought = std::max(cards, price_.cards.value_or(0));
  const NodeWeights weights = node_weights(facts, cards, bought, rules.mig_by);
  each_ = weights.each;
  base_ = weights.sum();
  row_weights_ = weights.rows;
  if (!price_.per_hour) return;
  gpus_ = *price_.per_hour;
  if (rules.by == ChargeBy::opencost && facts.node != nullptr)
    gpus_ = gpus_by_ratio(gpus_, *facts.node, bought);
  host_ = *price_.per_hour - gpus_;
  charge(facts, weights);
}

NodeLedger::NodeLedger(const GpuNode& facts, std::vector<Part> parts, ChargeRules rules)
    : rules_(rules), cards_(0) {
  parts_.reserve(parts.size());
  for (Part& part : parts) {
    for (const Pool* pool : part.facts.pools) parts_of_pools_[pool] = parts_.size();
    add(part.facts, parts_.emplace_back(part.facts, std::move(part.price), rules));
  }
  std::vector<std::size_t> rows(parts_.size());
  for (const usage::PodUsage* row : facts.rows) {
    const std::size_t part = parts_of_pools_.at(row->pool);
    held_.push_back(parts_[part].held()[rows[part]]);
    places_.push_back({.part = part, .row = rows[part]++});
  }
}

void NodeLedger::add(const GpuNode& facts, const NodeLedger& part) {
  add_price(price_, part.price(), parts_.size() == 1);
  const auto cards = physical_cards(facts);
  cards_ = cards_ && cards ? std::optional(capped_sum(*cards_, *cards)) : std::nullopt;
  for (std::size_t i = 0; i < kUnallocated; ++i) unallocated_[i] += part.unallocated_[i];
  unseen_ += part.unseen_;
  host_ += part.host_;
}

const NodeLedger& NodeLedger::part_of(const Pool& pool) const {
  const auto found = parts_of_pools_.find(&pool);
  return found == parts_of_pools_.end() ? *this : parts_[found->second];
}

std::vector<const NodePrice*> NodeLedger::prices() const {
  std::vector<const NodePrice*> prices;
  for (const NodeLedger& part : parts_) prices.push_back(&part.price_);
  if (prices.empty()) prices.push_back(&price_);
  return prices;
}

bool NodeLedger::lacks_price() const {
  const std::vector<const NodePrice*> all = prices();
  return std::any_of(all.begin(), all.end(),
                     [](const NodePrice* price) { return !price->per_hour; });
}

void NodeLedger::charge(const GpuNode& facts, const NodeWeights& weights) {
  std::vector<std::int64_t> all;
  for (const auto& row : weights.rows) all.push_back(row.value_or(0));
  const std::int64_t held = std::accumulate(all.begin(), all.end(), std::int64_t{0}, capped_sum);
  const bool holders_pay_all = rules_.by == ChargeBy::whole_node && held > 0;
  if (holders_pay_all) base_ = held;
  for (const std::int64_t weight : weights.unallocated) all.push_back(holders_pay_all ? 0 : weight);
  all.push_back(holders_pay_all ? 0 : weights.unseen);
  if (base_ == 0) all.back() = 1;  // nothing is known of its GPUs
  const std::vector<Money> amounts = split(gpus_, all);
  for (std::size_t i = 0; i < weights.rows.size(); ++i)
    if (weights.rows[i]) held_[i] = held_rate(amounts[i], use_now(*facts.rows[i]));
  for (std::size_t i = 0; i < kUnallocated; ++i) unallocated_[i] = amounts[weights.rows.size() + i];
  unseen_ = amounts.back();
}

std::optional<double> NodeLedger::held_cards(std::size_t row) const {
  if (!parts_.empty()) return parts_[places_.at(row).part].held_cards(places_[row].row);
  const std::optional<std::int64_t>& weight = row_weights_.at(row);
  if (!weight || each_ == 0) return std::nullopt;
  return static_cast<double>(*weight) / static_cast<double>(each_);
}

HeldRate NodeLedger::held_sum() const {
  HeldRate sum;
  for (const auto& rate : held_)
    if (rate) sum += *rate;
  return sum;
}

Money NodeLedger::unallocated_sum() const {
  return std::accumulate(unallocated_.begin(), unallocated_.end(), Money{});
}

std::optional<Money> NodeLedger::rate(const Pool& pool, std::int64_t units) const {
  if (const NodeLedger& part = part_of(pool); &part != this) return part.rate(pool, units);
  const auto weight = weight_of(pool, units, each_, rules_.mig_by);
  if (!price_.per_hour || !weight || base_ == 0) return std::nullopt;
  return share_of(gpus_, *weight, base_);
}

std::optional<double> NodeLedger::cards_in(const Pool& pool, std::int64_t units) const {
  if (const NodeLedger& part = part_of(pool); &part != this) return part.cards_in(pool, units);
  const auto weight = weight_of(pool, units, each_, rules_.mig_by);
  if (!weight || each_ == 0) return std::nullopt;
  return static_cast<double>(*weight) / static_cast<double>(each_);
}

}  // namespace gpu::cost
