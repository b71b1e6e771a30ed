#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpu {

/// "a, b, c", of anything that texts can be read from.
template <class Names>
std::string joined(const Names& names, std::string_view between = ", ") {
  std::string text;
  bool is_first = true;
  for (const std::string_view name : names) {
    if (!is_first) text += between;
    text += name;
    is_first = false;
  }
  return text;
}

/// "a", "a or b", "a, b, or c", where `word` is "or".
std::string listed(std::span<const std::string_view> names, std::string_view word);

/// "a, b, ...": at most `most` of `names`, and "..." where there are more.
template <class Names>
std::string first_few(const Names& names, std::size_t most) {
  if (names.size() <= most) return joined(names);
  return joined(std::span(names).first(most)) + ", ...";
}

/// "a, b and 4 more": at most `most` of `names`.
template <class Names>
std::string few_and_rest(const Names& names, std::size_t most) {
  if (names.size() <= most) return joined(names);
  return joined(std::span(names).first(most)) + " and " + std::to_string(names.size() - most) +
         " more";
}

/// "1 pod waits", "4 pods wait".
std::string counted(std::int64_t number, std::string_view one, std::string_view many);

/// "1 node", "4 nodes": a noun whose plural ends in s.
std::string counted(std::int64_t number, std::string_view noun);

}  // namespace gpu
