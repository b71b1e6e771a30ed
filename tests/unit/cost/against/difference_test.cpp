#include "cost/against/difference.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <string>

#include "base/error.hpp"
#include "cost/ledger/make_ledger.hpp"

namespace gpu::cost::against_difference_test {
namespace {

using make::of_type;
using make::Priced;

/// A V100 node at 3.06 $/h, all of it held by ml/p.
Priced one_card() {
  return Priced(
      make::snapshot({of_type(make::node("a", 1), "p3.2xlarge")}, {make::pod("p", "a", 1)}));
}

std::vector<Difference> against(const Priced& ours, const OpenCostAnswer& theirs) {
  return differences(ours.ledger, cost_lines(ours.ledger, ours.snapshot, std::nullopt), theirs);
}

OpenCostAnswer answer_of(OpenCostNode node, OpenCostPod pod) {
  OpenCostAnswer answer{.has_pods = true, .has_nodes = true};
  answer.nodes.push_back(std::move(node));
  answer.places[{pod.ns, pod.name}] = 0;
  answer.pods.push_back(std::move(pod));
  return answer;
}

OpenCostNode node_at(double hour) {
  return {.name = "a", .minutes = 60, .gpus = 1, .gpu_hour = hour * 0.8, .hour = hour};
}

TEST_CASE("What is the same to 1 % is no difference") {
  const Priced ours = one_card();
  const auto theirs =
      answer_of(node_at(3.07),
                {.ns = "ml", .name = "p", .node = "a", .minutes = 60, .gpus = 1, .hour = 3.05});
  CHECK(against(ours, theirs).empty());
}

TEST_CASE("A discount that leaves the GPUs as they are is seen on the node, and on its pods") {
  const Priced ours = one_card();
  OpenCostNode node = node_at(2.5);
  node.discount = 0.3;
  const auto found = against(ours, answer_of(node, {.ns = "ml",
                                                    .name = "p",
                                                    .node = "a",
                                                    .minutes = 60,
                                                    .gpus = 1,
                                                    .gpu_hour = 2.0,
                                                    .hour = 2.4}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].is_node);
  CHECK(found[0].why == std::vector{WhyDifferent::discount_without_gpu});
  CHECK(found[1].why == std::vector{WhyDifferent::discount_without_gpu});
}

TEST_CASE(
    "Nodes and pods that are counted over different times differ at the edges of the window") {
  const Priced ours = one_card();
  OpenCostNode node = node_at(3.06);
  node.minutes = 55;
  const auto found = against(ours, answer_of(node, {.ns = "ml",
                                                    .name = "p",
                                                    .node = "a",
                                                    .minutes = 60,
                                                    .gpus = 1,
                                                    .gpu_hour = 3.3,
                                                    .hour = 3.4}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].why == std::vector{WhyDifferent::window_edges});
}

TEST_CASE("What none of the reasons explains says so") {
  const Priced ours = one_card();
  const auto found = against(ours, answer_of(node_at(9), {.ns = "ml",
                                                          .name = "p",
                                                          .node = "a",
                                                          .minutes = 60,
                                                          .gpus = 1,
                                                          .gpu_hour = 1,
                                                          .hour = 9}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].why == std::vector{WhyDifferent::unexplained});
}

TEST_CASE("An answer that is none is refused") {
  for (const char* const body : {"", "<html>login</html>", "[]", "{}",
                                 R"({"code":500,"data":null})", R"({"code":200,"data":"x"})"}) {
    INFO(body);
    OpenCostAnswer answer;
    CHECK_THROWS_AS(add_opencost_body(answer, body, "x.json"), Error);
  }
}

TEST_CASE("Containers of a pod are added up") {
  OpenCostAnswer answer;
  add_opencost_body(answer, R"({"code":200,"data":[{"__idle__":{"minutes":60,"gpuCost":9},
      "c1":{"properties":{"namespace":"ml","pod":"p","node":"a"},"minutes":30,"gpuCount":1,
            "gpuCost":1,"cpuCost":0.5,"ramCost":0},
      "c2":{"properties":{"namespace":"ml","pod":"p","node":"a"},"minutes":60,"gpuCount":0,
            "gpuCost":0,"cpuCost":0.25,"ramCost":0},
      "odd":7}]})",
                    "x.json");
  REQUIRE(answer.pods.size() == 1);
  CHECK(answer.pods[0].gpus == 1);
  CHECK(answer.pods[0].hour.value() == Approx(3.25));
}

TEST_CASE("What is no amount, or is of no time, is not known, and no 0") {
  const Priced ours = one_card();
  for (const char* const odd :
       {R"("minutes":0)", R"("minutes":"60")", R"("gpuCost":"3.06")", R"("gpuCost":-1.2)",
        R"("cpuCost":null)", R"("ramCost":1e300)", R"("gpuCount":[1])", R"("minutes":-5)"}) {
    INFO(odd);
    const std::string key = std::string(odd).substr(0, std::string(odd).find(':'));
    std::string of_pod;
    for (const char* const usual : {R"("minutes":60)", R"("gpuCount":1)", R"("gpuCost":3.06)",
                                    R"("cpuCost":0)", R"("ramCost":0)"})
      of_pod += "," + (std::string(usual).starts_with(key) ? odd : std::string(usual));
    OpenCostAnswer answer;
    add_opencost_body(
        answer,
        R"({"data":[{"c":{"properties":{"namespace":"ml","pod":"p","node":"a"})" + of_pod + "}}]}",
        "x.json");
    REQUIRE(answer.pods.size() == 1);
    CHECK_FALSE(answer.pods[0].hour);
    const auto found = against(ours, answer);
    REQUIRE(found.size() == 1);
    CHECK(found[0].why == std::vector{WhyDifferent::no_figure});
    CHECK_FALSE(found[0].theirs);
    CHECK(found[0].ours);
  }
}

TEST_CASE("A node without a figure is told, too, and explains nothing of its pods") {
  const Priced ours = one_card();
  OpenCostAnswer answer;
  add_opencost_body(answer, R"({"data":{"x":{"type":"Node","properties":{"name":"a"},"minutes":60,
      "gpuCount":1,"gpuCost":2,"totalCost":-3}}})",
                    "x.json");
  const auto found = against(ours, answer);
  REQUIRE(found.size() == 1);
  CHECK(found[0].is_node);
  CHECK(found[0].why == std::vector{WhyDifferent::no_figure});
}

TEST_CASE("What has no price of ours is counted, as it is not compared") {
  const Priced ours(
      make::snapshot({of_type(make::node("a", 1), "unheard-of")}, {make::pod("p", "a", 1)}));
  const auto theirs = answer_of(node_at(3.07), {.ns = "ml", .name = "p", .node = "a"});
  const Overlap both =
      overlap_of(ours.ledger, cost_lines(ours.ledger, ours.snapshot, std::nullopt), theirs);
  CHECK(both.nodes == 1);
  CHECK(both.unpriced_nodes == 1);
  CHECK(both.unpriced_pods == 1);
}

TEST_CASE("Each reason has a page") {
  for (int value = 0; value < static_cast<int>(WhyDifferent::unexplained); ++value) {
    const auto why = static_cast<WhyDifferent>(value);
    INFO(name_of(why));
    std::ifstream page(std::string(OPENCOST_PAGES) + "/" + std::string(name_of(why)) + ".md");
    std::string title;
    CHECK(std::getline(page, title));
    CHECK(title == "# " + std::string(name_of(why)));
  }
}

}  // namespace
}  // namespace gpu::cost::against_difference_test
