#include "decode/objects/selector.hpp"

#include <vector>

#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

/// NodeSelectorRequirement and LabelSelectorRequirement have the same fields.
Requirement requirement_from_protobuf(std::string_view message) {
  Requirement requirement;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        requirement.key = string_of(fields);
        break;
      case bytes_field(2):
        requirement.op = string_of(fields);
        break;
      case bytes_field(3):
        requirement.values.push_back(string_of(fields));
        break;
      default:
        fields.skip();
    }
  }
  return requirement;
}

std::vector<Requirement> requirements_in(const JsonObject& object, std::string_view list) {
  std::vector<Requirement> requirements;
  object.each(list, [&](const JsonObject& each) {
    requirements.push_back({each.text("key"), each.text("operator"), each.texts("values")});
  });
  return requirements;
}

}  // namespace

NodeSelectorTerm node_term_from_json(const JsonObject& term) {
  return {requirements_in(term, "matchExpressions"), requirements_in(term, "matchFields")};
}

NodeSelectorTerm node_term_from_protobuf(std::string_view message) {
  NodeSelectorTerm term;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        term.expressions.push_back(requirement_from_protobuf(bytes_of(fields)));
        break;
      case bytes_field(2):
        term.fields.push_back(requirement_from_protobuf(bytes_of(fields)));
        break;
      default:
        fields.skip();
    }
  }
  return term;
}

NodeSelector node_selector_from_json(const JsonObject& selector) {
  NodeSelector terms;
  selector.each("nodeSelectorTerms",
                [&](const JsonObject& term) { terms.push_back(node_term_from_json(term)); });
  return terms;
}

NodeSelector node_selector_from_protobuf(std::string_view message) {
  NodeSelector terms;
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() == bytes_field(1))
      terms.push_back(node_term_from_protobuf(bytes_of(fields)));
    else
      fields.skip();
  }
  return terms;
}

ObjectSelector object_selector_from_json(const JsonObject& selector) {
  return {selector.strings("matchLabels"), requirements_in(selector, "matchExpressions")};
}

ObjectSelector object_selector_from_protobuf(std::string_view message) {
  ObjectSelector selector;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        add_string(selector.labels, bytes_of(fields));
        break;
      case bytes_field(2):
        selector.expressions.push_back(requirement_from_protobuf(bytes_of(fields)));
        break;
      default:
        fields.skip();
    }
  }
  return selector;
}

std::optional<ObjectSelector> object_selector_in(const JsonObject& object, std::string_view name) {
  const std::optional<JsonObject> selector = object.object(name);
  if (!selector) return std::nullopt;
  return object_selector_from_json(*selector);
}

}  // namespace gpu::decode
