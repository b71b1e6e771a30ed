#include "cost/forecast/gpu_part.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace gpu::cost::forecast_gpu_part_test {
namespace {

Pod requesting(ResourceList amounts) {
  Pod pod = make::pod("p", "", 0);
  pod.containers.front().limits = std::move(amounts);
  return pod;
}

Quantity of(std::int64_t amount) { return Quantity::of(amount); }

}  // namespace

TEST_CASE("a part of a GPU is the larger of its memory and its compute") {
  CHECK(thousandths_of({.thousandths = 500}, std::nullopt) == 500);
  CHECK(thousandths_of({.memory_mib = 8000}, 16000) == 500);
  CHECK_FALSE(thousandths_of({.memory_mib = 8000}, std::nullopt));
  CHECK(thousandths_of({.memory_mib = 8000, .cores = 60}, 16000) == 600);
  CHECK(thousandths_of({.memory_mib = 8000, .cores = 100}, std::nullopt) == 1000);
  CHECK(thousandths_of({.memory_percent = 25, .cores = 10}, std::nullopt) == 250);
  CHECK(thousandths_of({.memory_mib = 32000}, 16000) == 1000);
  CHECK(thousandths_of({.cores = 10}, std::nullopt) == 1000);  // all of the memory
}

TEST_CASE("parts are requested by KAI's annotations, and by resources of HAMi and Volcano") {
  Pod half = make::pod("p", "", 0);
  half.scheduler_name = "kai-scheduler";
  half.annotations = {{"gpu-fraction", "0.5"}, {"gpu-fraction-num-devices", "2"}};
  const auto of_kai = part_requests(half);
  REQUIRE(of_kai.size() == 1);
  CHECK(of_kai.front().resource == "nvidia.com/gpu");
  CHECK(of_kai.front().units == 2);
  CHECK(of_kai.front().part.is_held_whole);
  const auto of_hami =
      part_requests(requesting({{"nvidia.com/gpu", of(2)}, {"nvidia.com/gpumem", of(4000)}}));
  REQUIRE(of_hami.size() == 1);
  CHECK(of_hami.front().units == 2);
  CHECK(of_hami.front().part == GpuPart{.memory_mib = 4000});
  const auto alone = part_requests(requesting({{"nvidia.com/gpucores", of(30)}}));
  REQUIRE(alone.size() == 1);
  CHECK(alone.front().units == 1);
  const auto of_volcano = part_requests(
      requesting({{"volcano.sh/vgpu-number", of(1)}, {"volcano.sh/vgpu-memory", of(4000)}}));
  REQUIRE(of_volcano.size() == 1);
  CHECK(of_volcano.front().resource == "volcano.sh/vgpu-number");
  CHECK(part_requests(requesting({{"nvidia.com/gpu", of(1)}})).empty());
}

}  // namespace gpu::cost::forecast_gpu_part_test
