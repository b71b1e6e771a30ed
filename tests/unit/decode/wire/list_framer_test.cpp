#include "decode/wire/list_framer.hpp"

#include <catch2/catch.hpp>
#include <protozero/pbf_writer.hpp>
#include <random>
#include <vector>

#include "decode/data/samples.hpp"
#include "decode/error_of.hpp"
#include "decode/hex.hpp"
#include "decode/objects/pod.hpp"

namespace gpu::decode::wire_list_framer_test {

namespace {

/// What a framer made of a body.
struct Framed {
  std::vector<std::string> items;
  std::string kind;
  std::string resource_version;
  std::string continue_token;
  std::string error;  // empty: none
  friend bool operator==(const Framed&, const Framed&) = default;
};

Framed framed(Wire wire, const std::vector<std::string_view>& parts, FrameLimits limits = {}) {
  Framed result;
  ListFramer framer(
      wire, [&](std::string_view item) { result.items.emplace_back(item); }, limits);
  result.error = error_of([&] {
    for (const std::string_view part : parts) {
      // A copy of its own, so that a look beyond the part is seen by the sanitizer.
      const std::vector<char> exact(part.begin(), part.end());
      framer.feed({exact.data(), exact.size()});
    }
    framer.finish();
  });
  if (result.error == "no error") result.error.clear();
  result.kind = framer.kind();
  result.resource_version = framer.resource_version();
  result.continue_token = framer.continue_token();
  return result;
}

Framed framed(Wire wire, std::string_view body, FrameLimits limits = {}) {
  return framed(wire, std::vector{body}, limits);
}

/// The result for `body` in one part, checked to be the same for every cut in two, and for one byte
/// at a time.
Framed framed_at_every_cut(Wire wire, std::string_view body, FrameLimits limits = {}) {
  const Framed whole = framed(wire, body, limits);
  bool same = true;
  for (std::size_t cut = 0; cut <= body.size(); ++cut)
    same = same && framed(wire, {body.substr(0, cut), body.substr(cut)}, limits) == whole;
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < body.size(); ++i) bytes.push_back(body.substr(i, 1));
  CHECK(same);
  CHECK((framed(wire, bytes, limits) == whole));
  return whole;
}

std::string field(protozero::pbf_tag_type tag, std::string_view bytes) {
  std::string message;
  protozero::pbf_writer(message).add_bytes(tag, bytes.data(), bytes.size());
  return message;
}

const std::string kMagic("k8s\0", 4);
const std::string kPodListMeta = field(1, field(1, "v1") + field(2, "PodList"));

std::string body_of(const std::string& raw) { return kMagic + kPodListMeta + field(2, raw); }

std::string json_error(std::string_view body) {
  return framed_at_every_cut(Wire::json, body).error;
}

std::string protobuf_error(std::string_view body, FrameLimits limits = {}) {
  return framed_at_every_cut(Wire::protobuf, body, limits).error;
}

}  // namespace

TEST_CASE("the wire form follows from the content type") {
  CHECK(wire_of("application/vnd.kubernetes.protobuf") == Wire::protobuf);
  CHECK(wire_of("application/vnd.kubernetes.protobuf;stream=watch") == Wire::protobuf);
  CHECK(wire_of("application/json") == Wire::json);
  CHECK(wire_of(" Application/JSON ; charset=utf-8") == Wire::json);
  for (const char* type : {"", "text/html", "text/plain; charset=utf-8", "application/jsonx", ";"})
    CHECK(error_of([&] { wire_of(type); }) ==
          "expected an answer in JSON or protobuf, got the content type \"" + std::string(type) +
              "\"");
}

TEST_CASE("a protobuf list that Go wrote is cut into its items at every chunking") {
  const Framed list = framed_at_every_cut(Wire::protobuf, bytes_of_hex(samples::kPodListBody));
  CHECK(list.error.empty());
  CHECK(list.kind == "PodList");
  CHECK(list.resource_version == "815");
  CHECK(list.continue_token == "more");
  REQUIRE(list.items.size() == 2);
  CHECK(pod_from_protobuf(list.items[0]).name == "a");
  CHECK(pod_from_protobuf(list.items[1]).name == "b");
}

TEST_CASE("a protobuf list without items has none") {
  const Framed list = framed_at_every_cut(Wire::protobuf, bytes_of_hex(samples::kEmptyPodListBody));
  CHECK(list.error.empty());
  CHECK(list.items.empty());
  CHECK(list.resource_version == "815");
}

TEST_CASE("a Status in place of a protobuf list has no items") {
  const Framed status = framed_at_every_cut(Wire::protobuf, bytes_of_hex(samples::kStatusBody));
  CHECK(status.error.empty());
  CHECK(status.kind == "Status");
  CHECK(status.items.empty());
}

TEST_CASE("a single object in protobuf is one item") {
  const Framed pod = framed_at_every_cut(Wire::protobuf, bytes_of_hex(samples::kSinglePodBody));
  CHECK(pod.kind == "Pod");
  REQUIRE(pod.items.size() == 1);
  CHECK(pod_from_protobuf(pod.items[0]).name == "a");
}

TEST_CASE("protobuf fields come in any order, and unknown ones are passed over") {
  std::string raw = field(2, "one");
  protozero::pbf_writer writer(raw);
  writer.add_fixed32(7, 1);
  writer.add_fixed64(8, 2);
  writer.add_uint64(9, std::numeric_limits<std::uint64_t>::max());
  writer.add_uint64(1, 5);  // a known field with another wire type
  raw += field(1000, "unknown") + field(2, "") + field(1, field(2, "42"));
  const std::string body =
      kMagic + field(4, "") + field(9, "x") + kPodListMeta + field(2, raw) + field(3, "");
  const Framed list = framed_at_every_cut(Wire::protobuf, body);
  CHECK(list.error.empty());
  CHECK(list.items == std::vector<std::string>{"one", ""});
  CHECK(list.resource_version == "42");
}

TEST_CASE("an unknown protobuf field larger than any limit of an item is streamed") {
  const FrameLimits limits{.item_bytes = 10, .list_bytes = 100'000'000};
  const std::string body = body_of(field(50, std::string(50'000'000, 'x')) + field(2, "item"));
  std::size_t items = 0;
  ListFramer framer(
      Wire::protobuf, [&](std::string_view) { ++items; }, limits);
  for (std::size_t at = 0; at < body.size(); at += 16'384)
    framer.feed(std::string_view(body).substr(at, 16'384));
  framer.finish();
  CHECK(items == 1);
}

TEST_CASE("broken protobuf lists are refused with the byte and what was expected") {
  CHECK(protobuf_error("") ==
        "protobuf list: byte 0: expected the four bytes `k8s\\0`, got the end");
  CHECK(protobuf_error("k8s") ==
        "protobuf list: byte 3: expected the four bytes `k8s\\0`, got the end");
  CHECK(protobuf_error("{\"kind\":1}") ==
        "protobuf list: byte 0: expected the four bytes `k8s\\0`");
  CHECK(protobuf_error(kMagic) ==
        "protobuf list: byte 4: expected the field raw of runtime.Unknown, got the end");
  CHECK(protobuf_error(kMagic + '\0') ==
        "protobuf list: byte 4: expected a field number of 1 to 2^29-1");
  CHECK(protobuf_error(kMagic + "\x0b") ==
        "protobuf list: byte 4: expected a wire type of 0, 1, 2 or 5, got 3");
  CHECK(protobuf_error(kMagic + "\x08" + std::string(10, '\xff')) ==
        "protobuf list: byte 5: expected a varint of at most 64 bits");
  CHECK(protobuf_error(kMagic + "\x12\x05\x12\x04xx") ==
        "protobuf list: byte 7: expected a field of at most 3 bytes, got 4");
  CHECK(protobuf_error(kMagic + "\x12\x02\x12\x80") ==
        "protobuf list: byte 8: expected 0 more bytes of the list, got the end");
  CHECK(protobuf_error(kMagic + "\x12\x02\x1d\x01\x01\x01\x01") ==
        "protobuf list: byte 6: expected a field of at most 1 bytes, got 4");
  CHECK(protobuf_error(kMagic + "\x12\x01\x08" + "\x01") ==
        "protobuf list: byte 7: expected the rest of a field, got the end of the list");
  CHECK(protobuf_error(kMagic + "\x12\x04\x12\x02x") ==
        "protobuf list: byte 9: expected 1 more bytes of the list, got the end");
  CHECK(protobuf_error(kMagic + "\x1a\x04x") ==
        "protobuf list: byte 7: expected 3 more bytes of field 3, got the end");
  CHECK(protobuf_error(kMagic + "\x18") ==
        "protobuf list: byte 5: expected the rest of a field, got the end");
  CHECK(protobuf_error(kMagic + field(2, "") + field(2, "")) ==
        "protobuf list: byte 7: expected one field raw, got a second");
  CHECK(protobuf_error(kMagic + field(1, "\xff"))
            .starts_with("protobuf list: byte 6: expected TypeMeta, got broken protobuf: "));
}

TEST_CASE("protobuf items and lists over their limits are refused") {
  const FrameLimits limits{.item_bytes = 10, .list_bytes = 60};
  CHECK(protobuf_error(body_of(field(2, std::string(10, 'x'))), limits).empty());
  CHECK(protobuf_error(body_of(field(2, std::string(11, 'x'))), limits) ==
        "protobuf list: byte 22: expected a field of at most 10 bytes, got 11");
  CHECK(protobuf_error(body_of(field(3, std::string(59, 'x'))), limits) ==
        "protobuf list: byte 20: expected a list of at most 60 bytes");
  std::string many = body_of(field(2, "x"));
  while (many.size() <= 60) many += field(9, "x");
  CHECK(protobuf_error(many, limits) ==
        "protobuf list: byte 60: expected a list of at most 60 bytes");
}

TEST_CASE("an item that lies whole in one chunk is not copied") {
  const auto is_view_into = [](std::string_view item, std::string_view body) {
    return item.data() >= body.data() && item.data() + item.size() <= body.data() + body.size();
  };
  const std::string protobuf = body_of(field(2, std::string(100, 'x')));
  const std::string json = R"({"items":[{"a":1}]})";
  bool zero_copy = false;
  ListFramer binary(Wire::protobuf,
                    [&](std::string_view item) { zero_copy = is_view_into(item, protobuf); });
  binary.feed(protobuf);
  CHECK(zero_copy);
  zero_copy = false;
  ListFramer text(Wire::json, [&](std::string_view item) { zero_copy = is_view_into(item, json); });
  text.feed(json);
  CHECK(zero_copy);
}

TEST_CASE("a JSON list is cut into its items at every chunking") {
  const Framed list = framed_at_every_cut(Wire::json,
                                          "\xef\xbb\xbf {\n  \"apiVersion\": \"v1\",\n \"items\" : "
                                          "[ {\"kind\":\"Pod\",\"items\":[{}]} ,\r\n"
                                          R"( {"s":"a\"}]{\\","n":{"items":[1,2]}}, {} ],)"
                                          "\n\t\"kind\": \"List\", \"metadata\": "
                                          "{\"resourceVersion\": \"7\",\"continue\":\"c\"}\n}\n ");
  CHECK(list.error.empty());
  CHECK(list.kind == "List");
  CHECK(list.resource_version == "7");
  CHECK(list.continue_token == "c");
  CHECK(list.items == std::vector<std::string>{R"({"kind":"Pod","items":[{}]})",
                                               R"({"s":"a\"}]{\\","n":{"items":[1,2]}})", "{}"});
}

TEST_CASE("only the outermost items are the list's") {
  const Framed list = framed_at_every_cut(
      Wire::json,
      R"({"a":{"items":[{"x":1}]},"b":[[{"items":[{}]}]],"kind":"L","it\u0065ms":[{}]})");
  CHECK(list.error.empty());
  CHECK(list.items == std::vector<std::string>{"{}"});
}

TEST_CASE("JSON items that are null or empty are none") {
  for (const char* body :
       {R"({"kind":"PodList","items":null})", R"({"items":[ ],"kind":"PodList"})",
        R"({"metadata":null,"items":[],"kind":"PodList","x":-1.5e+3,"y":true})"}) {
    INFO(body);
    const Framed list = framed_at_every_cut(Wire::json, body);
    CHECK(list.error.empty());
    CHECK(list.kind == "PodList");
    CHECK(list.items.empty());
  }
}

TEST_CASE("a single JSON object is one item") {
  const std::string pod =
      R"({"kind":"Pod","metadata":{"name":"a","resourceVersion":"3"},"spec":{"items":[1]}})";
  const Framed object = framed_at_every_cut(Wire::json, " " + pod + "\n");
  CHECK(object.error.empty());
  CHECK(object.kind == "Pod");
  CHECK(object.resource_version == "3");
  CHECK(object.items == std::vector<std::string>{pod});
  CHECK(framed_at_every_cut(Wire::json, "{}").items == std::vector<std::string>{"{}"});
  CHECK(framed(Wire::json, samples::kStatusJson).kind == "Status");
}

TEST_CASE("broken JSON lists are refused with the byte and what was expected") {
  CHECK(json_error("") == "JSON list: byte 0: expected a JSON object, got the end");
  CHECK(json_error(" \n") == "JSON list: byte 2: expected a JSON object, got the end");
  CHECK(json_error("\xef\xbb{}") == "JSON list: byte 2: expected the rest of a byte order mark");
  CHECK(json_error("[{}]") == "JSON list: byte 0: expected a JSON object");
  CHECK(json_error("<html>") == "JSON list: byte 0: expected a JSON object");
  CHECK(json_error(std::string(3, '\0')) == "JSON list: byte 0: expected a JSON object");
  CHECK(json_error("{} {}") == "JSON list: byte 3: expected nothing after the end of the JSON");
  CHECK(json_error("{,}") == "JSON list: byte 1: expected a key in quotes");
  CHECK(json_error("{\"a\":1,}") == "JSON list: byte 7: expected a key in quotes");
  CHECK(json_error("{\"a\" 1}") == "JSON list: byte 5: expected `:`");
  CHECK(json_error("{\"a\":}") == "JSON list: byte 5: expected a JSON value");
  CHECK(json_error("{\"a\":tru}") == "JSON list: byte 5: expected a JSON value");
  CHECK(json_error("{\"a\":1 2}") == "JSON list: byte 7: expected `,` or `}`");
  CHECK(json_error("{\"a\":[}]}") == "JSON list: byte 6: expected the other closing bracket");
  CHECK(json_error("{\"a\":[\"\n\"]}") == "JSON list: byte 7: expected no control character");
  CHECK(json_error(std::string("{\"a\":[\0]}", 9)) ==
        "JSON list: byte 6: expected no control character");
  CHECK(json_error("{\"a\n\":1}") ==
        "JSON list: byte 3: expected no control character in a string");
  CHECK(json_error("{\"items\":{}}") == "JSON list: byte 9: expected an array of items");
  CHECK(json_error("{\"items\":\"null\"}") == "JSON list: byte 9: expected an array of items");
  CHECK(json_error("{\"items\":[1]}") ==
        "JSON list: byte 10: expected an item, which is an object");
  CHECK(json_error("{\"items\":[null]}") ==
        "JSON list: byte 10: expected an item, which is an object");
  CHECK(json_error("{\"items\":[{},]}") ==
        "JSON list: byte 13: expected an item, which is an object");
  CHECK(json_error("{\"items\":[{} {}]}") == "JSON list: byte 13: expected `,` or `]`");
  CHECK(json_error("{\"items\":[],\"items\":[]}") ==
        "JSON list: byte 12: expected one member `items`, got a second");
  CHECK(json_error("{\"kind\":7}") == "JSON list: byte 8: expected kind to be a string");
  CHECK(json_error("{\"metadata\":[]}") ==
        "JSON list: byte 12: expected metadata to be a JSON object");
  CHECK(json_error("{\"metadata\":{\"a\":}}") ==
        "JSON list: byte 12: expected metadata to be a JSON object");
  const std::string_view whole = R"({"items":[{"a":"b"}],"kind":"L"})";
  for (std::size_t size = 1; size < whole.size(); ++size)
    CHECK(framed(Wire::json, whole.substr(0, size)).error ==
          "JSON list: byte " + std::to_string(size) +
              ": expected the rest of the JSON, got the end");
}

TEST_CASE("JSON deeper than 200 levels is refused") {
  const auto nested = [](std::size_t levels) {
    return "{\"items\":[{\"a\":" + std::string(levels - 3, '[') + std::string(levels - 3, ']') +
           "}]}";
  };
  CHECK(framed(Wire::json, nested(200)).error.empty());
  CHECK(framed(Wire::json, nested(201)).error ==
        "JSON list: byte 212: expected at most 200 levels");
  CHECK(framed(Wire::json, "{\"a\":" + std::string(1'000'000, '[')).error ==
        "JSON list: byte 204: expected at most 200 levels");
}

TEST_CASE("JSON items, objects and lists over their limits are refused") {
  const FrameLimits limits{.item_bytes = 20, .list_bytes = 100};
  const auto error = [&](const std::string& body) {
    return framed_at_every_cut(Wire::json, body, limits).error;
  };
  CHECK(error("{\"items\":[{\"a\":\"" + std::string(12, 'x') + "\"}]}").empty());
  CHECK(error("{\"items\":[{\"a\":\"" + std::string(13, 'x') + "\"}]}") ==
        "JSON list: byte 10: expected an item of at most 20 bytes");
  CHECK(error("{\"items\":[{\"a\":[" + std::string(30, ' ') + "}]}") ==
        "JSON list: byte 10: expected an item of at most 20 bytes");
  CHECK(error("{\"kind\":\"" + std::string(21, 'x') + "\"}") ==
        "JSON list: byte 8: expected a value of at most 20 bytes");
  CHECK(error("{\"other\":\"" + std::string(21, 'x') + "\"}") ==
        "JSON list: byte 0: expected an object of at most 20 bytes");
  CHECK(error("{\"other\":\"" + std::string(21, 'x') + "\",\"items\":[{}]}").empty());
  CHECK(error("{\"items\":[]}" + std::string(89, ' ')) ==
        "JSON list: byte 100: expected a list of at most 100 bytes");
}

TEST_CASE("random chunks of bigger lists give the items of the whole") {
  std::mt19937 random(20261128);
  std::string json =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[)";
  std::string raw;
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (std::size_t n = random() % 400; n > 0; --n) text += "ab{}[]:,\\\" "[random() % 11];
    raw += field(2, text);
    std::string quoted;
    for (const char c : text)
      quoted += c == '\\' || c == '"' ? std::string{'\\', c} : std::string{c};
    json += std::string(i == 0 ? "" : ",") + "{\"v\":[\"" + quoted + "\"]}";
  }
  json += "]}";
  const std::string protobuf = body_of(raw);
  for (const auto& [wire, body] :
       {std::pair{Wire::json, json}, std::pair{Wire::protobuf, protobuf}}) {
    const Framed whole = framed(wire, body);
    CHECK(whole.error.empty());
    CHECK(whole.items.size() == 300);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::string_view> parts;
      for (std::string_view rest = body; !rest.empty(); rest.remove_prefix(parts.back().size()))
        parts.push_back(rest.substr(0, random() % 3000));
      CHECK((framed(wire, parts) == whole));
    }
  }
}

TEST_CASE("what an item handler throws comes out of feed") {
  ListFramer framer(Wire::json, [](std::string_view) { throw Error(ErrorKind::data, "bad item"); });
  CHECK(error_of([&] { framer.feed(R"({"items":[{}]})"); }) == "bad item");
}

}  // namespace gpu::decode::wire_list_framer_test
