#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "decode/wire/list_framer.hpp"

namespace gpu::fuzz {

/// Stops the fuzzer with a finding unless `property` holds.
inline void require(bool property, const char* what) {
  if (property) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The message of the Error{data} that `run` throws, or an empty text. Any other exception is a
/// finding: it ends the program.
template <class Run>
std::string error_of(Run run) {
  try {
    run();
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data, "errors in what is read are of the kind data");
    require(!error.message().empty(), "an error has a message");
    return error.message();
  }
  return {};
}

/// What a framer makes of `body`, fed in parts of `part` bytes: its items, header, and error.
inline std::string framed(decode::Wire wire, std::string_view body, std::size_t part) {
  const decode::FrameLimits limits{.item_bytes = 1024, .list_bytes = 65'536};
  std::string result;
  decode::ListFramer framer(
      wire,
      [&](std::string_view item) {
        result += item;
        result += '\n';
      },
      limits);
  const std::string error = error_of([&] {
    for (std::size_t at = 0; at < body.size(); at += part) {
      // On the heap and exact, so that the sanitizer sees a look beyond it.
      const std::string_view piece = body.substr(at, part);
      const std::unique_ptr<char[]> copy(new char[piece.size()]);
      piece.copy(copy.get(), piece.size());
      framer.feed({copy.get(), piece.size()});
    }
    framer.finish();
  });
  return result + "|" + framer.kind() + "|" + framer.resource_version() + "|" +
         framer.continue_token() + "|" + error;
}

/// Every chunking gives the same; the first byte of an input says which one is tried.
inline void require_same_when_cut(decode::Wire wire, std::string_view body, std::uint8_t choice) {
  const std::string whole = framed(wire, body, body.size() + 1);
  require(framed(wire, body, choice % 67U + 1U) == whole,
          "a list reads the same however it is cut");
}

}  // namespace gpu::fuzz
