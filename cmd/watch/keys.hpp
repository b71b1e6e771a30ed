#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gpu::cmd {

/// What someone at the watch can ask for.
enum class Key {
  quit,
  pause,
  next_sort,
  previous_sort,
  reverse,
  help,
  up,
  down,
  page_up,
  page_down,
  home,
  end,
  view_1,  ///< and the next by their numbers
  view_2,
  view_3,
  view_4,
  view_5,
};

/// Which view a key chooses, from 0 on; nothing for other keys.
std::optional<std::size_t> view_number(Key key);

/// The keys in what was typed; others are passed over. What may be the start of a key stays in
/// `typed`.
std::vector<Key> take_keys(std::string& typed);

}  // namespace gpu::cmd
