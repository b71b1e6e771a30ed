#include "scheduler/devices/constraint.hpp"

#include <catch2/catch.hpp>

namespace gpu::scheduler::devices_constraint_test {
namespace {

constexpr std::string_view kDriver = "gpu.nvidia.com";

Device with(const std::string& name, const std::string& value,
            AttributeType type = AttributeType::string) {
  Device device{.name = "gpu"};
  device.attributes.set(name, value);
  if (type != AttributeType::string) device.attribute_types.set(name, type);
  return device;
}

Device with_list(const std::string& name) {
  Device device{.name = "gpu"};
  device.attribute_types.set(name, AttributeType::string);
  return device;
}

/// Whether each of `devices`, one after the other, may be added for request r.
std::vector<bool> added(const DeviceConstraint& constraint, const std::vector<Device>& devices) {
  ConstraintState state(constraint);
  std::vector<bool> all;
  for (const Device& device : devices) all.push_back(state.add({"r", ""}, kDriver, device));
  return all;
}

using Added = std::vector<bool>;

DeviceConstraint match(std::string attribute) {
  return {.requests = {}, .match_attribute = std::move(attribute), .distinct_attribute = ""};
}

DeviceConstraint distinct() {
  return {.requests = {}, .match_attribute = "", .distinct_attribute = "x.io/root"};
}

}  // namespace

TEST_CASE("devices of matchAttribute have one value, of one type, in common") {
  CHECK(added(match("x.io/root"), {with("x.io/root", "1"), with("x.io/root", "2"),
                                   with("x.io/root", "1")}) == Added{true, false, true});
  CHECK(added(match("x.io/root"),
              {with("x.io/root", "1"), with("x.io/root", "1", AttributeType::integer)}) ==
        Added{true, false});
  CHECK(added(match("x.io/root"), {with("x.io/other", "1")}) == Added{false});
  CHECK(added(match("x.io/root"), {with_list("x.io/root"), with_list("x.io/root")}) ==
        Added{true, false});
}

TEST_CASE("the driver's own attribute is named with its domain") {
  CHECK(added(match("gpu.nvidia.com/root"), {with("root", "1")}) == Added{true});
  CHECK(added(match("gpu.nvidia.comroot"), {with("root", "1")}) == Added{false});
  CHECK(added(match("gpu.nvidia.com"), {with("gpu.nvidia.com", "1")}) == Added{true});
  CHECK(added(match("nic.nvidia.com/root"), {with("root", "1")}) == Added{false});
}

TEST_CASE("devices of distinctAttribute have each their own value") {
  const DeviceConstraint constraint = distinct();
  ConstraintState state(constraint);
  CHECK(state.add({"r", ""}, kDriver, with("x.io/root", "1")));
  CHECK_FALSE(state.add({"s", ""}, kDriver, with("x.io/root", "1")));
  CHECK(state.add({"s", ""}, kDriver, with("x.io/root", "2")));
  CHECK_FALSE(state.add({"t", ""}, kDriver, with_list("x.io/root")));
  CHECK_FALSE(state.add({"t", ""}, kDriver, with("x.io/other", "3")));
  CHECK_FALSE(state.add({"t", ""}, kDriver, with("x.io/root", "1")));
  state.remove({"r", ""});
  CHECK(state.add({"t", ""}, kDriver, with("x.io/root", "1")));
}

TEST_CASE("what is taken away leaves the first value open") {
  const DeviceConstraint constraint = match("x.io/root");
  ConstraintState state(constraint);
  CHECK(state.add({"r", ""}, kDriver, with("x.io/root", "1")));
  state.remove({"r", ""});
  CHECK(state.add({"r", ""}, kDriver, with("x.io/root", "2")));
  CHECK_FALSE(state.add({"r", ""}, kDriver, with("x.io/root", "1")));
}

TEST_CASE("a constraint is about the requests that it names, or an alternative of one") {
  DeviceConstraint constraint = match("x.io/root");
  constraint.requests = {"r", "s/large"};
  ConstraintState state(constraint);
  const Device without{.name = "gpu"};
  CHECK_FALSE(state.add({"r", ""}, kDriver, without));
  CHECK_FALSE(state.add({"r", "small"}, kDriver, without));
  CHECK_FALSE(state.add({"s", "large"}, kDriver, without));
  CHECK(state.add({"s", "small"}, kDriver, without));
  CHECK(state.add({"t", ""}, kDriver, without));
  CHECK(state.add({"r", ""}, kDriver, with("x.io/root", "1")));
  state.remove({"t", ""});
  CHECK_FALSE(state.add({"r", ""}, kDriver, with("x.io/root", "2")));
  CHECK(RequestName{"s", "large"}.whole() == "s/large");
  CHECK(RequestName{"s", ""}.whole() == "s");
}

}  // namespace gpu::scheduler::devices_constraint_test
