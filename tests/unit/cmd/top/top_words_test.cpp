#include "cmd/top/view.hpp"

#include <catch2/catch.hpp>

namespace top_top_words_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::cmd;

namespace {

using Names = std::vector<std::string>;

TopWords words(const Names& typed) { return top_words(typed, "kubectl gpu"); }

}  // namespace

TEST_CASE("the view comes first, as kubectl's type") {
  CHECK(words({}).view == &kNodesView);
  CHECK(words({"po", "a", "b"}).view == &kPodsView);
  CHECK(words({"po", "a", "b"}).names == Names{"a", "b"});
  CHECK_FALSE(words({"po"}).is_view_guessed);
}

TEST_CASE("VIEW/NAME is read as kubectl's TYPE/NAME") {
  CHECK(words({"node/gpu-a1", "nodes/gpu-a2"}).names == Names{"gpu-a1", "gpu-a2"});
  CHECK(words({"pod/train-0"}).view == &kPodsView);
  CHECK(words({"pod/ml/train-0"}).names == Names{"ml/train-0"});
  CHECK(words({"gpu/gpu-a1/0"}).view == &kGpusView);
  CHECK_THROWS_WITH(words({"node/gpu-a1", "pod/x"}), Contains("different views"));
}

TEST_CASE("names alone are those of nodes, unless they cannot be") {
  CHECK(words({"gpu-a1", "gpu-a2"}).view == &kNodesView);
  CHECK(words({"gpu-a1", "gpu-a2"}).names == Names{"gpu-a1", "gpu-a2"});
  CHECK(words({"gpu-a1"}).is_view_guessed);
  CHECK(words({"gpu-m1/0:7"}).view == &kGpusView);
  CHECK(words({"ml/train-0"}).view == &kPodsView);
  CHECK(words({"GPU-4b3c1f00"}).view == &kGpusView);
  CHECK_THROWS_WITH(words({"a;b"}), Contains("there is no view"));
}

}  // namespace top_top_words_test
