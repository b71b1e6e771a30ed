#include "base/phrase.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <set>

namespace base_phrase_test {

using namespace gpu;

namespace {
constexpr std::array<std::string_view, 3> kThree = {"a", "b", "c"};
}  // namespace

TEST_CASE("names are joined by commas") {
  CHECK(joined(std::set<std::string>{"b", "a"}) == "a, b");
  CHECK(joined(std::set<std::string>{}).empty());
  CHECK(joined(kThree, "|") == "a|b|c");
}

TEST_CASE("the last of several names follows a word") {
  CHECK(listed(kThree, "or") == "a, b, or c");
  CHECK(listed(std::span(kThree).first(2), "and") == "a and b");
  CHECK(listed(std::span(kThree).first(1), "and") == "a");
  CHECK(listed({}, "and").empty());
}

TEST_CASE("of many names the first few are told") {
  CHECK(first_few(kThree, 3) == "a, b, c");
  CHECK(first_few(kThree, 2) == "a, b, ...");
  CHECK(few_and_rest(kThree, 3) == "a, b, c");
  CHECK(few_and_rest(kThree, 1) == "a and 2 more");
}

TEST_CASE("one is singular, none and several are plural") {
  CHECK(counted(1, "pod waits", "pods wait") == "1 pod waits");
  CHECK(counted(0, "pod waits", "pods wait") == "0 pods wait");
  CHECK(counted(1, "node") == "1 node");
  CHECK(counted(2, "node") == "2 nodes");
}

}  // namespace base_phrase_test
