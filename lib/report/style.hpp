#pragma once

#include <cstddef>
#include <optional>

namespace gpu::report {

/// The forms of -o; text is the one without it.
enum class Format { text, wide, json, yaml, csv, name };

/// What a stream can show.
struct Style {
  std::optional<std::size_t> width;  ///< columns of the terminal; nothing: not a terminal
  bool color = false;
  bool utf8 = false;
  bool headers = true;  ///< false with --no-headers
};

}  // namespace gpu::report
