#include "model/objects/selector.hpp"

#include <algorithm>
#include <cstdint>

#include "base/ascii.hpp"

namespace gpu {
namespace {

/// As strconv.ParseInt reads it: a plus is allowed.
std::optional<std::int64_t> parsed(std::string_view text) {
  if (text.starts_with("+-")) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  return whole_number(text);
}

bool is_one_of(const std::vector<std::string>& values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// `label` on the left side of Gt or Lt, `bound` on the right.
bool compares(std::string_view op, std::string_view label, std::string_view bound) {
  const auto left = parsed(label);
  const auto right = parsed(bound);
  if (!left || !right) return false;
  return op == "Gt" ? *left > *right : *left < *right;
}

/// apimachinery's labels.NewRequirement refuses others, and a term with a refused one is no match.
bool has_right_values(const Requirement& requirement) {
  const std::size_t count = requirement.values.size();
  if (requirement.op == "In" || requirement.op == "NotIn") return count > 0;
  if (requirement.op == "Exists" || requirement.op == "DoesNotExist") return count == 0;
  if (requirement.op == "Gt" || requirement.op == "Lt")
    return count == 1 && parsed(requirement.values[0]).has_value();
  return false;
}

bool field_holds(const Requirement& requirement, const Node& node) {
  if (requirement.values.size() != 1) return false;
  const bool is_equal = requirement.key == "metadata.name" && requirement.values[0] == node.name;
  if (requirement.op == "In") return is_equal;
  return requirement.op == "NotIn" && !is_equal;
}

}  // namespace

bool holds(const Requirement& requirement, const StringMap& labels) {
  if (!has_right_values(requirement)) return false;
  const std::string* const label = labels.find(requirement.key);
  if (requirement.op == "In") return label != nullptr && is_one_of(requirement.values, *label);
  if (requirement.op == "NotIn") return label == nullptr || !is_one_of(requirement.values, *label);
  if (requirement.op == "Exists") return label != nullptr;
  if (requirement.op == "DoesNotExist") return label == nullptr;
  return label != nullptr && compares(requirement.op, *label, requirement.values[0]);
}

bool matches(const NodeSelectorTerm& term, const Node& node) {
  if (term.expressions.empty() && term.fields.empty()) return false;
  return std::all_of(term.expressions.begin(), term.expressions.end(),
                     [&](const Requirement& each) { return holds(each, node.labels); }) &&
         std::all_of(term.fields.begin(), term.fields.end(),
                     [&](const Requirement& each) { return field_holds(each, node); });
}

bool matches(const NodeSelector& selector, const Node& node) {
  return std::any_of(selector.begin(), selector.end(),
                     [&](const NodeSelectorTerm& term) { return matches(term, node); });
}

bool matches(const ObjectSelector& selector, const StringMap& labels) {
  const auto holds_here = [&](const Requirement& each) {
    return each.op != "Gt" && each.op != "Lt" && holds(each, labels);
  };
  for (const auto& [key, value] : selector.labels) {
    const std::string* const label = labels.find(key);
    if (label == nullptr || *label != value) return false;
  }
  return std::all_of(selector.expressions.begin(), selector.expressions.end(), holds_here);
}

}  // namespace gpu
