#include "diagnose/lifecycle/word_cause.hpp"

#include <catch2/catch.hpp>

namespace lifecycle_word_cause_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

std::optional<Code> code_of(const std::string& body) {
  const auto cause = cause_of_word(
      "0/9 nodes are available: " + body +
      " no new claims to deallocate, preemption: 0/9 nodes are available: 4 No preemption victims "
      "found for incoming pod, 5 Preemption is not helpful for scheduling.");
  return cause ? std::optional(cause->code) : std::nullopt;
}

}  // namespace

TEST_CASE("one reason for all nodes is the answer") {
  CHECK(code_of("9 Insufficient nvidia.com/gpu.") == Code::insufficient_gpus);
  CHECK(code_of("9 Insufficient example.com/fpga.") == Code::insufficient_extended_resource);
  CHECK(code_of("9 Insufficient cpu.") == Code::insufficient_cpu);
  CHECK(code_of("9 node(s) had untolerated taint(s).") == Code::untolerated_taint);
  CHECK(code_of("4 node(s) had untolerated taint {a: b}, 5 node(s) had untolerated taint {c: }.") ==
        Code::untolerated_taint);
  CHECK(code_of("9 node(s) were unschedulable.") == Code::cordoned);
  CHECK(code_of("9 node(s) didn't match Pod's node affinity/selector.") ==
        Code::node_selector_mismatch);
  CHECK(code_of("9 node(s) exceed max volume count.") == Code::volume_limit);
  CHECK(code_of("9 cannot allocate all claims.") == Code::claim_unsatisfiable);
}

TEST_CASE("refusals of the pod itself are taken by their words") {
  const auto cause =
      cause_of_word("0/2 nodes are available: persistentvolumeclaim \"data\" not found. not found");
  REQUIRE(
      cause_of_word("0/2 nodes are available: request gpu: device class gpu.nvidia.com does not "
                    "exist. no new claims to deallocate, preemption: 0/2 nodes are available: 2 "
                    "Preemption is not helpful for scheduling.")
          ->code == Code::device_class_missing);
  CHECK(cause_of_word("0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. "
                      "not found")
            ->code == Code::volume_unbound);
  REQUIRE(cause);
  CHECK(cause->code == Code::volume_unbound);
}

TEST_CASE("several reasons, and those of others, tell nothing by themselves") {
  CHECK_FALSE(code_of("3 Insufficient nvidia.com/gpu, 6 node(s) had untolerated taint(s)."));
  CHECK_FALSE(code_of("9 Insufficient cpu, 9 Insufficient memory."));
  CHECK_FALSE(code_of("9 node(s) had untolerated taint {node.kubernetes.io/not-ready: }."));
  CHECK_FALSE(code_of("9 node unregistered."));
  CHECK_FALSE(cause_of_word("no nodes available to schedule pods"));
  CHECK_FALSE(cause_of_word(""));
}

}  // namespace lifecycle_word_cause_test
