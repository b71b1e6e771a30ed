#include "cost/held/held.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "make.hpp"

namespace held_held_test {

using namespace gpu;
using namespace gpu::cost;
using std::chrono::seconds;

namespace {

/// "10:30", "10:30:05": of one day.
Time at(std::string_view clock) {
  std::string text = "2026-11-01T" + std::string(clock);
  if (clock.size() == 5) text += ":00";
  return *parse_time(text + "Z");
}

std::optional<seconds> hours(double number) {
  return seconds(static_cast<std::int64_t>(number * 3600));
}

void set_condition(Pod& pod, std::string type, std::string_view clock,
                   std::string status = "True") {
  pod.conditions.push_back(
      {.type = std::move(type), .status = std::move(status), .last_transition = at(clock)});
}

/// Made at 9:30 and bound at 10:00; its one container asks for a GPU.
Pod bound_pod(std::string phase) {
  Pod pod = make::pod("train", "node", 1);
  pod.phase = std::move(phase);
  pod.created = at("09:30");
  set_condition(pod, "PodScheduled", "10:00");
  return pod;
}

ContainerResourceStatus running(std::string name, std::string_view since) {
  return {.name = std::move(name), .running_since = at(since)};
}

ContainerResourceStatus over(std::string name, std::string_view from, std::string_view until) {
  return {.name = std::move(name),
          .terminated = "Completed",
          .started_at = at(from),
          .terminated_at = at(until)};
}

ContainerResourceStatus waiting(std::string name, std::string reason) {
  return {.name = std::move(name), .waiting = std::move(reason)};
}

/// Written by the kubelet of a container that it lost sight of.
ContainerResourceStatus lost(std::string name) {
  return {.name = std::move(name), .terminated = "ContainerStatusUnknown"};
}

Pod with(Pod pod, std::vector<ContainerResourceStatus> statuses) {
  pod.container_statuses = std::move(statuses);
  return pod;
}

Pod with_init(Pod pod, std::vector<ContainerResourceStatus> statuses) {
  pod.init_container_statuses = std::move(statuses);
  return pod;
}

Pod with_condition(Pod pod, std::string type, std::string_view clock, std::string status = "True") {
  set_condition(pod, std::move(type), clock, std::move(status));
  return pod;
}

Pod beside(Pod pod, std::string container) {
  pod.containers.push_back({.name = std::move(container)});
  return pod;
}

Pod deleted(Pod pod, std::string_view clock) {
  pod.deleted = at(clock);
  return pod;
}

const Time kNow = at("15:00");

}  // namespace

TEST_CASE("a pod holds its GPUs from being bound until its phase is terminal") {
  struct Row {
    std::string what;
    Pod pod;
    HeldEnd end;
    std::optional<seconds> held;
    std::optional<seconds> started;
  };
  Pod refused = bound_pod("Failed");
  refused.reason = "UnexpectedAdmissionError";
  Pod unbound = make::pod("train", "", 1);
  unbound.created = at("09:00");
  Pod failed_unbound = unbound;
  failed_unbound.phase = "Failed";
  Pod sidecar = bound_pod("Succeeded");
  sidecar.init_containers.push_back({.name = "proxy", .restarts_always = true});
  const std::vector<Row> rows = {
      {"runs", with(bound_pod("Running"), {running("main", "10:30")}), HeldEnd::open, hours(5),
       hours(4.5)},
      {"its image cannot be pulled",
       with(bound_pod("Pending"), {waiting("main", "ImagePullBackOff")}), HeldEnd::open, hours(5),
       hours(0)},
      {"nothing is written of it yet", bound_pod("Pending"), HeldEnd::open, hours(5), hours(0)},
      {"it runs, and nothing says since when", bound_pod("Running"), HeldEnd::open, hours(5),
       std::nullopt},
      {"the node is lost", with(bound_pod("Unknown"), {running("main", "11:00")}), HeldEnd::open,
       hours(5), hours(4)},
      {"it is being deleted",
       deleted(with(bound_pod("Running"), {running("main", "11:00")}), "12:00"), HeldEnd::open,
       hours(5), hours(4)},
      {"the container with GPUs is done, another is not",
       with(beside(bound_pod("Running"), "logs"),
            {over("main", "10:10", "10:20"), running("logs", "10:05")}),
       HeldEnd::open, hours(5), seconds(17400)},
      {"both are done",
       with(beside(bound_pod("Succeeded"), "logs"),
            {over("main", "10:00", "10:10"), over("logs", "10:00", "11:00")}),
       HeldEnd::finished, hours(1), hours(1)},
      {"its sidecar ends last",
       with_init(with(sidecar, {over("main", "10:10", "11:00")}),
                 {over("proxy", "10:05", "11:30")}),
       HeldEnd::finished, hours(1.5), seconds(4800)},
      {"nothing is known of the sidecar's end",
       with_init(with(sidecar, {over("main", "10:10", "11:00")}), {lost("proxy")}),
       HeldEnd::finished, hours(1), seconds(3000)},
      {"its init container failed",
       with_init(with(bound_pod("Failed"), {waiting("main", "PodInitializing")}),
                 {over("fetch", "10:10", "10:30")}),
       HeldEnd::finished, hours(0.5), hours(0)},
      {"preempted, with times of containers",
       with_condition(with(bound_pod("Failed"), {over("main", "10:30", "11:00")}),
                      "DisruptionTarget", "10:59"),
       HeldEnd::finished, hours(1), hours(0.5)},
      {"evicted, without them", with_condition(bound_pod("Failed"), "DisruptionTarget", "12:00"),
       HeldEnd::disrupted, hours(2), std::nullopt},
      {"the garbage collector ended it with its node",
       with_condition(with(bound_pod("Failed"), {running("main", "11:00")}), "DisruptionTarget",
                      "13:00"),
       HeldEnd::disrupted, hours(3), hours(2)},
      {"deleted, without times of containers",
       deleted(with(bound_pod("Failed"), {lost("main")}), "11:00"), HeldEnd::disrupted, hours(1),
       std::nullopt},
      {"one of two ends is lost",
       with(beside(bound_pod("Failed"), "logs"), {lost("main"), over("logs", "10:10", "10:20")}),
       HeldEnd::unknown, std::nullopt, std::nullopt},
      {"nothing says how it ended", bound_pod("Failed"), HeldEnd::unknown, std::nullopt,
       std::nullopt},
      {"the kubelet refused it", refused, HeldEnd::refused, hours(0), hours(0)},
      {"not bound", unbound, HeldEnd::open, hours(0), hours(0)},
      {"failed before it was bound", failed_unbound, HeldEnd::finished, hours(0), hours(0)},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const Held held = held_of(row.pod);
    CHECK(held.end == row.end);
    CHECK(held_seconds(held, kNow) == row.held);
    CHECK(started_seconds(held, kNow) == row.started);
    CHECK_FALSE(held.has_clock_skew);
  }
}

TEST_CASE("the wait before it is bound is told apart") {
  CHECK(held_of(bound_pod("Running")).queued == hours(0.5));
  Pod waits = make::pod("train", "", 1);
  waits.created = at("09:00");
  set_condition(waits, "PodScheduled", "09:01", "False");
  CHECK_FALSE(held_of(waits).queued);
  CHECK_FALSE(held_of(waits).since);
  CHECK(held_of(waits).never_bound);
}

TEST_CASE("it started with the first of its main containers that ask for GPUs") {
  Pod pod = beside(bound_pod("Running"), "logs");
  pod.init_containers = {{.name = "fetch"}, {.name = "proxy", .restarts_always = true}};
  pod.container_statuses = {running("main", "11:00"), running("logs", "10:30")};
  pod.init_container_statuses = {over("fetch", "10:05", "10:20"), running("proxy", "10:21")};
  CHECK(held_of(pod).started == at("11:00"));
  SECTION("by limits alone") {
    pod.containers[0].limits = std::exchange(pod.containers[0].requests, {});
    CHECK(held_of(pod).started == at("11:00"));
  }
  SECTION("of several the first") {
    pod.containers[1].requests = pod.containers[0].requests;
    CHECK(held_of(pod).started == at("10:30"));
  }
  SECTION("where none asks, as with a claim, with the first of all") {
    pod.containers[0].requests = {};
    CHECK(held_of(pod).started == at("10:30"));
  }
  SECTION("one that waits does not count") {
    pod.container_statuses[0] = waiting("main", "ErrImagePull");
    CHECK_FALSE(held_of(pod).started);
    CHECK(held_of(pod).never_started);
  }
  CHECK_FALSE(held_of(pod).started_is_late);
}

TEST_CASE("the first start of a container that restarted is known as far as it is remembered") {
  struct Row {
    std::string what;
    ContainerResourceStatus status;
    std::optional<Time> started;
    bool is_late;
  };
  const auto again = [](ContainerResourceStatus status, std::int32_t restarts,
                        std::string_view before) {
    status.restarts = restarts;
    status.last_started_at = at(before);
    return status;
  };
  const std::vector<Row> rows = {
      {"second run", again(running("main", "12:00"), 1, "10:30"), at("10:30"), false},
      {"second run is over", again(over("main", "12:00", "13:00"), 1, "10:30"), at("10:30"), false},
      {"fourth run", again(running("main", "12:00"), 3, "11:30"), at("11:30"), true},
      {"waits for the second", again(waiting("main", "CrashLoopBackOff"), 0, "10:30"), at("10:30"),
       false},
      {"crash loop", again(waiting("main", "CrashLoopBackOff"), 7, "14:00"), at("14:00"), true},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const Held held = held_of(with(bound_pod("Running"), {row.status}));
    CHECK(held.started == row.started);
    CHECK(held.started_is_late == row.is_late);
    CHECK(held.restarts == row.status.restarts);
    CHECK(held_seconds(held, kNow) == hours(5));
  }
  // It had been ready, so all containers had started by then.
  Pod loops = with(bound_pod("Running"), {rows.back().status});
  set_condition(loops, "Initialized", "10:01");
  SECTION("it ceased to be ready") {
    set_condition(loops, "Ready", "11:15", "False");
    CHECK(held_of(loops).started == at("11:15"));
  }
  SECTION("it is ready") {
    set_condition(loops, "ContainersReady", "10:45");
    CHECK(held_of(loops).started == at("10:45"));
  }
  SECTION("it never was") {
    set_condition(loops, "Ready", "10:01:01", "False");
    CHECK(held_of(loops).started == at("14:00"));
  }
  SECTION("its runs are all forgotten") {
    loops.container_statuses[0].last_started_at.reset();
    CHECK_FALSE(held_of(loops).started);
    CHECK_FALSE(held_of(loops).never_started);
    set_condition(loops, "Ready", "11:15", "False");
    CHECK(held_of(loops).started == at("11:15"));
    CHECK(held_of(loops).started_is_late);
  }
}

TEST_CASE("a container that the runtime could not start has not started") {
  Pod pod = with(bound_pod("Running"), {waiting("main", "CrashLoopBackOff")});
  pod.container_statuses[0].terminated = "StartError";
  pod.container_statuses[0].restarts = 3;
  pod.container_statuses[0].last_started_at = Time{};  // the epoch, as containerd writes it
  const Held held = held_of(pod);
  CHECK_FALSE(held.started);
  CHECK(held.never_started);
  CHECK(started_seconds(held, kNow) == hours(0));
}

TEST_CASE("restarts of all containers count, no interval does") {
  Pod pod = with_init(with(bound_pod("Running"), {running("main", "12:00")}),
                      {over("fetch", "10:05", "10:20"), running("proxy", "10:21")});
  pod.container_statuses[0].restarts = 2;
  pod.init_container_statuses[0].restarts = 1;
  pod.init_container_statuses[1].restarts = -4;  // nobody means that
  CHECK(held_of(pod).restarts == 3);
}

TEST_CASE("times that are a little out of order are put in order, and flagged") {
  Pod pod = with(bound_pod("Succeeded"), {over("main", "10:10", "11:00")});
  SECTION("bound before it was made") { pod.created = at("10:01"); }
  SECTION("started before it was bound") { pod.container_statuses[0].started_at = at("09:59:58"); }
  SECTION("started long before it was bound") {
    pod.container_statuses[0].started_at = at("09:00");
  }
  SECTION("over before it was bound") {
    pod.container_statuses[0] = over("main", "09:58", "09:59");
    CHECK(held_seconds(held_of(pod), kNow) == hours(0));
    CHECK(held_of(pod).until == at("10:00"));
  }
  SECTION("over before it started") { pod.container_statuses[0].started_at = at("11:04"); }
  const Held held = held_of(pod);
  CHECK(held.has_clock_skew);
  CHECK_FALSE(held.is_contradictory);
  CHECK(held.queued.value_or(seconds{0}) >= seconds{0});
  CHECK(held_seconds(held, kNow).value_or(seconds{-1}) >= seconds{0});
  CHECK(started_seconds(held, kNow).value_or(seconds{-1}) >= seconds{0});
  CHECK(started_seconds(held, kNow) <= held_seconds(held, kNow));
}

TEST_CASE("of times that contradict each other nothing follows") {
  Pod pod = with(bound_pod("Succeeded"), {over("main", "10:10", "11:00")});
  SECTION("bound before it was made") { pod.created = at("10:06"); }
  SECTION("over before it was bound") {
    pod.container_statuses[0] = over("main", "09:00", "09:30");
  }
  SECTION("over before it started") { pod.container_statuses[0].started_at = at("12:00"); }
  SECTION("over in the future") { pod.container_statuses[0].terminated_at = at("15:06"); }
  SECTION("bound in the future") {
    pod.conditions[0].last_transition = at("15:06");
    pod.container_statuses[0].started_at = pod.container_statuses[0].terminated_at = at("15:07");
  }
  const Held held = held_of(pod);
  CHECK(has_odd_times(held, kNow));
  CHECK_FALSE(held_seconds(held, kNow));
  CHECK_FALSE(started_seconds(held, kNow));
}

TEST_CASE(
    "whatever a pod's times are, no length is negative, and none started before it was held") {
  std::mt19937 random(14);
  const auto below = [&](int limit) {
    return std::uniform_int_distribution<int>(0, limit - 1)(random);
  };
  const auto maybe = [&]() -> std::optional<Time> {
    if (below(3) == 0) return std::nullopt;
    return below(20) == 0 ? Time{} : at("08:00") + seconds(below(6) * 3600);
  };
  const std::vector<std::string> phases = {"Pending", "Running", "Succeeded", "Failed", "Unknown"};
  for (int round = 0; round < 5000; ++round) {
    Pod pod = beside(make::pod("p", below(8) == 0 ? "" : "node", 1), "other");
    pod.phase = phases[static_cast<std::size_t>(below(5))];
    pod.created = maybe();
    pod.started = maybe();
    pod.deleted = maybe();
    for (const char* const type :
         {"PodScheduled", "Initialized", "Ready", "ContainersReady", "DisruptionTarget"})
      if (below(3) > 0)
        pod.conditions.push_back(
            {.type = type, .status = below(3) == 0 ? "False" : "True", .last_transition = maybe()});
    for (const char* const name : {"main", "other"})
      if (below(4) > 0)
        pod.container_statuses.push_back({.name = name,
                                          .waiting = below(3) == 0 ? "CrashLoopBackOff" : "",
                                          .terminated = below(2) == 0 ? "Error" : "",
                                          .restarts = below(4) - 1,
                                          .running_since = maybe(),
                                          .started_at = maybe(),
                                          .terminated_at = maybe(),
                                          .last_started_at = maybe()});
    const Held held = held_of(pod);
    const auto length = held_seconds(held, at("12:00"));
    const auto started = started_seconds(held, at("12:00"));
    INFO(round);
    REQUIRE(length.value_or(seconds{0}) >= seconds{0});
    REQUIRE(started.value_or(seconds{0}) >= seconds{0});
    REQUIRE(held.queued.value_or(seconds{0}) >= seconds{0});
    REQUIRE((!length || !started || *started <= *length));
    REQUIRE((!held.since || !held.until || *held.since <= *held.until));
    REQUIRE((!held.never_started || !started || *started == seconds{0}));
    REQUIRE((held.end == HeldEnd::open) == !is_finished(pod));
  }
}

TEST_CASE("a clock that is behind the cluster's makes no length negative either") {
  const Held open = held_of(with(bound_pod("Running"), {running("main", "10:30")}));
  CHECK(held_seconds(open, at("09:57")) == hours(0));
  CHECK(started_seconds(open, at("10:15")) == hours(0));
  const Held done = held_of(with(bound_pod("Succeeded"), {over("main", "10:10", "12:00")}));
  CHECK(held_seconds(done, at("11:57")) == seconds(7020));
  CHECK_FALSE(held_seconds(done, at("11:00")));
}

TEST_CASE("where PodScheduled has no time, the kubelet's first word stands for it") {
  Pod pod = make::pod("train", "node", 1);
  CHECK_FALSE(held_of(pod).since);
  CHECK_FALSE(held_of(pod).never_bound);
  CHECK_FALSE(held_seconds(held_of(pod), kNow));
  pod.conditions.push_back({.type = "PodScheduled", .status = "True"});
  pod.started = at("10:00:01");
  CHECK(held_of(pod).since == at("10:00:01"));
  CHECK(held_of(pod).since_is_late);
  CHECK_FALSE(held_of(bound_pod("Running")).since_is_late);
}

TEST_CASE("disruption is told beside the end") {
  CHECK(held_of(with_condition(bound_pod("Running"), "DisruptionTarget", "12:00")).was_disrupted);
  CHECK_FALSE(held_of(with_condition(bound_pod("Running"), "DisruptionTarget", "12:00", "False"))
                  .was_disrupted);
}

TEST_CASE("a pod may be older than the node of that name") {
  const Held held = held_of(bound_pod("Running"));
  Node node = make::node("node", 8);
  CHECK_FALSE(is_older_than(held, node));
  node.created = at("09:00");
  CHECK_FALSE(is_older_than(held, node));
  node.created = at("10:01");
  CHECK(is_older_than(held, node));
  CHECK_FALSE(is_older_than(Held{}, node));
}

}  // namespace held_held_test
