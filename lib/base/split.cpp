#include "base/split.hpp"

#include <algorithm>
#include <cstddef>

namespace gpu {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string> words_in(std::span<const std::string> lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists)
    for (const std::string_view word : split(list, ','))
      if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
        words.emplace_back(word);
  return words;
}

}  // namespace gpu
