#include "cost/prices/price_yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cost/prices/file_value.hpp"
#include "cost/prices/price_limits.hpp"
#include "decode/wire/yaml.hpp"

namespace gpu::cost {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;
using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> kListKeys = {"apiVersion", "kind", "currency", "asOf",
                                                       "rules"};
constexpr std::array<std::string_view, 11> kRuleKeys = {
    "node",        "labels",          "instanceType", "region",         "model",
    "nodePerHour", "nodePerHourSpot", "gpuPerHour",   "gpuPerHourSpot", "owned",
    "asOf"};
constexpr std::array<std::string_view, 6> kOwnedKeys = {"bought", "years",  "watts",
                                                        "pue",    "perKwh", "opexPerYear"};

using Places = std::map<std::string, decode::TextPlace>;

/// Rules stand in a list in a map.
constexpr std::size_t kDepthOfRules = 2;

/// Reads the values of one file.
class Reader {
 public:
  /// `places` are those of its rules.
  Reader(std::string_view file, std::string_view text, const Places& places)
      : file_(file), text_(text), places_(places) {}

  [[nodiscard]] PriceRules read(const json& list) const;

 private:
  [[nodiscard]] FileLine line_in(const Places& places, Pointer at) const {
    for (; !at.empty(); at.pop_back())
      if (const auto found = places.find(at.to_string()); found != places.end())
        return {file_, found->second.line};
    return {file_, 1};
  }
  /// Where the value stands, or the nearest around it; only for what is refused, as all of the text
  /// is read again for it.
  [[nodiscard]] FileLine line_of(const Pointer& at) const {
    return line_in(decode::yaml_places(text_), at);
  }
  /// Where the key stands: its value may start on a line below.
  [[nodiscard]] FileLine line_of_key(const Pointer& at, const std::string& key) const {
    const Places places = decode::yaml_places(text_);
    const std::vector<std::string_view> lines = lines_of(text_);
    const FileLine value = line_in(places, at / key);
    for (std::size_t line = value.line; line >= line_in(places, at).line; --line)
      if (line <= lines.size() && contains(lines[line - 1], key)) return {file_, line};
    return value;
  }
  void check_map(const json& map, const Pointer& at, Keys keys, std::string_view what) const;
  [[nodiscard]] std::string text(const json& map, const Pointer& at, const char* key) const;
  [[nodiscard]] StringMap labels(const json& map, const Pointer& at) const;
  [[nodiscard]] std::optional<Money> amount(const json& map, const Pointer& at, const char* key,
                                            Money most) const;
  [[nodiscard]] std::optional<std::int64_t> whole(const json& map, const Pointer& at,
                                                  const char* key, std::int64_t least,
                                                  std::int64_t most) const;
  [[nodiscard]] std::optional<Time> date(const json& map, const Pointer& at) const;
  void check_head(const json& list) const;
  [[nodiscard]] std::int64_t pue(const json& map, const Pointer& at) const;
  [[nodiscard]] std::optional<OwnedGpu> owned(const json& rule, const Pointer& rule_at) const;
  [[nodiscard]] PriceRule rule(const json& map, const Pointer& at) const;

  std::string_view file_;
  std::string_view text_;
  const Places& places_;
};

/// A number as it is written in decimal, to a billionth.
std::string decimal_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  const double number = value.get<double>();
  constexpr double kMost = 1e15;   // more than any limit
  constexpr double kLeast = 1e-9;  // what is less would be rounded to free of charge
  if (!std::isfinite(number) || std::fabs(number) > kMost) return fmt::format("{:.0f}", kMost);
  if (number != 0 && std::fabs(number) < kLeast) return value.dump();
  return fmt::format("{:.9f}", number);
}

void Reader::check_map(const json& map, const Pointer& at, Keys keys, std::string_view what) const {
  if (!map.is_object()) refuse(line_of(at), fmt::format("{} must be a map", what));
  for (const auto& [key, value] : map.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const auto nearest = nearest_name(key, keys);
    refuse(line_of_key(at, key),
           nearest ? fmt::format("{} has no key `{}`; a similar one is `{}`", what, key, *nearest)
                   : fmt::format("{} has no key `{}`; keys are {}", what, key, joined(keys)));
  }
}

std::string Reader::text(const json& map, const Pointer& at, const char* key) const {
  const auto found = map.find(key);
  if (found == map.end()) return {};
  if (!found->is_string() || found->get_ref<const std::string&>().empty())
    refuse(line_of(at / key), fmt::format("{} must be text; put it into quotes", key));
  return found->get<std::string>();
}

StringMap Reader::labels(const json& map, const Pointer& at) const {
  StringMap labels;
  const auto found = map.find("labels");
  if (found == map.end()) return labels;
  const Pointer labels_at = at / "labels";
  if (!found->is_object() || found->empty())
    refuse(line_of(labels_at), "labels must be a map of labels to values");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string())
      refuse(line_of(labels_at / key),
             fmt::format("the value of label {} must be text; put it into quotes", key));
    labels.set(key, value.get<std::string>());
  }
  return labels;
}

std::optional<Money> Reader::amount(const json& map, const Pointer& at, const char* key,
                                    Money most) const {
  const auto found = map.find(key);
  if (found == map.end()) return std::nullopt;
  const std::string text = decimal_text(*found);
  if (const std::optional<Money> sane = sane_amount(text, most)) return sane;
  return amount_in(line_of(at / key), key, text, most);
}

std::optional<std::int64_t> Reader::whole(const json& map, const Pointer& at, const char* key,
                                          std::int64_t least, std::int64_t most) const {
  const auto found = map.find(key);
  if (found == map.end()) return std::nullopt;
  const bool is_whole = found->is_number_integer();
  const bool is_sane = is_whole && *found >= least && *found <= most;
  if (!is_sane)
    refuse(line_of(at / key),
           fmt::format("{} must be a whole number from {} to {}", key, least, most));
  return found->get<std::int64_t>();
}

std::optional<Time> Reader::date(const json& map, const Pointer& at) const {
  const std::string text = this->text(map, at, "asOf");
  if (text.empty()) return std::nullopt;
  if (const std::optional<Time> midnight = date_of(text)) return midnight;
  return date_in(line_of(at / "asOf"), text);
}

void Reader::check_head(const json& list) const {
  const Pointer root;
  check_map(list, root, kListKeys, "a price list");
  const std::string version = text(list, root, "apiVersion");
  if (!version.empty() && version != "kubectl-gpu/v1")
    refuse(line_of(root / "apiVersion"), "apiVersion must be kubectl-gpu/v1");
  const std::string kind = text(list, root, "kind");
  if (!kind.empty() && kind != "PriceList")
    refuse(line_of(root / "kind"), "kind must be PriceList");
  const std::string currency = text(list, root, "currency");
  if (!currency.empty() && currency != "USD")
    refuse(line_of(root / "currency"),
           fmt::format("currency is {}, but prices must be in USD", currency));
  const auto rules = list.find("rules");
  if (rules == list.end() || !rules->is_array() || rules->empty())
    refuse(line_of(root / "rules"), "a price list needs a list of `rules`");
}

/// In thousandths.
std::int64_t Reader::pue(const json& map, const Pointer& at) const {
  constexpr std::int64_t kNanoInMilli = 1'000'000;
  const std::optional<Money> ratio = amount(map, at, "pue", Money{10'000'000'000});
  if (!ratio) return 1000;
  if (ratio->nano < 1'000'000'000) refuse(line_of(at / "pue"), "pue is not below 1");
  return ratio->nano / kNanoInMilli;
}

std::optional<OwnedGpu> Reader::owned(const json& rule, const Pointer& rule_at) const {
  const auto found = rule.find("owned");
  if (found == rule.end()) return std::nullopt;
  const Pointer at = rule_at / "owned";
  check_map(*found, at, kOwnedKeys, "owned");
  constexpr Money kMostBought{1'000'000'000'000'000'000};  // 1 billion USD
  const std::optional<Money> bought = amount(*found, at, "bought", kMostBought);
  const std::optional<std::int64_t> years = whole(*found, at, "years", 1, 100);
  if (!bought || !years) refuse(line_of(at), "owned needs `bought` and `years`");
  const std::optional<Money> kwh = amount(*found, at, "perKwh", Money{100'000'000'000});
  OwnedGpu gpu{.bought = *bought,
               .years = *years,
               .watts = whole(*found, at, "watts", 0, 100'000),
               .pue_milli = pue(*found, at),
               .kwh = kwh.value_or(Money{}),
               .opex_per_year = amount(*found, at, "opexPerYear", kMostBought).value_or(Money{})};
  if (!kwh) gpu.watts = 0;  // power is paid with the rest
  if (hour_of(gpu, gpu.watts.value_or(0)) > kMostOfGpu)
    refuse(line_of(at), "owned comes to over 100,000 USD for an hour of a GPU");
  return gpu;
}

PriceRule Reader::rule(const json& map, const Pointer& at) const {
  check_map(map, at, kRuleKeys, "a rule");
  PriceRule rule;
  rule.where = text_of(line_in(places_, at));
  rule.node = text(map, at, "node");
  rule.labels = labels(map, at);
  rule.instance_type = text(map, at, "instanceType");
  rule.model = text(map, at, "model");
  rule.region = text(map, at, "region");
  rule.node_hour = amount(map, at, "nodePerHour", kMostOfNode);
  rule.node_spot_hour = amount(map, at, "nodePerHourSpot", kMostOfNode);
  rule.gpu_hour = amount(map, at, "gpuPerHour", kMostOfGpu);
  rule.gpu_spot_hour = amount(map, at, "gpuPerHourSpot", kMostOfGpu);
  rule.owned = owned(map, at);
  rule.as_of = date(map, at);
  if (key_of(rule) == PriceKey::any)
    refuse(line_of(at), "a rule needs `node`, `labels`, `instanceType` or `model`");
  if (!rule.node_hour && !rule.node_spot_hour && !rule.gpu_hour && !rule.gpu_spot_hour &&
      !rule.owned)
    refuse(line_of(at), "a rule needs `nodePerHour`, `gpuPerHour` or `owned`");
  return rule;
}

PriceRules Reader::read(const json& list) const {
  check_head(list);
  const std::optional<Time> as_of = date(list, Pointer());
  const json& rules = list.at("rules");
  PriceRules made;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    PriceRule each = rule(rules[i], Pointer("/rules") / i);
    if (!each.as_of) each.as_of = as_of;
    made.rules.push_back(std::move(each));
  }
  return made;
}

/// Only the first document of a text is read, so a second one must not be there.
void check_one_document(std::string_view text, std::string_view file) {
  bool has_content = false;
  std::size_t line = 0;
  for (const std::string_view each : lines_of(text)) {
    ++line;
    if (each.starts_with("---") && has_content)
      refuse(FileLine{file, line}, "a price file is one document");
    has_content = has_content || (!each.empty() && each[0] != '#' && each[0] != '\r');
  }
}

}  // namespace

PriceRules rules_in_yaml(std::string_view text, std::string_view name) {
  try {
    decode::YamlNotes notes{.depth = kDepthOfRules, .places = {}, .twice = {}};
    const json list = decode::yaml_to_json(text, notes);
    check_one_document(text, name);
    if (const auto& twice = notes.twice)
      refuse(FileLine{name, twice->second.line},
             fmt::format("`{}` stands twice in one map, first on line {}", twice->key,
                         twice->first.line));
    return Reader(name, text, notes.places).read(list);
  } catch (const decode::YamlError& error) {
    refuse(FileLine{name, error.place().line}, error.problem());
  }
}

}  // namespace gpu::cost
