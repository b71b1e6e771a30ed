#include "usage/devices/duplicate_uuid.hpp"

#include <catch2/catch.hpp>

#include "model/dra_make.hpp"

namespace gpu::usage::devices_duplicate_uuid_test {
namespace {

Sample told(const std::string& node, const std::string& exporter,
            const std::string& uuid = "GPU-x") {
  Sample sample = make::card(node, 0, 0.5);
  sample.uuid = uuid;
  sample.exporter = exporter;
  return sample;
}

struct Kept {
  std::string nodes;  ///< of the samples that are left
  std::vector<Gap> gaps;
};

Kept keep(const std::vector<Sample>& samples, const Snapshot& snapshot = {}) {
  SamplesByNode by_node;
  for (const Sample& sample : samples) by_node[sample.node].push_back(&sample);
  Kept kept;
  kept.gaps = keep_on_one_node(by_node, snapshot, Time{std::chrono::seconds{1000}});
  for (const auto& [node, those] : by_node)
    for (std::size_t i = 0; i < those.size(); ++i) kept.nodes += node + " ";
  return kept;
}

const std::vector<Sample> kTwo{told("a", "dev/x"), told("b", "dev/y")};

Pod with_device(std::string node, std::string id) {
  Pod pod = make::pod("p", std::move(node), 1);
  pod.container_statuses = {{.name = "main", .devices = {{.id = std::move(id)}}}};
  return pod;
}

}  // namespace

TEST_CASE("a card that several nodes tell of is shown on none where nobody else names it") {
  const Kept kept = keep(kTwo);
  CHECK(kept.nodes.empty());
  REQUIRE(kept.gaps.size() == 1);
  CHECK(kept.gaps[0].what == "1 GPU is reported to be in several nodes");
  CHECK(kept.gaps[0].why == "GPU-x on a, b: shown on none");
  CHECK(kept.gaps[0].nodes == std::vector<std::string>{"a", "b"});
}

TEST_CASE("samples of one node, of another maker or too old contradict nobody") {
  CHECK(keep({told("a", "dev/x"), told("a", "dev/y")}).nodes == "a a ");
  CHECK(keep({told("a", "dev/x"), told("b", "dev/y", "GPU-z")}).gaps.empty());
  Sample amd = told("b", "dev/y");
  amd.vendor = Vendor::amd;
  CHECK(keep({told("a", "dev/x"), amd}).nodes == "a b ");
  Sample old = told("b", "dev/y");
  old.at = Time{std::chrono::seconds{699}};
  CHECK(keep({told("a", "dev/x"), old}).nodes == "a b ");
  CHECK(keep({told("a", "dev/x", ""), told("b", "dev/y", "")}).nodes == "a b ");
}

TEST_CASE("the one node that an exporter in a usual namespace tells of has the card") {
  const Kept kept = keep({told("a", "dev/x"), told("b", "gpu-operator/y"), told("c", "dev/z")});
  CHECK(kept.nodes == "b ");
  CHECK(kept.gaps[0].why == "GPU-x on a, b, c: shown on b");
  CHECK(keep({told("a", "gpu-operator/x"), told("b", "gpu-operator/y")}).nodes.empty());
}

TEST_CASE("what a pod's status, a slice or a sharing scheduler names comes before exporters") {
  const auto with_pod = [](const Pod& pod) { return make::snapshot({make::node("a", 1)}, {pod}); };
  const std::vector<Sample> samples{told("a", "dev/x"), told("b", "gpu-operator/y")};
  for (const char* id : {"GPU-x", "GPU-x::3", "MIG-GPU-x/1/0"})
    CHECK(keep(samples, with_pod(with_device("a", id))).nodes == "a ");
  CHECK(keep(samples, with_pod(with_device("a", "MIG-x"))).nodes == "b ");
  CHECK(keep(samples, with_pod(with_device("c", "GPU-x"))).nodes == "b ");
  Device card = make::card("gpu-0");
  card.attributes.set("uuid", "GPU-x");
  CHECK(keep(samples, make::dra_snapshot({make::slice("a", {card})}, {})).nodes == "a ");
  Device part = make::mig("gpu-0-mig", "x", "1g.10gb", "10Gi");
  CHECK(keep(samples, make::dra_snapshot({make::slice("a", {part})}, {})).nodes == "a ");
  CHECK(keep(samples, make::dra_snapshot({make::slice("a", {card}), make::slice("b", {card})}, {}))
            .nodes.empty());
  Snapshot shared;
  shared.nodes = {{.name = "a"}};
  shared.nodes[0].shared_cards = {{.uuid = "GPU-x"}};
  CHECK(keep(samples, shared).nodes == "a ");
}

}  // namespace gpu::usage::devices_duplicate_uuid_test
