#pragma once

#include <algorithm>
#include <set>
#include <string_view>

namespace gpu::decode {

/// Words of one literal, separated by blanks.
class WordSet {
 public:
  /// Refers to `text`.
  explicit WordSet(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      words_.insert(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  [[nodiscard]] bool has(std::string_view word) const { return words_.contains(word); }
  /// Whether `text` starts with one of the words.
  [[nodiscard]] bool starts(std::string_view text) const {
    return std::any_of(words_.begin(), words_.end(),
                       [&](std::string_view word) { return text.starts_with(word); });
  }
  [[nodiscard]] const std::set<std::string_view>& words() const { return words_; }

 private:
  std::set<std::string_view> words_;
};

}  // namespace gpu::decode
