#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "report/machine.hpp"
#include "report/paint.hpp"
#include "report/renderers.hpp"
#include "report/values.hpp"

namespace gpu::report {
namespace {

// A field of the file: a column of the table, and the keys that lead to a value inside its cells.
struct CsvField {
  std::size_t index = 0;
  std::vector<std::string> path;
  std::string heading;
};

CsvField inside(CsvField from, const std::string& key) {
  from.path.push_back(key);
  from.heading += '.' + key;
  return from;
}

const Cell* cell_at(const Cell& cell, const std::vector<std::string>& path) {
  const Cell* at = &cell;
  for (const std::string& key : path) {
    const auto* record = std::get_if<Record>(&at->value);
    if (record == nullptr) return nullptr;
    const auto found = std::find_if(record->begin(), record->end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (found == record->end()) return nullptr;
    at = &found->second;
  }
  return at;
}

// The paths to the values in `cell`, in order of first sight; records of two rows may differ.
void add_paths(std::vector<CsvField>& fields, const CsvField& from, const Cell& cell) {
  const auto* record = std::get_if<Record>(&cell.value);
  if (record == nullptr) {
    const bool is_new = std::none_of(fields.begin(), fields.end(), [&](const CsvField& field) {
      return field.path == from.path;
    });
    if (is_new) fields.push_back(from);
    return;
  }
  for (const auto& [key, value] : *record) add_paths(fields, inside(from, key), value);
}

// Of keys that nobody knows beforehand those that stand in a cell; `from` itself where none does.
void add_seen(std::vector<CsvField>& fields, const CsvField& from, const Table& table) {
  std::vector<CsvField> seen;
  for (const auto& row : table.rows)
    if (const Cell* cell = cell_at(row[from.index], from.path); cell && !cell->is_unknown())
      add_paths(seen, from, *cell);
  if (seen.empty()) seen.push_back(from);
  fields.insert(fields.end(), seen.begin(), seen.end());
}

// A field for each key that is declared, whatever stands in the cells: the columns of a file are
// always the same.
void add_declared(std::vector<CsvField>& fields, const CsvField& from,
                  const std::optional<Type>& type, const Table& table) {
  const auto* record = type ? std::get_if<Type::Record>(&type->form()) : nullptr;
  const bool is_known = type && !std::holds_alternative<Type::Amounts>(type->form());
  if (record != nullptr) {
    for (const Field& each : record->fields)
      add_declared(fields, inside(from, each.key), each.type, table);
  } else if (is_known) {
    fields.push_back(from);
  } else {
    add_seen(fields, from, table);
  }
}

std::vector<CsvField> fields_in(const Table& table) {
  std::vector<CsvField> fields;
  for (const std::size_t index : machine_columns(table)) {
    const Column& column = table.columns[index];
    const CsvField whole{.index = index, .path = {}, .heading = column.key};
    add_declared(fields, whole, column.type, table);
  }
  return fields;
}

// Unknown is an empty field. Lists are joined by `;`, and a record in a list by `/`:
// ml/train-0/main.
std::string field_text(const Cell& cell) {
  if (cell.is_unknown()) return "";
  if (const auto scalar = machine_scalar(cell.value)) return *scalar == "null" ? "" : *scalar;
  if (const auto* text = std::get_if<std::string>(&cell.value)) return valid_utf8(*text);
  std::string out;
  const auto join = [&](const Cell& item, char separator) {
    if (!out.empty()) out += separator;
    out += field_text(item);
  };
  if (const auto* list = std::get_if<List>(&cell.value))
    for (const Cell& item : *list) join(item, ';');
  const auto* record = std::get_if<Record>(&cell.value);
  if (record != nullptr)
    for (const auto& [key, item] : *record) join(item, '/');
  // A pod as a whole has always been told from its containers by the slash at its end.
  const bool is_holder =
      record != nullptr && !record->empty() && record->back().first == "container";
  while (record != nullptr && !is_holder && out.ends_with('/')) out.pop_back();
  return out;
}

// RFC 4180 quoting, and texts that a spreadsheet would take for a formula or would trim.
bool needs_quotes(std::string_view text) {
  if (text.empty()) return false;
  constexpr std::string_view kFirst = "=+-@ \t";
  return text.find_first_of(",\"\r\n") != std::string_view::npos ||
         kFirst.find(text.front()) != std::string_view::npos || text.back() == ' ';
}

void append_field(std::string& out, std::string_view text) {
  if (!needs_quotes(text)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// Data ends up on a terminal, too, and must not be obeyed there. Lines of a field stay lines:
// quotes keep them together.
std::string shown(std::string_view text, const Style& style) {
  if (style.width) return clean(text, style);
  std::string out;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (start > 0) out += '\n';
    out += sanitize(text.substr(start, end - start));
    start = end + 1;
  }
  return out;
}

}  // namespace

std::string render_csv(const Report& report, const Style& style) {
  const std::vector<CsvField> fields = fields_in(report.table);
  std::string out;
  const auto append_line = [&](auto text_of) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) out += ',';
      append_field(out, shown(text_of(fields[i]), style));
    }
    // Not RFC 4180's CRLF: cut, sort and awk would take the CR for part of the last field.
    out += '\n';
  };
  if (style.headers) append_line([](const CsvField& field) { return valid_utf8(field.heading); });
  for (const auto& row : report.table.rows) {
    append_line([&](const CsvField& field) {
      const Cell* cell = cell_at(row[field.index], field.path);
      return cell == nullptr || std::holds_alternative<Record>(cell->value) ? std::string()
                                                                            : field_text(*cell);
    });
  }
  return out;
}

std::string render_names(const Report& report, const Style& style) {
  std::string out;
  std::unordered_set<std::string> seen;
  for (const auto& row : report.table.rows) {
    const Cell& cell = row[report.name_column];
    const std::string name = report.name_prefix + field_text(cell);
    if (!cell.is_unknown() && seen.insert(name).second) out += shown(name, style) + '\n';
  }
  return out;
}

}  // namespace gpu::report
