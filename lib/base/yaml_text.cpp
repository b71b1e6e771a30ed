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
