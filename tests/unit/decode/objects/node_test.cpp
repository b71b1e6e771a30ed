#include "decode/objects/node.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>

#include "decode/data/samples.hpp"
#include "decode/error_of.hpp"
#include "decode/hex.hpp"

namespace gpu::decode::objects_node_test {
namespace {

using nlohmann::json;

const Node kSample{
    .name = "node-7",
    .labels = {{"kubernetes.io/hostname", "node-7"}, {"nvidia.com/gpu.product", "A100"}},
    .annotations = {{"node.alpha.kubernetes.io/ttl", "0"}},
    .created = parse_time("2024-02-29T23:59:59Z"),
    .deleted = parse_time("2026-11-02T00:00:00Z"),
    .unschedulable = true,
    .provider_id = "aws:///z1/i-1",
    .taints = {{"nvidia.com/gpu", "present", "NoSchedule", parse_time("2026-11-01T10:00:00Z")},
               {"k", "", "NoExecute"}},
    .capacity = {{"cpu", Quantity::of(64)},
                 {"memory", *Quantity::parse("527951284Ki")},
                 {"nvidia.com/gpu", Quantity::of(8)},
                 {"pods", Quantity::of(110)}},
    .allocatable = {{"cpu", Quantity::of_milli(63770)},
                    {"memory", *Quantity::parse("520000Mi")},
                    {"nvidia.com/gpu", Quantity::of(7)},
                    {"pods", Quantity::of(110)}},
    .conditions = {{"Ready", "True", "KubeletReady", "kubelet is posting ready status",
                    parse_time("2026-10-01T10:00:00Z")},
                   {"MemoryPressure", "False", "", "", std::nullopt}},
    .kubelet_version = "v1.36.1",
    .images = {{.key = image_key("example/train:1"), .bytes = 5}},
};

Node from_json(std::string_view text) { return node_from_json(json::parse(text)); }

}  // namespace

TEST_CASE("a node that Go wrote reads the same from protobuf and JSON") {
  CHECK((node_from_protobuf(bytes_of_hex(samples::kNodeProtobuf)) == kSample));
  CHECK((from_json(samples::kNodeJson) == kSample));
}

TEST_CASE("null, empty and absent are the same in a node") {
  for (const std::string_view text :
       {R"({})", R"({"metadata":null,"spec":null,"status":null})",
        R"({"metadata":{"name":null,"labels":null,"annotations":null,"creationTimestamp":null},
            "spec":{"taints":null,"unschedulable":null,"providerID":null},
            "status":{"capacity":null,"allocatable":{},"conditions":null,"nodeInfo":null}})"}) {
    INFO(text);
    CHECK((from_json(text) == Node{}));
  }
  CHECK((node_from_protobuf({}) == Node{}));
}

TEST_CASE("null map values and bare numbers read as Go reads them") {
  const Node node = from_json(
      R"({"metadata":{"labels":{"a":null}},
          "status":{"capacity":{"cpu":null,"nvidia.com/gpu":8,"memory":" 1.5Gi ","x":0.5}}})");
  CHECK(value_of(node.labels, "a").empty());
  CHECK(node.labels.contains("a"));
  CHECK((node.capacity == ResourceList{{"cpu", Quantity{}},
                                       {"nvidia.com/gpu", Quantity::of(8)},
                                       {"memory", *Quantity::parse("1536Mi")},
                                       {"x", Quantity::of_milli(500)}}));
}

TEST_CASE("a wrong JSON type in a node is an error that names the path") {
  struct Row {
    std::string_view json;
    std::string_view error;
  };
  static constexpr Row kRows[] = {
      {R"([])", "Node: expected an object, got array"},
      {R"("x")", "Node: expected an object, got string"},
      {R"({"metadata":[]})", "Node: metadata: expected an object, got array"},
      {R"({"metadata":{"name":7}})", "Node: metadata.name: expected a string, got number"},
      {R"({"metadata":{"labels":{"a":1}}})",
       "Node: metadata.labels.a: expected a string, got number"},
      {R"({"metadata":{"creationTimestamp":"soon"}})",
       "Node: metadata.creationTimestamp: expected an RFC 3339 time, got \"soon\""},
      {R"({"metadata":{"name":"n"},"spec":{"unschedulable":"true"}})",
       "Node n: spec.unschedulable: expected true or false, got string"},
      {R"({"metadata":{"name":"n"},"spec":{"taints":{}}})",
       "Node n: spec.taints: expected an array, got object"},
      {R"({"metadata":{"name":"n"},"spec":{"taints":[{},null]}})",
       "Node n: spec.taints[1]: expected an object, got null"},
      {R"({"metadata":{"name":"n"},"status":{"allocatable":{"cpu":"lots"}}})",
       "Node n: status.allocatable: cpu is \"lots\", which is not a quantity"},
      {R"({"metadata":{"name":"n"},"status":{"allocatable":{"cpu":true}}})",
       "Node n: status.allocatable: expected quantities, got boolean"},
  };
  for (const Row& row : kRows) CHECK(error_of([&] { from_json(row.json); }) == row.error);
}

TEST_CASE("the features that a node declares read the same from both forms") {
  std::string status;
  protozero::pbf_writer writer(status);
  writer.add_string(14, "A");
  writer.add_string(14, "B");
  std::string message;
  protozero::pbf_writer(message).add_message(3, status);
  const Node node = from_json(R"({"status":{"declaredFeatures":["A","B"]}})");
  CHECK(node.declared_features == std::vector<std::string>{"A", "B"});
  CHECK((node_from_protobuf(message) == node));
}

TEST_CASE("fields in any order and unknown ones do not disturb a node") {
  std::string metadata;
  {
    protozero::pbf_writer writer(metadata);
    writer.add_fixed64(90, 1);
    writer.add_string(1, "first");
    writer.add_string(99, std::string(1000, 'x'));
    writer.add_string(1, "last");
  }
  std::string message;
  protozero::pbf_writer writer(message);
  writer.add_string(77, "whatever");
  writer.add_uint64(2, 5);  // spec with a wrong wire type
  writer.add_message(1, metadata);
  writer.add_fixed32(80, 1);
  CHECK(node_from_protobuf(message).name == "last");
}

TEST_CASE("broken protobuf of a node is an error") {
  const std::string whole = bytes_of_hex(samples::kNodeProtobuf);
  std::size_t refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size)
    if (error_of([&] { node_from_protobuf(std::string_view(whole).substr(0, size)); }) !=
        "no error")
      ++refused;
  CHECK(refused == whole.size() - 3);  // it may end before each of its three fields
  CHECK(error_of([] { node_from_protobuf("<html>"); }).starts_with("Node: broken protobuf: "));
}

TEST_CASE("a quantity that is none names its node in protobuf, too") {
  const auto wrapped = [](protozero::pbf_tag_type tag, std::string_view inner) {
    std::string message;
    protozero::pbf_writer(message).add_bytes(tag, inner.data(), inner.size());
    return message;
  };
  const std::string entry = wrapped(1, "nvidia.com/gpu") + wrapped(2, wrapped(1, "eight"));
  const std::string node = wrapped(1, wrapped(1, "n")) + wrapped(3, wrapped(1, entry));
  CHECK(error_of([&] { node_from_protobuf(node); }) ==
        "Node n: status.capacity: nvidia.com/gpu is \"eight\", which is not a quantity");
}

}  // namespace gpu::decode::objects_node_test
