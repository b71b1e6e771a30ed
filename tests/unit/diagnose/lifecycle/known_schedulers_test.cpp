#include "diagnose/lifecycle/known_schedulers.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_known_schedulers_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

/// A pod that a scheduler bound at that second.
Pod bound(const std::string& name, const std::string& scheduler, int second) {
  Pod made = make::running(name, "a");
  made.scheduler_name = scheduler;
  made.conditions = {{.type = "PodScheduled", .status = "True"}};
  made.conditions.front().last_transition = Time{std::chrono::seconds{second}};
  return made;
}

}  // namespace

TEST_CASE("a scheduler is known by its Lease, an event of it, or a pod that it bound") {
  Pod waits = make::waiting("p");
  waits.scheduler_name = "waited-for";
  Snapshot snapshot = make::cluster({make::node("a", 1)}, {waits, bound("q", "binds", 1)});
  snapshot.scheduling.leases.insert(snapshot.scheduling.leases.end(), "leads");
  snapshot.scheduling.events = {{.ns = "ml", .reporter = "speaks"}};
  const scheduler::Cluster cluster(snapshot);
  const KnownSchedulers known(cluster);
  CHECK(known.contains("leads"));
  CHECK(known.contains("speaks"));
  CHECK(known.contains("binds"));
  CHECK_FALSE(known.contains("waited-for"));
}

TEST_CASE("a scheduler is known by a pod of its own that runs") {
  Pod own = make::running("kai-scheduler-default-6b7d9f8c4-9wz2k", "a");
  own.phase = "Running";
  const Snapshot snapshot = make::cluster({make::node("a", 1)}, {own});
  const scheduler::Cluster cluster(snapshot);
  const KnownSchedulers known(cluster);
  CHECK(known.contains("kai-scheduler"));
  CHECK_FALSE(known.contains("kai-sched"));
  CHECK_FALSE(known.contains("volcano"));
}

TEST_CASE("when a scheduler bound a pod last is known by its pods, not by those of kubelets") {
  Pod mirror = bound("mirror", "x", 99);
  mirror.owners = {{.kind = "Node", .name = "a", .controller = true}};
  Pod other = bound("other", "x", 98);
  other.conditions.front().type = "Ready";
  const Snapshot snapshot =
      make::cluster({make::node("a", 1)},
                    {bound("p1", "x", 5), bound("p2", "x", 7), bound("p3", "x", 6), mirror, other});
  const scheduler::Cluster cluster(snapshot);
  const KnownSchedulers known(cluster);
  CHECK(known.last_binding("x") == Time{std::chrono::seconds{7}});
  CHECK_FALSE(known.last_binding("y"));
}

}  // namespace lifecycle_known_schedulers_test
