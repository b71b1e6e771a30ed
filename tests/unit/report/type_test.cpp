#include "report/type.hpp"

#include <catch2/catch.hpp>

namespace report_type_test {

using namespace gpu::report;

namespace {

enum class Meal { unknown, soup, bread };

std::string_view name_of(Meal meal) {
  switch (meal) {
    case Meal::unknown:
      return "";
    case Meal::soup:
      return "soup";
    case Meal::bread:
      return "bread";
  }
  return "";
}

}  // namespace

TEST_CASE("the words of an enumeration are the names of its values") {
  const Type type = Type::one_of<Meal>(name_of);
  CHECK(std::get<Type::Words>(type.form()).words == std::vector<std::string>{"soup", "bread"});
}

TEST_CASE("only what is said to be so may be null") {
  CHECK_FALSE(Type::count().is_nullable());
  CHECK(Type::count().or_null().is_nullable());
}

}  // namespace report_type_test
