#pragma once

#include <string_view>
#include <vector>

namespace gpu {

/// The parts of `text` between separators, empty ones too: "a,,b" has three, "" has one. They refer
/// to `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace gpu
