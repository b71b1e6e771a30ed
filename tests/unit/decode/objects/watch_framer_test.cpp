#include "decode/objects/watch_framer.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>
#include <vector>

#include "decode/error_of.hpp"

namespace gpu::decode::objects_watch_framer_test {

namespace {

std::string envelope(const std::string& kind, const std::string& message) {
  std::string type_meta;
  protozero::pbf_writer(type_meta).add_string(2, kind);
  std::string unknown = std::string("k8s\0", 4);
  protozero::pbf_writer writer(unknown);
  writer.add_message(1, type_meta);
  writer.add_message(2, message);
  return unknown;
}

std::string frame(const std::string& type, const std::string& object) {
  std::string extension;
  protozero::pbf_writer(extension).add_bytes(1, object);
  std::string event;
  protozero::pbf_writer writer(event);
  writer.add_string(1, type);
  writer.add_message(2, extension);
  std::string length;
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    length += static_cast<char>(event.size() >> shift & 0xFFU);
  return length + event;
}

/// A Pod of that name and version, padded so that lengths take several bytes.
std::string pod(const std::string& name, const std::string& version) {
  std::string metadata;
  protozero::pbf_writer writer(metadata);
  writer.add_string(1, name);
  writer.add_string(4, std::string(300, 'x'));
  writer.add_string(6, version);
  std::string message;
  protozero::pbf_writer(message).add_message(1, metadata);
  return message;
}

std::string gone_status() {
  std::string status;
  protozero::pbf_writer writer(status);
  writer.add_string(2, "Failure");
  writer.add_string(3, "too old resource version: 1 (2)");
  writer.add_string(4, "Expired");
  writer.add_int32(6, 410);
  return status;
}

struct Seen {
  std::vector<std::string> events;
  std::string error;
  friend bool operator==(const Seen&, const Seen&) = default;
};

std::string shown(const WatchEvent& event) {
  std::string text = std::to_string(static_cast<int>(event.type)) + "@" + event.resource_version;
  text += ":" + std::to_string(event.message.size());
  if (event.object != nullptr) text += event.object->at("kind").get<std::string>();
  if (event.status) text += " " + std::to_string(event.status->code);
  return text;
}

Seen seen(Wire wire, const std::string& body, std::size_t part, FrameLimits limits = {}) {
  Seen result;
  result.error = error_of([&] {
    WatchFramer framer(
        wire, [&](const WatchEvent& event) { result.events.push_back(shown(event)); }, limits);
    for (std::size_t at = 0; at < body.size(); at += part) {
      // A copy of its own, so that a look beyond the part is seen by the sanitizer.
      const std::string bytes = body.substr(at, part);
      framer.feed(bytes);
    }
    framer.finish();
  });
  return result;
}

}  // namespace

TEST_CASE("protobuf events come out whole, however the bytes are cut") {
  const std::string first = pod("a", "7");
  const std::string body = frame("ADDED", envelope("Pod", first)) +
                           frame("MODIFIED", envelope("Pod", pod("bb", "9"))) +
                           frame("BOOKMARK", envelope("Pod", pod("", "12"))) +
                           frame("DELETED", envelope("Pod", pod("a", "13"))) +
                           frame("ERROR", envelope("Status", gone_status()));
  const auto size = std::to_string(first.size());
  const Seen whole = seen(Wire::protobuf, body, body.size());
  CHECK(whole.error == "no error");
  CHECK(whole.events ==
        std::vector<std::string>{"0@7:" + size, "1@9:" + std::to_string(first.size() + 1),
                                 "3@12:" + std::to_string(first.size() + 0),
                                 "2@13:" + std::to_string(first.size() + 1), "4@:0 410"});
  for (const std::size_t part : {1U, 3U, 7U, 350U, 1000U})
    CHECK(seen(Wire::protobuf, body, part) == whole);
}

TEST_CASE("JSON events come one a line") {
  const std::string body =
      R"({"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"7"}}})"
      "\n\r\n"
      R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9"}}})"
      "\n"
      R"({"type":"ERROR","object":{"kind":"Status","status":"Failure","code":410}})";
  const Seen whole = seen(Wire::json, body, body.size());
  CHECK(whole.error == "no error");
  CHECK(whole.events == std::vector<std::string>{"0@7:0Pod", "3@9:0Pod", "4@:0Status 410"});
  for (const std::size_t part : {1U, 5U, 90U}) CHECK(seen(Wire::json, body, part) == whole);
}

TEST_CASE("what is no watch is refused") {
  const auto error = [](Wire wire, const std::string& body, FrameLimits limits = {}) {
    return seen(wire, body, 1, limits).error;
  };
  const std::string one = frame("ADDED", envelope("Pod", pod("a", "7")));
  CHECK(error(Wire::protobuf, one.substr(0, one.size() - 1)) ==
        "watch: expected the rest of an event, got the end after " +
            std::to_string(one.size() - 1) + " bytes");
  CHECK(error(Wire::protobuf, "HTTP") ==
        "watch: expected an event of at most 16777216 bytes, got 1213486160");
  CHECK(error(Wire::protobuf, one, {.item_bytes = 100}) ==
        "watch: expected an event of at most 100 bytes, got " + std::to_string(one.size() - 4));
  CHECK(error(Wire::protobuf, frame("MOVED", envelope("Pod", ""))) ==
        "watch event: expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, got \"MOVED\"");
  CHECK(error(Wire::protobuf, frame("ADDED", "{}")) ==
        "watch event: expected an object that starts with the four bytes `k8s\\0`");
  CHECK(error(Wire::protobuf, std::string("\0\0\0\2\xFF\xFF", 6)) != "no error");
  CHECK(error(Wire::json, "[]\n") == "watch event: expected an object");
  CHECK(error(Wire::json, R"({"type":"ADDED"})") == "watch event: expected a member `object`");
  CHECK(error(Wire::json, std::string(200, ' '), {.item_bytes = 100}) ==
        "watch: expected a line of at most 100 bytes");
  CHECK(error(Wire::json, R"({"type":"ADDED","object":{"ki)") != "no error");
}

}  // namespace gpu::decode::objects_watch_framer_test
