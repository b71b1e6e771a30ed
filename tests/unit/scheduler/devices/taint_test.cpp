#include "scheduler/devices/taint.hpp"

#include <catch2/catch.hpp>

namespace gpu::scheduler::devices_taint_test {
namespace {

bool blocks(const Taint& taint, std::vector<Toleration> tolerations) {
  Device device{.name = "gpu"};
  device.taints = {taint};
  DeviceRequest request{.name = "r"};
  request.tolerations = std::move(tolerations);
  return taint_blocks(device, request);
}

const Taint kTaint{.key = "xid", .value = "79", .effect = "NoSchedule"};

}  // namespace

TEST_CASE("NoSchedule and NoExecute keep a device from a request, None does not") {
  CHECK(blocks(kTaint, {}));
  CHECK(blocks({.key = "xid", .value = "", .effect = "NoExecute"}, {}));
  CHECK_FALSE(blocks({.key = "xid", .value = "", .effect = "None"}, {}));
}

TEST_CASE("a toleration names effect, key and value, or leaves them open") {
  CHECK_FALSE(blocks(kTaint, {{.op = "Exists"}}));
  CHECK_FALSE(blocks(kTaint, {{.key = "xid", .op = "Exists", .effect = "NoSchedule"}}));
  CHECK(blocks(kTaint, {{.key = "xid", .op = "Exists", .effect = "NoExecute"}}));
  CHECK(blocks(kTaint, {{.key = "ecc", .op = "Exists"}}));
  CHECK_FALSE(blocks(kTaint, {{.key = "xid", .op = "Equal", .value = "79"}}));
  CHECK_FALSE(blocks(kTaint, {{.key = "xid", .op = "", .value = "79"}}));
  CHECK(blocks(kTaint, {{.key = "xid", .op = "Equal", .value = "80"}}));
  CHECK(blocks(kTaint, {{.key = "xid", .op = "Gt", .value = "79"}}));
  CHECK_FALSE(blocks(kTaint, {{.key = "ecc", .op = "Exists"}, {.key = "xid", .op = "Exists"}}));
}

TEST_CASE("each taint of a device is tolerated, or it blocks") {
  Device device{.name = "gpu"};
  device.taints = {kTaint, {.key = "ecc", .value = "", .effect = "NoExecute"}};
  DeviceRequest request{.name = "r"};
  request.tolerations = {{.key = "xid", .op = "Exists"}};
  CHECK(taint_blocks(device, request));
  request.tolerations.push_back({.key = "ecc", .op = "Exists"});
  CHECK_FALSE(taint_blocks(device, request));
}

}  // namespace gpu::scheduler::devices_taint_test
