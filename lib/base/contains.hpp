#pragma once

#include <string_view>

namespace gpu {

/// Whether `part` stands anywhere in `text`.
constexpr bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace gpu
