#include "cmd/shell/aliases.hpp"

#include <algorithm>
#include <array>

#include "base/split.hpp"
#include "base/text.hpp"

namespace gpu::cmd {
namespace {

struct Alias {
  std::string_view word;
  std::string_view stands_for;
};

/// Help names none of them: each command has one name there.
constexpr std::array<Alias, 22> kAliases = {{{"why", "why-pending"},
                                             {"pending", "why-pending"},
                                             {"why-pod", "why-pending"},
                                             {"waiting", "why-pending"},
                                             {"nodes", "top nodes"},
                                             {"node", "top nodes"},
                                             {"no", "top nodes"},
                                             {"pods", "top pods"},
                                             {"pod", "top pods"},
                                             {"po", "top pods"},
                                             {"gpus", "top gpus"},
                                             {"gpu", "top gpus"},
                                             {"models", "top models"},
                                             {"model", "top models"},
                                             {"namespaces", "top namespaces"},
                                             {"namespace", "top namespaces"},
                                             {"ns", "top namespaces"},
                                             {"free", "top --free"},
                                             {"idle", "top pods --sort-by idle"},
                                             {"waste", "cost pods --sort-by idle"},
                                             {"price", "cost models"},
                                             {"prices", "cost models"}}};

}  // namespace

std::vector<std::string> without_alias(std::vector<std::string> words, std::size_t at) {
  if (at >= words.size()) return words;
  const auto alias = std::find_if(kAliases.begin(), kAliases.end(),
                                  [&](const Alias& each) { return each.word == words[at]; });
  if (alias == kAliases.end()) return words;
  const auto place = words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<std::string> meant;
  for (const std::string_view word : split(alias->stands_for, ' ')) meant.emplace_back(word);
  words.insert(place, meant.begin(), meant.end());
  return words;
}

std::optional<std::string> nearest_alias(std::string_view word) {
  std::array<std::string_view, kAliases.size()> names;
  std::transform(kAliases.begin(), kAliases.end(), names.begin(),
                 [](const Alias& each) { return each.word; });
  const auto nearest = nearest_name(word, names);
  if (!nearest) return std::nullopt;
  const auto* const alias = std::find_if(kAliases.begin(), kAliases.end(),
                                         [&](const Alias& each) { return each.word == *nearest; });
  return std::string(alias->stands_for);
}

}  // namespace gpu::cmd
