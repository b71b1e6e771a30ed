#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpu {

/// One code point and the bytes that it takes.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  ///< bytes; 0 only for empty text
  bool is_broken = false;
};

/// The code point that `text` starts with. Broken UTF-8 gives U+FFFD and the length of the longest
/// part that could have become one (Unicode 15, table 3-7 and conformance rule D93b).
CodePoint first_code_point(std::string_view text);

/// Whether a reader cannot see it, or a terminal may obey it: controls, bidi marks, zero-width
/// characters, line separators, variation selectors, tags.
bool is_invisible(char32_t code_point);

/// Columns that `text` takes on a terminal: wide East Asian characters are 2, combining and
/// zero-width ones 0. `text` should be clean (see sanitize); invalid UTF-8 bytes count 1 each.
std::size_t display_width(std::string_view text);

/// `text` made safe for a terminal: control characters, escape codes, bidi marks, zero-width
/// characters and broken UTF-8 become visible escapes (`\x1b`, `\u202e`, ...), newline becomes
/// `\n`. So do combining marks with nothing before them to combine with, or more than four. No
/// secret of ours is left in it (base/secrets.hpp).
std::string sanitize(std::string_view text);

/// `text` with every broken UTF-8 sequence replaced by U+FFFD: what JSON may carry.
std::string valid_utf8(std::string_view text);

/// `text` in at most `width` columns, its middle replaced by `ellipsis` ("llama-pre…in-0").
std::string shorten_middle(std::string_view text, std::size_t width, std::string_view ellipsis);

/// `text` in at most `width` columns, its end replaced by `ellipsis`, between words where one of
/// its last ones ends: "Kueue has not…".
std::string shorten_end(std::string_view text, std::size_t width, std::string_view ellipsis);

/// The lines of `text`, as views into it; a line end at its end starts no further one.
std::vector<std::string_view> lines_of(std::string_view text);

/// `word` as sh reads it back: as it is where nothing in it is special, else in single quotes. What
/// no object can be called is not repeated, and `NAME` stands for it: a leading dash, which a
/// command would take for an option (`kubectl delete pod --all`), and control characters.
std::string shell_quoted(std::string_view word);

/// The choice closest to `word` if it is close enough to have been meant (transpositions count
/// one edit). Nothing otherwise.
std::optional<std::string_view> nearest_name(std::string_view word,
                                             std::span<const std::string_view> choices);

}  // namespace gpu
