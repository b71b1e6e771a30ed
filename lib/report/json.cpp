#include <algorithm>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "report/machine.hpp"
#include "report/renderers.hpp"
#include "report/values.hpp"

namespace gpu::report {
namespace {

// A text that a terminal could obey is written with escapes only: the value is the same.
void append_text(std::string& out, std::string_view text) {
  if (is_simple(text)) {
    out += '"';
    out += text;
    out += '"';
    return;
  }
  const std::string valid = valid_utf8(text);
  const bool needs_ascii = sanitize(valid) != valid;
  out += nlohmann::ordered_json(valid).dump(-1, ' ', needs_ascii);
}

void append_line(std::string& out, std::size_t indent) {
  out += '\n';
  out.append(indent, ' ');
}

void append_value(std::string& out, const Cell& cell, std::size_t indent);

// Between `brackets`, one line for each of `items` that `append` writes.
template <class Items, class Append>
void append_all(std::string& out, std::string_view brackets, const Items& items, std::size_t indent,
                Append append) {
  out += brackets[0];
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) out += ',';
    is_first = false;
    append_line(out, indent + 2);
    append(item);
  }
  if (!is_first) append_line(out, indent);
  out += brackets[1];
}

void append_entry(std::string& out, std::string_view key, const Cell& cell, std::size_t indent) {
  append_text(out, key);
  out += ": ";
  append_value(out, cell, indent);
}

void append_record(std::string& out, const Record& record, std::size_t indent) {
  append_all(out, "{}", record, indent,
             [&](const auto& entry) { append_entry(out, entry.first, entry.second, indent + 2); });
}

void append_value(std::string& out, const Cell& cell, std::size_t indent) {
  if (const auto scalar = machine_scalar(cell.value)) {
    out += *scalar;
  } else if (const auto* text = std::get_if<std::string>(&cell.value)) {
    append_text(out, *text);
  } else if (const auto* record = std::get_if<Record>(&cell.value)) {
    append_record(out, *record, indent);
  } else if (const auto* list = std::get_if<List>(&cell.value)) {
    append_all(out, "[]", *list, indent,
               [&](const Cell& item) { append_value(out, item, indent + 2); });
  }
}

void append_items(std::string& out, const Table& table, std::size_t indent) {
  const std::vector<std::size_t> shown = machine_columns(table);
  append_all(out, "[]", table.rows, indent, [&](const auto& row) {
    append_all(out, "{}", shown, indent + 2, [&](std::size_t index) {
      append_entry(out, table.columns[index].key, row[index], indent + 4);
    });
  });
}

}  // namespace

std::string render_json(const Report& report) {
  std::string out = "{\n  \"apiVersion\": ";
  append_text(out, kApiVersion);
  out += ",\n  \"kind\": ";
  append_text(out, report.kind);
  out += ",\n  \"items\": ";
  append_items(out, report.table, 2);
  out += ",\n  \"summary\": ";
  append_record(out, report.machine_summary, 2);
  out += ",\n  \"gaps\": ";
  append_value(out, machine_gaps(report), 2);
  out += "\n}\n";
  return out;
}

}  // namespace gpu::report
