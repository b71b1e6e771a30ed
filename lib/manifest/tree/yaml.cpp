#include "manifest/tree/yaml.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "base/text.hpp"
#include "base/yaml_text.hpp"

namespace gpu::manifest {
namespace {

constexpr std::size_t kWidth = 100;

bool is_scalar(const Tree& tree) {
  return !std::holds_alternative<Tree::Map>(tree.value()) &&
         !std::holds_alternative<Tree::List>(tree.value());
}

/// A script reads best as it is. Not where readers disagree: lines of nothing but spaces, and what
/// nobody can see.
bool is_literal(const std::string& text) {
  if (text.find('\n') == std::string::npos || text.front() == '\n') return false;
  for (const std::string_view line : lines_of(text)) {
    if (!line.empty() && line.find_first_not_of(" \t") == std::string_view::npos) return false;
    std::string shown(line);
    std::erase(shown, '\t');
    if (sanitize(shown) != shown) return false;
  }
  return true;
}

std::string scalar_text(const Tree& tree) {
  if (const auto* truth = std::get_if<bool>(&tree.value())) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&tree.value())) return std::to_string(*number);
  return yaml_text(std::get<std::string>(tree.value()));
}

class Writer {
 public:
  explicit Writer(Comments comments) : comments_(comments) {}

  void document(const Tree& tree) {
    if (!text_.empty()) text_ += "---\n";
    const auto* map = std::get_if<Tree::Map>(&tree.value());
    if (map == nullptr || map->empty())
      line("", one_line(tree).value_or("{}"), {});
    else
      map_lines(*map, 0);
  }

  /// Scripts in quotes.
  [[nodiscard]] std::string whole_line(const Tree& tree) const {
    return one_line(tree).value_or("(several lines)");
  }

  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  /// Nothing where a comment inside, or a script, needs lines of its own.
  [[nodiscard]] std::optional<std::string> one_line(const Tree& tree) const {
    if (const auto* map = std::get_if<Tree::Map>(&tree.value())) {
      std::string text;
      for (const Tree::Entry& entry : *map) {
        const auto value = one_line(entry.value);
        if (!value || is_commented(entry.why)) return std::nullopt;
        text += (text.empty() ? "" : ", ") + yaml_text(entry.key) + ": " + *value;
      }
      return "{" + text + "}";
    }
    if (const auto* list = std::get_if<Tree::List>(&tree.value())) {
      std::string text;
      for (const Tree::Item& item : *list) {
        const auto value = one_line(item.value);
        if (!value || is_commented(item.why)) return std::nullopt;
        text += (text.empty() ? "" : ", ") + *value;
      }
      return "[" + text + "]";
    }
    const auto* text = std::get_if<std::string>(&tree.value());
    if (text != nullptr && is_literal(*text)) return std::nullopt;
    return scalar_text(tree);
  }

  /// Whether `tree` reads better on one line: what says so itself, words, and records in a list.
  static bool suits_one_line(const Tree& tree, bool is_item) {
    if (tree.is_on_one_line() || tree.empty()) return true;
    if (const auto* list = std::get_if<Tree::List>(&tree.value()))
      return std::all_of(list->begin(), list->end(),
                         [](const Tree::Item& item) { return is_scalar(item.value); });
    const auto* map = std::get_if<Tree::Map>(&tree.value());
    return map == nullptr ||
           (is_item && std::all_of(map->begin(), map->end(),
                                   [](const auto& entry) { return is_scalar(entry.value); }));
  }

  void map_lines(const Tree::Map& map, std::size_t indent) {
    for (const Tree::Entry& entry : map) {
      const std::string key = lead(indent) + yaml_text(entry.key) + ":";
      value_lines(key, entry.value, entry.why, indent, Within::map);
    }
  }

  enum class Within { map, list };

  /// `start` is all of the line before the value: a key with its colon, or the dash of an item.
  void value_lines(const std::string& start, const Tree& tree, const Why& why, std::size_t indent,
                   Within within) {
    const bool is_item = within == Within::list;
    if (suits_one_line(tree, is_item)) {
      const auto value = one_line(tree);
      if (value && (is_scalar(tree) || start.size() + 1 + value->size() <= kWidth))
        return line(start + " ", *value, why);
    }
    if (const auto* text = std::get_if<std::string>(&tree.value())) {
      script_lines(start, *text, why, indent + 2);
      return;
    }
    if (const auto* list = std::get_if<Tree::List>(&tree.value())) {
      line(start, "", why);
      // kubectl's own style: the dashes of a list stand under its key.
      list_lines(*list, is_item ? indent + 2 : indent);
      return;
    }
    const Tree::Map& map = std::get<Tree::Map>(tree.value());
    if (!is_item) {
      line(start, "", why);
      return map_lines(map, indent + 2);
    }
    if (is_commented(why)) text_ += indented(yaml_comment(why.comment), indent);
    const std::size_t from = text_.size();
    map_lines(map, indent + 2);
    // The dash takes the place of the first key's indentation, behind comments that stand above it.
    const std::size_t dash = first_key_after(from) + indent;
    text_[dash] = '-';
  }

  void list_lines(const Tree::List& list, std::size_t indent) {
    for (const Tree::Item& item : list)
      value_lines(lead(indent) + "-", item.value, item.why, indent, Within::list);
  }

  void script_lines(const std::string& start, const std::string& text, const Why& why,
                    std::size_t indent) {
    std::string mark = "|";
    // A reader would take the spaces of the first line for indentation.
    if (text.front() == ' ' || text.front() == '\t') mark += "2";
    if (text.back() != '\n')
      mark += "-";
    else if (text.size() > 1 && text[text.size() - 2] == '\n')
      mark += "+";
    line(start + " ", mark, why);
    for (const std::string_view each : lines_of(text)) {
      if (!each.empty()) text_ += lead(indent);
      text_ += std::string(each) + '\n';
    }
  }

  void line(const std::string& start, const std::string& value, const Why& why) {
    const std::string whole = start + value;
    if (!is_commented(why)) {
      text_ += whole + '\n';
      return;
    }
    const std::string comment = "  # " + sanitize(why.comment);
    if (display_width(whole) + display_width(comment) <= kWidth) {
      text_ += whole + comment + '\n';
      return;
    }
    text_ += indented(yaml_comment(why.comment), whole.find_first_not_of(' ')) + whole + '\n';
  }

  [[nodiscard]] std::size_t first_key_after(std::size_t from) const {
    for (;;) {
      const std::size_t first = text_.find_first_not_of(' ', from);
      if (first == std::string::npos || text_[first] != '#') return from;
      from = text_.find('\n', from) + 1;
    }
  }

  [[nodiscard]] bool is_commented(const Why& why) const {
    return comments_ == Comments::written && !why.comment.empty();
  }

  static std::string lead(std::size_t indent) { return std::string(indent, ' '); }

  static std::string indented(const std::string& lines, std::size_t indent) {
    std::string text;
    for (const std::string_view each : lines_of(lines))
      text += lead(indent) + std::string(each) + '\n';
    return text;
  }

  Comments comments_;
  std::string text_;
};

}  // namespace

std::string yaml_of(const Documents& documents, Comments comments) {
  Writer writer(comments);
  for (const Tree& each : documents) writer.document(each);
  return std::move(writer).take();
}

std::string one_line_of(const Tree& tree) { return Writer(Comments::left_out).whole_line(tree); }

std::string yaml_comment(std::string_view text) {
  std::string lines;
  std::string line = "#";
  const std::string clean = sanitize(text);
  for (std::string_view rest = clean; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    if (line.size() > 1 && display_width(line) + 1 + display_width(word) > kWidth) {
      lines += line + '\n';
      line = "#";
    }
    if (!word.empty()) line += " " + std::string(word);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines + line + '\n';
}

}  // namespace gpu::manifest
