#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "report/paint.hpp"
#include "report/render.hpp"
#include "report/wrap.hpp"

namespace gpu::report {
namespace {

constexpr std::size_t kMostHints = 3;
// What follows `help: ` stands under its first word.
constexpr std::size_t kIndent = 6;

// Commands are never wrapped, so that selecting a line takes one whole.
bool is_command(std::string_view line) {
  return line.starts_with(' ') || line.starts_with("kubectl ") || line.starts_with("kubectl-gpu ");
}

// The spaces that all commands of `lines` start with: a file among them keeps its own indentation.
std::size_t common_indent(const std::vector<std::string_view>& lines) {
  std::size_t least = std::string_view::npos;
  for (const std::string_view line : lines) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (line.starts_with(' ') && indent != std::string_view::npos) least = std::min(least, indent);
  }
  return least == std::string_view::npos ? 0 : least;
}

// `help: ` and its lines; nothing when there are none.
void append_help(std::string& out, std::string_view help, const Style& style) {
  const std::vector<std::string_view> lines = lines_of(help);
  const std::size_t common = common_indent(lines);
  bool is_first = true;
  for (std::string_view line : lines) {
    out += is_first ? painted("help", Paint::bold_cyan, style) + ": " : std::string(kIndent, ' ');
    is_first = false;
    const bool is_bare = is_command(line);
    if (line.starts_with(' ')) line.remove_prefix(std::min(common, line.size()));
    if (is_bare)
      out += clean(line, style);
    else
      append_prose(out, line, kIndent, style);
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
  }
}

void append_labelled(std::string& out, std::string_view label, Paint paint, std::string_view prose,
                     const Style& style) {
  out += painted(label, paint, style) + ": ";
  append_prose(out, cut_for_people(prose, {}), label.size() + 2, style);
  out += '\n';
}

struct CleanHint {
  std::string text;
  std::string command;
};

std::vector<CleanHint> clean_hints(const Report& report, const Style& style) {
  std::vector<CleanHint> hints;
  for (std::size_t i = 0; i < std::min(report.hints.size(), kMostHints); ++i)
    hints.push_back({.text = clean(report.hints[i].text, style),
                     .command = clean(report.hints[i].command, style)});
  return hints;
}

}  // namespace

std::string render_hints(const Report& report, const Style& style) {
  constexpr std::size_t kGap = 4;
  if (!style.width || report.hints.empty()) return {};
  const std::vector<CleanHint> hints = clean_hints(report, style);
  std::size_t text = 0;
  std::size_t command = 0;
  for (const CleanHint& hint : hints) {
    text = std::max(text, display_width(hint.text));
    command = std::max(command, display_width(hint.command));
  }
  const bool has_room = text + kGap + command <= *style.width;
  std::string out = "\n";
  for (const CleanHint& hint : hints) {
    out += hint.text;
    if (!hint.command.empty()) {
      out += has_room ? std::string(text - display_width(hint.text) + kGap, ' ') : "\n  ";
      out += hint.command;
    }
    out += '\n';
  }
  return out;
}

namespace {

/// What a log keeps: each gap in one line, its help in parentheses.
std::string gap_line(const Note& gap, const Style& style) {
  std::string text = gap.what;
  if (!gap.why.empty()) text += "; " + gap.why;
  std::string help;
  for (const std::string_view line : lines_of(gap.help)) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos) continue;
    help += (help.empty() ? "" : ": ") + std::string(line.substr(start));
  }
  if (!help.empty()) text += " (" + help + ")";
  return render_warning(text, style);
}

}  // namespace

std::string render_gaps(const std::vector<Note>& gaps, const Style& style) {
  std::string out;
  for (const Note& gap : gaps) {
    if (!style.width) {
      out += gap_line(gap, style);
      continue;
    }
    append_labelled(out, "warning", Paint::bold_yellow, gap.what, style);
    if (!gap.why.empty()) append_labelled(out, "note", Paint::bold_dim, gap.why, style);
    append_help(out, gap.help, style);
  }
  return out;
}

std::string render_error(const std::string& headline, const std::string& help, const Style& style) {
  std::string out;
  const std::string text = clean(headline, style);
  // Only a label is red: the colon of `10.20.0.1:6443` has no space after it.
  const std::size_t colon = text.find(": ");
  const std::size_t label = colon == std::string::npos ? 0 : colon;
  out += painted(std::string_view(text).substr(0, label), Paint::bold_red, style);
  out += text.substr(label) + '\n';
  append_help(out, help, style);
  return out;
}

std::string render_note(const std::string& text, const Style& style) {
  std::string out;
  append_labelled(out, "note", Paint::bold_dim, text, style);
  return out;
}

std::string render_warning(const std::string& text, const Style& style) {
  return painted("warning", Paint::bold_yellow, style) + ": " + clean(text, style) + '\n';
}

}  // namespace gpu::report
