#include "cost/prices/rule_check.hpp"

#include <fmt/format.h>

#include <map>
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

Gap unused(const std::string& where, std::string why) {
  return {.what = where + " is not used", .why = std::move(why), .help = "remove one of them"};
}

void keep_one_price(PriceRule& rule, std::vector<Gap>& gaps) {
  const bool has_node = rule.node_hour || rule.node_spot_hour;
  const bool has_gpu = rule.gpu_hour || rule.gpu_spot_hour;
  if (has_node && (has_gpu || rule.owned))
    gaps.push_back(unused("the GPU price of " + rule.where,
                          "the rule has a price of the node, too, and that wins"));
  else if (has_gpu && rule.owned)
    gaps.push_back(
        unused("`owned` of " + rule.where, "the rule has a price of a GPU, too, and that wins"));
  if (has_node) {
    rule.gpu_hour.reset();
    rule.gpu_spot_hour.reset();
  }
  if (has_node || has_gpu) rule.owned.reset();
}

}  // namespace

std::optional<Gap> unknown_model(const PriceRule& rule) {
  if (rule.model.empty() || !models_called(rule.model).empty()) return std::nullopt;
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
  std::map<std::string, std::string> seen;  // selectors to where
  std::vector<PriceRule> kept;
  for (PriceRule& rule : rules.rules) {
    const auto [at, is_new] = seen.emplace(selectors_of(rule), rule.where);
    if (!is_new) {
      rules.gaps.push_back(
          unused(rule.where, fmt::format("{} picks the same nodes, and wins", at->second)));
      continue;
    }
    keep_one_price(rule, rules.gaps);
    for (std::optional<Gap>& gap : std::vector{unknown_model(rule), unknown_watts(rule)})
      if (gap) rules.gaps.push_back(std::move(*gap));
    kept.push_back(std::move(rule));
  }
  rules.rules = std::move(kept);
}

}  // namespace gpu::cost
