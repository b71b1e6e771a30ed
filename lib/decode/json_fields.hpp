#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "decode/path.hpp"
#include "model/resource_list.hpp"

namespace gpu::decode {

/// A JSON object and where it stands. Absent and null members read the same, as in Go; a member of
/// another type than asked for throws Error{data} that names its path. Refers to the JSON and to
/// the JsonObject it came from.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& value, const Path& path);

  /// Empty when absent.
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::optional<std::int32_t> number(std::string_view name) const;
  [[nodiscard]] std::optional<Time> time(std::string_view name) const;
  /// A map of strings, without the key `skipped`.
  [[nodiscard]] StringMap strings(std::string_view name, std::string_view skipped = {}) const;
  /// A map of quantities, given as text or as bare numbers.
  [[nodiscard]] ResourceList resources(std::string_view name) const;
  [[nodiscard]] std::optional<JsonObject> object(std::string_view name) const;
  /// Calls `visit` with each element of an array of objects.
  template <class Visit>
  void each(std::string_view name, Visit visit) const {
    const nlohmann::json* const elements = array(name);
    if (elements == nullptr) return;
    for (std::size_t i = 0; i < elements->size(); ++i)
      visit(JsonObject((*elements)[i], Path{&path_, name, i}));
  }

  [[nodiscard]] const Path& path() const { return path_; }

 private:
  /// Null when absent or null.
  [[nodiscard]] const nlohmann::json* member(std::string_view name) const;
  [[nodiscard]] const nlohmann::json* array(std::string_view name) const;

  const nlohmann::json* value_;
  Path path_;
};

}  // namespace gpu::decode
