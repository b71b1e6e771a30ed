#include "telemetry/dialects/dcgm_own_use.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "telemetry/dialects/told.hpp"

namespace dialects_dcgm_own_use_test {

using namespace gpu;
using telemetry::told::samples_in;

namespace {

constexpr std::int64_t kMebibyte = 1024 * 1024;

std::string row(std::string_view metric, std::string_view pod, int value) {
  std::string text = std::string(metric) + R"({gpu="0",UUID="GPU-a")";
  if (!pod.empty()) {
    text += R"(,namespace="ml",container="main",pod=")" + std::string(pod) + R"(",pod_uid="uid-)" +
            std::string(pod) + '"';
  }
  return text + "} " + std::to_string(value) + "\n";
}

std::string use(std::string_view pod, int percent) {
  return row("DCGM_FI_DEV_GPU_UTIL", pod, percent);
}
std::string memory(std::string_view pod, int mebibytes) {
  return row("DCGM_FI_DEV_FB_USED", pod, mebibytes);
}

Sample only(std::string_view text) {
  const std::vector<Sample> samples = samples_in(text);
  REQUIRE(samples.size() == 1);
  return samples.front();
}

bool doubts(const Sample& sample, std::string_view what) {
  return std::any_of(sample.doubts.begin(), sample.doubts.end(), [&](const std::string& doubt) {
    return doubt.find(what) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("rows of pods beside a row of the device are their own use") {
  // The other metrics are copied to every pod.
  const Sample sample =
      only(use("", 80) + use("a", 50) + use("b", 20) + memory("", 9000) + memory("a", 5000) +
           memory("b", 3600) + row("DCGM_FI_DEV_POWER_USAGE", "a", 70) +
           row("DCGM_FI_DEV_POWER_USAGE", "b", 70) + row("DCGM_FI_DEV_FB_FREE", "a", 1000) +
           row("DCGM_FI_DEV_FB_FREE", "b", 1000));
  CHECK(sample.measures == Measures{.utilization = 0.8,
                                    .memory_used_bytes = 9000 * kMebibyte,
                                    .memory_total_bytes = 10000 * kMebibyte,
                                    .power_watts = 70});
  REQUIRE(sample.owners.size() == 2);
  CHECK(sample.owners[0].pod == "a");
  CHECK(sample.owners[0].pod_uid == "uid-a");
  CHECK(sample.owners[0].own ==
        Measures{.utilization = 0.5, .memory_used_bytes = 5000 * kMebibyte});
  CHECK(sample.owners[1].own ==
        Measures{.utilization = 0.2, .memory_used_bytes = 3600 * kMebibyte});
  CHECK(sample.doubts.empty());
}

TEST_CASE("rows with pod_uid and no row of the device are copies") {
  const Sample sample = only(use("a", 80) + use("b", 80));
  CHECK(sample.measures.utilization == 0.8);
  REQUIRE(sample.owners.size() == 2);
  for (const SampleOwner& owner : sample.owners) CHECK(owner.own == Measures{});
}

TEST_CASE("all pods 0 beside a busy device: nothing was mapped") {
  const Sample sample = only(use("", 80) + use("a", 0) + use("b", 0) + memory("", 9000) +
                             memory("a", 0) + memory("b", 0));
  CHECK(sample.measures.utilization == 0.8);
  REQUIRE(sample.owners.size() == 2);
  for (const SampleOwner& owner : sample.owners) CHECK(owner.own == Measures{});
  CHECK(doubts(sample, "reported as 0 beside a busy device"));
}

TEST_CASE("all pods 0 on an idle device are idle") {
  const Sample sample = only(use("", 0) + use("a", 0) + use("b", 0));
  REQUIRE(sample.owners.size() == 2);
  for (const SampleOwner& owner : sample.owners) CHECK(owner.own.utilization == 0);
  CHECK(sample.doubts.empty());
}

TEST_CASE("a pod with 0 is idle only where the memory in use is accounted for") {
  const Sample known = only(use("", 80) + use("a", 70) + use("b", 0) + memory("", 9000) +
                            memory("a", 8800) + memory("b", 0));
  CHECK(known.owners.at(1).own == Measures{.utilization = 0, .memory_used_bytes = 0});
  CHECK(known.doubts.empty());

  const Sample unknown = only(use("", 80) + use("a", 70) + use("b", 0) + memory("", 9000) +
                              memory("a", 4000) + memory("b", 0));
  CHECK(unknown.owners.at(0).own ==
        Measures{.utilization = 0.7, .memory_used_bytes = 4000 * kMebibyte});
  CHECK(unknown.owners.at(1).own == Measures{});
  CHECK(doubts(unknown, "memory is in use that no pod holds"));
}

TEST_CASE("a part is not more than the whole") {
  const Sample sample = only(use("", 10) + use("a", 95) + memory("", 1000) + memory("a", 4000));
  CHECK(sample.owners.at(0).own == Measures{});
  CHECK(doubts(sample, "more than there is in use on the whole device"));
}

TEST_CASE("containers of a pod have the pod's value, and it counts once") {
  const std::string other =
      R"(DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-a",namespace="ml",container="side",pod="a",pod_uid="uid-a"} 500
)";
  const Sample sample = only(memory("", 600) + memory("a", 500) + other);
  REQUIRE(sample.owners.size() == 1);
  CHECK(sample.owners[0].own.memory_used_bytes == 500 * kMebibyte);
}

TEST_CASE("on a shared MIG instance pods have memory of their own, and no use") {
  const auto on_instance = [](std::string text) {
    for (std::size_t at = text.find("GPU-a\""); at != std::string::npos;
         at = text.find("GPU-a\"", at + 1))
      text.insert(at + 6, R"(,GPU_I_ID="3")");
    return text;
  };
  const std::vector<Sample> samples =
      samples_in(on_instance(memory("", 900) + memory("a", 500) + memory("b", 400) + use("", 0) +
                             use("a", 0) + use("b", 0)));
  REQUIRE(samples.size() == 2);
  REQUIRE(samples[1].owners.size() == 2);
  CHECK(samples[1].measures.memory_used_bytes == 900 * kMebibyte);
  CHECK(samples[1].owners[0].own == Measures{.memory_used_bytes = 500 * kMebibyte});
  CHECK(samples[1].owners[1].own == Measures{.memory_used_bytes = 400 * kMebibyte});
}

TEST_CASE("pods of a shared card without a UID, none of them mapped: the card's own row counts") {
  const auto share = [](std::string_view metric, std::string_view pod, std::string_view value) {
    return std::string(metric) + R"({gpu="0",UUID="GPU-a",namespace="ml",pod=")" +
           std::string(pod) + R"(",pod_uid="",vgpu="0"} )" + std::string(value) + "\n";
  };
  const Sample sample = only(use("", 98) + share("DCGM_FI_DEV_GPU_UTIL", "a", "0") +
                             memory("", 32482) + share("DCGM_FI_DEV_FB_USED", "a", "0") +
                             share("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "a", "0.68"));
  CHECK(sample.measures == Measures{.utilization = 0.68,
                                    .kind = UtilizationKind::engine_active,
                                    .memory_used_bytes = 32482 * kMebibyte});
  REQUIRE(sample.owners.size() == 1);
  CHECK(sample.owners[0].own == Measures{});
  CHECK(sample.suspect.empty());
  CHECK(doubts(sample, "reported as 0 beside a busy device"));
}

TEST_CASE("a moment in which nothing runs is no 0 of pods on a card that is busy on average") {
  const Sample sample =
      only(use("", 0) + use("a", 0) + row("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "a", 1));
  CHECK(sample.measures.utilization == 1.0);
  CHECK(sample.owners.at(0).own == Measures{});
}

}  // namespace dialects_dcgm_own_use_test
