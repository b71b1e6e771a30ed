#include "diagnose/answer/headline.hpp"

#include <catch2/catch.hpp>

namespace answer_headline_test {

using namespace gpu::diagnose;

TEST_CASE("what would start is named as one pod, both, or all") {
  CHECK(headline_text({.nodes = 2}) == "it would start: it fits on 2 nodes");
  CHECK(headline_text({.pods = 2, .starting = 2, .nodes = 1}) ==
        "both pods would start: the first fits on 1 node");
  CHECK(headline_text({.pods = 4, .starting = 4, .nodes = 3}) ==
        "all 4 pods would start: the first fits on 3 nodes");
  CHECK(headline_text({.reason = "spec.nodeName binds it to a"}) ==
        "it would start: spec.nodeName binds it to a");
}

TEST_CASE("what was not checked stands between the outcome and its reason") {
  CHECK(headline_text({.certainty = Certainty::as_far_as_checked, .nodes = 1}) ==
        "it would start, as far as could be checked: it fits on 1 node");
}

TEST_CASE("of several pods the first that does not start is named, with its reason") {
  CHECK(headline_text({.outcome = Outcome::fits_some,
                       .pods = 5,
                       .starting = 2,
                       .reason = "no node has 4 free GPUs"}) ==
        "2 of 5 pods would start; the third: no node has 4 free GPUs");
  CHECK(headline_text({.outcome = Outcome::blocked, .pods = 2, .starting = 0, .reason = "full"}) ==
        "none of 2 pods would start: full");
  CHECK(headline_text({.outcome = Outcome::blocked, .starting = 0, .reason = "full"}) == "full");
}

TEST_CASE("pods that were not tried are undecided") {
  CHECK(headline_text({.outcome = Outcome::undecided, .pods = 66, .starting = 64}) ==
        "the first 64 of 66 pods would start; whether the others do is not checked");
  CHECK(headline_text({.outcome = Outcome::undecided, .pods = 2, .starting = 1}) ==
        "the first of 2 pods would start; whether the other does is not checked");
}

TEST_CASE("ordinals are words up to ten") {
  CHECK(ordinal(0) == "pod 0");
  CHECK(ordinal(1) == "the first");
  CHECK(ordinal(10) == "the tenth");
  CHECK(ordinal(11) == "pod 11");
}

TEST_CASE("a pod that fits is said to be kept waiting by nothing, as far as that is known") {
  CHECK(fits_text(1, {"gpu-1"}, Certainty::sure, OtherReason::none) ==
        "nothing keeps it waiting now: it fits on gpu-1");
  CHECK(fits_text(2, {"a", "b"}, Certainty::sure, OtherReason::some) ==
        "nothing else keeps it waiting now: it fits on a and b");
  CHECK(fits_text(2, {}, Certainty::as_far_as_checked, OtherReason::some) ==
        "nothing else that could be checked keeps it waiting now: it fits on 2 nodes");
}

TEST_CASE("nodes are named where all of them are known, and one of many") {
  CHECK(nodes_text(0, {}) == "0 nodes");
  CHECK(nodes_text(1, {}) == "1 node");
  CHECK(nodes_text(3, {"a", "b", "c"}) == "a, b, and c");
  CHECK(nodes_text(12, {"a", "b", "c"}) == "12 nodes, such as a");
}

}  // namespace answer_headline_test
