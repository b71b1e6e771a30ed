#include <fmt/format.h>

#include <array>
#include <string>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "cost/prices/price_limits.hpp"
#include "cost/prices/price_rule.hpp"

namespace gpu::cost {
namespace {

constexpr std::string_view kForms =
    "2.5 for every GPU, H100=2.5 for a model, type/p5.48xlarge=55 or node/gpu-a1=21.5 for a node";

[[noreturn]] void refuse_flag(std::string_view text, std::string_view problem) {
  throw Error(ErrorKind::usage, fmt::format("--price {}: {}", sanitize(text), problem),
              fmt::format("prices are in USD for an hour: {}", kForms));
}

/// One flag has one price: "L4=1,H100=2" is two, and would be a model called "L4=1,H100".
void check_one_price(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.find('=', comma) == std::string_view::npos) return;
  std::string repeated;
  for (const std::string_view each : split(text, ','))
    repeated += fmt::format(" --price {}", shell_quoted(trimmed(each)));
  throw Error(ErrorKind::usage, fmt::format("--price {}: one flag has one price", sanitize(text)),
              "repeat the flag\n     " + repeated);
}

Money flag_amount(std::string_view text, std::string_view amount, Money most) {
  if (amount.starts_with('-')) refuse_flag(text, "a price is not below 0");
  const std::optional<Money> price = parse_money(amount);
  if (!price) refuse_flag(text, fmt::format("`{}` is no price", sanitize(amount)));
  if (*price > most)
    refuse_flag(text, most == kMostOfGpu ? "that is over 100,000 USD for an hour of a GPU"
                                         : "that is over 10 million USD for an hour of a node");
  return *price;
}

/// The nodes that `selector` picks: "H100", "type/p5.48xlarge", "node/gpu-a1".
void take_flag_selector(std::string_view text, std::string_view selector, PriceRule& rule) {
  const std::size_t slash = selector.find('/');
  const std::string name(selector.substr(slash == std::string_view::npos ? 0 : slash + 1));
  if (name.empty()) refuse_flag(text, "nothing comes before `=`");
  if (slash == std::string_view::npos) {
    rule.model = name;
    return;
  }
  const std::string_view kind = selector.substr(0, slash);
  if (kind == "type") {
    rule.instance_type = name;
  } else if (kind == "node") {
    rule.node = name;
  } else {
    refuse_flag(text, fmt::format("`{}/` is neither `type/` nor `node/`", sanitize(kind)));
  }
}

}  // namespace

PriceRule price_flag(std::string_view text) {
  PriceRule rule{.source = PriceSource::flag};
  rule.where = fmt::format("--price {}", text);
  check_one_price(text);
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos) {
    rule.gpu_hour = flag_amount(text, trimmed(text), kMostOfGpu);
    return rule;
  }
  take_flag_selector(text, trimmed(text.substr(0, equals)), rule);
  const std::string_view amount = trimmed(text.substr(equals + 1));
  if (rule.model.empty()) {
    rule.node_hour = flag_amount(text, amount, kMostOfNode);
  } else {
    rule.gpu_hour = flag_amount(text, amount, kMostOfGpu);
  }
  return rule;
}

}  // namespace gpu::cost
