#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/yaml_text.hpp"
#include "report/machine.hpp"
#include "report/renderers.hpp"
#include "report/values.hpp"

namespace gpu::report {
namespace {

void append_value(std::string& out, const Cell& cell, std::size_t indent);

// What follows a key's colon: on the same line, or in lines of its own.
void append_entry(std::string& out, std::string_view key, const Cell& cell, std::size_t indent) {
  out += yaml_text(key);
  out += ':';
  const auto* record = std::get_if<Record>(&cell.value);
  const auto* list = std::get_if<List>(&cell.value);
  const bool is_nested =
      (record != nullptr && !record->empty()) || (list != nullptr && !list->empty());
  if (!is_nested) {
    out += ' ';
    append_value(out, cell, indent);
    return;
  }
  // Lists stand under their key, as kubectl writes them.
  const std::size_t inner = record != nullptr ? indent + 2 : indent;
  out += '\n';
  out.append(inner, ' ');
  append_value(out, cell, inner);
}

// The first line of a value starts where `out` ends; its other lines are indented.
void append_value(std::string& out, const Cell& cell, std::size_t indent) {
  if (const auto scalar = machine_scalar(cell.value)) {
    out += *scalar + '\n';
  } else if (const auto* text = std::get_if<std::string>(&cell.value)) {
    out += yaml_text(*text);
    out += '\n';
  } else if (const auto* record = std::get_if<Record>(&cell.value)) {
    if (record->empty()) out += "{}\n";
    for (std::size_t i = 0; i < record->size(); ++i) {
      if (i > 0) out.append(indent, ' ');
      append_entry(out, (*record)[i].first, (*record)[i].second, indent);
    }
  } else if (const auto* list = std::get_if<List>(&cell.value)) {
    if (list->empty()) out += "[]\n";
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (i > 0) out.append(indent, ' ');
      out += "- ";
      append_value(out, (*list)[i], indent + 2);
    }
  }
}

void append_items(std::string& out, const Table& table) {
  const std::vector<std::size_t> shown = machine_columns(table);
  out += table.rows.empty() ? "items: []\n" : "items:\n";
  for (const auto& row : table.rows) {
    std::string_view lead = "- ";
    if (shown.empty()) out += "- {}\n";
    for (const std::size_t index : shown) {
      out += lead;
      append_entry(out, table.columns[index].key, row[index], 2);
      lead = "  ";
    }
  }
}

}  // namespace

std::string render_yaml(const Report& report) {
  std::string out;
  append_entry(out, "apiVersion", std::string(kApiVersion), 0);
  append_entry(out, "kind", report.kind, 0);
  append_items(out, report.table);
  append_entry(out, "summary", report.machine_summary, 0);
  append_entry(out, "gaps", machine_gaps(report), 0);
  return out;
}

}  // namespace gpu::report
