#include "cmd/top/answer.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace top_answer_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::cmd;

namespace {

std::string empty_text(const TopQuestion& question, const Snapshot& snapshot) {
  return answer_to(question, snapshot, std::nullopt).empty_text;
}

}  // namespace

TEST_CASE("an answer with rows says nothing of why there are none") {
  const Snapshot snapshot = make::snapshot({make::node("a", 2)}, {make::pod("x", "a", 1)});
  CHECK(empty_text({.view = kNodesView}, snapshot).empty());
  CHECK(answer_to({.view = kPodsView}, snapshot, std::nullopt).pod_groups.size() == 1);
}

TEST_CASE("why there are no rows is said by what was looked at") {
  const Snapshot bare = make::snapshot({make::node("a", 0)}, {});
  CHECK_THAT(empty_text({.view = kNodesView}, bare), Contains("no GPUs on 1 node"));
  const Snapshot free = make::snapshot({make::node("a", 2)}, {});
  CHECK(empty_text({.view = kPodsView}, free) == "no pod holds a GPU");
  CHECK(empty_text({.view = kPodsView, .ns = "ml"}, free) ==
        "no pod in the namespace ml holds a GPU");
  CHECK_THAT(empty_text({.view = kNodesView, .resource = "amd.com/gpu"}, free),
             Contains("no GPU matches amd.com/gpu; there are: nvidia.com/gpu"));
}

TEST_CASE("what was not read is not called absent") {
  Snapshot unseen;
  CHECK_THAT(empty_text({.view = kNodesView}, unseen), Contains("not known: no nodes were read"));
  CHECK_THAT(empty_text({.view = kPodsView}, unseen), Contains("not known: no pods were read"));
  Snapshot partial = make::snapshot({make::node("a", 2)}, {});
  partial.pod_coverage = Coverage::partial;
  CHECK_THAT(empty_text({.view = kPodsView}, partial), Contains("of those that could be read"));
}

TEST_CASE("where nothing tells whether pods were idle, --idle has no answer") {
  const Snapshot snapshot = make::snapshot({make::node("a", 2)}, {make::pod("x", "a", 1)});
  const TopAnswer answer =
      answer_to({.view = kPodsView, .idle = std::chrono::hours(1)}, snapshot, std::nullopt);
  CHECK(answer.unanswered.has_value());
  CHECK(answer.pods.empty());
}

TEST_CASE("that owners were not read is said only where owners are shown") {
  Snapshot snapshot = make::snapshot({make::node("a", 2)}, {make::pod("x", "a", 1)});
  snapshot.gaps = {{.what = "owners cannot be read", .about = GapTopic::owners}};
  CHECK(answer_to({.view = kNodesView}, snapshot, std::nullopt).gaps.empty());
  CHECK(answer_to({.view = kPodsView, .folds = true}, snapshot, std::nullopt).gaps.size() == 1);
}

}  // namespace top_answer_test
