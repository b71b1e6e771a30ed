#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace gpu::manifest {

/// The type of a field of an object of the API, from fields.txt: what API servers and CRDs declare.
class FieldType {
 public:
  enum class Form {
    text,
    whole,     ///< a whole number
    number,    ///< any number
    truth,     ///< true or false
    quantity,  ///< a number or text: "64Gi", 8
    any,       ///< the schema leaves it open
    object,
    list,
    map,
  };

  /// The type of an object of this kind; nothing for a kind that is not in the table.
  static std::optional<FieldType> of_kind(std::string_view kind, std::string_view api_version);

  [[nodiscard]] Form form() const;
  /// Of a list or a map: what it holds.
  [[nodiscard]] FieldType element() const;
  /// Of an object: the field of that name; nothing where there is none.
  [[nodiscard]] std::optional<FieldType> field(std::string_view name) const;
  /// The names of an object's fields, sorted.
  [[nodiscard]] std::vector<std::string_view> field_names() const;

 private:
  /// As it is written in the table: "s", "[#12".
  explicit FieldType(std::string_view text) : text_(text) {}

  std::string_view text_;
};

/// How a sentence calls a value of that form: "a whole number", "text".
std::string_view name_of(FieldType::Form form);

}  // namespace gpu::manifest
