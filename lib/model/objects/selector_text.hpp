#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/objects/selector.hpp"

namespace gpu {

/// A requirement as kubectl's -l has it: "app=train", "tier in (a,b)", "!gpu".
std::string text_of(const Requirement& requirement);

/// A label selector in the same words: "app=train, tier!=web"; empty for one that takes all.
std::string text_of(const ObjectSelector& selector);

/// All that a term of a node selector asks for.
std::string text_of(const NodeSelectorTerm& term);

/// "key=value:Effect", without "=" where there is no value.
std::string text_of(const Taint& taint);

/// What tells most of a label's key: "zone" of "topology.kubernetes.io/zone".
std::string_view last_part(std::string_view key);

/// Names for a sentence: "a", "a and b", "a, b and 3 more"; at most three of them.
std::string names_text(const std::vector<std::string>& names);

}  // namespace gpu
