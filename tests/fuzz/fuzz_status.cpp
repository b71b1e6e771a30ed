// The body of an answer that may hold a Status.
#include "decode/objects/status.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body = gpu::fuzz::text_of(data, size);
  const auto status = gpu::decode::status_from_body(body);
  if (status)
    gpu::fuzz::require(status->retry_after_seconds != 0, "no seconds to wait are none, not zero");
  return 0;
}
