#include "cmd/shell/aliases.hpp"

#include <catch2/catch.hpp>

namespace shell_aliases_test {

using namespace gpu::cmd;

using Line = std::vector<std::string>;

TEST_CASE("an alias is replaced by the command that it stands for") {
  CHECK(without_alias({"pods", "-w"}, 0) == Line{"top", "pods", "-w"});
  CHECK(without_alias({"--color=never", "why", "ml/a"}, 1) ==
        Line{"--color=never", "why-pending", "ml/a"});
  CHECK(without_alias({"free"}, 0) == Line{"top", "--free"});
  CHECK(without_alias({"top", "pods"}, 0) == Line{"top", "pods"});
  CHECK(without_alias({}, 0).empty());
}

TEST_CASE("the nearest alias is named by its command") {
  CHECK(nearest_alias("pendng") == "why-pending");
  CHECK(nearest_alias("podz") == "top pods");
  CHECK_FALSE(nearest_alias("xyzzy"));
}

}  // namespace shell_aliases_test
