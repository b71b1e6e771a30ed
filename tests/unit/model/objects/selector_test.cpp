#include "model/objects/selector.hpp"

#include <catch2/catch.hpp>

namespace gpu::objects_selector_test {
namespace {

const StringMap kLabels = {{"app", "train"}, {"size", "8"}, {"odd", "+-8"}};

bool is_held(const char* key, const char* op, std::vector<std::string> values = {}) {
  return holds(Requirement{key, op, std::move(values)}, kLabels);
}

}  // namespace

TEST_CASE("In needs the label with one of the values, NotIn holds also without the label") {
  CHECK(is_held("app", "In", {"serve", "train"}));
  CHECK_FALSE(is_held("app", "In", {"serve"}));
  CHECK_FALSE(is_held("gone", "In", {"serve"}));
  CHECK_FALSE(is_held("app", "In"));
  CHECK(is_held("app", "NotIn", {"serve"}));
  CHECK_FALSE(is_held("app", "NotIn", {"serve", "train"}));
  CHECK(is_held("gone", "NotIn", {"serve"}));
  CHECK_FALSE(is_held("gone", "NotIn"));
}

TEST_CASE("Exists and DoesNotExist have no values") {
  CHECK(is_held("app", "Exists"));
  CHECK_FALSE(is_held("gone", "Exists"));
  CHECK_FALSE(is_held("app", "Exists", {"train"}));
  CHECK(is_held("gone", "DoesNotExist"));
  CHECK_FALSE(is_held("app", "DoesNotExist"));
  CHECK_FALSE(is_held("gone", "DoesNotExist", {"x"}));
  CHECK_FALSE(is_held("app", "Is", {"train"}));
  CHECK_FALSE(is_held("app", "Is"));
}

TEST_CASE("Gt and Lt compare whole numbers, with one bound") {
  CHECK(is_held("size", "Gt", {"7"}));
  CHECK(is_held("size", "Gt", {"+7"}));
  CHECK_FALSE(is_held("size", "Gt", {"8"}));
  CHECK(is_held("size", "Lt", {"9"}));
  CHECK_FALSE(is_held("size", "Lt", {"8"}));
  CHECK_FALSE(is_held("size", "Lt"));
  CHECK_FALSE(is_held("size", "Lt", {"9", "10"}));
  CHECK_FALSE(is_held("size", "Lt", {"many"}));
  CHECK_FALSE(is_held("app", "Lt", {"9"}));
  CHECK_FALSE(is_held("odd", "Lt", {"9"}));
  CHECK_FALSE(is_held("gone", "Lt", {"9"}));
}

TEST_CASE("a term needs all of its expressions and fields; an empty one matches no node") {
  const Node node{.name = "n1", .labels = kLabels};
  const Requirement right{"app", "Exists", {}};
  const Requirement wrong{"gone", "Exists", {}};
  const auto field = [](const char* key, const char* op, std::vector<std::string> values) {
    return NodeSelectorTerm{.expressions = {}, .fields = {{key, op, std::move(values)}}};
  };
  CHECK_FALSE(matches(NodeSelectorTerm{}, node));
  CHECK(matches(NodeSelectorTerm{{right}, {}}, node));
  CHECK_FALSE(matches(NodeSelectorTerm{{right, wrong}, {}}, node));
  CHECK(matches(field("metadata.name", "In", {"n1"}), node));
  CHECK_FALSE(matches(field("metadata.name", "In", {"n2"}), node));
  CHECK_FALSE(matches(field("metadata.name", "In", {"n1", "n2"}), node));
  CHECK(matches(field("metadata.name", "NotIn", {"n2"}), node));
  CHECK_FALSE(matches(field("metadata.name", "NotIn", {"n1"}), node));
  CHECK_FALSE(matches(field("metadata.name", "Exists", {"n2"}), node));
  CHECK_FALSE(matches(field("name", "In", {"n1"}), node));
  CHECK_FALSE(matches(NodeSelectorTerm{{wrong}, {{"metadata.name", "In", {"n1"}}}}, node));
  CHECK_FALSE(matches(NodeSelector{}, node));
  CHECK(matches(NodeSelector{{{wrong}, {}}, {{right}, {}}}, node));
}

TEST_CASE("a label selector needs all of its labels and expressions, which do not compare") {
  CHECK(matches(ObjectSelector{}, kLabels));
  CHECK(matches(ObjectSelector{{{"app", "train"}}, {{"size", "Exists", {}}}}, kLabels));
  CHECK_FALSE(matches(ObjectSelector{{{"app", "serve"}}, {}}, kLabels));
  CHECK_FALSE(matches(ObjectSelector{{{"gone", ""}}, {}}, kLabels));
  CHECK_FALSE(matches(ObjectSelector{{{"app", "train"}}, {{"gone", "Exists", {}}}}, kLabels));
  CHECK_FALSE(matches(ObjectSelector{{}, {{"size", "Gt", {"7"}}}}, kLabels));
  CHECK_FALSE(matches(ObjectSelector{{}, {{"size", "Lt", {"9"}}}}, kLabels));
}

}  // namespace gpu::objects_selector_test
