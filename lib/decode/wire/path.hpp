#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gpu::decode {

/// Where in an object a reader is. A chain on the stack, written out only when something is wrong.
struct Path {
  const Path* parent = nullptr;
  std::string_view name;  ///< empty for the object itself
  std::optional<std::size_t> index = std::nullopt;
};

/// "spec.containers[2].resources.requests".
std::string text_of(const Path& path);

/// Throws Error{data}: "<path>: <problem>".
[[noreturn]] void fail(const Path& path, std::string_view problem);

/// `text` in quotes, cut to a length that fits into an error line.
std::string in_quotes(std::string_view text);

}  // namespace gpu::decode
