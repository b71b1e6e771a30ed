#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpu {

/// The parts of `text` between separators, empty ones too: "a,,b" has three, "" has one. They refer
/// to `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The words in "a,b" and "c", each once: values of a flag that takes a list and may be repeated.
std::vector<std::string> words_in(std::span<const std::string> lists);

}  // namespace gpu
