#include "telemetry/prometheus/nodes.hpp"

#include <catch2/catch.hpp>

namespace gpu::telemetry::prometheus_nodes_test {
namespace {

Snapshot snapshot() {
  Snapshot result;
  for (const char* name : {"gpu-a", "gpu-b"}) {
    Node node;
    node.name = name;
    result.nodes.push_back(node);
  }
  Pod pod;
  pod.host_ip = "192.168.0.1";
  pod.node_name = "gpu-a";
  result.pods.push_back(pod);
  return result;
}

std::vector<Exporter> exporters() {
  return {{.ns = "gpu-operator", .pod = "dcgm-aaaaa", .node = "gpu-a", .ip = "10.0.0.1"},
          {.ns = "gpu-operator", .pod = "dcgm-bbbbb", .node = "gpu-b", .ip = "10.0.0.2"}};
}

std::string node_of(const Sample& sample) {
  return NodeFinder(snapshot(), exporters()).node_of(sample).value_or("none");
}

TEST_CASE("A sample's node is that of its label, target, exporter or host, in this order") {
  CHECK(node_of({.node = "gpu-b"}) == "gpu-b");
  CHECK(node_of({.instance = "10.0.0.2:9400"}) == "gpu-b");
  CHECK(node_of({.instance = "192.168.0.1:9400"}) == "gpu-a");
  CHECK(node_of({.instance = "gpu-b:9400"}) == "gpu-b");
  CHECK(node_of({.exporter = "gpu-operator/dcgm-bbbbb"}) == "gpu-b");
  CHECK(node_of({.host = "dcgm-bbbbb"}) == "gpu-b");
  CHECK(node_of({.host = "gpu-a"}) == "gpu-a");
}

TEST_CASE("A Hostname is believed last") {
  CHECK(node_of({.host = "gpu-a", .instance = "10.0.0.2:9400"}) == "gpu-b");
}

TEST_CASE("What contradicts itself, or is not known here, is of no node") {
  CHECK(node_of({.node = "gpu-a", .instance = "10.0.0.2:9400"}) == "none");
  CHECK(node_of({.exporter = "gpu-operator/dcgm-aaaaa", .instance = "10.0.0.2:9400"}) == "none");
  CHECK(node_of({.node = "elsewhere", .host = "dcgm-zzzzz", .instance = "10.9.9.9:9400"}) ==
        "none");
  CHECK(node_of({.exporter = "other/dcgm-aaaaa"}) == "none");
  CHECK(node_of({}) == "none");
}

TEST_CASE("An address that two nodes have is of none") {
  auto twice = exporters();
  twice[1].ip = "10.0.0.1";
  CHECK_FALSE(NodeFinder(snapshot(), twice).node_of({.instance = "10.0.0.1:9400"}));
}

TEST_CASE("The host of an instance is without its port") {
  CHECK(host_of_instance("10.1.2.3:9400") == "10.1.2.3");
  CHECK(host_of_instance("[fd00::1]:9400") == "fd00::1");
  CHECK(host_of_instance("fd00::1") == "fd00::1");
  CHECK(host_of_instance("gpu-a") == "gpu-a");
  CHECK(host_of_instance("") == "");
  CHECK(host_of_instance("[x") == "");
}

}  // namespace
}  // namespace gpu::telemetry::prometheus_nodes_test
