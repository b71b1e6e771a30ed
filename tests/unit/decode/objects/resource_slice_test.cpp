#include "decode/objects/resource_slice.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "decode/error_of.hpp"

namespace gpu::decode::objects_resource_slice_test {

namespace {

using nlohmann::json;

constexpr std::string_view kSlice = R"({
  "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
  "metadata": {"name": "node-a-gpu-x7k2p"},
  "spec": {
    "driver": "gpu.nvidia.com", "nodeName": "node-a",
    "pool": {"name": "node-a", "generation": 5000000000, "resourceSliceCount": 2},
    "sharedCounters": [{"name": "gpu-0-counter-set",
                        "counters": {"memory": {"value": "80Gi"}, "slices": {"value": "7"}}}],
    "devices": [{
      "name": "gpu-0-mig-1g",
      "attributes": {
        "gpu.nvidia.com/type": {"string": "mig"}, "profile": {"string": "1g.10gb"},
        "index": {"int": 7}, "shared": {"bool": false}, "driverVersion": {"version": "570.86.15"},
        "resource.kubernetes.io/pcieRoot": {"string": "pci0000:00"},
        "numaNodes": {"ints": [0, 1]}, "nothing": null},
      "capacity": {
        "gpu.nvidia.com/memory": {"value": "10Gi", "requestPolicy":
            {"default": "1Gi", "validRange": {"min": "1Gi", "step": "1Gi"}}},
        "example.com/engines": {"value": "3"}},
      "consumesCounters": [{"counterSet": "gpu-0-counter-set",
                            "counters": {"memory": {"value": "10Gi"}}}],
      "taints": [{"key": "gpu.nvidia.com/xid", "value": "79", "effect": "NoSchedule",
                  "timeAdded": "2026-11-01T10:00:00Z"}],
      "bindingConditions": ["ready"], "allowMultipleAllocations": true}]}})";

ResourceSlice sample() {
  Device device{.name = "gpu-0-mig-1g"};
  device.attributes = {{"type", "mig"},
                       {"profile", "1g.10gb"},
                       {"index", "7"},
                       {"shared", "false"},
                       {"driverVersion", "570.86.15"},
                       {"resource.kubernetes.io/pcieRoot", "pci0000:00"}};
  device.attribute_types = {{"index", AttributeType::integer},
                            {"shared", AttributeType::boolean},
                            {"driverVersion", AttributeType::version},
                            {"numaNodes", AttributeType::string}};  // a list: no value, but there
  const Quantity ten = *Quantity::parse("10Gi");
  device.capacity = {{"memory", ten}, {"example.com/engines", Quantity::of(3)}};
  device.default_request = {{"memory", *Quantity::parse("1Gi")}};
  device.consumes = {{"gpu-0-counter-set", {{"memory", ten}}}};
  device.taints = {{"gpu.nvidia.com/xid", "79", "NoSchedule", parse_time("2026-11-01T10:00:00Z")}};
  device.allow_multiple = true;
  device.has_binding_conditions = true;
  ResourceSlice slice;
  slice.name = "node-a-gpu-x7k2p";
  slice.driver = "gpu.nvidia.com";
  slice.pool = "node-a";
  slice.generation = 5'000'000'000;
  slice.slice_count = 2;
  slice.node_name = "node-a";
  slice.devices = {device};
  slice.shared_counters = {
      {"gpu-0-counter-set", {{"memory", *Quantity::parse("80Gi")}, {"slices", Quantity::of(7)}}}};
  return slice;
}

ResourceSlice from_json(std::string_view text) {
  return resource_slice_from_json(json::parse(text));
}

}  // namespace

TEST_CASE("a slice reads the same in every version") {
  json slice = json::parse(kSlice);
  CHECK(resource_slice_from_json(slice) == sample());
  slice["apiVersion"] = "resource.k8s.io/v1beta1";
  for (json& device : slice["spec"]["devices"]) {
    const json name = device["name"];
    device.erase("name");
    device = {{"name", name}, {"basic", device}};
  }
  CHECK(resource_slice_from_json(slice) == sample());
}

TEST_CASE("capacities were bare quantities once") {
  const ResourceSlice slice = from_json(R"({"spec":{"driver":"gpu.amd.com","devices":[
      {"name":"g","basic":{"capacity":{"gpu.amd.com/memory":"192Gi","units":304}}}]}})");
  CHECK(slice.devices.at(0).capacity ==
        ResourceList{{"memory", *Quantity::parse("192Gi")}, {"units", Quantity::of(304)}});
  CHECK(slice.devices.at(0).default_request.empty());
}

TEST_CASE("which nodes a slice and its devices are on") {
  const ResourceSlice mixed = from_json(R"({"spec":{"perDeviceNodeSelection":true,"devices":[
      {"name":"a","nodeName":"node-a"},{"name":"b","allNodes":true},
      {"name":"c","nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":
        [{"key":"rack","operator":"In","values":["r1"]}]}]}},{"name":"d","allNodes":false}]}})");
  const NodeSelector rack = {{{{"rack", "In", {"r1"}}}, {}}};
  CHECK(mixed.selects_per_device);
  CHECK(mixed.node_name.empty());
  CHECK_FALSE(mixed.is_on_many_nodes);
  CHECK(mixed.devices.at(0).node_name == "node-a");
  CHECK_FALSE(mixed.devices.at(0).is_on_many_nodes);
  CHECK(mixed.devices.at(1).is_on_many_nodes);
  CHECK(mixed.devices.at(1).is_on_all_nodes);
  CHECK(mixed.devices.at(2).is_on_many_nodes);
  CHECK_FALSE(mixed.devices.at(2).is_on_all_nodes);
  CHECK(mixed.devices.at(2).node_selector == rack);
  CHECK_FALSE(mixed.devices.at(3).is_on_many_nodes);
  CHECK(from_json(R"({"spec":{"allNodes":true}})").is_on_many_nodes);
  CHECK(from_json(R"({"spec":{"allNodes":true}})").is_on_all_nodes);
  CHECK(from_json(R"({"spec":{"nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":
        [{"key":"rack","operator":"In","values":["r1"]}]}]}}})")
            .node_selector == rack);
  CHECK(from_json(R"({"spec":{"nodeSelector":{"nodeSelectorTerms":[]}}})").is_on_many_nodes);
}

TEST_CASE("null, empty and absent are the same in a slice") {
  for (const std::string_view text :
       {R"({})", R"({"metadata":null,"spec":null})", R"({"spec":{"pool":null,"devices":null,
        "sharedCounters":[],"nodeSelector":null,"allNodes":null}})"}) {
    INFO(text);
    CHECK(from_json(text) == ResourceSlice{});
  }
}

TEST_CASE("what is wrong in a slice is an error that names the place") {
  CHECK(error_of([] { from_json("[]"); }) == "ResourceSlice: expected an object, got array");
  CHECK(error_of([] {
          from_json(R"({"metadata":{"name":"s"},"spec":{"devices":[
              {"capacity":{"memory":{"value":"much"}}}]}})");
        }) ==
        "ResourceSlice s: spec.devices[0].capacity.memory: value is \"much\", which is not a "
        "quantity");
  CHECK(error_of([] { from_json(R"({"spec":{"pool":{"generation":9223372036854775808}}})"); }) ==
        "ResourceSlice: spec.pool.generation: expected a number of 64 bits, got "
        "9223372036854775808");
  CHECK(error_of(
            [] { from_json(R"({"spec":{"devices":[{"attributes":{"type":{"string":1}}}]}})"); }) ==
        "ResourceSlice: spec.devices[0].attributes.type.string: expected a string, got "
        "number");
}

}  // namespace gpu::decode::objects_resource_slice_test
