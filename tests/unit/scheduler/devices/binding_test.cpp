#include "scheduler/devices/binding.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "scheduler/cycle/judge.hpp"

namespace devices_binding_test {

namespace {

using gpu::AllocatedDevice;
using gpu::parse_time;
using gpu::Pod;
using gpu::ResourceClaim;
using gpu::Snapshot;
using gpu::scheduler::Binding;
using gpu::scheduler::binding_state;

const auto kAllocated = parse_time("2026-11-01T10:00:00Z");

/// A device that waits for "Up" and must not be "Down".
AllocatedDevice device(std::vector<gpu::Condition> conditions) {
  AllocatedDevice made{.id = {"gpu.nvidia.com", "a", "0"}, .request = "gpus"};
  made.binding_conditions = {"Up"};
  made.binding_failure_conditions = {"Down"};
  made.conditions = std::move(conditions);
  return made;
}

ResourceClaim claim(std::vector<AllocatedDevice> devices) {
  ResourceClaim made{.ns = "ml", .name = "mine", .is_allocated = true};
  made.allocated_at = kAllocated;
  made.devices = std::move(devices);
  return made;
}

Binding state(const ResourceClaim& of, const char* now = "2026-11-01T10:00:01Z") {
  return binding_state(of, parse_time(now));
}

/// Node a, and what the scheduler says of a pod with the claim.
struct Judged {
  explicit Judged(ResourceClaim claim, std::string version = "v1.36.1") {
    snapshot = gpu::make::snapshot({gpu::make::node("a", 0)}, {});
    snapshot.server_version = std::move(version);
    snapshot.taken_at = parse_time("2026-11-01T12:00:00Z");
    snapshot.claims = {std::move(claim)};
    snapshot.slice_coverage = snapshot.claim_coverage = gpu::Coverage::whole;
    pod = gpu::make::pod("p", "", 0);
    pod.uid = "uid-p";
    pod.claim_slots = {{.name = "slot", .claim = "mine"}};
  }
  [[nodiscard]] std::string message() const {
    const gpu::scheduler::Cluster cluster(snapshot);
    return predicted_message(cluster, pod, judge(cluster, pod));
  }
  Snapshot snapshot;
  Pod pod;
};

}  // namespace

TEST_CASE("devices are ready when all that is waited for is true") {
  CHECK(state(claim({})) == Binding::ready);
  CHECK(state(claim({{.id = {"d", "p", "x"}}})) == Binding::ready);
  CHECK(state(claim({device({{"Up", "True"}})})) == Binding::ready);
  CHECK(state(claim({device({{"Up", "True"}, {"Down", "False"}})})) == Binding::ready);
  CHECK(state(claim({device({})})) == Binding::pending);
  CHECK(state(claim({device({{"Up", "Unknown"}})})) == Binding::pending);
  CHECK(state(claim({device({{"Up", "True"}}), device({})})) == Binding::pending);
}

TEST_CASE("a device that failed is given up at once, unless an earlier one is still awaited") {
  CHECK(state(claim({device({{"Down", "True"}})})) == Binding::given_up);
  CHECK(state(claim({device({{"Up", "True"}, {"Down", "True"}})})) == Binding::given_up);
  CHECK(state(claim({device({{"Up", "True"}}), device({{"Down", "True"}})})) == Binding::given_up);
  CHECK(state(claim({device({}), device({{"Down", "True"}})})) == Binding::pending);
  AllocatedDevice careless = device({{"Down", "True"}});
  careless.binding_conditions.clear();
  CHECK(state(claim({careless})) == Binding::ready);
}

TEST_CASE("after ten minutes the claim is given up, if it says since when it waits") {
  ResourceClaim waiting = claim({device({})});
  CHECK(state(waiting, "2026-11-01T10:10:00Z") == Binding::pending);
  CHECK(state(waiting, "2026-11-01T10:10:01Z") == Binding::given_up);
  CHECK(binding_state(waiting, std::nullopt) == Binding::not_known);
  CHECK(state(claim({device({{"Up", "True"}})}), "2027-01-01T00:00:00Z") == Binding::ready);
  waiting.allocated_at.reset();
  CHECK(state(waiting, "2027-01-01T00:00:00Z") == Binding::pending);
}

TEST_CASE("a claim that is given up is not available anywhere, and gives its devices back") {
  CHECK(Judged(claim({device({{"Up", "True"}})})).message().empty());
  Judged judged(claim({device({})}));
  CHECK(judged.message() ==
        "0/1 nodes are available: 1 resourceclaim not available on the node. deallocation of "
        "ResourceClaim completed, preemption: 0/1 nodes are available: 1 Preemption is not helpful "
        "for scheduling.");
  judged.snapshot.claims[0].reserved_for = {{"q", "uid-q"}};
  CHECK(judged.message() ==
        "0/1 nodes are available: 1 resourceclaim not available on the node. still not "
        "schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for "
        "scheduling.");
  CHECK(Judged(claim({device({{"Down", "True"}})}), "v1.34.4").message().empty());
}

TEST_CASE("without a time it is not known how long a claim waits") {
  Judged judged(claim({device({})}));
  judged.snapshot.taken_at.reset();
  const gpu::scheduler::Cluster cluster(judged.snapshot);
  const gpu::scheduler::Verdict verdict = judge(cluster, judged.pod);
  CHECK(verdict.fitting() == 1);
  CHECK_FALSE(verdict.fits());
  CHECK(verdict.not_checked ==
        std::vector<std::string>{"how long claim mine waits for its devices"});
}

}  // namespace devices_binding_test
