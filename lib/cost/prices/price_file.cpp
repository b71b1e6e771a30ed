#include "base/ascii.hpp"
#include "cost/prices/price_csv.hpp"
#include "cost/prices/price_rule.hpp"
#include "cost/prices/price_yaml.hpp"
#include "cost/prices/rule_check.hpp"

namespace gpu::cost {

PriceRules price_file(std::string_view text, std::string_view name,
                      const std::optional<Time>& now) {
  PriceRules rules =
      lower_case(name).ends_with(".csv") ? rules_in_csv(text, name) : rules_in_yaml(text, name);
  check_rules(rules);
  if (now) check_dates(rules, *now);
  return rules;
}

}  // namespace gpu::cost
