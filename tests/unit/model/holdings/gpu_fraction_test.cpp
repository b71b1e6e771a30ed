#include "model/snapshot/gpu_fraction.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "model/holdings/holding.hpp"
#include "model/holdings/pools.hpp"

namespace holdings_gpu_fraction_test {

using namespace gpu;

namespace {

Pod annotated(StringMap annotations, std::string scheduler = "kai-scheduler") {
  Pod pod = make::pod("p", "", 0);
  pod.annotations = std::move(annotations);
  pod.scheduler_name = std::move(scheduler);
  return pod;
}

}  // namespace

TEST_CASE("parts of GPUs are requested by annotations, of schedulers that read them") {
  const auto half = gpu_fraction(annotated({{"gpu-fraction", "0.5"}}));
  REQUIRE(half);
  CHECK(half->thousandths == 500);
  CHECK(half->devices == 1);
  const auto several =
      gpu_fraction(annotated({{"gpu-memory", "2000"}, {"gpu-fraction-num-devices", "2"}}));
  REQUIRE(several);
  CHECK(several->memory_mib == 2000);
  CHECK(several->devices == 2);
  CHECK_FALSE(gpu_fraction(annotated({{"gpu-fraction", "0.5"}}, "default-scheduler")));
  CHECK_FALSE(gpu_fraction(annotated({{"gpu-fraction", "half"}})));
  CHECK_FALSE(gpu_fraction(annotated({{"gpu-fraction", "0"}})));
  CHECK_FALSE(gpu_fraction(annotated({{"gpu-memory", "-1"}})));
}

TEST_CASE("what is no part of a GPU is not read as one") {
  for (const char* const value :
       {"1e30", "nan", "inf", "-0.5", "0,5", "500m", " 0.5", "0.5 ", "1.5", ""})
    CHECK_FALSE(gpu_fraction(annotated({{"gpu-fraction", value}})));
  CHECK(gpu_fraction(annotated({{"gpu-fraction", "1e-1"}}))->thousandths == 100);
  CHECK(gpu_fraction(annotated({{"gpu-fraction", "0.0001"}}))->thousandths == 1);
  CHECK(gpu_fraction(annotated({{"gpu-fraction", "0.07"}}))->thousandths == 70);
  CHECK_FALSE(gpu_fraction(annotated({{"gpu-memory", "4Gi"}})));
  const auto many = [](const char* devices) {
    return gpu_fraction(annotated({{"gpu-fraction", "0.5"}, {"gpu-fraction-num-devices", devices}}))
        ->devices;
  };
  CHECK(many("9000000000") == 9'000'000'000);
  CHECK(many("99999999999999999999") == 1);
  CHECK(many("0") == 1);
  CHECK_FALSE(gpu_fraction(annotated({{"gpu-fraction", "0.5"}}, "hami-scheduler")));
}

TEST_CASE("KAI's webhook refuses what is no part, and parts beside whole GPUs") {
  using Mistakes = std::vector<FractionMistake>;
  const auto of = [](StringMap annotations) {
    return fraction_mistakes(annotated(std::move(annotations)));
  };
  CHECK(of({{"gpu-fraction", "0.5"}, {"gpu-fraction-num-devices", "2"}}).empty());
  CHECK(of({}).empty());
  CHECK(of({{"gpu-fraction", "1"}}) == Mistakes{FractionMistake::no_part});
  CHECK(of({{"gpu-memory", "0"}}) == Mistakes{FractionMistake::no_memory});
  CHECK(of({{"gpu-memory", "1"}, {"gpu-fraction-num-devices", "0"}}) ==
        Mistakes{FractionMistake::no_devices});
  CHECK(of({{"gpu-memory", "1"}, {"gpu-fraction", "0.5"}}) ==
        Mistakes{FractionMistake::part_and_memory});
  CHECK(of({{"gpu-fraction-num-devices", "2"}}) == Mistakes{FractionMistake::devices_alone});
  Pod both = make::pod("p", "", 1);
  both.containers.front().limits.set("nvidia.com/gpu", Quantity::of(1));
  both.annotations = {{"gpu-fraction", "0.5"}};
  CHECK(fraction_mistakes(both) == Mistakes{FractionMistake::whole_gpus_beside});
}

TEST_CASE("memory is a part of a GPU whose size is known") {
  CHECK(thousandths_of({.memory_mib = 8000}, 16000) == 500);
  CHECK(thousandths_of({.memory_mib = 1}, 81559) == 1);
  CHECK_FALSE(thousandths_of({.memory_mib = 8000}, std::nullopt));
  CHECK(thousandths_of({.thousandths = 300}, std::nullopt) == 300);
}

TEST_CASE("a pod that waits for a part of a GPU waits for one GPU") {
  CHECK(share_of(annotated({{"gpu-fraction", "0.5"}})).waits_for == 1);
  CHECK(
      share_of(annotated({{"gpu-memory", "2000"}, {"gpu-fraction-num-devices", "2"}})).waits_for ==
      2);
  CHECK(share_of(annotated({{"team", "a"}})).waits_for == 0);
  CHECK(is_gpu_pod(annotated({{"gpu-fraction", "0.5"}})));
}

TEST_CASE("those who share a GPU hold it, and not the pod that reserves it for them") {
  Pod reservation = make::pod("gpu-reservation-a", "a", 1);
  reservation.ns = "kai-resource-reservation";
  reservation.labels = {{"runai-gpu-group", "g1"}};
  reservation.annotations = {{"run.ai/reserve_for_gpu_index", "GPU-1"}};
  const auto user = [](std::string ns, std::string name) {
    Pod pod = annotated({{"gpu-fraction", "0.5"}});
    pod.ns = std::move(ns);
    pod.name = std::move(name);
    pod.node_name = "a";
    pod.labels = {{"runai-gpu-group", "g1"}};
    return pod;
  };
  CHECK(is_gpu_reservation(reservation));
  CHECK_FALSE(is_gpu_reservation(user("ml", "x")));
  const auto holdings = [](const std::vector<Pod>& pods) {
    const Snapshot snapshot = make::snapshot({make::node("a", 1)}, pods);
    std::vector<std::string> texts;
    for (const Holding& each : holdings_of(snapshot, pools_of(snapshot))) {
      std::string text = each.ns;
      for (const Pod* pod : each.pods) text += " " + pod->name;
      texts.push_back(text + " " + std::to_string(each.units) +
                      (each.devices.empty() ? "" : " " + each.devices.front()));
    }
    return texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(holdings({reservation, user("ml", "x"), user("ml", "y")}) == Texts{"ml x y 1 GPU-1"});
  CHECK(holdings({reservation, user("dev", "x"), user("ml", "y")}) ==
        Texts{"dev x 1 GPU-1", "ml y 0"});
  CHECK(holdings({reservation}) == Texts{"kai-resource-reservation gpu-reservation-a 1"});
  // Without the reservation in sight the GPU is one that nobody names, of those that there are.
  CHECK(holdings({user("ml", "x"), user("ml", "y")}) == Texts{"ml x y 1"});
  CHECK(holdings({make::pod("whole", "a", 1), user("ml", "x")}).back() == "ml x 0");
  const Snapshot snapshot = make::snapshot({make::node("a", 2)}, {user("ml", "x")});
  CHECK(pools_of(snapshot).front().allocated == 1);
  CHECK(pools_of(snapshot).front().free == 1);
}

}  // namespace holdings_gpu_fraction_test
