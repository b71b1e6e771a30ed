#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "report/machine.hpp"
#include "report/renderers.hpp"
#include "report/values.hpp"

namespace gpu::report {
namespace {

// Words that YAML 1.1 or 1.2 reads as a boolean, null or number.
bool is_reserved(std::string_view text) {
  static constexpr std::array<std::string_view, 13> kReserved = {
      "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity", "nil"};
  return std::find(kReserved.begin(), kReserved.end(), lower_case(text)) != kReserved.end();
}

// Plain only what no reader can take for anything else: numbers of every form, dates and
// indicators start with something other than a letter, and the rest has no mark that YAML knows.
bool may_be_plain(std::string_view text) {
  const auto is_harmless = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view(" _-./+()$=").find(c) != std::string_view::npos;
  };
  if (text.empty() || !is_letter(text.front()) || text.back() == ' ') return false;
  return std::all_of(text.begin(), text.end(), is_harmless) && !is_reserved(text);
}

void append_escaped(std::string& out, const CodePoint& point, std::string_view bytes) {
  const auto number = static_cast<unsigned>(point.value);
  const bool is_noncharacter = (number & 0xFFFEu) == 0xFFFEu;
  if (point.is_broken) {
    out += "\\uFFFD";
  } else if (point.value == '"' || point.value == '\\') {
    out += '\\';
    out += bytes;
  } else if (point.value == '\n') {
    out += "\\n";
  } else if (point.value == '\t') {
    out += "\\t";
  } else if (!is_invisible(point.value) && !is_noncharacter) {
    out += bytes;
  } else if (number <= 0xFF) {
    fmt::format_to(std::back_inserter(out), "\\x{:02X}", number);
  } else if (number <= 0xFFFF) {
    fmt::format_to(std::back_inserter(out), "\\u{:04X}", number);
  } else {
    fmt::format_to(std::back_inserter(out), "\\U{:08X}", number);
  }
}

void append_text(std::string& out, std::string_view text) {
  if (may_be_plain(text)) {
    out += text;
    return;
  }
  out += '"';
  if (is_simple(text)) {
    out += text;
  } else {
    for (std::size_t at = 0; at < text.size();) {
      const CodePoint point = first_code_point(text.substr(at));
      append_escaped(out, point, text.substr(at, point.length));
      at += point.length;
    }
  }
  out += '"';
}

void append_value(std::string& out, const Cell& cell, std::size_t indent);

// What follows a key's colon: on the same line, or in lines of its own.
void append_entry(std::string& out, std::string_view key, const Cell& cell, std::size_t indent) {
  append_text(out, key);
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
    append_text(out, *text);
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
