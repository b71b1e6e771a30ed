#include "base/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace gpu {
namespace {

// Words that YAML 1.1 or 1.2 reads as a boolean, null or number.
bool is_reserved(std::string_view text) {
  static constexpr std::array<std::string_view, 13> kReserved = {
      "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity", "nil"};
  return std::find(kReserved.begin(), kReserved.end(), lower_case(text)) != kReserved.end();
}

/// "16Gi", "500m": a quantity whose unit no reader takes for a number's.
bool is_quantity_with_unit(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view unit = text.substr(digits);
  static constexpr std::array<std::string_view, 6> kUnits = {"m", "Ki", "Mi", "Gi", "Ti", "Pi"};
  return digits > 0 && std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

/// "--nnodes=2", "-c": a dash before a letter starts nothing in YAML.
bool is_command_flag(std::string_view text) {
  const std::size_t dashes = std::min(text.find_first_not_of('-'), text.size());
  return (dashes == 1 || dashes == 2) && dashes < text.size() && is_letter(text[dashes]) &&
         !is_reserved(text.substr(dashes));
}

/// A colon is a mark only where a space or nothing follows.
bool has_mark_colon(std::string_view text) {
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1))
    if (at + 1 == text.size() || text[at + 1] == ' ') return true;
  return false;
}

// Plain only what no reader can take for anything else: numbers of every form, dates and
// indicators start with something other than a letter, and the rest has no mark that YAML knows.
bool may_be_plain(std::string_view text) {
  const auto is_harmless = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view(" _-./+()$=:@%").find(c) != std::string_view::npos;
  };
  if (text.empty() || text.back() == ' ') return false;
  if (is_quantity_with_unit(text)) return true;
  const bool starts_well = is_letter(text.front()) || text.front() == '/' ||
                           text.starts_with("$(") || is_command_flag(text);
  return starts_well && std::all_of(text.begin(), text.end(), is_harmless) &&
         !has_mark_colon(text) && !is_reserved(text);
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

}  // namespace

std::string yaml_text(std::string_view text) {
  if (may_be_plain(text)) return std::string(text);
  std::string out = "\"";
  if (is_simple(text)) {
    out += text;
  } else {
    for (std::size_t at = 0; at < text.size();) {
      const CodePoint point = first_code_point(text.substr(at));
      append_escaped(out, point, text.substr(at, point.length));
      at += point.length;
    }
  }
  return out + '"';
}

}  // namespace gpu
