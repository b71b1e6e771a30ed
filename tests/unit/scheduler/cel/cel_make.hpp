#pragma once

#include <string>
#include <vector>

#include "scheduler/cel/value.hpp"

/// CEL values as text, so that a test compares whole answers.
namespace gpu::make {

/// "true", "7", "'x'", "[1, 2]", a CEL error's text, "not understood".
inline std::string shown(const scheduler::CelValue& value) {
  using scheduler::CelError;
  if (const auto* error = value.as<CelError>())
    return error->kind == CelError::Kind::runtime ? error->text : "not understood";
  if (const auto* truth = value.as<bool>()) return *truth ? "true" : "false";
  if (const auto* number = value.as<std::int64_t>()) return std::to_string(*number);
  if (const auto* text = value.as<std::string>()) return "'" + *text + "'";
  if (const auto* amount = value.as<Quantity>())
    return "quantity " + std::to_string(amount->value());
  if (const auto* version = value.as<scheduler::CelVersion>())
    return "version " + std::to_string(version->major()) + "." + std::to_string(version->minor()) +
           "." + std::to_string(version->patch());
  if (const auto* list = value.as<scheduler::CelList>()) {
    std::string text;
    for (const scheduler::CelValue& each : **list) text += (text.empty() ? "" : ", ") + shown(each);
    return "[" + text + "]";
  }
  const auto* map = value.as<scheduler::CelMap>();
  return map == nullptr ? "device" : "map of " + map->domain.value_or("all");
}

inline scheduler::CelValue text(std::string text) { return {std::move(text)}; }
inline scheduler::CelValue number(std::int64_t number) { return {number}; }
inline scheduler::CelValue amount(std::string_view text) { return {*Quantity::parse(text)}; }
inline scheduler::CelValue version(std::string_view text) {
  return {*scheduler::CelVersion::parse(text)};
}
inline scheduler::CelValue list(std::vector<scheduler::CelValue> values) {
  return {std::make_shared<const std::vector<scheduler::CelValue>>(std::move(values))};
}

}  // namespace gpu::make
