#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/resource_list.hpp"
#include "base/time.hpp"
#include "decode/wire/path.hpp"

namespace gpu::decode {

/// A JSON object and where it stands. Absent and null members read the same, as in Go; a member of
/// another type than asked for throws Error{data} that names its path. Refers to the JSON and to
/// the JsonObject it came from.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& value, const Path& path);

  /// Neither absent nor null.
  [[nodiscard]] bool has(std::string_view name) const { return member(name) != nullptr; }
  /// Empty when absent.
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::optional<std::int32_t> number(std::string_view name) const;
  /// A whole number of 64 bits.
  [[nodiscard]] std::optional<std::int64_t> long_number(std::string_view name) const;
  [[nodiscard]] std::optional<Time> time(std::string_view name) const;
  /// A map of strings, without the key `skipped`.
  [[nodiscard]] StringMap strings(std::string_view name, std::string_view skipped = {}) const;
  /// An array of strings; a null in it is an empty one.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const;
  /// A map of quantities, given as text or as bare numbers.
  [[nodiscard]] ResourceList resources(std::string_view name) const;
  /// A map of quantities, each bare or as the member `value` of an object.
  [[nodiscard]] ResourceList values(std::string_view name) const;
  /// Nothing when absent.
  [[nodiscard]] std::optional<Quantity> quantity(std::string_view name) const;
  [[nodiscard]] std::optional<JsonObject> object(std::string_view name) const&;
  /// The member would refer to what is gone.
  std::optional<JsonObject> object(std::string_view name) const&& = delete;
  /// Calls `visit` with each element of an array of objects.
  template <class Visit>
  void each(std::string_view name, Visit visit) const {
    const nlohmann::json* const elements = array(name);
    if (elements == nullptr) return;
    for (std::size_t i = 0; i < elements->size(); ++i)
      visit(JsonObject((*elements)[i], Path{&path_, name, i}));
  }

  /// Calls `visit` with the name and value of each member of `name` that is an object.
  template <class Visit>
  void each_member(std::string_view name, Visit visit) const {
    const std::optional<JsonObject> source = object(name);
    if (!source) return;
    for (const auto& [key, value] : source->value_->items())
      if (value.is_object()) visit(key, JsonObject(value, Path{&source->path_, key}));
  }

  [[nodiscard]] const Path& path() const { return path_; }

 private:
  /// Null when absent or null.
  [[nodiscard]] const nlohmann::json* member(std::string_view name) const;
  [[nodiscard]] const nlohmann::json* array(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name, std::int64_t least,
                                                  std::int64_t most, int bits) const;

  const nlohmann::json* value_;
  Path path_;
};

}  // namespace gpu::decode
