#include "model/objects/selector_text.hpp"

#include <algorithm>

namespace gpu {

std::string text_of(const Requirement& requirement) {
  if (requirement.op == "Exists") return requirement.key;
  if (requirement.op == "DoesNotExist") return "!" + requirement.key;
  std::string values;
  for (const std::string& value : requirement.values) values += (values.empty() ? "" : ",") + value;
  const bool is_one = requirement.values.size() == 1;
  if (requirement.op == "In")
    return requirement.key + (is_one ? "=" + values : " in (" + values + ")");
  if (requirement.op == "NotIn")
    return requirement.key + (is_one ? "!=" + values : " notin (" + values + ")");
  return requirement.key + (requirement.op == "Gt" ? ">" : "<") + values;
}

std::string text_of(const ObjectSelector& selector) {
  std::string text;
  for (const auto& [key, value] : selector.labels)
    text += (text.empty() ? "" : ", ") + key + "=" + value;
  for (const Requirement& each : selector.expressions)
    text += (text.empty() ? "" : ", ") + text_of(each);
  return text;
}

std::string text_of(const NodeSelectorTerm& term) {
  std::string text;
  for (const auto* list : {&term.expressions, &term.fields})
    for (const Requirement& requirement : *list)
      text += (text.empty() ? "" : ", ") + text_of(requirement);
  return text;
}

std::string text_of(const Taint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

std::string_view last_part(std::string_view key) { return key.substr(key.rfind('/') + 1); }

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  const std::size_t shown = names.size() > kMost ? kMost - 1 : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  const std::size_t more = names.size() - shown;
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

}  // namespace gpu
