#include "lint/text/fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/contains.hpp"
#include "base/error.hpp"
#include "base/yaml_text.hpp"
#include "lint/rules/subject.hpp"
#include "lint/text/lint.hpp"
#include "manifest/read/document.hpp"

namespace gpu::lint {
namespace {

using manifest::ManifestDocument;

/// What a document is to be once an edit is carried out; nothing where it cannot be.
std::optional<json> edited(json object, const Edit& edit) {
  const Pointer parent_at = edit.at.parent_pointer();
  if (!object.contains(parent_at)) return std::nullopt;
  json& parent = object.at(parent_at);
  const std::string last = edit.at.back();
  switch (edit.kind) {
    case Edit::Kind::quote:
    case Edit::Kind::set:
      if (!parent.is_object() && !object.contains(edit.at)) return std::nullopt;
      object[edit.at] = edit.value;
      return object;
    case Edit::Kind::append:
      if (!parent.is_object()) return std::nullopt;
      if (parent[last].is_null()) parent[last] = json::array();
      if (!parent[last].is_array()) return std::nullopt;
      parent[last].insert(parent[last].begin(), edit.value);
      return object;
    case Edit::Kind::rename: {
      if (!parent.is_object() || !parent.contains(last) || !edit.value.is_string())
        return std::nullopt;
      json value = parent[last];
      parent.erase(last);
      parent[edit.value.get<std::string>()] = std::move(value);
      return object;
    }
    case Edit::Kind::remove:
      if (parent.is_array()) {
        if (parent.size() < 2) return std::nullopt;  // an empty list may mean something else
        parent.erase(static_cast<std::size_t>(std::stoul(last)));
      } else if (parent.erase(last) == 0) {
        return std::nullopt;
      }
      return object;
  }
  return std::nullopt;
}

/// A value on one line of YAML: `{key: a, effect: b}`.
std::string flow_text(const json& value) {
  if (value.is_object()) {
    std::string text;
    const auto add = [&](const std::string& key, const json& member) {
      text += (text.empty() ? "" : ", ") + yaml_text(key) + ": " + flow_text(member);
    };
    // People write what a thing is called first, and so do tolerations.
    for (const char* const first : {"name", "key", "operator"})
      if (value.contains(first)) add(first, value.at(first));
    for (const auto& [key, member] : value.items())
      if (key != "name" && key != "key" && key != "operator") add(key, member);
    return "{" + text + "}";
  }
  if (value.is_array()) {
    std::string text;
    for (const json& item : value) text += (text.empty() ? "" : ", ") + flow_text(item);
    return "[" + text + "]";
  }
  return value.is_string() ? yaml_text(value.get_ref<const std::string&>()) : value.dump();
}

/// Behind the quote that ends what the one at `start` begins: in double quotes a backslash escapes,
/// in single ones a quote is doubled.
std::size_t end_of_quoted(std::string_view text, std::size_t start) {
  const char quote = text[start];
  for (std::size_t at = start + 1; at < text.size(); ++at) {
    const bool is_doubled = quote == '\'' && text.substr(at).starts_with("''");
    if (is_doubled || (quote == '"' && text[at] == '\\')) {
      ++at;
      continue;
    }
    if (text[at] == quote) return at + 1;
  }
  return text.size();
}

/// Carries an edit out on the lines of a text.
class Editor {
 public:
  Editor(std::string text, const ManifestDocument& document)
      : text_(std::move(text)), document_(document) {}

  /// The new text; nothing where its place is not one that can be written to.
  std::optional<std::string> carry_out(const Edit& edit) {
    const bool is_there = document_.object.contains(edit.at);
    switch (edit.kind) {
      case Edit::Kind::quote:
      case Edit::Kind::set:
        return is_there ? replace(edit) : add_member(edit.at, flow_text(edit.value));
      case Edit::Kind::append:
        return is_there ? add_item(edit) : add_member(edit.at, "[" + flow_text(edit.value) + "]");
      case Edit::Kind::rename:
        return rename(edit);
      case Edit::Kind::remove:
        return remove(edit);
    }
    return std::nullopt;
  }

  /// A scalar as it is written.
  [[nodiscard]] std::string written_at(const Pointer& at) const {
    const std::size_t start = offset_of(at);
    return text_.substr(start, end_of_scalar(start, is_in_flow(start)) - start);
  }

 private:
  [[nodiscard]] std::size_t offset_of(const Pointer& at) const {
    const decode::TextPlace place = document_.places_of({&at, 1}).front();
    std::size_t offset = 0;
    for (std::size_t line = 1; line < place.line && offset < text_.size(); ++line)
      offset = std::min(text_.find('\n', offset), text_.size() - 1) + 1;
    return std::min(offset + place.column - 1, text_.size());
  }

  [[nodiscard]] std::size_t start_of_line(std::size_t offset) const {
    const std::size_t before = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
    return before == std::string::npos ? 0 : before + 1;
  }

  /// Where a scalar that starts at `offset` ends.
  [[nodiscard]] std::size_t end_of_scalar(std::size_t offset, bool is_in_flow) const {
    if (offset >= text_.size()) return offset;
    if (text_[offset] == '"' || text_[offset] == '\'') return end_of_quoted(text_, offset);
    std::size_t end = std::min(text_.find('\n', offset), text_.size());
    if (const std::size_t comment = text_.find(" #", offset); comment < end) end = comment;
    if (is_in_flow) end = std::min(end, text_.find_first_of(",]}", offset));
    while (end > offset && (text_[end - 1] == ' ' || text_[end - 1] == '\r')) --end;
    return end;
  }

  [[nodiscard]] std::string line_end() const { return contains(text_, "\r\n") ? "\r\n" : "\n"; }

  /// Whether what stands at `offset` is inside of brackets on its line.
  [[nodiscard]] bool is_in_flow(std::size_t offset) const {
    int depth = 0;
    for (std::size_t at = start_of_line(offset); at < offset; ++at) {
      if (text_[at] == '{' || text_[at] == '[') ++depth;
      if (text_[at] == '}' || text_[at] == ']') --depth;
    }
    return depth > 0;
  }

  std::optional<std::string> replace(const Edit& edit) {
    if (document_.object.at(edit.at).is_structured()) return std::nullopt;
    const std::size_t start = offset_of(edit.at);
    const std::size_t end = end_of_scalar(start, is_in_flow(start));
    return text_.substr(0, start) + flow_text(edit.value) + text_.substr(end);
  }

  /// A new key before the first one of its object, in that one's form.
  std::optional<std::string> add_member(const Pointer& at, const std::string& value) {
    const Pointer parent_at = at.parent_pointer();
    if (!document_.object.contains(parent_at)) return std::nullopt;
    const json& parent = document_.object.at(parent_at);
    if (!parent.is_object() || parent.empty()) return std::nullopt;
    const std::size_t start = offset_of(parent_at);
    const std::string member = yaml_text(at.back()) + ": " + value;
    if (start < text_.size() && text_[start] == '{')
      return text_.substr(0, start + 1) + member + ", " + text_.substr(start + 1);
    const std::string indent(start - start_of_line(start), ' ');
    return text_.substr(0, start) + member + line_end() + indent + text_.substr(start);
  }

  /// A new item before the first one of its list.
  std::optional<std::string> add_item(const Edit& edit) {
    const json& list = document_.object.at(edit.at);
    if (!list.is_array() || list.empty()) return std::nullopt;
    const std::size_t start = offset_of(edit.at);
    const std::string item = flow_text(edit.value);
    if (start < text_.size() && text_[start] == '[')
      return text_.substr(0, start + 1) + item + ", " + text_.substr(start + 1);
    if (start >= text_.size() || text_[start] != '-') return std::nullopt;
    const std::string indent(start - start_of_line(start), ' ');
    return text_.substr(0, start) + "- " + item + line_end() + indent + text_.substr(start);
  }

  /// Where the key of the value at `at` starts, and what it is written as.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::string>> key_before(
      const Pointer& at) const {
    const std::size_t value = offset_of(at);
    const std::string key = at.back();
    for (const std::string& written_as : {key, "\"" + key + "\"", "'" + key + "'"}) {
      const std::size_t found =
          value == 0 ? std::string::npos : text_.rfind(written_as + ":", value - 1);
      if (found != std::string::npos && found < value) return std::pair(found, written_as);
    }
    return std::nullopt;
  }

  std::optional<std::string> rename(const Edit& edit) {
    const auto key = key_before(edit.at);
    if (!key) return std::nullopt;
    return text_.substr(0, key->first) + yaml_text(edit.value.get<std::string>()) +
           text_.substr(key->first + key->second.size());
  }

  /// A member or an item that has its lines for itself, or stands between commas.
  std::optional<std::string> remove(const Edit& edit) {
    const json& parent = document_.object.at(edit.at.parent_pointer());
    const auto key = parent.is_object() ? key_before(edit.at) : std::nullopt;
    if (parent.is_object() && !key) return std::nullopt;
    std::size_t start = key ? key->first : offset_of(edit.at);
    const std::size_t value = offset_of(edit.at);
    if (is_in_flow(start)) return remove_in_flow(edit, start, value);
    const std::size_t line = start_of_line(start);
    std::string_view before = std::string_view(text_).substr(line, start - line);
    if (!key && before.ends_with("- ")) before.remove_suffix(2);
    if (before.find_first_not_of(' ') != std::string_view::npos) return std::nullopt;
    return text_.substr(0, line) + text_.substr(end_of_block(line, before.size()));
  }

  /// The first line after `line` that does not belong to what stands at `indent`.
  [[nodiscard]] std::size_t end_of_block(std::size_t line, std::size_t indent) const {
    std::size_t end = std::min(text_.find('\n', line), text_.size() - 1) + 1;
    // Comments at the end may be about what comes next.
    for (std::size_t at = end; at < text_.size();) {
      const std::size_t first = text_.find_first_not_of(' ', at);
      if (first == std::string::npos || first - at <= indent) break;
      at = std::min(text_.find('\n', at), text_.size() - 1) + 1;
      if (text_[first] != '#') end = at;
    }
    return end;
  }

  std::optional<std::string> remove_in_flow(const Edit& edit, std::size_t start,
                                            std::size_t value) {
    std::size_t end = 0;
    if (document_.object.at(edit.at).is_structured()) {
      int depth = 0;
      for (end = value; end < text_.size(); ++end) {
        if (text_[end] == '{' || text_[end] == '[') ++depth;
        if ((text_[end] == '}' || text_[end] == ']') && --depth == 0) break;
      }
      end = std::min(end + 1, text_.size());
    } else {
      end = end_of_scalar(value, true);
    }
    std::size_t after = text_.find_first_not_of(' ', end);
    if (after != std::string::npos && text_[after] == ',')
      return text_.substr(0, start) +
             text_.substr(std::min(text_.find_first_not_of(' ', after + 1), text_.size()));
    const std::size_t comma = text_.find_last_not_of(' ', start - 1);
    if (comma == std::string::npos || text_[comma] != ',') return std::nullopt;
    return text_.substr(0, comma) + text_.substr(end);
  }

  std::string text_;
  const ManifestDocument& document_;
};

/// The same change where maps above its place are missing: the uppermost of these is added, with
/// what belongs into it.
Edit with_missing_maps(Edit edit, const json& object) {
  const auto is_missing = [&](const Pointer& at) { return !at.empty() && !object.contains(at); };
  const bool adds = edit.kind == Edit::Kind::set || edit.kind == Edit::Kind::append;
  if (!adds || !is_missing(edit.at.parent_pointer())) return edit;
  if (edit.kind == Edit::Kind::append) edit.value = json::array({std::move(edit.value)});
  edit.kind = Edit::Kind::set;
  while (is_missing(edit.at.parent_pointer())) {
    edit.value = json{{edit.at.back(), std::move(edit.value)}};
    edit.at.pop_back();
  }
  return edit;
}

/// The document after the edit, if it says what it said before but for the edit.
std::optional<std::string> carried_out(const std::string& text, Edit edit) {
  try {
    const std::vector<ManifestDocument> before = manifest::documents_of(text);
    if (before.size() != 1) return std::nullopt;
    if (edit.kind == Edit::Kind::quote) edit.value = Editor(text, before[0]).written_at(edit.at);
    edit = with_missing_maps(std::move(edit), before[0].object);
    const std::optional<json> wanted = edited(before[0].object, edit);
    std::optional<std::string> result =
        wanted ? Editor(text, before[0]).carry_out(edit) : std::nullopt;
    if (!result) return std::nullopt;
    const std::vector<ManifestDocument> after = manifest::documents_of(*result);
    return after.size() == 1 && after[0].object == *wanted ? result : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // what the edit made is no YAML
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

class Fixer {
 public:
  explicit Fixer(std::string_view text) : fixed_{.text = std::string(text)} {}

  FixedText fix() {
    // What is mended may have hidden something else.
    constexpr int kMostRounds = 10;
    for (int round = 0; round < kMostRounds; ++round)
      if (!mend_once()) break;
    return std::move(fixed_);
  }

 private:
  /// Mends each document, the last finding first, so that the places of the others stay.
  bool mend_once() {
    const std::size_t mended_before = fixed_.mended;
    std::vector<PlacedFinding> findings = lint_text(fixed_.text).findings;
    std::erase_if(findings, [](const PlacedFinding& each) { return !each.finding.edit; });
    if (findings.empty()) return false;
    std::string text;
    std::size_t copied = 0;
    std::size_t number = 0;
    for (const ManifestDocument& document : manifest::documents_of(fixed_.text)) {
      ++number;
      const auto start = static_cast<std::size_t>(document.text.data() - fixed_.text.data());
      text.append(fixed_.text, copied, start - copied);
      text += mended(document, number, findings);
      copied = start + document.text.size();
    }
    text.append(fixed_.text, copied);
    fixed_.text = std::move(text);
    return fixed_.mended > mended_before;
  }

  std::string mended(const ManifestDocument& document, std::size_t number,
                     const std::vector<PlacedFinding>& findings) {
    std::string text(document.text);
    for (auto each = findings.rbegin(); each != findings.rend(); ++each) {
      const Finding& finding = each->finding;
      // An edit that leaves its finding is not tried again.
      const std::string key =
          fmt::format("{} {} {}", number, finding.rule->id, finding.at.to_string());
      if (each->document != number || !done_.insert(key).second) continue;
      if (auto next = carried_out(text, *finding.edit)) {
        text = *std::move(next);
        ++fixed_.mended;
      } else if (const std::string id(finding.rule->id);
                 std::find(fixed_.refused.begin(), fixed_.refused.end(), id) ==
                 fixed_.refused.end()) {
        fixed_.refused.push_back(id);
      }
    }
    return text;
  }

  FixedText fixed_;
  std::set<std::string> done_;
};

}  // namespace

FixedText fixed_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] == '{') return {.text = std::string(text)};
  return Fixer(text).fix();
}

}  // namespace gpu::lint
