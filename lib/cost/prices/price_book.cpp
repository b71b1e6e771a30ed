#include "cost/prices/price_book.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "cost/prices/node_facts.hpp"
#include "cost/prices/price_text.hpp"
#include "cost/prices/rule_check.hpp"
#include "cost/prices/table_offer.hpp"

namespace gpu::cost {
namespace {

using Place = std::tuple<PriceSource, PriceKey, std::string_view>;

Place place_of(const ReadyRule& ready) {
  return {ready.rule.source, key_of(ready.rule), ready.name};
}

struct ByPlace {
  bool operator()(const ReadyRule& a, const ReadyRule& b) const {
    return place_of(a) < place_of(b);
  }
  bool operator()(const ReadyRule& ready, const Place& place) const {
    return place_of(ready) < place;
  }
  bool operator()(const Place& place, const ReadyRule& ready) const {
    return place < place_of(ready);
  }
};

bool has_rules(const std::vector<ReadyRule>& rules, PriceSource source) {
  const auto at =
      std::lower_bound(rules.begin(), rules.end(), Place{source, PriceKey::node, {}}, ByPlace());
  return at != rules.end() && at->rule.source == source;
}

/// Calls `visit` with each rule of a source and a key that may pick the node, as they were added,
/// until it returns true. By node, label and instance type only those are looked at that name one
/// of its own: there may be thousands.
template <class Visit>
bool visit_key(const std::vector<ReadyRule>& rules, const NodeFacts& facts, PriceSource source,
               PriceKey key, Visit visit) {
  const auto first =
      std::lower_bound(rules.begin(), rules.end(), Place{source, key, {}}, ByPlace());
  if (first == rules.end() || first->rule.source != source || key_of(first->rule) != key)
    return false;
  const auto named = [&](const std::string& name) {
    return std::equal_range(first, rules.end(), Place{source, key, name}, ByPlace());
  };
  const std::vector<std::string> names = names_for(key, facts);
  if (names.size() == 1) {
    const auto [begin, end] = named(names.front());
    return std::any_of(begin, end, visit);
  }
  std::vector<const ReadyRule*> found;
  for (const std::string& name : names)
    for (auto [at, end] = named(name); at != end; ++at) found.push_back(&*at);
  std::sort(found.begin(), found.end(),
            [](const ReadyRule* a, const ReadyRule* b) { return a->order < b->order; });
  return std::any_of(found.begin(), found.end(),
                     [&](const ReadyRule* ready) { return visit(*ready); });
}

/// Calls `visit` with the offers of the rules that pick the node, until it returns true.
template <class Visit>
bool visit_rules(const std::vector<ReadyRule>& rules, const NodeFacts& facts, PriceSource source,
                 Visit& visit) {
  const auto visit_one = [&](const ReadyRule& ready) {
    return picks(ready, facts) && visit(rule_offer(ready, facts));
  };
  constexpr std::array kKeys = {PriceKey::node, PriceKey::labels, PriceKey::instance_type,
                                PriceKey::model, PriceKey::any};
  return std::any_of(kKeys.begin(), kKeys.end(),
                     [&](PriceKey key) { return visit_key(rules, facts, source, key, visit_one); });
}

/// Calls `visit` with the offer of each rule in the order of precedence, until it returns true;
/// where a source has no rule for the node, with one that says so.
template <class Visit>
void visit_offers(const std::vector<ReadyRule>& rules, const NodeFacts& facts, Visit visit) {
  for (const PriceSource source : {PriceSource::flag, PriceSource::file}) {
    bool is_empty = true;
    const auto visit_rule = [&](Offer offer) {
      is_empty = false;
      return visit(std::move(offer));
    };
    if (visit_rules(rules, facts, source, visit_rule)) return;
    if (is_empty)
      visit(no_offer(facts, source,
                     has_rules(rules, source) ? "no rule picks this node" : "no rules are given"));
  }
  std::vector<Offer> annotations = annotation_offers(facts);
  if (annotations.empty())
    annotations.push_back(no_offer(facts, PriceSource::annotation, "no annotation with a price"));
  for (const Offer& offer : annotations)
    if (visit(offer)) return;
  for (const auto of_table : {region_offer, other_region_offer, median_offer})
    if (visit(of_table(facts))) return;
}

std::string outcome_of(const Offer& offer, bool is_needed) {
  if (!offer.price.per_hour) return offer.why_not;
  std::string text = hourly_text(*offer.price.per_hour);
  if (offer.price.is_upper_bound) text = "at most " + text;
  if (offer.price.is_estimate) text += ", an estimate";
  return is_needed ? text : "not needed: " + text;
}

}  // namespace

void PriceBook::add(PriceRules rules) {
  for (PriceRule& rule : rules.rules) {
    if (rule.source == PriceSource::flag)
      if (std::optional<Gap> gap = unknown_model(rule)) gaps_.push_back(std::move(*gap));
    rules_.push_back(ready(std::move(rule)));
    rules_.back().order = rules_.size();
  }
  std::stable_sort(rules_.begin(), rules_.end(), ByPlace());
  std::move(rules.gaps.begin(), rules.gaps.end(), std::back_inserter(gaps_));
}

NodePrice PriceBook::price(const PricedNode& node) const {
  const NodeFacts facts = facts_of(node);
  NodePrice found = offer_of(facts, PriceSource::none).price;
  visit_offers(rules_, facts, [&](Offer offer) {
    if (!offer.price.per_hour) return false;
    found = std::move(offer.price);
    return true;
  });
  return found;
}

std::vector<PriceStep> PriceBook::steps(const PricedNode& node) const {
  std::vector<PriceStep> steps;
  bool is_needed = true;
  visit_offers(rules_, facts_of(node), [&](const Offer& offer) {
    const bool won = is_needed && offer.price.per_hour.has_value();
    steps.push_back({.source = offer.price.source,
                     .rule = offer.price.rule,
                     .outcome = outcome_of(offer, is_needed),
                     .won = won});
    is_needed = is_needed && !won;
    return false;
  });
  return steps;
}

std::vector<std::string> PriceBook::unused(const std::set<std::string>& winners) const {
  std::vector<std::string> given;
  std::set<std::string> used;
  for (const ReadyRule& ready : rules_) {
    const std::string& where = ready.rule.where;
    const bool is_flag = ready.rule.source == PriceSource::flag;
    const std::string name = is_flag ? where : where.substr(0, where.rfind(':'));
    if (std::find(given.begin(), given.end(), name) == given.end()) given.push_back(name);
    if (winners.contains(where)) used.insert(name);
  }
  std::erase_if(given, [&](const std::string& name) { return used.contains(name); });
  return given;
}

}  // namespace gpu::cost
