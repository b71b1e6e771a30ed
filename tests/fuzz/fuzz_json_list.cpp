// A body in JSON: cut into items, each read as a node and as a pod.
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "decode/wire/json_item.hpp"
#include "fuzz.hpp"
#include "model/snapshot/requests.hpp"

using gpu::decode::Wire;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body = gpu::fuzz::text_of(data + 1, size - 1);
  gpu::fuzz::require_same_when_cut(Wire::json, body, data[0]);
  std::string joined;
  std::size_t items = 0;
  gpu::decode::ListFramer framer(Wire::json, [&](std::string_view item) {
    ++items;
    joined += (joined.empty() ? "" : ",") + std::string(item);
    gpu::fuzz::error_of([&] {
      const nlohmann::json object = gpu::decode::json_item(item);
      gpu::fuzz::require(object.is_object(), "an item is an object");
      gpu::fuzz::error_of([&] { gpu::decode::node_from_json(object); });
      gpu::fuzz::error_of([&] { gpu::effective_requests(gpu::decode::pod_from_json(object)); });
    });
  });
  const std::string error = gpu::fuzz::error_of([&] {
    framer.feed(body);
    framer.finish();
  });
  // What nlohmann takes for a list, the framer takes for one, with as many items.
  const auto list = nlohmann::json::parse(body, nullptr, false);
  if (error.empty() && list.is_object() && list.contains("items") && list["items"].is_array())
    gpu::fuzz::require(list["items"].size() == items, "no item is lost");
  return 0;
}
