#include "cmd/top/watched.hpp"

#include <catch2/catch.hpp>
#include <sstream>

namespace top_watched_test {

using namespace gpu;
using namespace gpu::cmd;

namespace {

/// The names of the views that keys reach from `top WORDS -w`.
std::vector<std::string> reached_from(const TopFlags& flags,
                                      std::optional<TerminalSize> terminal = TerminalSize{}) {
  std::ostringstream out;
  const Env env{.out = out, .err = out, .environment = {}, .out_terminal = terminal};
  const TopQuestion typed = question_of(flags, env);
  std::vector<std::string> names;
  for (const TopQuestion& each : watched_questions(typed, flags, env))
    names.emplace_back(each.view.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("keys reach all views where nothing chooses a part of the cluster") {
  const Names all = {"nodes", "gpus", "pods", "namespaces", "models"};
  CHECK(reached_from({}) == all);
  CHECK(reached_from({.words = {"pods"}, .sort_by = "age"}) == all);
  CHECK(reached_from({.words = {"pods"}, .nodes = {"a"}}) == all);
}

TEST_CASE("keys reach the views alone that show the same part of the cluster") {
  CHECK(reached_from({.words = {"nodes", "gpu-a1"}}) == Names{"nodes"});
  CHECK(reached_from({.words = {"pods"}, .selector = "app=x"}) == Names{"pods"});
  CHECK(reached_from({.tree = true}) == Names{"nodes"});
  TopFlags of_namespace{.words = {"pods"}};
  of_namespace.global.connection.ns = "ml";
  CHECK(reached_from(of_namespace) == Names{"gpus", "pods", "namespaces"});
}

TEST_CASE("a pipe has no keys, and reads for one view alone") {
  CHECK(reached_from({}, std::nullopt) == Names{"nodes"});
}

}  // namespace top_watched_test
