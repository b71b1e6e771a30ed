#include "cmd/shell/argv.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace shell_argv_test {

using namespace gpu;
using namespace gpu::cmd;

namespace {

using Line = std::vector<std::string>;

Flags flags() {
  Flags made;
  made.emplace_back(Flag::Kind::value, "-o,--output", Flag::Target{});
  made.emplace_back(Flag::Kind::list, "--node", Flag::Target{});
  made.emplace_back(Flag::Kind::toggle, "-w,--watch", Flag::Target{});
  made.emplace_back(Flag::Kind::toggle, "-A,--all-namespaces", Flag::Target{});
  made.emplace_back(Flag::Kind::words, "names", Flag::Target{});
  for (Flag& flag : made) flag.in(FlagGroup::what).help("it is listed");
  return made;
}

Line read(const Line& words) { return normalized(words, flags()); }

}  // namespace

TEST_CASE("a value is read however it is attached") {
  for (const Line& words : {Line{"-o", "json"}, Line{"-ojson"}, Line{"-o=json"},
                            Line{"--output", "json"}, Line{"--output=json"}})
    CHECK(read(words) == Line{"--output=json"});
  CHECK(read({"--node", "-x"}) == Line{"--node=-x"});
  CHECK(read({"-o", "a=b"}) == Line{"--output=a=b"});
}

TEST_CASE("a flag that may stand alone takes no next word") {
  Flags made;
  made.emplace_back(Flag::Kind::value, "--terminal", Flag::Target{}).alone_means("auto");
  CHECK(normalized({"--terminal", "pods"}, made) == Line{"--terminal=auto", "pods"});
  CHECK(normalized({"--terminal=80", "pods"}, made) == Line{"--terminal=80", "pods"});
}

TEST_CASE("an empty value stands in a word of its own") {
  CHECK(read({"-o="}) == Line{"--output", ""});
  CHECK(read({"--output="}) == Line{"--output", ""});
  CHECK(read({"-o", ""}) == Line{"--output", ""});
}

TEST_CASE("short switches may stand together, a value last") {
  CHECK(read({"-Aw"}) == Line{"--all-namespaces", "--watch"});
  CHECK(read({"-Awojson"}) == Line{"--all-namespaces", "--watch", "--output=json"});
  CHECK(read({"-Ao", "json"}) == Line{"--all-namespaces", "--output=json"});
  CHECK(read({"-w=false"}) == Line{"--watch=false"});
}

TEST_CASE("words that are no flags stay, and all behind two dashes") {
  CHECK(read({"a", "-", "-w"}) == Line{"a", "-", "--watch"});
  CHECK(read({"-w", "--", "-o", "--what"}) == Line{"--watch", "--", "-o", "--what"});
}

TEST_CASE("an unknown flag is refused with the nearest one") {
  try {
    read({"--ouput=json"});
    FAIL("it was read");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.help() == "a similar one is `--output`");
  }
  CHECK_THROWS_AS(read({"-Ax"}), Error);
}

TEST_CASE("a flag without its value is refused, and a switch with an empty one") {
  CHECK_THROWS_AS(read({"a", "--node"}), Error);
  CHECK_THROWS_AS(read({"-o"}), Error);
  CHECK_THROWS_AS(read({"--watch="}), Error);
}

TEST_CASE("the command is the first word that is no flag and no flag's value") {
  const auto at = [](const Line& words) { return command_position(words, flags()); };
  CHECK(at({"top", "-w"}) == 0);
  CHECK(at({"-o", "json", "-w", "top"}) == 3);
  CHECK(at({"-ojson", "top"}) == 1);
  CHECK(at({"-w", "--", "top"}) == 2);
  CHECK(at({"-", "top"}) == 0);
  CHECK(at({"-w"}) == 1);
  CHECK(at({}) == 0);
}

}  // namespace shell_argv_test
