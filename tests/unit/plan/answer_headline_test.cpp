#include "plan/answer_headline.hpp"

#include <catch2/catch.hpp>

namespace plan_answer_headline_test {

using namespace gpu::diagnose;
using namespace gpu::plan;

TEST_CASE("the headline of what would start can be doubted, once and again") {
  Explanation answer;
  answer.is_blocked = false;
  set_headline(answer, {.nodes = 1});
  CHECK(answer.summary == "it would start: it fits on 1 node");
  doubt_start(answer);
  doubt_start(answer);
  CHECK(answer.summary == "it would start, as far as could be checked: it fits on 1 node");
}

TEST_CASE("what is blocked, or was never said to start, is not doubted") {
  Explanation answer;
  answer.summary = "it creates no pods: replicas is 0";
  answer.is_blocked = false;
  doubt_start(answer);
  CHECK(answer.summary == "it creates no pods: replicas is 0");
  set_headline(answer, {.nodes = 1});
  answer.is_blocked = true;
  doubt_start(answer);
  CHECK(answer.summary == "it would start: it fits on 1 node");
}

}  // namespace plan_answer_headline_test
