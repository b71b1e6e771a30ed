#include "report/diagnostic.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/marks.hpp"
#include "report/paint.hpp"
#include "report/wrap.hpp"

namespace gpu::report {
namespace {

/// More than these are counted: `gpu-b1, gpu-b2, gpu-b3 and 117 more`.
constexpr std::size_t kMostNames = 4;
constexpr std::string_view kGutter = "   |";
/// Under the first word behind `help: `.
constexpr std::size_t kCommandIndent = 6;

Paint paint_of_label(std::string_view label) {
  if (label == "error") return Paint::bold_red;
  if (label == "help") return Paint::bold_cyan;
  if (label == "warning") return Paint::bold_yellow;
  return Paint::bold_dim;
}

class Drawing {
 public:
  Drawing(const Diagnostic& diagnostic, Names names, const Style& style)
      : diagnostic_(diagnostic), names_(names), style_(style) {}

  std::string draw() {
    draw_headline();
    if (!diagnostic_.place.empty())
      out_ += "  " + painted("-->", Paint::blue, style_) + " " + shown(diagnostic_.place) + "\n";
    if (!diagnostic_.evidence.empty() || !diagnostic_.rows.empty()) draw_frame();
    return draw(diagnostic_.advised);
  }

  std::string draw(const std::vector<Advised>& all) {
    for (const Advised& advised : all) draw_advised(advised);
    return std::move(out_);
  }

 private:
  /// Commands and files are never cut.
  static std::string cut(std::string_view text) {
    return cut_for_people(text, "-o json has the whole");
  }
  [[nodiscard]] std::string shown(std::string_view text) const { return clean(cut(text), style_); }

  void draw_headline() {
    std::string label = diagnostic_.severity;
    if (!diagnostic_.code.empty()) label += "[" + diagnostic_.code + "]";
    out_ += painted(label, paint_of_label(diagnostic_.severity), style_) + ": ";
    append_prose(out_, cut(diagnostic_.headline), label.size() + 2, style_);
    out_ += '\n';
  }

  Line gutter() {
    Line line(out_, style_);
    line.put(kGutter, Paint::blue);
    return line;
  }

  void empty_gutter() {
    Line line = gutter();
    line.end();
  }

  void draw_frame() {
    draw_evidence();
    if (!diagnostic_.rows.empty()) {
      if (!diagnostic_.evidence.empty()) empty_gutter();
      draw_rows();
    }
  }

  void draw_evidence() {
    std::size_t label = 0;
    std::size_t text = 0;
    for (const Evidence& each : diagnostic_.evidence) {
      label = std::max(label, display_width(each.label));
      if (!each.origin.empty()) text = std::max(text, display_width(shown(each.text)));
    }
    const std::size_t text_at = kGutter.size() + 2 + label + 2;
    for (const Evidence& each : diagnostic_.evidence) {
      Line line = gutter();
      line.go_to(kGutter.size() + 2);
      line.put(each.label, Paint::plain);
      line.go_to(text_at);
      line.put(shown(each.text), Paint::plain);
      const std::string origin = "(" + each.origin + ")";
      const bool has_room =
          !style_.width || text_at + text + 2 + display_width(origin) <= *style_.width;
      if (!each.origin.empty() && has_room) {
        line.go_to(text_at + text + 2);
        line.put(origin, Paint::dim);
      }
      line.end();
    }
  }

  /// As many names as fit, at least one; how many more there are.
  std::string names_text(const std::vector<Named>& names, std::size_t room) const {
    const bool has_all = names_ == Names::all || names.size() <= kMostNames;
    std::size_t count = has_all ? names.size() : kMostNames - 1;
    for (;; --count) {
      std::string text;
      for (std::size_t i = 0; i < count; ++i)
        text += i == 0 ? clean(text_of(names[0]), style_)
                       : ", " + clean(text_of(names[i], names[i - 1].unit), style_);
      if (count < names.size()) text += fmt::format(" and {} more", names.size() - count);
      if (count <= 1 || display_width(text) <= room) return text;
    }
  }

  /// "gpu-a2 (2 free)"; "gpu-a3 (1)" where the name before it has said the unit.
  static std::string text_of(const Named& named, std::string_view said_unit = {}) {
    if (named.note.empty()) return named.name;
    const bool is_said = named.unit.empty() || named.unit == said_unit;
    return fmt::format("{} ({}{})", named.name, named.note, is_said ? "" : " " + named.unit);
  }

  void draw_rows() {
    std::size_t what = display_width(diagnostic_.what_title);
    for (const AlikeRow& row : diagnostic_.rows)
      what = std::max(what, display_width(shown(row.what)));
    const std::size_t count_at = kGutter.size() + 2;
    const std::size_t what_at = count_at + diagnostic_.count_title.size() + 2;
    const std::size_t names_at = what_at + what + 2;
    draw_titles(count_at, what_at, names_at);
    for (const AlikeRow& row : diagnostic_.rows) {
      const std::string count = std::to_string(row.count);
      Line line = gutter();
      line.go_to(count_at + (diagnostic_.count_title.size() > count.size()
                                 ? diagnostic_.count_title.size() - count.size()
                                 : 0));
      line.put(count, Paint::plain);
      line.go_to(what_at);
      line.put(shown(row.what), Paint::plain);
      line.go_to(names_at);
      std::string detail = shown(row.detail);
      const std::size_t width = style_.width.value_or(std::size_t{1} << 20);
      // Names say more than the detail, which JSON has.
      const std::size_t one =
          row.names.empty() ? 0 : display_width(clean(text_of(row.names[0]), style_));
      if (names_at + one + 2 + display_width(detail) > width) detail.clear();
      const std::size_t taken = names_at + (detail.empty() ? 0 : display_width(detail) + 2);
      const bool has_list = names_ == Names::all && row.names.size() > kMostNames;
      const std::size_t room = width > taken ? width - taken : 0;
      line.put(has_list ? clean(text_of(row.names[0]), style_) : names_text(row.names, room),
               Paint::plain);
      line.skip(2);
      line.put(detail, Paint::dim);
      line.end();
      if (has_list) draw_other_names(row.names, names_at);
    }
  }

  /// Below the first, each on a line of its own.
  void draw_other_names(const std::vector<Named>& names, std::size_t names_at) {
    for (std::size_t i = 1; i < names.size(); ++i) {
      Line line = gutter();
      line.go_to(names_at);
      line.put(clean(text_of(names[i]), style_), Paint::plain);
      line.end();
    }
  }

  void draw_titles(std::size_t count_at, std::size_t what_at, std::size_t names_at) {
    Line line = gutter();
    line.go_to(count_at);
    line.put(diagnostic_.count_title, Paint::bold);
    line.go_to(what_at);
    line.put(diagnostic_.what_title, Paint::bold);
    line.go_to(names_at);
    line.put(diagnostic_.names_title, Paint::bold);
    line.end();
  }

  void draw_advised(const Advised& advised) {
    out_ += painted(advised.label, paint_of_label(advised.label), style_) + ": ";
    append_prose(out_, cut(advised.text), advised.label.size() + 2, style_);
    out_ += '\n';
    const std::string indent(kCommandIndent, ' ');
    for (const std::string& command : advised.commands)
      out_ += indent + clean(command, style_) + '\n';
    for (const PrintedFile& file : advised.files) {
      out_ += indent + painted("# " + clean(file.name, style_), Paint::dim, style_);
      if (!file.comment.empty())
        out_ += painted("   (" + clean(file.comment, style_) + ")", Paint::dim, style_);
      out_ += '\n';
      for (const std::string_view line : lines_of(file.text))
        out_ += indent + clean(line, style_) + '\n';
    }
  }

  const Diagnostic& diagnostic_;
  Names names_;
  Style style_;
  std::string out_;
};

}  // namespace

std::string render_advised(const std::vector<Advised>& advised, const Style& style) {
  const Diagnostic none;
  return Drawing(none, Names::first, style).draw(advised);
}

std::string render_diagnostic(const Diagnostic& diagnostic, Names names, const Style& style) {
  return Drawing(diagnostic, names, style).draw();
}

}  // namespace gpu::report
