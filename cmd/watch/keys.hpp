#pragma once

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
};

/// The keys in what was typed; others are passed over. What may be the start of a key stays in
/// `typed`.
std::vector<Key> take_keys(std::string& typed);

}  // namespace gpu::cmd
