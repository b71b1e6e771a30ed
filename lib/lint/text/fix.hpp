#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::lint {

/// A text after its mechanical findings were mended.
struct FixedText {
  std::string text;
  std::size_t mended = 0;  ///< findings that are gone
  std::vector<std::string>
      refused;  ///< ids of rules whose fix would have changed more than it says
};

/// Mends all findings of lint_text() that have an edit, and nothing else: comments, order and
/// layout stay. Each edit is tried: what is read again must be the old value with that change
/// alone, else the text stays as it was. JSON is left as it is.
FixedText fixed_text(std::string_view text);

}  // namespace gpu::lint
