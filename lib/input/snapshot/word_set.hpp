#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace gpu::input {

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
  /// What stands in `text` behind the longest of the words that it starts with.
  [[nodiscard]] std::optional<std::string_view> behind(std::string_view text) const {
    std::optional<std::string_view> rest;
    for (const std::string_view word : words_)
      if (text.starts_with(word) && (!rest || text.size() - word.size() < rest->size()))
        rest = text.substr(word.size());
    return rest;
  }
  [[nodiscard]] const std::set<std::string_view>& words() const { return words_; }

 private:
  std::set<std::string_view> words_;
};

}  // namespace gpu::input
