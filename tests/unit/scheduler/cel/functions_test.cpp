#include <catch2/catch.hpp>

#include "scheduler/cel/cel_make.hpp"
#include "scheduler/cel/value.hpp"

namespace gpu::scheduler::cel_functions_test {
namespace {

using namespace make;
using Values = std::vector<CelValue>;

const CelValue kMap = CelMap{};

std::string function(std::string_view name, const Values& values) {
  return shown(cel_function(name, values));
}
std::string method(std::string_view name, const Values& values) {
  return shown(cel_method(name, values));
}

}  // namespace

TEST_CASE("size counts code points of a string and values of a list") {
  CHECK(function("size", {text("")}) == "0");
  CHECK(function("size", {text("a\u00e9\u20ac")}) == "3");
  CHECK(method("size", {text("abc")}) == "3");
  CHECK(function("size", {list({number(1), number(2)})}) == "2");
  CHECK(function("size", {kMap}) == "not understood");
  CHECK(function("size", {true}) == "no such overload: size");
}

TEST_CASE("a quantity has a sign, and is an integer where that is sure") {
  CHECK(method("sign", {amount("-1")}) == "-1");
  CHECK(function("sign", {amount("0")}) == "0");
  CHECK(function("sign", {amount("1m")}) == "1");
  CHECK(function("sign", {number(1)}) == "not understood");
  CHECK(method("isInteger", {amount("1048576")}) == "true");
  CHECK(method("asInteger", {amount("1048576")}) == "1048576");
  CHECK(method("asInteger", {amount("-1048576")}) == "-1048576");
  for (const char* unsure : {"1048577", "-1048577", "1500m"}) {
    CHECK(method("isInteger", {amount(unsure)}) == "not understood");
    CHECK(method("asInteger", {amount(unsure)}) == "not understood");
  }
  CHECK(method("asApproximateFloat", {amount("1")}) == "not understood");
}

TEST_CASE("quantities are added, subtracted and ordered among themselves") {
  CHECK(method("add", {amount("2"), amount("3")}) == "quantity 5");
  CHECK(method("add", {amount("2"), number(3)}) == "quantity 5");
  CHECK(method("sub", {amount("2"), amount("3")}) == "quantity -1");
  CHECK(method("sub", {amount("7"), number(3)}) == "quantity 4");
  CHECK(method("add", {amount("2"), text("3")}) == "not understood");
  CHECK(method("multiply", {amount("2"), amount("3")}) == "not understood");
  CHECK(method("isLessThan", {amount("1"), amount("2")}) == "true");
  CHECK(method("isLessThan", {amount("2"), amount("2")}) == "false");
  CHECK(method("isGreaterThan", {amount("3"), amount("2")}) == "true");
  CHECK(method("isGreaterThan", {amount("2"), amount("2")}) == "false");
  CHECK(method("compareTo", {amount("1"), amount("2")}) == "-1");
  CHECK(method("compareTo", {amount("2"), amount("2")}) == "0");
  CHECK(method("compareTo", {amount("3"), amount("2")}) == "1");
  CHECK(method("compareTo", {amount("1"), number(2)}) ==
        "no such overload: compareTo(kubernetes.Quantity, int)");
}

TEST_CASE("versions have three numbers, and an order among themselves") {
  const CelValue big = version("9223372036854775807.9223372036854775808.3");
  CHECK(method("major", {big}) == "9223372036854775807");
  CHECK(method("minor", {big}) == "not understood");
  CHECK(method("patch", {big}) == "3");
  CHECK(method("minor", {version("1.2.3")}) == "2");
  CHECK(method("build", {version("1.2.3")}) == "not understood");
  CHECK(method("isLessThan", {version("1.2.3"), version("1.2.4")}) == "true");
  CHECK(method("isGreaterThan", {version("1.2.3"), version("1.2.4")}) == "false");
  CHECK(method("compareTo", {version("1.2.3"), version("1.2.3")}) == "0");
  CHECK(method("isLessThan", {version("1.2.3"), text("1.2.4")}) ==
        "no such overload: isLessThan(kubernetes.Semver, string)");
  CHECK(method("isLessThan", {true, version("1.2.4")}) ==
        "no such overload: isLessThan(bool, kubernetes.Semver)");
}

TEST_CASE("strings are searched, trimmed, and change their case where they are ASCII") {
  CHECK(method("startsWith", {text("abc"), text("ab")}) == "true");
  CHECK(method("startsWith", {text("abc"), text("bc")}) == "false");
  CHECK(method("endsWith", {text("abc"), text("bc")}) == "true");
  CHECK(method("endsWith", {text("abc"), text("ab")}) == "false");
  CHECK(method("contains", {text("abc"), text("abc")}) == "true");
  CHECK(method("contains", {text("abc"), text("ac")}) == "false");
  CHECK(method("matches", {text("abc"), text("^.b")}) == "true");
  CHECK(method("matches", {text("abc"), text("^b")}) == "false");
  CHECK(method("matches", {text("abc"), text("(")}) == "not understood");
  CHECK(method("split", {text("abc"), text("b")}) == "not understood");
  CHECK(method("contains", {text("abc"), number(1)}) == "no such overload");
  CHECK(method("lowerAscii", {text("A~z")}) == "'a~z'");
  CHECK(method("upperAscii", {text("A~z")}) == "'A~Z'");
  CHECK(method("trim", {text(" a b\t")}) == "'a b'");
  CHECK(method("reverse", {text("ab")}) == "not understood");
  CHECK(method("lowerAscii", {text("\x7f")}) == "'\x7f'");
  CHECK(method("lowerAscii", {text("\x80")}) == "not understood");
}

TEST_CASE("what only strings have is no overload of another type") {
  for (const char* name : {"startsWith", "endsWith", "contains"})
    CHECK(method(name, {number(1), text("1")}) == "no such overload");
  CHECK(method("matches", {number(1), text("1")}) == "no such overload: matches");
  CHECK(method("split", {number(1), text("1")}) == "not understood");
}

TEST_CASE("conversions between int, string and bool") {
  CHECK(function("dyn", {true}) == "true");
  CHECK(function("int", {number(7)}) == "7");
  CHECK(function("int", {text("-7")}) == "-7");
  CHECK(function("int", {text("7a")}) == "not understood");
  CHECK(function("int", {true}) == "not understood");
  CHECK(function("string", {text("a")}) == "'a'");
  CHECK(function("string", {number(-7)}) == "'-7'");
  CHECK(function("string", {true}) == "'true'");
  CHECK(function("string", {false}) == "'false'");
  CHECK(function("string", {amount("1")}) == "not understood");
  CHECK(function("bool", {false}) == "false");
  CHECK(function("bool", {text("true")}) == "not understood");
  CHECK(function("double", {number(1)}) == "not understood");
}

TEST_CASE("versions and quantities are read from strings") {
  CHECK(function("semver", {text("1.2.3")}) == "version 1.2.3");
  CHECK(function("semver", {text("v1.2")}) == "not understood");
  CHECK(function("semver", {text("v1.2"), false}) == "not understood");
  CHECK(function("semver", {text("v1.2"), true}) == "version 1.2.0");
  CHECK(function("semver", {text("1.2.3"), number(1)}) == "not understood");
  CHECK(function("semver", {text("1.2.3"), true, true}) == "not understood");
  CHECK(function("semver", {number(1)}) == "not understood");
  CHECK(function("isSemver", {text("1.2.3")}) == "true");
  CHECK(function("isSemver", {text("v1.2")}) == "false");
  CHECK(function("isSemver", {text("v1.2"), true}) == "true");
  CHECK(function("quantity", {text("7")}) == "quantity 7");
  CHECK(function("quantity", {text("x")}) == "not understood");
  CHECK(function("quantity", {number(7)}) == "not understood");
  CHECK(function("isQuantity", {text("7Gi")}) == "true");
  CHECK(function("isQuantity", {text("x")}) == "false");
}

TEST_CASE("functions with another number of values are not understood") {
  CHECK(function("size", {}) == "not understood");
  CHECK(function("int", {number(1), number(2)}) == "not understood");
  CHECK(method("contains", {text("abc"), text("a"), text("b")}) == "not understood");
}

}  // namespace gpu::scheduler::cel_functions_test
