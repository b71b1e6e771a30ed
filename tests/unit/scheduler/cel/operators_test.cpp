#include <catch2/catch.hpp>
#include <limits>

#include "scheduler/cel/cel_make.hpp"
#include "scheduler/cel/value.hpp"

namespace gpu::scheduler::cel_operators_test {
namespace {

using namespace make;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::string binary(const CelValue& left, std::string_view sign, const CelValue& right) {
  const Device device{.name = "gpu-0", .attributes = {{"type", "gpu"}}};
  return shown(cel_binary({"gpu.nvidia.com", device}, sign, left, right));
}

}  // namespace

TEST_CASE("comparisons hold for one, two or none of the three orders") {
  const auto of = [](std::string_view sign) {
    return binary(number(1), sign, number(2)) + " " + binary(number(2), sign, number(2)) + " " +
           binary(number(3), sign, number(2));
  };
  CHECK(of("<") == "true false false");
  CHECK(of("<=") == "true true false");
  CHECK(of(">") == "false false true");
  CHECK(of(">=") == "false true true");
  CHECK(of("==") == "false true false");
  CHECK(of("!=") == "true false true");
  CHECK(binary(text("a"), "<", text("b")) == "true");
  CHECK(binary(false, "<", true) == "true");
  CHECK(binary(number(1), "<", text("b")) == "no such overload");
  CHECK(binary(version("1.0.0"), "<=", version("2.0.0")) == "no such overload: _<=_");
}

TEST_CASE("arithmetic says where it overflows or divides by zero") {
  CHECK(binary(number(7), "+", number(2)) == "9");
  CHECK(binary(number(7), "-", number(2)) == "5");
  CHECK(binary(number(7), "*", number(2)) == "14");
  CHECK(binary(number(7), "/", number(2)) == "3");
  CHECK(binary(number(7), "%", number(2)) == "1");
  CHECK(binary(number(kMost), "+", number(1)) == "integer overflow");
  CHECK(binary(number(kLeast), "-", number(1)) == "integer overflow");
  CHECK(binary(number(kMost), "*", number(2)) == "integer overflow");
  CHECK(binary(number(7), "/", number(0)) == "division by zero");
  CHECK(binary(number(7), "%", number(0)) == "modulus by zero");
  CHECK(binary(number(7), "/", number(-1)) == "-7");
  CHECK(binary(number(kLeast), "/", number(-1)) == "integer overflow");
  CHECK(binary(number(kLeast), "%", number(-1)) == "integer overflow");
  CHECK(binary(number(kLeast), "/", number(1)) == std::to_string(kLeast));
}

TEST_CASE("strings are joined while the result is shorter than 64 KiB") {
  const auto joined = [](std::size_t left, std::size_t right) {
    return binary(text(std::string(left, 'a')), "+", text(std::string(right, 'b')));
  };
  CHECK(joined(1, 2) == "'abb'");
  CHECK(joined(65'000, 535).size() == 65'535 + 2);
  CHECK(joined(65'000, 536) == "not understood");
  CHECK(binary(text("a"), "-", text("b")) == "no such overload");
  CHECK(binary(text("a"), "+", number(1)) == "no such overload");
}

TEST_CASE("other types have no arithmetic, and that of lists is not understood") {
  CHECK(binary(number(1), "+", text("a")) == "no such overload");
  CHECK(binary(true, "+", true) == "no such overload: _+_");
  CHECK(binary(list({}), "+", list({})) == "not understood");
}

TEST_CASE("in looks for equal values of a list, and for keys of a map") {
  const CelValue numbers = list({number(1), number(2)});
  CHECK(binary(number(2), "in", numbers) == "true");
  CHECK(binary(number(3), "in", numbers) == "false");
  CHECK(binary(version("1.0.0"), "in", numbers) == "not understood");
  CHECK(binary(amount("1"), "in", numbers) == "not understood");
  CHECK(binary(number(1), "in", number(1)) == "no such overload");
  const CelValue attributes = CelMap{CelMap::Of::attributes, "gpu.nvidia.com"};
  CHECK(binary(text("type"), "in", attributes) == "true");
  CHECK(binary(text("model"), "in", attributes) == "false");
  CHECK(binary(number(1), "in", attributes) == "not understood");
}

TEST_CASE("an error is the result, the left one first") {
  CHECK(binary(cel_error("one"), "==", cel_error("two")) == "one");
  CHECK(binary(number(1), "==", cel_error("two")) == "two");
  CHECK(binary(version("1.0.0"), "!=", number(1)) == "true");
  CHECK(binary(CelMap{}, "!=", CelMap{}) == "not understood");
}

}  // namespace gpu::scheduler::cel_operators_test
