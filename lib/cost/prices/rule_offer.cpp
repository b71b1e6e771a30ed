#include "cost/prices/rule_offer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "cost/prices/price_limits.hpp"

namespace gpu::cost {
namespace {

/// As labels are written: small letters, and dashes between words.
std::string folded(std::string_view name) {
  std::string text = lower_case(name);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '_' || c == ' '; }, '-');
  return text;
}

/// Whether `words` stand in `text` as whole words: "rtx-3090" in "nvidia-geforce-rtx-3090".
bool has_words(std::string_view text, std::string_view words) {
  for (std::size_t at = text.find(words); at != std::string_view::npos;
       at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    if ((at == 0 || text[at - 1] == '-') && (end == text.size() || text[end] == '-')) return true;
  }
  return false;
}

bool is_model(const ReadyRule& ready, const NodeFacts& facts) {
  if (!ready.models.empty() && !facts.models.empty())
    return std::any_of(facts.models.begin(), facts.models.end(), [&](const GpuModel* model) {
      return std::find(ready.models.begin(), ready.models.end(), model) != ready.models.end();
    });
  return has_words(folded(facts.product), folded(ready.rule.model));
}

bool is_product(std::string_view label) { return label.ends_with("gpu.product"); }

/// A product is the same with what sharing and MIG add to its label.
bool has_label(const StringMap& labels, const std::string& key, const std::string& wanted) {
  const std::string* const value = labels.find(key);
  if (value == nullptr) return false;
  return *value == wanted || (is_product(key) && whole_product(*value) == wanted);
}

std::string name_of_label(std::string_view label, std::string_view value) {
  std::string name(label);
  name += '\0';
  return name.append(value);
}

std::string name_of_rule(const PriceRule& rule) {
  switch (key_of(rule)) {
    case PriceKey::node:
      return rule.node;
    case PriceKey::labels:
      return name_of_label(rule.labels.begin()->first, rule.labels.begin()->second);
    case PriceKey::instance_type:
      return lower_case(rule.instance_type);
    case PriceKey::model:
    case PriceKey::any:
      break;
  }
  return {};
}

/// The price for the node's capacity type, and whether it is one for another.
void take_price(const PriceRule& rule, std::optional<Money> regular, std::optional<Money> spot,
                NodePrice& price) {
  const bool is_spot = price.capacity.type == CapacityType::spot;
  price.per_hour = is_spot && spot ? spot : regular;
  const PriceKey key = key_of(rule);
  const bool is_list_price = rule.source == PriceSource::file && key != PriceKey::node &&
                             key != PriceKey::labels && !rule.owned;
  price.is_upper_bound = is_spot && !spot && regular && is_list_price;
}

/// The power of the node's model; nothing where it is not known, or differs between those it may
/// be.
std::optional<std::int64_t> watts_of(const OwnedGpu& owned, const NodeFacts& facts) {
  if (owned.watts || facts.models.empty()) return owned.watts;
  const std::optional<std::int64_t> first = facts.models.front()->watts;
  const bool is_same = std::all_of(facts.models.begin(), facts.models.end(),
                                   [&](const GpuModel* model) { return model->watts == first; });
  return is_same ? first : std::nullopt;
}

void take_gpu_price(const PriceRule& rule, const NodeFacts& facts, Offer& offer) {
  std::optional<Money> regular = rule.gpu_hour;
  if (rule.owned) {
    const std::optional<std::int64_t> watts = watts_of(*rule.owned, facts);
    if (!watts) {
      offer.why_not = "the power of its GPUs is not known: the rule needs `watts`";
      return;
    }
    regular = hour_of(*rule.owned, *watts);
  }
  take_price(rule, regular, rule.gpu_spot_hour, offer.price);
  if (!offer.price.per_hour) {
    offer.why_not = "it has a price for spot capacity alone";
  } else if (!facts.cards) {
    offer.why_not = "how many GPUs the node has is not known";
    offer.price.per_hour.reset();
  } else {
    offer.price.per_hour = share_of(*offer.price.per_hour, *facts.cards, 1);
  }
}

constexpr std::string_view kOwnAnnotation = "kubectl-gpu/price-per-hour";
constexpr std::string_view kViewerKey = "eks-node-viewer/instance-price";

Offer annotation_offer(const NodeFacts& facts, std::string_view name, std::string_view value) {
  Offer offer = offer_of(facts, PriceSource::annotation);
  offer.price.rule = name;
  offer.price.per_hour = parse_money(trimmed(value));
  if (!offer.price.per_hour) {
    offer.why_not = "its value is no price in USD";
  } else if (*offer.price.per_hour > kMostOfNode) {
    offer.why_not = "its value is more than any node costs";
    offer.price.per_hour.reset();
  }
  return offer;
}

}  // namespace

PriceKey key_of(const PriceRule& rule) {
  if (!rule.node.empty()) return PriceKey::node;
  if (!rule.labels.empty()) return PriceKey::labels;
  if (!rule.instance_type.empty()) return PriceKey::instance_type;
  return rule.model.empty() ? PriceKey::any : PriceKey::model;
}

Money hour_of(const OwnedGpu& owned, std::int64_t watts) {
  constexpr Int128 kHours = 8760;
  constexpr Int128 kParts = 1'000'000;  // of a kilowatt: watts, and thousandths of PUE
  const Int128 fixed = Int128{owned.bought.nano} + Int128{owned.opex_per_year.nano} * owned.years;
  const Int128 power = Int128{owned.kwh.nano} * watts * owned.pue_milli;
  const Int128 whole = kHours * owned.years * kParts;
  const Int128 sum = fixed * kParts + power * kHours * owned.years;
  return {static_cast<std::int64_t>((sum + whole / 2) / whole)};
}

ReadyRule ready(PriceRule rule) {
  ReadyRule made{.rule = std::move(rule), .models = {}, .name = {}};
  made.models = models_called(made.rule.model);
  made.name = name_of_rule(made.rule);
  return made;
}

std::vector<std::string> names_for(PriceKey key, const NodeFacts& facts) {
  if (key == PriceKey::node) return {std::string(facts.node->name)};
  if (key == PriceKey::instance_type) return {lower_case(facts.type)};
  if (key != PriceKey::labels) return {std::string()};
  std::vector<std::string> names;
  for (const auto& [label, value] : *facts.node->labels) {
    names.push_back(name_of_label(label, value));
    if (is_product(label) && whole_product(value) != value)
      names.push_back(name_of_label(label, whole_product(value)));
  }
  return names;
}

bool picks(const ReadyRule& ready, const NodeFacts& facts) {
  const PriceRule& rule = ready.rule;
  if (!rule.node.empty() && rule.node != facts.node->name) return false;
  if (!rule.instance_type.empty() && !equal_ignoring_case(rule.instance_type, facts.type))
    return false;
  if (!rule.region.empty() && !equal_ignoring_case(rule.region, facts.region)) return false;
  for (const auto& [key, value] : rule.labels)
    if (!has_label(*facts.node->labels, key, value)) return false;
  return rule.model.empty() || is_model(ready, facts);
}

Offer rule_offer(const ReadyRule& ready, const NodeFacts& facts) {
  const PriceRule& rule = ready.rule;
  Offer offer = offer_of(facts, rule.source);
  offer.price.rule = rule.where;
  offer.price.as_of = rule.as_of;
  if (rule.node_hour || rule.node_spot_hour) {
    take_price(rule, rule.node_hour, rule.node_spot_hour, offer.price);
    if (!offer.price.per_hour) offer.why_not = "it has a price for spot capacity alone";
  } else {
    take_gpu_price(rule, facts, offer);
  }
  return offer;
}

std::vector<Offer> annotation_offers(const NodeFacts& facts) {
  std::vector<Offer> offers;
  if (const StringMap* const annotations = facts.node->annotations)
    for (const std::string_view key : {kOwnAnnotation, kViewerKey})
      if (const std::string* const value = annotations->find(key))
        offers.push_back(annotation_offer(facts, fmt::format("annotation {}", key), *value));
  if (const std::string* const value = facts.node->labels->find(kViewerKey))
    offers.push_back(annotation_offer(facts, fmt::format("label {}", kViewerKey), *value));
  return offers;
}

}  // namespace gpu::cost
