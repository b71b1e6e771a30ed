#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gpu {

/// What became of a base64 text.
struct Base64Result {
  std::string bytes;
  /// Where the text went wrong, counted from 0 as Go counts (CorruptInputError).
  std::optional<std::size_t> error_at;
  [[nodiscard]] bool ok() const { return !error_at; }
};

/// Decodes as Go's base64.StdEncoding does: `\r` and `\n` are skipped anywhere, any other character
/// outside the alphabet is an error, padding is required.
Base64Result decode_base64(std::string_view text);

/// Base64 with padding, on one line.
std::string encode_base64(std::string_view bytes);

/// Decodes the URL alphabet without padding, as a JSON Web Token has it. Nothing when broken.
std::optional<std::string> decode_base64_url(std::string_view text);

}  // namespace gpu
