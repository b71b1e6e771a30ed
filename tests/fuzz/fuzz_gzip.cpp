// A packed file, or what says that it is one; and any bytes, packed and unpacked again.
#include "base/gzip.hpp"

#include "fuzz.hpp"

namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 20U;

std::string unpacked(std::string_view packed, std::size_t part) {
  std::string text;
  gpu::Gunzip gunzip([&](std::string_view bytes) { text += bytes; }, kMost);
  const std::string error = gpu::fuzz::error_of([&] {
    for (std::size_t at = 0; at < packed.size(); at += part) gunzip.feed(packed.substr(at, part));
    gunzip.finish();
  });
  gpu::fuzz::require(text.size() <= kMost, "no more is unpacked than asked for");
  // Where it broke may be told before or after the bytes of the same part.
  return error.empty() ? text : "broken";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body = gpu::fuzz::text_of(data + 1, size - 1);
  const std::size_t part = data[0] % 67U + 1U;
  gpu::fuzz::require(unpacked(body, part) == unpacked(body, body.size() + 1),
                     "a file unpacks the same however it is cut");
  std::string packed;
  gpu::Gzip gzip([&](std::string_view bytes) { packed += bytes; });
  gzip.feed(body);
  gzip.finish();
  gpu::fuzz::require(unpacked(packed, part) == body, "what was packed unpacks to itself");
  return 0;
}
