#pragma once

#include <cstdint>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>

#include "base/resource_list.hpp"
#include "base/time.hpp"
#include "decode/wire/path.hpp"

namespace gpu::decode {

/// What every protobuf body starts with; runtime.Unknown follows.
inline constexpr std::string_view kEnvelopeMagic{"k8s\0", 4};

/// Case labels for pbf_reader::tag_and_type(): a known field of another wire type is skipped like
/// an unknown one, and never reaches a getter that would assert.
constexpr std::uint32_t bytes_field(protozero::pbf_tag_type tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::length_delimited);
}
constexpr std::uint32_t varint_field(protozero::pbf_tag_type tag) {
  return protozero::tag_and_type(tag, protozero::pbf_wire_type::varint);
}

/// A reader of the fields of `message`.
inline protozero::pbf_reader fields_of(std::string_view message) {
  return {message.data(), message.size()};
}

/// The bytes of the length-delimited field that `reader` is at.
inline std::string_view bytes_of(protozero::pbf_reader& reader) {
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

/// The string that `reader` is at.
inline std::string string_of(protozero::pbf_reader& reader) {
  return std::string{bytes_of(reader)};
}

/// The last value of the string field `tag` of `message`.
std::string text_field(std::string_view message, protozero::pbf_tag_type tag);

/// One entry of a protobuf map: a message {1 key, 2 value}.
struct MapEntry {
  std::string_view key;
  std::string_view value;
};
/// The entry that `message` holds, as views into it.
MapEntry map_entry(std::string_view message);

/// meta/v1 Time. An empty message is null; a year outside 1 to 9999 is unknown.
std::optional<Time> time_from_protobuf(std::string_view message);

/// Adds one entry of a map<string, string>.
void add_string(StringMap& map, std::string_view entry);

/// Adds one entry of a map<string, Quantity>. Throws Error{data} naming `path`.
void add_quantity(ResourceList& list, std::string_view entry, const Path& path);

}  // namespace gpu::decode
