#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::scheduler {

/// A token of a CEL expression.
struct CelToken {
  enum class Kind : std::uint8_t { identifier, integer, text, sign, end };
  Kind kind = Kind::end;
  std::string text;  ///< an operator as it is written ("&&"), a string without quotes and escapes
  std::uint64_t value = 0;  ///< of an integer, without its minus
};

/// The tokens of `source`, the last of which is `end`; nothing if a kind of token is not supported
/// here: numbers that are not int, bytes, signs of maps and optionals.
std::optional<std::vector<CelToken>> cel_tokens(std::string_view source);

}  // namespace gpu::scheduler
