#include "base/phrase.hpp"

#include <fmt/format.h>

namespace gpu {

std::string listed(std::span<const std::string_view> names, std::string_view word) {
  if (names.size() < 2) return joined(names);
  const std::string last = fmt::format("{} {}", word, names.back());
  const bool is_pair = names.size() == 2;
  return joined(names.first(names.size() - 1)) + (is_pair ? " " : ", ") + last;
}

std::string counted(std::int64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace gpu
