#pragma once

#include <optional>
#include <string_view>

#include "decode/wire/json_fields.hpp"
#include "model/objects/selector.hpp"

namespace gpu::decode {

/// A core/v1 NodeSelector. Both forms give the same.
NodeSelector node_selector_from_json(const JsonObject& selector);
NodeSelector node_selector_from_protobuf(std::string_view message);

/// One of its terms. Both forms give the same.
NodeSelectorTerm node_term_from_json(const JsonObject& term);
NodeSelectorTerm node_term_from_protobuf(std::string_view message);

/// A meta/v1 LabelSelector. Both forms give the same.
ObjectSelector object_selector_from_json(const JsonObject& selector);
ObjectSelector object_selector_from_protobuf(std::string_view message);

/// The LabelSelector that is the member `name` of `object`; nothing when absent.
std::optional<ObjectSelector> object_selector_in(const JsonObject& object, std::string_view name);

}  // namespace gpu::decode
