#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "cost/prices/priced.hpp"

namespace gpu::cost::prices_price_file_test {
namespace {

const std::string kHead = "apiVersion: kubectl-gpu/v1\nkind: PriceList\nrules:\n";  // 3 lines

std::string error_in(std::string_view text, std::string_view name = "p.yaml") {
  try {
    price_file(text, name);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message();
  }
  return "none";
}

/// The gaps of a file, one a line.
std::string gaps_in(std::string_view text, std::string_view name = "p.yaml") {
  std::string told;
  for (const Gap& gap : price_file(text, name).gaps)
    told += gap.what + ": " + gap.why + (gap.help.empty() ? "" : " (" + gap.help + ")") + "\n";
  return told;
}

PriceRule only(std::string_view text) {
  const PriceRules rules = price_file(text, "p.yaml");
  CHECK(rules.gaps.empty());
  REQUIRE(rules.rules.size() == 1);
  return rules.rules.front();
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("a rule in all its parts") {
  const PriceRule rule = only(
      "asOf: 2026-11-01\n"
      "rules:\n"
      "- node: gpu-a1\n"
      "  labels: {pool: reserved, team: b}\n"
      "  instanceType: p5.48xlarge\n"
      "  model: H100\n"
      "  region: us-east-1\n"
      "  nodePerHour: 44.50\n"
      "  nodePerHourSpot: '20.10'\n");
  CHECK(rule.source == PriceSource::file);
  CHECK(rule.node == "gpu-a1");
  CHECK(rule.labels == StringMap{{"pool", "reserved"}, {"team", "b"}});
  CHECK(rule.instance_type == "p5.48xlarge");
  CHECK(rule.model == "H100");
  CHECK(rule.region == "us-east-1");
  CHECK(rule.node_hour == usd("44.5"));
  CHECK(rule.node_spot_hour == usd("20.1"));
  CHECK_FALSE(rule.gpu_hour);
  CHECK(rule.as_of == parse_time("2026-11-01T00:00:00Z"));
  CHECK(rule.where == "p.yaml:3");
}

TEST_CASE("a rule's own date wins over the file's, and JSON is YAML") {
  const PriceRule rule = only(
      R"({"asOf": "2026-11-01", "rules": [{"model": "L4", "gpuPerHour": 0.8, "asOf": "2026-10-01T08:00:00Z"}]})");
  CHECK(rule.as_of == parse_time("2026-10-01T00:00:00Z"));
  CHECK_FALSE(only("rules: [{model: L4, gpuPerHour: 1}]").as_of);
}

TEST_CASE("amounts are exact, however they are written") {
  struct Row {
    const char* text;
    std::int64_t nano;
  };
  for (const auto& [text, nano] :
       {Row{"21.957642", 21'957'642'000}, Row{"'21.957642'", 21'957'642'000}, Row{"0.000000001", 1},
        Row{"0.1", 100'000'000}, Row{"99999.999999999", 99'999'999'999'999},
        Row{"12", 12'000'000'000}, Row{"1e3", 1'000'000'000'000}, Row{"0", 0}, Row{"0.0", 0},
        Row{"100000", 100'000'000'000'000}})
    CHECK(only(kHead + "- {model: L4, gpuPerHour: " + text + "}").gpu_hour == Money{nano});
}

TEST_CASE("what is wrong in a file is told in one line, with its place") {
  struct Row {
    std::string text;
    const char* error;
  };
  const std::string l4 = kHead + "- model: L4\n  gpuPerHour: ";
  for (const auto& [text, error] : {
           Row{l4 + "-1", "p.yaml:5: gpuPerHour is below 0"},
           Row{l4 + "'-1'", "p.yaml:5: gpuPerHour is below 0"},
           Row{l4 + "100000.01", "p.yaml:5: gpuPerHour is over 100000: `100000.010000000`"},
           Row{l4 + "1e300", "p.yaml:5: gpuPerHour is over 100000: `1000000000000000`"},
           Row{l4 + "99999999999999999999",
               "p.yaml:5: gpuPerHour is over 100000: `1000000000000000`"},
           Row{l4 + "$2.50", "p.yaml:5: gpuPerHour is no amount in USD: `$2.50`"},
           Row{l4 + "2.50 USD", "p.yaml:5: gpuPerHour is no amount in USD: `2.50 USD`"},
           Row{l4 + "", "p.yaml:5: gpuPerHour is no amount in USD: `null`"},
           Row{l4 + "true", "p.yaml:5: gpuPerHour is no amount in USD: `true`"},
           Row{l4 + "[1]", "p.yaml:5: gpuPerHour is no amount in USD: `[1]`"},
           Row{kHead + "- {node: a, nodePerHour: 10000001}",
               "p.yaml:4: nodePerHour is over 10000000: `10000001`"},
           Row{kHead + "- model: L4\n  gpuPerHuor: 1",
               "p.yaml:5: a rule has no key `gpuPerHuor`; a similar one is `gpuPerHour`"},
           Row{"rulez:\n- {model: L4, gpuPerHour: 1}",
               "p.yaml:1: a price list has no key `rulez`; a similar one is `rules`"},
           Row{kHead + "- model: L4\n  ownd:\n    bought: 1",
               "p.yaml:5: a rule has no key `ownd`; a similar one is `owned`"},
           Row{"currency: EUR\nrules: []", "p.yaml:1: currency is EUR, but prices must be in USD"},
           Row{"apiVersion: v1\nrules: []", "p.yaml:1: apiVersion must be kubectl-gpu/v1"},
           Row{"kind: Prices\nrules: []", "p.yaml:1: kind must be PriceList"},
           Row{"asOf: soon\nrules: [{model: L4, gpuPerHour: 1}]",
               "p.yaml:1: `soon` is no date such as 2026-11-01"},
           Row{"asOf: 2026-02-30\nrules: [{model: L4, gpuPerHour: 1}]",
               "p.yaml:1: `2026-02-30` is no date such as 2026-11-01"},
           Row{"asOf: 20261101\nrules: [{model: L4, gpuPerHour: 1}]",
               "p.yaml:1: asOf must be text; put it into quotes"},
           Row{kHead + "- gpuPerHour: 1",
               "p.yaml:4: a rule needs `node`, `labels`, `instanceType` or `model`"},
           Row{kHead + "- {region: us-east-1, gpuPerHour: 1}",
               "p.yaml:4: a rule needs `node`, `labels`, `instanceType` or `model`"},
           Row{kHead + "- {model: L4}",
               "p.yaml:4: a rule needs `nodePerHour`, `gpuPerHour` or `owned`"},
           Row{kHead + "- L4", "p.yaml:4: a rule must be a map"},
           Row{kHead + "- {node: 12, nodePerHour: 1}",
               "p.yaml:4: node must be text; put it into quotes"},
           Row{kHead + "- {labels: {}, nodePerHour: 1}",
               "p.yaml:4: labels must be a map of labels to values"},
           Row{kHead + "- {labels: {a: 1}, nodePerHour: 1}",
               "p.yaml:4: the value of label a must be text; put it into quotes"},
           Row{"rules: []", "p.yaml:1: a price list needs a list of `rules`"},
           Row{"", "p.yaml:1: a price list must be a map"},
           Row{"- a", "p.yaml:1: a price list must be a map"},
           Row{"a: b: c", "p.yaml:1: illegal map value"},
           Row{l4 + "1\n---\nrules: []", "p.yaml:6: a price file is one document"},
           Row{l4 + "0.0000000001", "p.yaml:5: gpuPerHour is no amount in USD: `1e-10`"},
           Row{l4 + "1e-300", "p.yaml:5: gpuPerHour is no amount in USD: `1e-300`"},
           Row{l4 + "1\n  gpuPerHour: 2",
               "p.yaml:6: `gpuPerHour` stands twice in one map, first on line 5"},
           Row{l4 + "1\n  model: H100",
               "p.yaml:6: `model` stands twice in one map, first on line 4"},
           Row{l4 + "1\nrules: []", "p.yaml:6: `rules` stands twice in one map, first on line 3"},
           Row{kHead + "- {labels: {a: x, \"a\": y}, nodePerHour: 1}",
               "p.yaml:4: `a` stands twice in one map, first on line 4"},
       }) {
    CAPTURE(text);
    CHECK(error_in(text) == error);
  }
  CHECK(error_in("# " + std::string(5 << 20, 'x')) == "p.yaml:1: more than 4 MB");
}

TEST_CASE("of duplicate rules the first wins, and a gap names both lines") {
  const std::string text = kHead +
                           "- {model: L4, gpuPerHour: 1}\n"
                           "- {model: L4, region: eu-west-1, gpuPerHour: 2}\n"
                           "- {model: l4, gpuPerHour: 3}\n";
  CHECK(price_file(text, "p.yaml").rules.size() == 2);
  CHECK(gaps_in(text) ==
        "p.yaml:6 is not used: p.yaml:4 picks the same nodes, and wins (remove one of them)\n");
}

TEST_CASE("what a merge key brings may be said otherwise beside it") {
  const std::string text =
      "rules:\n- &base {model: L4, gpuPerHour: 1}\n- {<<: *base, model: H100, gpuPerHour: 2}\n";
  const PriceRules rules = price_file(text, "p.yaml");
  REQUIRE(rules.rules.size() == 2);
  CHECK(rules.rules[1].model == "H100");
  CHECK(rules.rules[1].gpu_hour == usd("2"));
}

TEST_CASE("of many doubtful rules a few are told, and how many there are") {
  std::string text = kHead;
  for (int i = 0; i < 50; ++i) text += "- {model: X" + std::to_string(i) + ", gpuPerHour: 1}\n";
  for (int i = 0; i < 50; ++i) text += "- {model: X" + std::to_string(i) + ", gpuPerHour: 1}\n";
  const PriceRules rules = price_file(text, "p.yaml");
  CHECK(rules.rules.size() == 50);
  REQUIRE(rules.gaps.size() == 22);
  CHECK(rules.gaps[9].what == "p.yaml:63 is not used");
  CHECK(rules.gaps[10].what == "40 more rules are as doubtful as these");
  CHECK(rules.gaps[10].why == "rules before them pick the same nodes, and win");
  CHECK(rules.gaps[21].what == "40 more rules are as doubtful as these");
}

TEST_CASE("a date that has not come yet is doubted") {
  const Time now = *parse_time("2026-11-30T12:00:00Z");
  const auto told = [&](const std::string& rules) {
    std::string text;
    for (const Gap& gap : price_file("rules:\n" + rules, "p.yaml", now).gaps)
      text += gap.what + "\n";
    return text;
  };
  CHECK(told("- {model: L4, gpuPerHour: 1, asOf: 2026-11-30}\n").empty());
  CHECK(told("- {model: L4, gpuPerHour: 1, asOf: 2026-12-01}\n").empty());  // of Kiribati
  CHECK(told("- {model: L4, gpuPerHour: 1, asOf: 2026-12-02}\n") ==
        "p.yaml:2 is of 2026-12-02, which has not come yet\n");
  CHECK(told("- {model: L4, gpuPerHour: 1, asOf: 2027-11-01}\n"
             "- {model: H100, gpuPerHour: 1}\n"
             "- {model: H200, gpuPerHour: 1, asOf: 2027-11-01}\n") ==
        "p.yaml:2 is of 2027-11-01, which has not come yet; 1 more rule is so, too\n");
}

TEST_CASE("in a rule with several prices that of the node wins, then that of the GPU") {
  const std::string owned = "owned: {bought: 1, years: 1}";
  CHECK(gaps_in(kHead + "- {model: L4, gpuPerHour: 1, nodePerHour: 2}") ==
        "the GPU price of p.yaml:4 is not used: the rule has a price of the node, too, and that "
        "wins (remove one of them)\n");
  const PriceRules node =
      price_file(kHead + "- {model: L4, nodePerHour: 2, gpuPerHour: 1, " + owned + "}", "p.yaml");
  CHECK(node.rules[0].node_hour == usd("2"));
  CHECK_FALSE(node.rules[0].gpu_hour);
  CHECK_FALSE(node.rules[0].owned);
  const PriceRules gpu =
      price_file(kHead + "- {model: L4, gpuPerHour: 1, " + owned + "}", "p.yaml");
  CHECK(gpu.rules[0].gpu_hour == usd("1"));
  CHECK_FALSE(gpu.rules[0].owned);
  CHECK(gpu.gaps.size() == 1);
}

TEST_CASE("a model that nobody knows is a gap with the nearest, and still a rule") {
  const std::string text = kHead + "- {model: H10O, gpuPerHour: 1}";
  CHECK(gaps_in(text) ==
        "p.yaml:4: no GPU model is known as H10O: the rule prices GPUs whose product label holds "
        "that name (a similar one is `H100`)\n");
  CHECK(price_file(text, "p.yaml").rules.size() == 1);
}

TEST_CASE("an owned GPU costs its price over the years, its power and its upkeep") {
  const std::string rule =
      "- model: H200\n"
      "  owned: {bought: 12000, years: 4, watts: 400, pue: 1.4, perKwh: 0.12, opexPerYear: 500}\n";
  const PriceRule read = only(kHead + rule);
  REQUIRE(read.owned);
  CHECK(hour_of(*read.owned, 400) == Money{466'743'379});  // 0.342466 + 0.0672 + 0.057078
  PriceBook book;
  book.add(price_file(kHead + rule, "p.yaml"));
  Asked asked{.labels = {}, .product = "NVIDIA-H200", .cards = 8};
  CHECK(told(book, asked) == "3733947032 file [p.yaml:4]");
  asked.labels.set(kCapacity, "spot");
  CHECK(told(book, asked) == "3733947032 file [p.yaml:4]");
}

TEST_CASE("the power of an owned GPU is its model's where the rule has none") {
  const auto price = [](std::string model, std::string product) {
    PriceBook book;
    book.add(price_file(kHead + "- {model: " + model + ", owned: {bought: 0, years: 1, perKwh: 1}}",
                        "p.yaml"));
    return told(book, Asked{.labels = {}, .product = std::move(product), .cards = 1});
  };
  CHECK(price("T4", "Tesla-T4") == "70000000 file [p.yaml:4]");
  CHECK(price("A100", "NVIDIA-A100-SXM4-80GB") == "400000000 file [p.yaml:4]");
  CHECK(price("A10G", "NVIDIA-A10G").find("model [median") != std::string::npos);
  CHECK(
      gaps_in(kHead + "- {model: A10G, owned: {bought: 1, years: 1, perKwh: 1}}") ==
      "p.yaml:4 cannot price A10G: the power of that GPU is not known (add `watts` to `owned`)\n");
  CHECK(gaps_in(kHead + "- {model: A10G, owned: {bought: 1, years: 1, opexPerYear: 9}}").empty());
  CHECK(gaps_in(kHead + "- {model: A10G, owned: {bought: 1, years: 1, perKwh: 1, watts: 0}}")
            .empty());
}

TEST_CASE("what is wrong with an owned GPU") {
  struct Row {
    const char* owned;
    const char* error;
  };
  for (const auto& [owned, error] :
       {Row{"{bought: 1}", "p.yaml:4: owned needs `bought` and `years`"},
        Row{"{bought: 1, years: 0}", "p.yaml:4: years must be a whole number from 1 to 100"},
        Row{"{bought: 1, years: 2.5}", "p.yaml:4: years must be a whole number from 1 to 100"},
        Row{"{bought: 1, years: 1, watts: -1}",
            "p.yaml:4: watts must be a whole number from 0 to 100000"},
        Row{"{bought: 1, years: 1, pue: 0.9}", "p.yaml:4: pue is not below 1"},
        Row{"{bought: 1, years: 1, pue: 11}", "p.yaml:4: pue is over 10: `11`"},
        Row{"{bought: 1, years: 1, power: 9}",
            "p.yaml:4: owned has no key `power`; keys are bought, years, watts, pue, perKwh, "
            "opexPerYear"},
        Row{"{bought: 999999999, years: 1}",
            "p.yaml:4: owned comes to over 100,000 USD for an hour of a GPU"},
        Row{"3", "p.yaml:4: owned must be a map"}})
    CHECK(error_in(kHead + "- {model: L4, owned: " + owned + "}") == error);
}

TEST_CASE("examples/prices.yaml is a price file without mistakes") {
  const PriceRules rules = price_file(bytes_of(EXAMPLES "/prices.yaml"), "prices.yaml");
  CHECK(rules.gaps.empty());
  CHECK(rules.rules.size() == 7);
  PriceBook book;
  book.add(rules);
  const auto hour = [&](const char* product) {
    return book.price(Asked{.labels = {}, .product = product, .cards = 1}.node());
  };
  CHECK(hour("NVIDIA-H100-80GB-HBM3").per_hour == usd("3"));
  CHECK(hour("NVIDIA-L4-SHARED").per_hour == usd("0.8"));
  CHECK(hour("NVIDIA-A100-SXM4-80GB").per_hour == usd("1.68"));
  CHECK(hour("NVIDIA-A100-SXM4-80GB").as_of == parse_time("2026-11-01T00:00:00Z"));
  CHECK(hour("NVIDIA-RTX-A6000").per_hour == Money{466'743'379});
}

}  // namespace gpu::cost::prices_price_file_test
