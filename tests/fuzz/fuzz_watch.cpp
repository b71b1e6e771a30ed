// The body of a watch: cut into events, each read as a node and as a pod. Odd first bytes: JSON.
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/watch_framer.hpp"
#include "decode/wire/json_item.hpp"
#include "fuzz.hpp"

using gpu::decode::WatchEvent;
using gpu::decode::Wire;

namespace {

std::string told_of(const WatchEvent& event) {
  std::string told = std::to_string(static_cast<int>(event.type)) + " " + event.resource_version;
  if (event.status) told += " " + event.status->message;
  if (event.object != nullptr) {
    told += gpu::fuzz::error_of([&] { gpu::decode::node_from_json(*event.object); });
    told += gpu::fuzz::error_of([&] { gpu::decode::pod_from_json(*event.object); });
  } else {
    told += gpu::fuzz::error_of([&] { gpu::decode::node_from_protobuf(event.message); });
    told += gpu::fuzz::error_of([&] { gpu::decode::pod_from_protobuf(event.message); });
  }
  return told + "\n";
}

std::string watched(Wire wire, std::string_view body, std::size_t part) {
  std::string told;
  gpu::decode::WatchFramer framer(wire, [&](const WatchEvent& event) { told += told_of(event); },
                                  {.item_bytes = 1024});
  const std::string error = gpu::fuzz::error_of([&] {
    for (std::size_t at = 0; at < body.size(); at += part) {
      // On the heap and exact, so that the sanitizer sees a look beyond it.
      const std::string_view piece = body.substr(at, part);
      const std::unique_ptr<char[]> copy(new char[piece.size()]);
      piece.copy(copy.get(), piece.size());
      framer.feed({copy.get(), piece.size()});
    }
    framer.finish();
  });
  return told + "|" + error;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Wire wire = data[0] % 2 == 0 ? Wire::protobuf : Wire::json;
  const std::string_view body = gpu::fuzz::text_of(data + 1, size - 1);
  gpu::fuzz::require(
      watched(wire, body, data[0] / 2U % 67U + 1U) == watched(wire, body, body.size() + 1),
      "a watch reads the same however it is cut");
  return 0;
}
