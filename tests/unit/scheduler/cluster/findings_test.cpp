#include "scheduler/cluster/findings.hpp"

#include <catch2/catch.hpp>

namespace cluster_findings_test {

using gpu::scheduler::Filter;
using gpu::scheduler::Findings;
using gpu::scheduler::Rejection;

TEST_CASE("each text of a refusal is kept once, however many there are") {
  Findings findings(Filter::taint_toleration);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 70'000; ++i) {
      const std::string text = "reason " + std::to_string(i);
      findings.start_node();
      findings.refuse(Rejection::unresolvable, text);
      if (i < 65'535) REQUIRE(findings.text(findings.found().front()) == text);
    }
  CHECK(findings.take_reasons().size() == 65'535);
  findings.start_node();
  findings.refuse(Rejection::unresolvable, "reason 69999");
  CHECK(findings.text(findings.found().front()) == "reason 69999");
}

TEST_CASE("an error of a filter ends the cycle only where nothing has refused the node before") {
  Findings findings;
  findings.start_node();
  findings.start_filter(Filter::volume_binding);
  findings.abort("no such volume");
  findings.abort("nor that one");
  REQUIRE(findings.error());
  CHECK(findings.error()->message() == "running \"VolumeBinding\" filter plugin: no such volume");
  CHECK_FALSE(findings.is_empty());

  findings.start_node();
  CHECK(findings.is_empty());
  findings.start_filter(Filter::node_name);
  findings.refuse(Rejection::unresolvable, "elsewhere");
  findings.start_filter(Filter::volume_binding);
  findings.abort("no such volume");
  CHECK_FALSE(findings.error());
  CHECK(findings.found().front().filter == Filter::node_name);
}

TEST_CASE("what is left open is of one node, and is listed once") {
  Findings findings(Filter::dynamic_resources);
  findings.leave_open("devices of a");
  findings.leave_open("devices of a");
  CHECK(findings.is_open());
  CHECK(findings.is_empty());
  findings.start_node();
  CHECK_FALSE(findings.is_open());
  CHECK(findings.not_checked().size() == 1);
}

}  // namespace cluster_findings_test
