#include "cmd/watch/keys.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace gpu::cmd {
namespace {

constexpr char kEscape = '\x1b';

constexpr std::array kViewKeys = {Key::view_1, Key::view_2, Key::view_3, Key::view_4, Key::view_5};

std::optional<Key> key_of(char character) {
  if (character >= '1' && character < static_cast<char>('1' + kViewKeys.size()))
    return kViewKeys[static_cast<std::size_t>(character - '1')];
  switch (character) {
    case 'q':
      return Key::quit;
    case ' ':
      return Key::pause;
    case 's':
      return Key::next_sort;
    case 'S':
      return Key::previous_sort;
    case 'r':
      return Key::reverse;
    case '?':
    case 'h':
      return Key::help;
    case 'k':
      return Key::up;
    case 'j':
      return Key::down;
    case 'g':
      return Key::home;
    case 'G':
      return Key::end;
    default:
      return std::nullopt;
  }
}

/// A sequence without its ESC: `[A` in the normal mode of cursor keys, `OA` in the other.
std::optional<Key> key_of(std::string_view sequence) {
  static constexpr std::array<std::pair<std::string_view, Key>, 14> kSequences = {
      {{"[A", Key::up},
       {"[B", Key::down},
       {"[5~", Key::page_up},
       {"[6~", Key::page_down},
       {"[H", Key::home},
       {"[F", Key::end},
       {"[1~", Key::home},
       {"[4~", Key::end},
       {"[7~", Key::home},
       {"[8~", Key::end},
       {"OA", Key::up},
       {"OB", Key::down},
       {"OH", Key::home},
       {"OF", Key::end}}};
  const auto* const found = std::find_if(kSequences.begin(), kSequences.end(),
                                         [&](const auto& one) { return one.first == sequence; });
  return found == kSequences.end() ? std::nullopt : std::optional(found->second);
}

/// The length of the sequence after an ESC; nothing while it is not whole.
std::optional<std::size_t> sequence_length(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.front() == 'O') return text.size() > 1 ? std::optional<std::size_t>(2) : std::nullopt;
  if (text.front() != '[') return 0;  // ESC alone, or Alt with a key
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i] >= '@' && text[i] <= '~') return i + 1;
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> view_number(Key key) {
  const auto* const found = std::find(kViewKeys.begin(), kViewKeys.end(), key);
  if (found == kViewKeys.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kViewKeys.begin());
}

std::vector<Key> take_keys(std::string& typed) {
  // No key is that long: a sequence without an end is passed over.
  constexpr std::size_t kLongest = 32;
  std::vector<Key> keys;
  std::string_view rest = typed;
  while (!rest.empty()) {
    std::optional<Key> key;
    if (rest.front() == kEscape) {
      const std::optional<std::size_t> length = sequence_length(rest.substr(1));
      if (!length && rest.size() < kLongest) break;
      key = key_of(rest.substr(1, length.value_or(0)));
      rest.remove_prefix(1 + length.value_or(0));
    } else {
      key = key_of(rest.front());
      rest.remove_prefix(1);
    }
    if (key) keys.push_back(*key);
  }
  typed = std::string(rest);
  return keys;
}

}  // namespace gpu::cmd
