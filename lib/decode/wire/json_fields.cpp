#include "decode/wire/json_fields.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/ascii.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

[[noreturn]] void fail_type(const Path& path, std::string_view expected, const json& value) {
  fail(path, fmt::format("expected {}, got {}", expected, value.type_name()));
}

const std::string& string_in(const json& value, const Path& path) {
  const auto* const text = value.get_ptr<const std::string*>();
  if (text == nullptr) fail_type(path, "a string", value);
  return *text;
}

/// As Quantity.UnmarshalJSON: null is zero, a number is its own text, blanks around are ignored.
Quantity quantity_in(const json& value, std::string_view name, const Path& path) {
  if (value.is_null()) return {};
  if (!value.is_string() && !value.is_number()) fail_type(path, "quantities", value);
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  const std::optional<Quantity> quantity = Quantity::parse(trimmed(text));
  if (!quantity)
    fail(path, fmt::format("{} is {}, which is not a quantity", name, in_quotes(text)));
  return *quantity;
}

}  // namespace

JsonObject::JsonObject(const json& value, const Path& path) : value_(&value), path_(path) {
  if (!value.is_object()) fail_type(path, "an object", value);
}

const json* JsonObject::member(std::string_view name) const {
  const auto found = value_->find(name);
  return found == value_->end() || found->is_null() ? nullptr : &*found;
}

std::string JsonObject::text(std::string_view name) const {
  const json* const value = member(name);
  return value == nullptr ? std::string{} : string_in(*value, Path{&path_, name});
}

bool JsonObject::flag(std::string_view name) const {
  const json* const value = member(name);
  if (value == nullptr) return false;
  if (!value->is_boolean()) fail_type(Path{&path_, name}, "true or false", *value);
  return value->get<bool>();
}

std::optional<std::int64_t> JsonObject::whole(std::string_view name, std::int64_t least,
                                              std::int64_t most, int bits) const {
  const json* const value = member(name);
  if (value == nullptr) return std::nullopt;
  const Path path{&path_, name};
  if (!value->is_number_integer()) fail_type(path, "a whole number", *value);
  const bool is_huge =
      value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  const auto number = value->get<std::int64_t>();
  if (is_huge || number < least)
    fail(path, fmt::format("expected a number of {} bits, got {}", bits, value->dump()));
  return number;
}

std::optional<std::int32_t> JsonObject::number(std::string_view name) const {
  using Limits = std::numeric_limits<std::int32_t>;
  const auto number = whole(name, Limits::min(), Limits::max(), 32);
  if (!number) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

std::optional<std::int64_t> JsonObject::long_number(std::string_view name) const {
  using Limits = std::numeric_limits<std::int64_t>;
  return whole(name, Limits::min(), Limits::max(), 64);
}

std::optional<Time> JsonObject::time(std::string_view name) const {
  const json* const value = member(name);
  if (value == nullptr) return std::nullopt;
  const Path path{&path_, name};
  const std::string& text = string_in(*value, path);
  const std::optional<Time> time = parse_time(text);
  if (!time) fail(path, fmt::format("expected an RFC 3339 time, got {}", in_quotes(text)));
  return time;
}

StringMap JsonObject::strings(std::string_view name, std::string_view skipped) const {
  StringMap map;
  const std::optional<JsonObject> source = object(name);
  if (!source) return map;
  for (const auto& [key, value] : source->value_->items()) {
    if (!skipped.empty() && key == skipped) continue;
    map[key] = value.is_null() ? std::string{} : string_in(value, Path{&source->path_, key});
  }
  return map;
}

std::vector<std::string> JsonObject::texts(std::string_view name) const {
  std::vector<std::string> texts;
  const json* const elements = array(name);
  if (elements == nullptr) return texts;
  texts.reserve(elements->size());
  for (std::size_t i = 0; i < elements->size(); ++i) {
    const json& element = (*elements)[i];
    texts.push_back(element.is_null() ? std::string{} : string_in(element, Path{&path_, name, i}));
  }
  return texts;
}

ResourceList JsonObject::resources(std::string_view name) const {
  ResourceList list;
  const std::optional<JsonObject> source = object(name);
  if (!source) return list;
  for (const auto& [key, value] : source->value_->items())
    list.set(key, quantity_in(value, key, source->path_));
  return list;
}

ResourceList JsonObject::values(std::string_view name) const {
  ResourceList list;
  const std::optional<JsonObject> source = object(name);
  if (!source) return list;
  for (const auto& [key, value] : source->value_->items()) {
    if (value.is_object()) {
      const JsonObject amount(value, Path{&source->path_, key});
      list.set(key, amount.quantity("value").value_or(Quantity{}));
    } else {
      list.set(key, quantity_in(value, key, source->path_));
    }
  }
  return list;
}

std::optional<Quantity> JsonObject::quantity(std::string_view name) const {
  const json* const value = member(name);
  if (value == nullptr) return std::nullopt;
  return quantity_in(*value, name, path_);
}

std::optional<JsonObject> JsonObject::object(std::string_view name) const& {
  const json* const value = member(name);
  if (value == nullptr) return std::nullopt;
  return std::optional<JsonObject>(std::in_place, *value, Path{&path_, name});
}

const json* JsonObject::array(std::string_view name) const {
  const json* const value = member(name);
  if (value != nullptr && !value->is_array()) fail_type(Path{&path_, name}, "an array", *value);
  return value;
}

}  // namespace gpu::decode
