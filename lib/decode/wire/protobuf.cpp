#include "decode/wire/protobuf.hpp"

#include <fmt/format.h>

namespace gpu::decode {

std::string text_field(std::string_view message, protozero::pbf_tag_type tag) {
  std::string text;
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() == bytes_field(tag))
      text = string_of(fields);
    else
      fields.skip();
  }
  return text;
}

MapEntry map_entry(std::string_view message) {
  MapEntry entry;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        entry.key = bytes_of(fields);
        break;
      case bytes_field(2):
        entry.value = bytes_of(fields);
        break;
      default:
        fields.skip();
    }
  }
  return entry;
}

std::optional<Time> time_from_protobuf(std::string_view message) {
  constexpr std::int64_t kYearOne = -62'135'596'800;
  constexpr std::int64_t kYear9999 = 253'402'300'799;
  if (message.empty()) return std::nullopt;
  std::int64_t seconds = 0;
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() == varint_field(1))
      seconds = fields.get_int64();
    else
      fields.skip();
  }
  if (seconds < kYearOne || seconds > kYear9999) return std::nullopt;
  return Time{std::chrono::seconds{seconds}};
}

void add_string(StringMap& map, std::string_view entry) {
  const MapEntry read = map_entry(entry);
  map[read.key] = read.value;
}

void add_quantity(ResourceList& list, std::string_view entry, const Path& path) {
  const MapEntry read = map_entry(entry);
  Quantity amount;  // a Quantity without its string is zero
  for (auto fields = fields_of(read.value); fields.next();) {
    if (fields.tag_and_type() != bytes_field(1)) {
      fields.skip();
      continue;
    }
    const std::string_view text = bytes_of(fields);
    const std::optional<Quantity> parsed = Quantity::parse(text);
    if (!parsed)
      fail(path, fmt::format("{} is {}, which is not a quantity", read.key, in_quotes(text)));
    amount = *parsed;
  }
  list.set(read.key, amount);
}

}  // namespace gpu::decode
