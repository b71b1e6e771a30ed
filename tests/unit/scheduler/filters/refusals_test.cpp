#include "scheduler/filters/refusals.hpp"

#include <catch2/catch.hpp>

using gpu::scheduler::Filter;
using gpu::scheduler::Refusals;
using gpu::scheduler::Rejection;

TEST_CASE("each text of a refusal is kept once, however many there are") {
  Refusals refusals;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 70'000; ++i) {
      const std::string text = "reason " + std::to_string(i);
      refusals.start();
      refusals.refuse(Filter::taint_toleration, Rejection::unresolvable, text);
      if (i < 65'535) REQUIRE(refusals.text(refusals.found().front()) == text);
    }
  CHECK(refusals.take_reasons().size() == 65'535);
  refusals.start();
  refusals.refuse(Filter::node_name, Rejection::unresolvable, "reason 69999");
  CHECK(refusals.text(refusals.found().front()) == "reason 69999");
}
