#include "scheduler/filters/node_ports.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "scheduler/cycle/judge_make.hpp"

namespace filters_node_ports_test {

using namespace gpu;
using make::Lines;

namespace {

ContainerPort port(std::int32_t number, std::string ip = "", std::string protocol = "") {
  return {
      .port = 80, .host_port = number, .host_ip = std::move(ip), .protocol = std::move(protocol)};
}

Pod with_port(Pod pod, ContainerPort port) {
  pod.containers[0].ports = {std::move(port)};
  return pod;
}

bool fits(const ContainerPort& taken, const ContainerPort& wanted) {
  const Snapshot snapshot =
      make::cluster({make::node("a", 0)}, {with_port(make::running("r", "a"), taken)});
  return make::message(snapshot, with_port(make::waiting("p"), wanted)).empty();
}

}  // namespace

TEST_CASE("host ports collide by number, protocol and address") {
  CHECK_FALSE(fits(port(8080), port(8080)));
  CHECK(fits(port(8080), port(8081)));
  CHECK(fits(port(8080), port(8080, "", "UDP")));
  CHECK(fits(port(8080, "10.0.0.1"), port(8080, "10.0.0.2")));
  CHECK_FALSE(fits(port(8080, "10.0.0.1"), port(8080, "10.0.0.1")));
  CHECK_FALSE(fits(port(8080, "0.0.0.0"), port(8080, "10.0.0.2")));
  CHECK_FALSE(fits(port(8080, "10.0.0.1"), port(8080)));
  CHECK(fits(port(0), port(0)));
}

TEST_CASE("sidecars take ports, other init containers do not") {
  Pod pod = make::running("r", "a");
  pod.init_containers.push_back({.name = "init", .ports = {port(8080)}});
  const auto said = [&] {
    return make::said(make::cluster({make::node("a", 0)}, {pod}),
                      with_port(make::waiting("p"), port(8080)), scheduler::Filter::node_ports);
  };
  CHECK(said() == Lines{"a"});
  pod.init_containers[0].restarts_always = true;
  CHECK(said() == Lines{"a: node(s) didn't have free ports for the requested pod ports"});
}

TEST_CASE("ports of pods that end are free") {
  const Snapshot snapshot =
      make::cluster({make::node("a", 0)}, {with_port(make::running("r", "a"), port(8080))});
  const scheduler::Change change{.ended = {&snapshot.pods[0]}};
  CHECK(make::said(snapshot, with_port(make::waiting("p"), port(8080)),
                   scheduler::Filter::node_ports, change) == Lines{"a"});
}

namespace {

bool collide(const scheduler::HostPort& a, const scheduler::HostPort& b) {
  return a.port == b.port && a.protocol == b.protocol &&
         (a.ip == b.ip || a.ip == "0.0.0.0" || b.ip == "0.0.0.0");
}

/// Ports of few numbers, addresses and protocols, so that many collide.
std::vector<ContainerPort> some_ports(std::minstd_rand& random) {
  static const std::vector<std::string> kAddresses = {"", "0.0.0.0", "10.0.0.1", "10.0.0.2"};
  static const std::vector<std::string> kProtocols = {"", "TCP", "UDP"};
  std::vector<ContainerPort> ports(random() % 4);
  for (ContainerPort& each : ports)
    each = port(static_cast<std::int32_t>(1 + random() % 3), kAddresses[random() % 4],
                kProtocols[random() % 3]);
  return ports;
}

}  // namespace

TEST_CASE("sorted ports say what comparing each with each says") {
  std::minstd_rand random(1);  // NOLINT: the same each time
  int taken = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Pod> pods;
    for (const char* name : {"q", "r", "s"}) {
      pods.push_back(make::running(name, "a"));
      pods.back().containers[0].ports = some_ports(random);
    }
    const Snapshot snapshot = make::cluster({make::node("a", 0)}, pods);
    Pod pod = make::waiting("p");
    pod.containers[0].ports = some_ports(random);
    const scheduler::Cluster cluster(snapshot);
    const auto& uses = cluster.shared<scheduler::PortsInUse>().by_node[0];
    const Pod* first = nullptr;
    for (const scheduler::HostPort& wanted : scheduler::host_ports(pod, cluster.rules())) {
      const Pod* by = nullptr;
      for (const Pod& other : snapshot.pods)
        for (const scheduler::HostPort& has : scheduler::host_ports(other, cluster.rules()))
          if (by == nullptr && collide(wanted, has)) by = &other;
      const auto* const use = scheduler::collision(uses, wanted);
      REQUIRE((use == nullptr ? nullptr : use->pod) == by);
      if (first == nullptr) first = by;
    }
    const Lines said = make::said(snapshot, pod, scheduler::Filter::node_ports);
    REQUIRE((said == Lines{"a"}) == (first == nullptr));
    taken += first == nullptr ? 0 : 1;
  }
  CHECK(taken > 200);
  CHECK(taken < 1800);
}

}  // namespace filters_node_ports_test
