#include "diagnose/nodes/shortage_text.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace nodes_shortage_text_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

struct Texts {
  std::string lack;  ///< empty: nothing is short
  std::string detail;
};

/// What a node of this much memory lacks for a pod that requests so much, where another pod holds
/// some.
Texts of_memory(const std::string& allocatable, const std::string& held,
                const std::string& requested) {
  Node node = make::node("n1", 0);
  node.allocatable.set("memory", *Quantity::parse(allocatable));
  Pod other = make::running("other", "n1");
  other.containers.front().requests.set("memory", *Quantity::parse(held));
  Pod pod = make::waiting("p");
  pod.containers.front().requests.set("memory", *Quantity::parse(requested));
  const Snapshot snapshot = make::cluster({node}, {other});
  const scheduler::Cluster cluster(snapshot);
  const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  const scheduler::NodeVerdict& first = verdict.nodes.front();
  const auto lack = lack_of(cluster, reasons, first, BlockerKind::little_memory);
  return {lack ? text_of(*lack) : "",
          shortage_detail(cluster, reasons, first, BlockerKind::little_memory)};
}

}  // namespace

TEST_CASE("bytes have one digit behind the point, rounded down") {
  CHECK(of_memory("96Gi", "40448Mi", "64Gi").detail == "56.5Gi of 96Gi memory free");
  CHECK(of_memory("2047Mi", "0", "64Gi").detail == "1.9Gi of 1.9Gi memory free");
  CHECK(of_memory("1536Ki", "512Ki", "64Gi").detail == "1Mi of 1.5Mi memory free");
  CHECK(of_memory("1000", "0", "64Gi").detail == "1000 of 1000 memory free");
}

TEST_CASE("a node may be too small, full, or have too little left") {
  CHECK(of_memory("32Gi", "0", "64Gi").lack ==
        "has no more than 32Gi of the 64Gi memory that the pod requests, even when empty");
  CHECK(of_memory("64Gi", "64Gi", "64Gi").lack == "has no memory left");
  CHECK(of_memory("64Gi", "1Gi", "64Gi").lack ==
        "has only 63Gi of the 64Gi memory that the pod requests");
}

}  // namespace nodes_shortage_text_test
