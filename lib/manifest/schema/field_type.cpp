#include "manifest/schema/field_type.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "base/split.hpp"

namespace gpu::manifest {
extern const std::string_view kFieldTable;

namespace {

/// fields.txt, read once; views into it.
struct FieldTable {
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> kinds;
  std::vector<std::string_view> types;  ///< by number: "field:TYPE field:TYPE"

  FieldTable() {
    for (const std::string_view line : split(kFieldTable, '\n')) {
      const std::size_t space = line.find(' ');
      if (line.starts_with('#')) {
        types.push_back(space == std::string_view::npos ? std::string_view{}
                                                        : line.substr(space + 1));
      } else if (space != std::string_view::npos) {
        const std::string_view rest = line.substr(space + 1);
        const std::size_t second = rest.find(' ');
        kinds[{line.substr(0, space), rest.substr(0, second)}] = rest.substr(second + 1);
      }
    }
  }
};

const FieldTable& table() {
  static const FieldTable read;
  return read;
}

/// The fields of "#12".
std::vector<std::string_view> fields_of(std::string_view type) {
  const auto number = whole_number(type.substr(1));
  const std::string_view line = table().types.at(static_cast<std::size_t>(number.value_or(0)));
  return line.empty() ? std::vector<std::string_view>{} : split(line, ' ');
}

}  // namespace

std::optional<FieldType> FieldType::of_kind(std::string_view kind, std::string_view api_version) {
  const auto found = table().kinds.find({kind, api_version});
  if (found == table().kinds.end()) return std::nullopt;
  return FieldType(found->second);
}

FieldType::Form FieldType::form() const {
  switch (text_.front()) {
    case 's':
      return Form::text;
    case 'i':
      return Form::whole;
    case 'n':
      return Form::number;
    case 'b':
      return Form::truth;
    case 'q':
      return Form::quantity;
    case '#':
      return Form::object;
    case '[':
      return Form::list;
    case '{':
      return Form::map;
    default:
      return Form::any;
  }
}

FieldType FieldType::element() const { return FieldType(text_.substr(1)); }

std::optional<FieldType> FieldType::field(std::string_view name) const {
  for (const std::string_view each : fields_of(text_)) {
    const std::size_t colon = each.find(':');
    if (each.substr(0, colon) == name) return FieldType(each.substr(colon + 1));
  }
  return std::nullopt;
}

std::vector<std::string_view> FieldType::field_names() const {
  std::vector<std::string_view> names;
  for (const std::string_view each : fields_of(text_))
    names.push_back(each.substr(0, each.find(':')));
  return names;
}

std::string_view name_of(FieldType::Form form) {
  using Form = FieldType::Form;
  switch (form) {
    case Form::text:
      return "text";
    case Form::whole:
      return "a whole number";
    case Form::number:
      return "a number";
    case Form::truth:
      return "true or false";
    case Form::quantity:
      return "a quantity";
    case Form::object:
    case Form::map:
      return "an object";
    case Form::list:
      return "a list";
    case Form::any:
      break;
  }
  return "any value";
}

}  // namespace gpu::manifest
