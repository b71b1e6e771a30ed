#include "report/checklist.hpp"

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "report/paint.hpp"
#include "report/wrap.hpp"

namespace gpu::report {
namespace {

constexpr std::size_t kBetween = 2;
constexpr std::size_t kChecklistIndent = 8;
constexpr std::string_view kHelpLabel = "help: ";

Paint paint_of(ChecklistItem::Tone tone) {
  switch (tone) {
    case ChecklistItem::Tone::good:
      return Paint::green;
    case ChecklistItem::Tone::warning:
      return Paint::yellow;
    case ChecklistItem::Tone::broken:
      return Paint::red;
    case ChecklistItem::Tone::dim:
      return Paint::dim;
  }
  return Paint::plain;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = display_width(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

/// Lines of commands are taken as a whole by whoever copies them.
bool is_command_line(std::string_view line) {
  return line.starts_with(' ') || line.starts_with("kubectl ") || line.starts_with("kubectl-gpu ");
}

void append_help_line(std::string& out, std::string_view line, bool& is_first, const Style& style) {
  out.append(kChecklistIndent, ' ');
  out += is_first ? painted("help", Paint::bold_cyan, style) + ": "
                  : std::string(kHelpLabel.size(), ' ');
  is_first = false;
  if (is_command_line(line)) {
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    out += clean(line, style);
  } else {
    append_prose(out, line, kChecklistIndent + kHelpLabel.size(), style);
  }
  while (out.ends_with(' ')) out.pop_back();
  out += '\n';
}

}  // namespace

std::string render_checklist(const std::vector<ChecklistItem>& items, const Style& style) {
  std::size_t words = 0;
  std::size_t names = 0;
  for (const ChecklistItem& item : items) {
    words = std::max(words, display_width(item.word));
    names = std::max(names, display_width(item.name));
  }
  std::string out;
  for (const ChecklistItem& item : items) {
    out += painted(item.word, paint_of(item.tone), style);
    out.append(words - display_width(item.word) + kBetween, ' ');
    out += padded(clean(item.name, style), names + kBetween);
    append_prose(out, cut_for_people(item.text, {}), words + names + 2 * kBetween, style);
    out += '\n';
    bool is_first = true;
    for (const std::string_view line : lines_of(item.help))
      append_help_line(out, line, is_first, style);
    if (!item.command.empty()) append_help_line(out, " " + item.command, is_first, style);
  }
  return out;
}

}  // namespace gpu::report
