#include "scheduler/cel/value.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cel/cel_make.hpp"

namespace gpu::scheduler::cel_value_test {
namespace {

using namespace make;

Device card() {
  Device device{.name = "gpu-0"};
  device.attributes = {{"type", "gpu"},     {"index", "3"},         {"bad", "x"},
                       {"healthy", "true"}, {"driver", "560.35.3"}, {"oddDriver", "560"},
                       {"ill", "false"},    {"k8s.io/root", "pci0"}};
  device.attribute_types = {
      {"type", AttributeType::string},      {"index", AttributeType::integer},
      {"bad", AttributeType::integer},      {"healthy", AttributeType::boolean},
      {"ill", AttributeType::boolean},      {"driver", AttributeType::version},
      {"oddDriver", AttributeType::version}};
  device.capacity = {{"memory", *Quantity::parse("80")}, {"x.io/cores", *Quantity::parse("4")}};
  return device;
}

CelValue map_of(CelMap::Of of, std::optional<std::string> domain) {
  return CelMap{of, std::move(domain)};
}

std::string selected(const CelValue& object, std::string_view key) {
  const Device device = card();
  return shown(cel_select({"gpu.nvidia.com", device}, object, key));
}

std::string contained(const CelValue& object, std::string_view key) {
  const Device device = card();
  return shown(cel_contains({"gpu.nvidia.com", device}, object, key));
}

std::string equal(const CelValue& left, const CelValue& right) {
  return shown(cel_equal(left, right));
}

constexpr auto kAttributes = CelMap::Of::attributes;
constexpr auto kCapacity = CelMap::Of::capacity;

}  // namespace

TEST_CASE("attributes have the type that their driver publishes") {
  const CelValue own = map_of(kAttributes, "gpu.nvidia.com");
  CHECK(selected(own, "type") == "'gpu'");
  CHECK(selected(own, "index") == "3");
  CHECK(selected(own, "bad") == "not understood");
  CHECK(selected(own, "healthy") == "true");
  CHECK(selected(own, "ill") == "false");
  CHECK(selected(own, "driver") == "version 560.35.3");
  CHECK(selected(own, "oddDriver") == "not understood");
  CHECK(selected(own, "memory") == "no such key: memory");
  CHECK(selected(map_of(kAttributes, "k8s.io"), "root") == "'pci0'");
  CHECK(selected(map_of(kCapacity, "gpu.nvidia.com"), "memory") == "quantity 80");
  CHECK(selected(map_of(kCapacity, "x.io"), "cores") == "quantity 4");
  CHECK(selected(map_of(kCapacity, "x.io"), "memory") == "no such key: memory");
}

TEST_CASE("a device has a driver, two maps, and whether it may be allocated several times") {
  const CelValue device = CelDeviceObject{};
  CHECK(selected(device, "driver") == "'gpu.nvidia.com'");
  CHECK(selected(device, "allowMultipleAllocations") == "false");
  CHECK(selected(device, "attributes") == "map of all");
  CHECK(selected(device, "capacity") == "map of all");
  CHECK(selected(device, "name") == "not understood");
  CHECK(selected(map_of(kAttributes, std::nullopt), "no.such") == "map of no.such");
  CHECK(selected(cel_error("before"), "x") == "before");
  CHECK(selected(list({}), "x") == "not understood");
  CHECK(selected(number(1), "x") == "no such key: x");
}

TEST_CASE("a key is in a map that has it, a domain where the device has something of it") {
  CHECK(contained(map_of(kAttributes, "gpu.nvidia.com"), "type") == "true");
  CHECK(contained(map_of(kAttributes, "gpu.nvidia.com"), "memory") == "false");
  CHECK(contained(map_of(kAttributes, std::nullopt), "gpu.nvidia.com") == "true");
  CHECK(contained(map_of(kAttributes, std::nullopt), "k8s.io") == "true");
  CHECK(contained(map_of(kAttributes, std::nullopt), "x.io") == "false");
  CHECK(contained(map_of(kCapacity, std::nullopt), "x.io") == "true");
  CHECK(contained(map_of(kCapacity, std::nullopt), "k8s.io") == "false");
  CHECK(contained(cel_error("before"), "x") == "before");
  CHECK(contained(number(1), "x") == "not understood");
}

TEST_CASE("values are equal to those of their type alone") {
  CHECK(equal(true, true) == "true");
  CHECK(equal(true, number(1)) == "false");
  CHECK(equal(number(1), number(2)) == "false");
  CHECK(equal(text("a"), text("a")) == "true");
  CHECK(equal(amount("1"), amount("1000m")) == "true");
  CHECK(equal(amount("1"), number(1)) == "no such overload");
  CHECK(equal(version("1.0.0"), version("1.0.0+b")) == "true");
  CHECK(equal(version("1.0.0"), text("1.0.0")) == "no such overload");
  CHECK(equal(CelDeviceObject{}, CelDeviceObject{}) == "not understood");
  CHECK(equal(cel_error("one"), cel_error("two")) == "one");
  CHECK(equal(number(1), cel_error("two")) == "two");
}

TEST_CASE("lists are equal part by part, up to 10 000 parts") {
  CHECK(equal(list({number(1), number(2)}), list({number(1), number(2)})) == "true");
  CHECK(equal(list({number(1), number(2)}), list({number(1), number(3)})) == "false");
  CHECK(equal(list({number(1)}), list({number(1), number(2)})) == "false");
  CHECK(equal(list({}), number(1)) == "false");
  CHECK(equal(list({version("1.0.0")}), list({number(1)})) == "not understood");
  const std::vector<CelValue> parts(9'999, number(1));
  CHECK(equal(list(parts), list(parts)) == "true");
  std::vector<CelValue> more = parts;
  more.push_back(number(1));
  CHECK(equal(list(more), list(more)) == "not understood");
}

TEST_CASE("types have CEL's names") {
  CHECK(cel_type_name(true) == "bool");
  CHECK(cel_type_name(number(1)) == "int");
  CHECK(cel_type_name(text("")) == "string");
  CHECK(cel_type_name(amount("1")) == "kubernetes.Quantity");
  CHECK(cel_type_name(version("1.0.0")) == "kubernetes.Semver");
  CHECK(cel_type_name(list({})) == "list");
  CHECK(cel_type_name(CelMap{}) == "map");
}

}  // namespace gpu::scheduler::cel_value_test
