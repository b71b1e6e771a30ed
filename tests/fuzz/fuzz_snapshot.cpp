// A snapshot file: its objects trimmed and redacted, and what it says of all of them.
#include "decode/wire/json_item.hpp"
#include "fuzz.hpp"
#include "input/snapshot/envelope.hpp"
#include "input/snapshot/redact.hpp"
#include "input/snapshot/trim.hpp"

namespace {

using Objects = std::vector<nlohmann::json>;

Objects redacted(const Objects& objects) {
  gpu::input::Redactor redactor;
  for (const nlohmann::json& object : objects) redactor.learn(object);
  redactor.settle();
  Objects result;
  for (const nlohmann::json& object : objects) result.push_back(redactor.redacted(object));
  return result;
}

std::string text_member(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Objects objects;
  gpu::decode::ListFramer framer(gpu::decode::Wire::json, [&](std::string_view item) {
    gpu::fuzz::error_of([&] {
      const nlohmann::json object = gpu::decode::json_item(item);
      const std::string version = text_member(object, "apiVersion");
      const std::string kind = text_member(object, "kind");
      auto kept = gpu::input::trimmed(object, version, kind);
      if (!kept) return;
      gpu::fuzz::require(gpu::input::trimmed(*kept, version, kind) == kept,
                         "what was trimmed is trimmed");
      objects.push_back(std::move(*kept));
    });
  });
  gpu::Snapshot snapshot;
  gpu::fuzz::error_of([&] {
    framer.feed(gpu::fuzz::text_of(data, size));
    framer.finish();
    gpu::input::read_envelope(framer, snapshot);
  });
  const Objects once = redacted(objects);
  gpu::fuzz::require(redacted(once) == once, "what was redacted comes out as it is");
  return 0;
}
