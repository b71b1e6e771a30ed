#include "cmd/shell/flag_set.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace shell_flag_set_test {

using namespace gpu;
using namespace gpu::cmd;

namespace {

const CommandInfo kInfo = {.name = "top", .usage = "top [NAME...]", .summary = "", .examples = ""};

/// A command with a flag of each kind.
struct Typed {
  std::string output;
  std::optional<std::string> since;
  std::vector<std::string> nodes;
  std::vector<std::string> words;
  bool is_tree = false;
  int verbosity = 0;

  void read(FlagSet& flags, const Words& line) {
    flags.value("-o,--output", &output);
    flags.value("--since", &since);
    flags.list("--node", nodes);
    flags.toggle("--tree", &is_tree);
    flags.value("-v,--v", &verbosity);
    flags.value("--kuberc", {});
    flags.words(&words);
    flags.read(line, kInfo, "kubectl gpu");
  }
};

}  // namespace

TEST_CASE("flags and words are read into what they are bound to") {
  FlagSet flags;
  Typed typed;
  typed.read(flags, {"a", "-ojson", "--node=x", "--kuberc", "none", "--node", "y", "b", "--tree"});
  CHECK(typed.output == "json");
  CHECK(typed.nodes == std::vector<std::string>{"x", "y"});
  CHECK(typed.words == std::vector<std::string>{"a", "b"});
  CHECK(typed.is_tree);
  CHECK_FALSE(typed.since);
}

TEST_CASE("of a flag that is given twice the last value counts") {
  FlagSet flags;
  Typed typed;
  typed.read(flags, {"--since", "1h", "--since=2h"});
  CHECK(typed.since == "2h");
}

TEST_CASE("a flag may be given without a value that says anything") {
  FlagSet flags;
  Typed typed;
  typed.read(flags, {"--output="});
  CHECK(flags.was_given("--output"));
  CHECK(flags.was_given("-o"));
  CHECK_FALSE(flags.was_given("--since"));
}

TEST_CASE("what does not fit is an error of usage") {
  FlagSet flags;
  Typed typed;
  CHECK_THROWS_AS(typed.read(flags, {"-v", "much"}), Error);
  CHECK_THROWS_AS(flags.read({"--nod"}, kInfo, "kubectl gpu"), Error);
  CHECK_THROWS_AS(flags.read({"--node"}, kInfo, "kubectl gpu"), Error);
}

TEST_CASE("words beyond the only one are an error that names the usage") {
  FlagSet flags;
  std::string file;
  flags.words(&file);
  try {
    flags.read({"a", "b"}, kInfo, "kubectl gpu");
    FAIL("two words were taken for one");
  } catch (const Error& error) {
    CHECK(error.message() == "`top` takes no more words");
    CHECK(error.help() == "usage is\n      kubectl gpu top [NAME...]");
  }
}

TEST_CASE("a flag is found by each of its names") {
  FlagSet flags;
  std::string output;
  flags.value("-o,--output", &output).in(FlagGroup::output);
  REQUIRE(flags.named("-o") != nullptr);
  CHECK(flags.named("-o") == flags.named("--output"));
  CHECK(flags.named("-o")->is_listed());
  CHECK(flags.named("output") == nullptr);
  CHECK(flags.named("-x") == nullptr);
  CHECK(flags.of_words() == nullptr);
}

}  // namespace shell_flag_set_test
