// A body in protobuf: cut into items, each read as a node and as a pod.
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "fuzz.hpp"
#include "model/snapshot/requests.hpp"

using gpu::decode::Wire;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body = gpu::fuzz::text_of(data + 1, size - 1);
  gpu::fuzz::require_same_when_cut(Wire::protobuf, body, data[0]);
  gpu::decode::ListFramer framer(Wire::protobuf, [](std::string_view item) {
    gpu::fuzz::error_of([&] { gpu::decode::node_from_protobuf(item); });
    gpu::fuzz::error_of([&] { gpu::effective_requests(gpu::decode::pod_from_protobuf(item)); });
  });
  gpu::fuzz::error_of([&] { framer.feed(body); });
  return 0;
}
