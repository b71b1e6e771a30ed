#include <catch2/catch.hpp>

#include "cost/prices/priced.hpp"

namespace gpu::cost::prices_price_steps_test {
namespace {

/// "* file p.yaml:2: 9.00 $/h": the steps, the one that won with a star.
std::vector<std::string> steps_of(const PriceBook& book, const Asked& asked) {
  std::vector<std::string> lines;
  for (const PriceStep& step : book.steps(asked.node()))
    lines.push_back(std::string(step.won ? "* " : "  ") + std::string(name_of(step.source)) +
                    (step.rule.empty() ? "" : " " + step.rule) + ": " + step.outcome);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("steps are every source in order, and which one won") {
  PriceBook book;
  CHECK(steps_of(book, aws("p4d.24xlarge")) ==
        Lines{"  flag: no rules are given", "  file: no rules are given",
              "  annotation: no annotation with a price",
              "* table aws p4d.24xlarge us-east-1: 21.957642 $/h",
              "  other-region: no row for another region",
              "  model median of 5 providers for A100-SXM4-40GB: not needed: 24.40 $/h, an "
              "estimate"});
}

TEST_CASE("steps name each rule that picks the node, and why one has no price") {
  PriceBook book;
  book.add({.rules = {price_flag("T4=2")}, .gaps = {}});
  book.add(
      price_file("rules:\n"
                 "- {model: H100, gpuPerHourSpot: 1}\n"
                 "- {instanceType: p9.48xlarge, nodePerHour: 30}\n"
                 "- {node: gpu-a1, gpuPerHour: 3}\n",
                 "p.yaml"));
  Asked asked = aws("p9.48xlarge", "spot");
  asked.product = "NVIDIA-H100-80GB-HBM3";
  asked.annotations = {{"kubectl-gpu/price-per-hour", "cheap"}};
  CHECK(steps_of(book, asked) ==
        Lines{"  flag: no rule picks this node",
              "  file p.yaml:4: how many GPUs the node has is not known",
              "* file p.yaml:3: at most 30.00 $/h",
              "  file p.yaml:2: how many GPUs the node has is not known",
              "  annotation annotation kubectl-gpu/price-per-hour: its value is no price in USD",
              "  table: no row for aws p9.48xlarge", "  other-region: no row for aws p9.48xlarge",
              "  model: how many GPUs the node has is not known"});
}

TEST_CASE("where nothing has a price no step won") {
  const PriceBook book;
  CHECK(steps_of(book, Asked{.labels = {}}) ==
        Lines{"  flag: no rules are given", "  file: no rules are given",
              "  annotation: no annotation with a price",
              "  table: the node has no label with its instance type",
              "  other-region: the node has no label with its instance type",
              "  model: the model of its GPUs is not known"});
}

TEST_CASE("steps agree with the price") {
  PriceBook book;
  book.add({.rules = {price_flag("L4=0.5")}, .gaps = {}});
  for (const char* const type : {"p4d.24xlarge", "g6.xlarge", "g6f.large", "trn2.48xlarge", "m5"}) {
    const Asked asked = aws(type, "spot");
    const NodePrice price = book.price(asked.node());
    const std::vector<PriceStep> steps = book.steps(asked.node());
    std::string winner;
    for (const PriceStep& step : steps)
      if (step.won) winner += step.rule;
    CHECK(winner == price.rule);
    CHECK(price.per_hour.has_value() == (price.source != PriceSource::none));
  }
}

TEST_CASE("five thousand rules by node are found at once") {
  std::string text = "InstanceID,AssetClass,InstanceIDField,MarketPriceHourly\n";
  for (int i = 0; i < 5000; ++i) text += "node-" + std::to_string(i) + ",node,metadata.name,1\n";
  PriceBook book;
  book.add(price_file(text, "p.csv"));
  for (int i = 0; i < 5000; ++i) {
    const Asked asked{.labels = {}, .name = "node-" + std::to_string(i)};
    REQUIRE(book.price(asked.node()).rule == "p.csv:" + std::to_string(i + 2));
  }
}

}  // namespace gpu::cost::prices_price_steps_test
