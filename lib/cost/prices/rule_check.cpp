#include "cost/prices/rule_check.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cost/prices/node_facts.hpp"

namespace gpu::cost {
namespace {

/// What the rule picks nodes by, as one text: equal for rules that pick the same.
std::string selectors_of(const PriceRule& rule) {
  std::string text;
  const auto add = [&](std::string_view part) {
    text += part;
    text += '\0';
  };
  add(rule.node);
  add(lower_case(rule.instance_type));
  add(lower_case(rule.model));
  add(lower_case(rule.region));
  for (const auto& [key, value] : rule.labels) {
    add(key);
    add(value);
  }
  return text;
}

bool names_no_model(const PriceRule& rule) {
  return !rule.model.empty() && models_called(rule.model).empty();
}

Gap unused(const std::string& where, std::string why) {
  return {.what = where + " is not used", .why = std::move(why), .help = "remove one of them"};
}

/// What a rule is doubted for.
enum class Doubt : std::uint8_t { duplicate, two_prices, model, watts };

/// Gaps of each kind, of which a few say all: a file may have a hundred thousand rules.
class FewOfEach {
 public:
  void add(Doubt doubt, std::optional<Gap> gap) {
    if (gap) add_made(doubt, [&] { return std::move(gap); });
  }
  /// The same of what `make` gives, where it is needed: finding what is similar is work.
  template <class Make>
  void add_made(Doubt doubt, Make make) {
    Told& told = told_[doubt];
    if (++told.number > kMost) return;
    if (std::optional<Gap> gap = make()) told.first.push_back(std::move(*gap));
  }
  void move_to(std::vector<Gap>& gaps) {
    for (auto& [doubt, told] : told_) {
      std::move(told.first.begin(), told.first.end(), std::back_inserter(gaps));
      if (told.number > kMost)
        gaps.push_back({.what = counted(told.number - kMost, "more rule is", "more rules are") +
                                " as doubtful as these",
                        .why = std::string(why_of(doubt)),
                        .help = {}});
    }
  }

 private:
  static constexpr std::int64_t kMost = 10;
  struct Told {
    std::vector<Gap> first;
    std::int64_t number = 0;
  };
  static std::string_view why_of(Doubt doubt) {
    switch (doubt) {
      case Doubt::duplicate:
        return "rules before them pick the same nodes, and win";
      case Doubt::two_prices:
        return "they have several prices, of which one wins";
      case Doubt::model:
        return "no GPU model is known by these names";
      case Doubt::watts:
        return "the power of their GPUs is not known";
    }
    return {};
  }

  std::map<Doubt, Told> told_;
};

void keep_one_price(PriceRule& rule, FewOfEach& gaps) {
  const bool has_node = rule.node_hour || rule.node_spot_hour;
  const bool has_gpu = rule.gpu_hour || rule.gpu_spot_hour;
  if (has_node && (has_gpu || rule.owned))
    gaps.add(Doubt::two_prices, unused("the GPU price of " + rule.where,
                                       "the rule has a price of the node, too, and that wins"));
  else if (has_gpu && rule.owned)
    gaps.add(Doubt::two_prices, unused("`owned` of " + rule.where,
                                       "the rule has a price of a GPU, too, and that wins"));
  if (has_node) {
    rule.gpu_hour.reset();
    rule.gpu_spot_hour.reset();
  }
  if (has_node || has_gpu) rule.owned.reset();
}

}  // namespace

std::optional<Gap> unknown_model(const PriceRule& rule) {
  if (!names_no_model(rule)) return std::nullopt;
  std::vector<std::string_view> names;
  for (const GpuModel& model : gpu_models()) {
    names.emplace_back(model.name);
    names.insert(names.end(), model.aliases.begin(), model.aliases.end());
  }
  const auto nearest = nearest_name(rule.model, names);
  return Gap{.what = fmt::format("{}: no GPU model is known as {}", rule.where, rule.model),
             .why = "the rule prices GPUs whose product label holds that name",
             .help = nearest ? fmt::format("a similar one is `{}`", *nearest) : std::string()};
}

std::optional<Gap> unknown_watts(const PriceRule& rule) {
  if (!rule.owned || rule.owned->watts || rule.model.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  const std::vector<const GpuModel*> models = models_called(rule.model);
  for (const GpuModel* model : models)
    if (!model->watts) names.emplace_back(model->name);
  if (names.empty() && !models.empty()) return std::nullopt;
  if (names.empty()) names.emplace_back(rule.model);
  return Gap{.what = fmt::format("{} cannot price {}", rule.where, joined(names)),
             .why = "the power of that GPU is not known",
             .help = "add `watts` to `owned`"};
}

void check_rules(PriceRules& rules) {
  std::unordered_map<std::string, std::string> seen;  // selectors to where
  std::unordered_set<std::string> models;
  FewOfEach gaps;
  std::vector<PriceRule> kept;
  kept.reserve(rules.rules.size());
  for (PriceRule& rule : rules.rules) {
    const auto [at, is_new] = seen.emplace(selectors_of(rule), rule.where);
    if (!is_new) {
      gaps.add(Doubt::duplicate,
               unused(rule.where, fmt::format("{} picks the same nodes, and wins", at->second)));
      continue;
    }
    keep_one_price(rule, gaps);
    if (models.insert(lower_case(rule.model)).second && names_no_model(rule))
      gaps.add_made(Doubt::model, [&] { return unknown_model(rule); });
    gaps.add(Doubt::watts, unknown_watts(rule));
    kept.push_back(std::move(rule));
  }
  rules.rules = std::move(kept);
  gaps.move_to(rules.gaps);
}

void check_dates(PriceRules& rules, Time now) {
  constexpr std::chrono::hours kFirstZone{14};  // a day begins there before it does in UTC
  std::string what;
  std::int64_t number = 0;
  for (const PriceRule& rule : rules.rules) {
    if (!rule.as_of || *rule.as_of <= now + kFirstZone) continue;
    if (++number == 1)
      what = fmt::format("{} is of {}, which has not come yet", rule.where,
                         format_time(*rule.as_of).substr(0, 10));
  }
  if (number == 0) return;
  if (number > 1) what += "; " + counted(number - 1, "more rule is", "more rules are") + " so, too";
  rules.gaps.push_back({.what = std::move(what),
                        .why = "the price counts all the same",
                        .help = "correct asOf, or EndTimestamp"});
}

}  // namespace gpu::cost
