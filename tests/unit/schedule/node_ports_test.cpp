#include "schedule/node_ports.hpp"

#include <catch2/catch.hpp>

#include "judge_make.hpp"

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
                      with_port(make::waiting("p"), port(8080)), schedule::Filter::node_ports);
  };
  CHECK(said() == Lines{"a"});
  pod.init_containers[0].restarts_always = true;
  CHECK(said() == Lines{"a: node(s) didn't have free ports for the requested pod ports"});
}

TEST_CASE("ports of pods that end are free") {
  const Snapshot snapshot =
      make::cluster({make::node("a", 0)}, {with_port(make::running("r", "a"), port(8080))});
  const schedule::Change change{.ended = {&snapshot.pods[0]}};
  CHECK(make::said(snapshot, with_port(make::waiting("p"), port(8080)),
                   schedule::Filter::node_ports, change) == Lines{"a"});
}
