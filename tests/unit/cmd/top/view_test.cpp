#include "cmd/top/view.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "cmd/top/sort.hpp"
#include "cmd/top/top_report.hpp"

namespace top_view_test {

using namespace gpu;
using namespace gpu::cmd;

TEST_CASE("a view is named in the plural, the singular, and by its short name") {
  CHECK(view_named("pods") == &kPodsView);
  CHECK(view_named("pod") == &kPodsView);
  CHECK(view_named("po") == &kPodsView);
  CHECK(view_named("") == nullptr);
  CHECK(view_named("cards") == nullptr);
  CHECK_THROWS_AS(view_typed("cards", "kubectl gpu"), Error);
}

TEST_CASE("a view says which flags mean something there") {
  CHECK(kNodesView.takes("--tree"));
  CHECK_FALSE(kPodsView.takes("--tree"));
  CHECK(kPodsView.takes("--idle"));
}

TEST_CASE("all that a view is usually sorted by is a column of it") {
  for (const ViewSpec* view : kViews) {
    const report::Table table = columns_of(*view);
    for (const std::string_view word : sort_words(table))
      CHECK_NOTHROW(order_by(table, view->name, std::string(word)));
    CHECK_THROWS_AS(order_by(table, view->name, "colour"), Error);
  }
}

TEST_CASE("use stands first among what rows are sorted by") {
  CHECK(sort_words(columns_of(kPodsView)) ==
        std::vector<std::string_view>{"util", "memory", "idle", "age", "namespace", "name", "node",
                                      "model", "gpus"});
}

}  // namespace top_view_test
