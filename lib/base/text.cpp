#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/secrets.hpp"
#include "base/text_ranges.hpp"

namespace gpu {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
// Vietnamese needs two, Tibetan three. A name of a thousand marks is one column wide and floods the
// screen all the same.
constexpr std::size_t kMostMarks = 4;

bool is_in(std::span<const text_ranges::Range> ranges, char32_t code_point) {
  const auto* const after = std::upper_bound(
      ranges.data(), ranges.data() + ranges.size(), code_point,
      [](char32_t value, const text_ranges::Range& range) { return value < range.first; });
  return after != ranges.data() && code_point <= std::prev(after)->last;
}

bool is_combining(char32_t code_point) {
  return code_point >= 0x300 && is_in(text_ranges::kCombining, code_point);
}

std::size_t width_of(char32_t code_point) {
  // Frames, blocks and marks, all narrow: most of what a table is made of, so no search for these.
  const bool is_drawing = code_point >= 0x2400 && code_point < 0x25FD;
  if (code_point < 0x300 || is_drawing) return 1;
  if (is_combining(code_point)) return 0;
  if (is_invisible(code_point)) return 0;
  return code_point >= 0x1100 && is_in(text_ranges::kWide, code_point) ? 2 : 1;
}

bool is_printable_ascii(char c) { return c >= ' ' && c <= '~'; }

bool is_printable_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_printable_ascii(c); });
}

// What table 3-7 of the Unicode standard says of each first byte: how many bytes follow, and the
// range of the second one, which keeps out overlong forms, surrogates and values past U+10FFFF.
struct Lead {
  std::size_t following = 0;
  unsigned char second_min = 0x80;
  unsigned char second_max = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {.following = 1};
  if (byte == 0xE0) return {.following = 2, .second_min = 0xA0};
  if (byte == 0xED) return {.following = 2, .second_max = 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {.following = 2};
  if (byte == 0xF0) return {.following = 3, .second_min = 0x90};
  if (byte == 0xF4) return {.following = 3, .second_max = 0x8F};
  if (byte >= 0xF1 && byte <= 0xF3) return {.following = 3};
  return {};
}

void append_escape(std::string& out, std::string_view bytes, const CodePoint& point) {
  if (point.is_broken) {
    for (const char byte : bytes)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(byte));
  } else if (point.value == '\n') {
    out += "\\n";
  } else if (point.value == '\t') {
    out += "\\t";
  } else if (point.value == '\r') {
    out += "\\r";
  } else if (point.value < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned>(point.value));
  } else if (point.value <= 0xFFFF) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(point.value));
  } else {
    fmt::format_to(std::back_inserter(out), "\\U{:08x}", static_cast<unsigned>(point.value));
  }
}

// The bytes of the longest start of `text` that takes at most `width` columns, with the combining
// marks of its last character.
std::size_t head_length(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  std::size_t used = 0;
  while (at < text.size()) {
    const CodePoint point = first_code_point(text.substr(at));
    used += point.is_broken ? point.length : width_of(point.value);
    if (used > width) break;
    at += point.length;
  }
  return at;
}

// Where the longest end of `text` starts that takes at most `width` columns and does not start with
// a combining mark.
std::size_t tail_start(std::string_view text, std::size_t width) {
  std::size_t rest = display_width(text);
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = first_code_point(text.substr(at));
    if (rest <= width && !is_combining(point.value)) break;
    rest -= point.is_broken ? point.length : width_of(point.value);
    at += point.length;
  }
  return at;
}

// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`, letter case aside.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::move(last);
    last = std::move(row);
    row.assign(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower_case(a[i - 1]) == lower_case(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
          lower_case(a[i - 2]) == lower_case(b[j - 1]))
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {.value = byte(0), .length = 1};
  const Lead lead = lead_of(byte(0));
  if (lead.following == 0) return {.value = kReplacement, .length = 1, .is_broken = true};
  char32_t value = byte(0) & (0x3Fu >> lead.following);
  for (std::size_t i = 1; i <= lead.following; ++i) {
    const unsigned char min = i == 1 ? lead.second_min : 0x80;
    const unsigned char max = i == 1 ? lead.second_max : 0xBF;
    if (i >= text.size() || byte(i) < min || byte(i) > max)
      return {.value = kReplacement, .length = i, .is_broken = true};
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  return {.value = value, .length = lead.following + 1};
}

bool is_invisible(char32_t code_point) { return is_in(text_ranges::kInvisible, code_point); }

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (is_printable_ascii(text[at])) {
      ++width;
      ++at;
      continue;
    }
    const CodePoint point = first_code_point(text.substr(at));
    width += point.is_broken ? point.length : width_of(point.value);
    at += point.length;
  }
  return width;
}

std::string sanitize(std::string_view outside) {
  std::string kept = without_secrets(outside);
  const std::string_view text = kept;
  if (is_printable_ascii(text)) return kept;
  std::string out;
  out.reserve(text.size());
  std::size_t marks = kMostMarks;  // nothing yet that a mark could stand on
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = first_code_point(text.substr(at));
    const std::string_view bytes = text.substr(at, point.length);
    at += point.length;
    const bool is_mark = !point.is_broken && is_combining(point.value);
    const bool is_hostile =
        point.is_broken || is_invisible(point.value) || (is_mark && marks >= kMostMarks);
    if (is_hostile)
      append_escape(out, bytes, point);
    else
      out += bytes;
    marks = is_hostile ? kMostMarks : is_mark ? marks + 1 : 0;
  }
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = first_code_point(text.substr(at));
    if (point.is_broken)
      out += "\xEF\xBF\xBD";
    else
      out += text.substr(at, point.length);
    at += point.length;
  }
  return out;
}

std::string shorten_middle(std::string_view text, std::size_t width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  const std::size_t ellipsis_width = display_width(ellipsis);
  if (width <= ellipsis_width) return std::string(ellipsis.substr(0, head_length(ellipsis, width)));
  // Names differ more often at the start, so it gets two thirds.
  const std::size_t kept = width - ellipsis_width;
  const std::size_t tail = kept / 3;
  std::string out(text.substr(0, head_length(text, kept - tail)));
  out += ellipsis;
  out += text.substr(tail_start(text, tail));
  return out;
}

namespace {

/// `head` without what says nothing where its sequel is cut off: commas, plus signs, and a number
/// whose unit is gone, "1 H100-80G + 9 mig" → "1 H100-80G".
std::string_view without_loose_end(std::string_view head) {
  for (;;) {
    while (head.ends_with(' ') || head.ends_with(',') || head.ends_with(" +"))
      head.remove_suffix(1);
    const std::size_t space = head.rfind(' ');
    const bool is_number =
        space != std::string_view::npos &&
        head.find_first_not_of("0123456789", space + 1) == std::string_view::npos;
    if (!is_number) return head;
    head.remove_suffix(head.size() - space);
  }
}

}  // namespace

std::string shorten_end(std::string_view text, std::size_t width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  const std::size_t ellipsis_width = display_width(ellipsis);
  if (width <= ellipsis_width) return std::string(ellipsis.substr(0, head_length(ellipsis, width)));
  std::string_view head = text.substr(0, head_length(text, width - ellipsis_width));
  const std::size_t space = text[head.size()] == ' ' ? head.size() : head.rfind(' ');
  if (space != std::string_view::npos && space >= head.size() / 3 * 2) head = head.substr(0, space);
  return std::string(without_loose_end(head)).append(ellipsis);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string shell_quoted(std::string_view word) {
  static constexpr std::string_view kPlain = "-_./:=@%+,";
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (word.starts_with('-') || std::any_of(word.begin(), word.end(), is_control)) return "NAME";
  const auto is_plain = [](char c) {
    return is_letter(c) || is_digit(c) || kPlain.find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + "'";
}

namespace {

/// "cpus" and "cpu": of two that are as near, the one that goes on, or stops short, was meant.
bool starts_alike(std::string_view word, std::string_view choice) {
  return word.starts_with(choice) || choice.starts_with(word);
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view word,
                                             std::span<const std::string_view> choices) {
  std::optional<std::string_view> nearest;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string_view choice : choices) {
    const std::size_t longer = std::max(word.size(), choice.size());
    const std::size_t allowed = std::max<std::size_t>(1, longer / 3);
    // Also keeps a word of a megabyte from costing its square.
    if (longer - std::min(word.size(), choice.size()) > allowed) continue;
    const std::size_t distance = edit_distance(word, choice);
    // A word that keeps none of its letters was not a slip.
    if (distance > allowed || distance >= longer || distance > least) continue;
    if (distance == least && !starts_alike(word, choice)) continue;
    least = distance;
    nearest = choice;
  }
  return nearest;
}

}  // namespace gpu
