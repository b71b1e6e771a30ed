#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "lint/rules/subject.hpp"

// What the checks of objects read values with. Nothing here throws on odd input.
namespace gpu::lint {

inline std::optional<std::int64_t> integer_of(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  // What is above the range of the type is no number that a field can have.
  if (value.is_number_unsigned() && value.get<std::uint64_t>() >> 63 != 0) return std::nullopt;
  return value.get<std::int64_t>();
}

inline std::optional<std::int64_t> integer_at(const json& object, const char* pointer) {
  return integer_of(value_at(object, Pointer(pointer)));
}

/// The list there; an empty one where there is none.
inline const json& list_at(const json& object, const char* pointer) {
  static const json kNone = json::array();
  const json& found = value_at(object, Pointer(pointer));
  return found.is_array() ? found : kNone;
}

/// The map there; an empty one where there is none.
inline const json& map_at(const json& object, const char* pointer) {
  static const json kNone = json::object();
  const json& found = value_at(object, Pointer(pointer));
  return found.is_object() ? found : kNone;
}

inline bool is_one_of(std::string_view word, std::span<const std::string_view> choices) {
  return std::find(choices.begin(), choices.end(), word) != choices.end();
}

/// The choice that `word` may have been meant for: another letter case of it, or a slip.
inline std::optional<std::string_view> meant(std::string_view word,
                                             std::span<const std::string_view> choices) {
  for (const std::string_view each : choices)
    if (equal_ignoring_case(word, each)) return each;
  return nearest_name(word, choices);
}

/// "Never, OnFailure or Always".
inline std::string one_of(std::span<const std::string_view> choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  return text;
}

/// The nearest choice, or all of them.
inline std::string write_one(std::string_view word, std::span<const std::string_view> choices) {
  if (const auto near = meant(word, choices)) return "write " + std::string(*near);
  return "write " + one_of(choices);
}

/// Sets the nearest choice; nothing where none is near.
inline std::optional<Edit> set_nearest(std::string_view word,
                                       std::span<const std::string_view> choices,
                                       const Pointer& at) {
  if (const auto near = meant(word, choices)) return Edit{Edit::Kind::set, at, std::string(*near)};
  return std::nullopt;
}

/// A DNS-1035 label, whatever its length.
inline bool is_dns_1035(std::string_view name) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && is_small(name.front()) && name.back() != '-' &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_small(c) || is_digit(c) || c == '-'; });
}

/// Calls `on_container` with each container of a pod's spec that stands at `at`.
template <class OnContainer>
void for_each_container_in(const ObjectSubject& owner, const json& spec, const Pointer& at,
                           OnContainer on_container) {
  if (!spec.is_object()) return;
  const decode::PodTemplate made;
  for_each_container(PodSubject{.owner = owner, .made = made, .spec = spec, .spec_at = at},
                     on_container);
}

/// The GPUs of a pod's spec.
inline std::int64_t gpus_in(const ObjectSubject& owner, const json& spec) {
  std::int64_t sum = 0;
  for_each_container_in(owner, spec, Pointer(), [&](const ContainerSubject& each) {
    sum = capped_sum(sum, gpus_of(each));
  });
  return sum;
}

}  // namespace gpu::lint
