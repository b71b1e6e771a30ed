#include "usage/rows/named_rows.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "make.hpp"

namespace rows_named_rows_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::usage;

namespace {

const std::string kUuid = "GPU-4b3c1f00-9d2e-4b11-8f00-000000000001";

/// A card with index and UUID, a MIG instance of it, and units that are known by number only.
struct Devices {
  Pool cards{.node = "a"};
  Pool slices{.node = "a"};
  Pool others{.node = "b"};
  std::vector<GpuUsage> rows;

  Devices() {
    slices.kind.kind = DeviceKind::mig_slice;
    rows.resize(3);
    rows[0].pool = &cards;
    rows[0].index = 0;
    rows[0].uuid = kUuid;
    rows[0].device = kUuid;
    rows[1].pool = &slices;
    rows[1].index = 0;
    rows[1].mig_instance = "7";
    rows[2].pool = &others;
  }

  /// The names of the rows that `name` keeps.
  std::vector<std::string> kept(const std::string& name) const {
    std::vector<GpuUsage> left = rows;
    keep_named_gpus(left, {name});
    std::vector<std::string> names;
    for (const GpuUsage& row : left) names.push_back(gpu_name(row));
    return names;
  }

  std::string refusal(const std::string& name) const {
    try {
      kept(name);
    } catch (const Error& error) {
      return error.message() + " | " + error.help();
    }
    return "it is known";
  }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a GPU is called by its node, its place there, or its UUID") {
  const Devices devices;
  CHECK(devices.kept("a") == Names{"a/0", "a/0:7"});
  CHECK(devices.kept("a/0") == Names{"a/0", "a/0:7"});
  CHECK(devices.kept("a/0:7") == Names{"a/0:7"});
  CHECK(devices.kept("b/?") == Names{"b/?"});
  CHECK(devices.kept(kUuid) == Names{"a/0"});
  CHECK(devices.kept("a/" + kUuid) == Names{"a/0"});
}

TEST_CASE("of a UUID the beginning is enough, unless it is too short") {
  const Devices devices;
  CHECK(devices.kept("GPU-4b3c1f00") == Names{"a/0"});
  CHECK(devices.kept("4b3c1f00") == Names{"a/0"});
  CHECK_THAT(devices.refusal("4b3c"), Contains("no GPU is called `4b3c`"));
  CHECK(may_be_uuid("GPU-4b3c"));
  CHECK_FALSE(may_be_uuid("4b3c"));
  CHECK_FALSE(may_be_uuid("gpu-node-1"));
}

TEST_CASE("all rows are kept where nothing is named") {
  Devices devices;
  keep_named_gpus(devices.rows, {});
  CHECK(devices.rows.size() == 3);
}

TEST_CASE("a name that no row has is an error with the nearest") {
  CHECK_THAT(Devices().refusal("a/0:8"), Contains("a similar one is `a/0:7`"));
  CHECK_THAT(Devices().refusal("something-else"), Contains("there are a, a/0, a/0:7"));
}

TEST_CASE("pods are called with or without their namespace, models by a part of their name") {
  const Snapshot snapshot = make::snapshot({make::node("a", 2)}, {make::pod("x", "a", 1)});
  const Inventory inventory(snapshot, std::nullopt);
  for (const std::string name : {"x", "ml/x"}) {
    std::vector<PodUsage> rows = pod_usage(inventory);
    CHECK_NOTHROW(keep_named_pods(rows, {name}));
    CHECK(rows.size() == 1);
  }
  std::vector<PodUsage> pods = pod_usage(inventory);
  CHECK_THROWS_AS(keep_named_pods(pods, {"dev/x"}), Error);
  CHECK_THROWS_AS(keep_named_namespaces(pods, {"dev"}), Error);

  const Pool pool{.node = "a", .model = "H100-80G"};
  std::vector<ModelUsage> models(1);
  models[0].pool = &pool;
  CHECK_NOTHROW(keep_named_models(models, {"h100"}));
  CHECK_THROWS_AS(keep_named_models(models, {"A100"}), Error);
}

}  // namespace rows_named_rows_test
