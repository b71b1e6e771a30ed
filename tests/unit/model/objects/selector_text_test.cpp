#include "model/objects/selector_text.hpp"

#include <catch2/catch.hpp>

namespace gpu::objects_selector_text_test {

TEST_CASE("a requirement reads as kubectl's -l takes it") {
  const auto text = [](const char* op, std::vector<std::string> values) {
    return text_of(Requirement{"a", op, std::move(values)});
  };
  CHECK(text("Exists", {}) == "a");
  CHECK(text("DoesNotExist", {}) == "!a");
  CHECK(text("In", {"x"}) == "a=x");
  CHECK(text("In", {"x", "y"}) == "a in (x,y)");
  CHECK(text("In", {}) == "a in ()");
  CHECK(text("NotIn", {"x"}) == "a!=x");
  CHECK(text("NotIn", {"x", "y"}) == "a notin (x,y)");
  CHECK(text("Gt", {"1"}) == "a>1");
  CHECK(text("Lt", {"1"}) == "a<1");
}

TEST_CASE("selectors and terms list their requirements, labels before expressions") {
  CHECK(text_of(ObjectSelector{{{"a", "1"}, {"b", "2"}}, {{"c", "Exists", {}}}}) == "a=1, b=2, c");
  CHECK(text_of(ObjectSelector{{}, {{"c", "Exists", {}}}}) == "c");
  CHECK(text_of(NodeSelectorTerm{{{"a", "Exists", {}}, {"b", "Exists", {}}},
                                 {{"metadata.name", "In", {"n1"}}}}) == "a, b, metadata.name=n1");
  CHECK(text_of(NodeSelectorTerm{}).empty());
}

TEST_CASE("a taint shows its value where it has one") {
  CHECK(text_of(Taint{.key = "a", .value = "b", .effect = "NoSchedule"}) == "a=b:NoSchedule");
  CHECK(text_of(Taint{.key = "a", .value = "", .effect = "NoExecute"}) == "a:NoExecute");
}

TEST_CASE("the last part of a key stands behind its slash") {
  CHECK(last_part("nvidia.com/gpu") == "gpu");
  CHECK(last_part("gpu") == "gpu");
}

TEST_CASE("three names are shown, of four or more two and how many more there are") {
  CHECK(names_text({}).empty());
  CHECK(names_text({"a"}) == "a");
  CHECK(names_text({"a", "b"}) == "a and b");
  CHECK(names_text({"a", "b", "c"}) == "a, b and c");
  CHECK(names_text({"a", "b", "c", "d"}) == "a, b and 2 more");
  CHECK(names_text({"a", "b", "c", "d", "e"}) == "a, b and 3 more");
}

}  // namespace gpu::objects_selector_text_test
