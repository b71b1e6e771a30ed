#include "manifest/read/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kBlank = " \t\r\n";

/// A place in a document as one in its manifest.
decode::TextPlace moved(decode::TextPlace place, std::size_t first_line) {
  return {.line = place.line + first_line - 1, .column = place.column};
}

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// `---`, and a comment at most.
bool is_separator(std::string_view line) {
  if (!line.starts_with("---")) return false;
  const std::size_t rest = line.find_first_not_of(kBlank, 3);
  return rest == std::string_view::npos || (rest > 3 && line[rest] == '#');
}

/// Whether there is nothing but directives (`%YAML 1.2`), which belong to what comes after `---`.
bool has_directives_alone(std::string_view text) {
  bool has_any = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    const std::size_t first = line.find_first_not_of(kBlank);
    if (first == std::string_view::npos || line[first] == '#') continue;
    if (!line.starts_with('%')) return false;
    has_any = true;
  }
  return has_any;
}

std::vector<ManifestDocument> split_yaml(std::string_view text) {
  std::vector<ManifestDocument> documents;
  std::size_t start = 0;
  std::size_t line_number = 1;
  std::size_t first_line = 1;
  for (std::size_t at = 0; at < text.size(); ++line_number) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (is_separator(text.substr(at, end - at)) &&
        !has_directives_alone(text.substr(start, at - start))) {
      documents.push_back({.text = text.substr(start, at - start), .first_line = first_line});
      start = end;
      first_line = line_number + 1;
    }
    at = end;
  }
  documents.push_back({.text = text.substr(start), .first_line = first_line});
  return documents;
}

/// What nlohmann says, without its own places: "unexpected end of input; expected '}'".
std::string words_of(const json::parse_error& error) {
  std::string words = error.what();
  if (const std::size_t at = words.find(" - "); at != std::string::npos) words.erase(0, at + 3);
  if (const std::size_t at = words.find("; last read"); at != std::string::npos) {
    const std::size_t end = words.find("; expected", at);
    words.erase(at, end == std::string::npos ? end : end - at);
  }
  return "not JSON: " + words;
}

decode::TextPlace place_at(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const std::size_t last_end = before.rfind('\n');
  return {
      .line = lines_in(before) + 1,
      .column = last_end == std::string_view::npos ? before.size() + 1 : before.size() - last_end};
}

/// How long the JSON value is that `text` starts with: to the bracket that closes it.
std::size_t json_length(std::string_view text) {
  std::size_t depth = 0;
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_quoted) {
      if (c == '\\') ++at;
      if (c == '"') is_quoted = false;
      continue;
    }
    if (c == '"') is_quoted = true;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return text.size();
}

std::size_t skip_blank(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlank, at), text.size());
}

/// Where the value that starts at `at` ends, in JSON that was read.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  if (text[at] == '{' || text[at] == '[') return at + json_length(text.substr(at));
  if (text[at] != '"') return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
  for (++at; text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

/// Where values of a JSON text that was read start, in one pass over it: of those that are wanted
/// and of what stands around them.
class JsonPlaces {
 public:
  JsonPlaces(std::string_view text, std::span<const json::json_pointer> wanted) : text_(text) {
    for (json::json_pointer at : wanted)
      for (; wanted_.insert(at.to_string()).second && !at.empty();) at.pop_back();
    std::string pointer;
    walk(skip_blank(text_, 0), pointer);
    for (std::size_t at = text_.find('\n'); at != std::string_view::npos;
         at = text_.find('\n', at + 1))
      line_ends_.push_back(at);
  }

  /// Of the value, or of the nearest around it.
  [[nodiscard]] decode::TextPlace of(json::json_pointer at) const {
    auto found = starts_.find(at.to_string());
    for (; found == starts_.end() && !at.empty(); found = starts_.find(at.to_string()))
      at.pop_back();
    const std::size_t start = found == starts_.end() ? 0 : found->second;
    const auto line = std::lower_bound(line_ends_.begin(), line_ends_.end(), start);
    return {.line = static_cast<std::size_t>(line - line_ends_.begin()) + 1,
            .column = line == line_ends_.begin() ? start + 1 : start - *std::prev(line)};
  }

 private:
  /// Behind the value that starts at `at`, which is called `pointer`.
  std::size_t walk(std::size_t at, std::string& pointer) {
    if (!wanted_.contains(pointer)) return end_of_value(text_, at);
    starts_.emplace(pointer, at);
    if (text_[at] != '{' && text_[at] != '[') return end_of_value(text_, at);
    const bool is_object = text_[at] == '{';
    const std::size_t length = pointer.size();
    at = skip_blank(text_, at + 1);
    for (std::size_t number = 0; text_[at] != '}' && text_[at] != ']'; ++number) {
      json::json_pointer step;
      if (is_object) {
        const std::size_t end = end_of_value(text_, at);
        step.push_back(json::parse(text_.substr(at, end - at)).get<std::string>());
        at = skip_blank(text_, skip_blank(text_, end) + 1);  // past the colon
      } else {
        step.push_back(std::to_string(number));
      }
      pointer += step.to_string();
      at = skip_blank(text_, walk(at, pointer));
      pointer.resize(length);
      if (text_[at] == ',') at = skip_blank(text_, at + 1);
    }
    return at + 1;
  }

  std::string_view text_;
  std::unordered_set<std::string> wanted_;
  std::unordered_map<std::string, std::size_t> starts_;
  std::vector<std::size_t> line_ends_;
};

/// Deep JSON would take the parser's stack.
bool is_too_deep(std::string_view text) {
  constexpr int kMaxDepth = 100;
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_quoted && c == '\\') ++at;
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if ((c == '{' || c == '[') && ++depth > kMaxDepth) return true;
    if (c == '}' || c == ']') --depth;
  }
  return false;
}

std::vector<ManifestDocument> read_json(std::string_view text) {
  std::vector<ManifestDocument> documents;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(kBlank, at)) != std::string_view::npos) {
    // A separator between JSON values is YAML's, and kubectl takes it.
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (is_separator(line)) {
      at += line.size();
      continue;
    }
    const std::string_view value = text.substr(at, json_length(text.substr(at)));
    const std::size_t first_line = lines_in(text.substr(0, at)) + 1;
    if (is_too_deep(value)) throw TextError(moved({}, first_line), "more than 100 levels deep");
    try {
      documents.push_back({.text = value, .first_line = first_line, .object = json::parse(value)});
    } catch (const json::parse_error& error) {
      const std::size_t offset = at + (error.byte > 0 ? error.byte - 1 : 0);
      throw TextError(place_at(text, offset), words_of(error));
    } catch (const json::out_of_range&) {  // it does not say where
      throw TextError(place_at(text, at), "this value has a number that is too large");
    }
    at += value.size();
  }
  return documents;
}

/// Whether a tab stands before the first word of a line: the usual reason why YAML is none.
bool is_indented_by_tab(std::string_view text, std::size_t line) {
  for (; line > 1 && !text.empty(); --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(0, first).find('\t') != std::string_view::npos;
}

std::vector<ManifestDocument> read_yaml(std::string_view text) {
  std::vector<ManifestDocument> documents = split_yaml(text);
  for (ManifestDocument& document : documents) {
    try {
      decode::YamlNotes notes;
      document.object = decode::yaml_to_json(document.text, notes);
      document.twice = std::move(notes.twice);
    } catch (const decode::YamlError& error) {
      const bool is_tab = is_indented_by_tab(document.text, error.place().line);
      throw TextError(moved(error.place(), document.first_line),
                      error.problem() + (is_tab ? " (a tab cannot indent)" : ""));
    }
  }
  std::erase_if(documents,
                [](const ManifestDocument& document) { return document.object.is_null(); });
  return documents;
}

}  // namespace

std::vector<decode::TextPlace> ManifestDocument::places_of(
    std::span<const json::json_pointer> pointers) const {
  std::vector<decode::TextPlace> found;
  if (text.starts_with('{')) {
    const JsonPlaces places(text, pointers);
    for (const json::json_pointer& each : pointers)
      found.push_back(moved(places.of(each), first_line));
    return found;
  }
  const std::map<std::string, decode::TextPlace> places = decode::yaml_places(text);
  for (json::json_pointer at : pointers) {
    auto place = places.find(at.to_string());
    for (; place == places.end() && !at.empty(); place = places.find(at.to_string())) at.pop_back();
    found.push_back(moved(place == places.end() ? decode::TextPlace{} : place->second, first_line));
  }
  return found;
}

std::string ManifestDocument::place_of(const json::json_pointer& pointer) const {
  const decode::TextPlace place = places_of({&pointer, 1}).front();
  return fmt::format("line {}, column {}", place.line, place.column);
}

std::vector<ManifestDocument> documents_of(std::string_view text) {
  if (text.size() > kMaxBytes) throw Error(ErrorKind::data, "more than 4 MB");
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(kBlank);
  const bool is_json = first != std::string_view::npos && text[first] == '{';
  return is_json ? read_json(text) : read_yaml(text);
}

}  // namespace gpu::manifest
