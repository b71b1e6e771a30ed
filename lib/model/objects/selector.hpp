#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"
#include "model/objects/node.hpp"

namespace gpu {

/// One entry of matchExpressions or matchFields, as the API has it.
struct Requirement {
  std::string key;
  std::string op;  ///< `operator`: In, NotIn, Exists, DoesNotExist; of nodes Gt and Lt, too
  std::vector<std::string> values;
  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// One entry of nodeSelectorTerms: all of it must hold. An empty one matches nothing.
struct NodeSelectorTerm {
  std::vector<Requirement> expressions;  ///< on labels
  std::vector<Requirement> fields;       ///< on metadata.name
  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

/// A core/v1 NodeSelector: one of its terms must hold.
using NodeSelector = std::vector<NodeSelectorTerm>;

/// A meta/v1 LabelSelector. An empty one matches every object.
struct ObjectSelector {
  StringMap labels;  ///< matchLabels
  std::vector<Requirement> expressions;
  friend bool operator==(const ObjectSelector&, const ObjectSelector&) = default;
};

/// Whether one requirement of a node selector holds for labels, by component-helpers' nodeaffinity:
/// NotIn and DoesNotExist hold where the label is absent; Gt and Lt compare 64-bit decimals. What
/// cannot be parsed does not hold.
bool holds(const Requirement& requirement, const StringMap& labels);

/// Whether a term holds for a node.
bool matches(const NodeSelectorTerm& term, const Node& node);

/// Whether any term does. A selector without terms matches no node.
bool matches(const NodeSelector& selector, const Node& node);

/// Whether a label selector matches an object's labels, by apimachinery's LabelSelectorAsSelector.
/// One that cannot be parsed matches nothing.
bool matches(const ObjectSelector& selector, const StringMap& labels);

}  // namespace gpu
