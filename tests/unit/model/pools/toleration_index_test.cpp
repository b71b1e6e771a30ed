#include "model/pools/toleration_index.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "model/pools/toleration.hpp"

namespace pools_toleration_index_test {

using namespace gpu;

TEST_CASE("an index says of a taint what looking at each toleration says") {
  static const std::vector<std::string> kWords = {"", "a", "b"};
  static const std::vector<std::string> kOperators = {"", "Equal", "Exists", "Lt"};
  static const std::vector<std::string> kEffects = {"", "NoSchedule", "NoExecute"};
  std::minstd_rand random(1);  // NOLINT: the same each time
  int tolerated = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<Toleration> tolerations(random() % 4);
    for (Toleration& each : tolerations)
      each = {.key = kWords[random() % 3],
              .op = kOperators[random() % 4],
              .value = kWords[random() % 3],
              .effect = kEffects[random() % 3]};
    const Taint taint{.key = kWords[1 + random() % 2],
                      .value = kWords[random() % 3],
                      .effect = kEffects[1 + random() % 2]};
    const bool expected = tolerates(tolerations, taint);
    REQUIRE(TolerationIndex(tolerations).tolerates(taint) == expected);
    tolerated += expected ? 1 : 0;
  }
  CHECK(tolerated > 500);
  CHECK(tolerated < 4500);
}

TEST_CASE("many tolerations and taints give what few give") {
  Node node;
  std::vector<Toleration> tolerations;
  for (int i = 0; i < 5000; ++i) {
    const std::string key = "k" + std::to_string(i);
    node.taints.push_back({.key = key, .value = "v", .effect = "NoSchedule"});
    if (i % 2 == 0) tolerations.push_back({.key = key, .value = "v", .effect = "NoSchedule"});
  }
  const auto left = untolerated(tolerations, node);
  REQUIRE(left.size() == 2500);
  CHECK(left.front()->key == "k1");
  CHECK(left.back()->key == "k4999");
}

}  // namespace pools_toleration_index_test
