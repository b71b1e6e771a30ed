#include "decode/wire/path.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace gpu::decode {

std::string text_of(const Path& path) {
  std::string text = path.parent == nullptr ? std::string{} : text_of(*path.parent);
  if (!text.empty() && !path.name.empty()) text += '.';
  text += path.name;
  if (path.index) text += fmt::format("[{}]", *path.index);
  return text;
}

void fail(const Path& path, std::string_view problem) {
  const std::string where = text_of(path);
  throw Error(ErrorKind::data,
              where.empty() ? std::string(problem) : fmt::format("{}: {}", where, problem));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  return text.size() <= kLongest ? fmt::format("\"{}\"", text)
                                 : fmt::format("\"{}...\"", text.substr(0, kLongest));
}

}  // namespace gpu::decode
