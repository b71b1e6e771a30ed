#include "diagnose/stack/operator_label.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace stack_operator_label_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;

namespace {

std::string command(StringMap labels, const std::vector<std::string>& missing = {
                                          "nvidia.com/gpu.deploy.device-plugin=true"}) {
  const auto advice = operator_label_advice(make::labelled("g1", std::move(labels)), missing);
  return advice ? advice->command : "";
}

}  // namespace

TEST_CASE("the operator's label that is switched off is switched on again") {
  CHECK(command({{"nvidia.com/gpu.deploy.device-plugin", "false"}}) ==
        "kubectl label node g1 nvidia.com/gpu.deploy.device-plugin=true --overwrite");
  CHECK(command({{"nvidia.com/gpu.deploy.operands", "false"}}) ==
        "kubectl label node g1 nvidia.com/gpu.deploy.operands-");
}

TEST_CASE("what the operator paused or never set is the operator's to set") {
  CHECK_THAT(command({{"nvidia.com/gpu.deploy.device-plugin", "paused-for-mig-change"}}),
             Contains("gpu-operator"));
  CHECK_THAT(command({}), Contains("gpu-operator"));
}

TEST_CASE("labels of others are not touched") {
  CHECK(command({}, {"pool=gpu"}).empty());
  CHECK(command({}, {"nvidia.com/gpu.deploy.device-plugin=true", "pool=gpu"}).empty());
}

}  // namespace stack_operator_label_test
