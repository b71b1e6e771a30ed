#include "decode/wire/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "decode/wire/yaml_scalar.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxDepth = 100;
/// What aliases may copy in all, so that a few lines cannot become gigabytes.
constexpr std::size_t kMaxCopied = std::size_t{32} << 20;

[[noreturn]] void fail(TextPlace place, const std::string& problem) {
  throw YamlError(place, problem);
}

/// Some marks of yaml-cpp point nowhere.
TextPlace place_of(const YAML::Mark& mark) {
  return {.line = static_cast<std::size_t>(std::max(mark.line, 0)) + 1,
          .column = static_cast<std::size_t>(std::max(mark.column, 0)) + 1};
}

/// About the bytes that a copy of `value` takes.
std::size_t weight(const json& value) {
  std::size_t sum = 64;
  if (value.is_string()) sum += value.get_ref<const std::string&>().size();
  if (value.is_structured()) {
    for (const auto& [key, item] : value.items()) sum += key.size() + weight(item);
  }
  return sum;
}

/// Of "\N" and "\_" yaml-cpp makes the bytes 85 and A0 in place of the characters with these
/// numbers; nothing else in a quoted text is broken UTF-8, since the whole file is none.
std::string with_whole_escapes(const std::string& value) {
  std::string whole;
  for (std::size_t at = 0; at < value.size();) {
    const CodePoint point = first_code_point(std::string_view(value).substr(at));
    const bool is_escape = point.is_broken && (value[at] == '\x85' || value[at] == '\xa0');
    if (is_escape) whole += '\xc2';
    whole.append(value, at, point.length);
    at += point.length;
  }
  return whole;
}

bool is_utf16(std::string_view text) {
  return text.starts_with("\xfe\xff") || text.starts_with("\xff\xfe");
}

/// Where a mark points to; yaml-cpp does not count a byte order mark.
std::size_t offset_of(std::string_view text, const YAML::Mark& mark) {
  const std::size_t start = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  return std::min(start + static_cast<std::size_t>(mark.pos), text.size());
}

TextPlace place_at(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t last_end = before.rfind('\n');
  return {.line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          .column = last_end == std::string_view::npos ? at + 1 : at - last_end};
}

/// Whether the quoted text that starts at `text` has its second quote: yaml-cpp lets the end of a
/// file close it, which would make half a token of a file that was cut off.
bool is_closed(std::string_view text) {
  const char quote = text.front();
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || at + 1 == text.size() || text[at + 1] != quote) return true;
      ++at;
    }
  }
  return false;
}

enum class Origin { written, alias };

/// Builds JSON of the parser's events.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view text, YamlNotes* notes) : text_(text), notes_(notes) {}

  json take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (!frames_.empty()) check_colon(frames_.back());
    add(place_of(mark), json(), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    // Its value is kept when it ends, so an alias inside its own value finds nothing.
    if (found == anchors_.end()) fail(place_of(mark), "an anchor's value contains itself");
    count_copy(place_of(mark), found->second);
    put(place_of(mark), found->second, Origin::alias);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (tag == "!") check_closed(mark);
    if (expects_key()) frames_.back().key_at = offset_of(text_, mark);
    const bool merges = value == "<<" && (tag == "?" || tag == "tag:yaml.org,2002:merge");
    if (merges && expects_key()) {
      frames_.back().merges = true;
      frames_.back().key = value;
      return;
    }
    std::optional<json> scalar = yaml_scalar(tag, tag == "!" ? with_whole_escapes(value) : value);
    if (!scalar) fail(place_of(mark), "this value cannot be what its tag or form says");
    add(place_of(mark), std::move(*scalar), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(place_of(mark), json::array(), anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(place_of(mark), json::object(), anchor);
    frames_.back().is_block = style == YAML::EmitterStyle::Block;
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not come.
  struct Frame {
    json value;
    YAML::anchor_t anchor = 0;
    TextPlace place;
    std::optional<std::string> key;
    std::size_t key_at = 0;
    std::map<std::string, TextPlace> keys;  ///< all that are written, where notes are taken
    bool merges = false;
    bool is_block = false;
  };

  [[nodiscard]] bool expects_key() const {
    return !frames_.empty() && frames_.back().value.is_object() && !frames_.back().key;
  }

  void check_closed(const YAML::Mark& mark) const {
    if (is_utf16(text_)) return;
    const std::string_view rest = text_.substr(offset_of(text_, mark));
    const bool quoted = rest.starts_with('"') || rest.starts_with('\'');
    if (quoted && !is_closed(rest)) fail(place_of(mark), "a quote that is never closed");
  }

  /// yaml-cpp takes a last line that was cut off before its colon for a key without a value.
  void check_colon(const Frame& frame) const {
    if (!frame.is_block || !frame.key || is_utf16(text_)) return;
    const std::string_view before = text_.substr(0, frame.key_at);
    const std::size_t last = before.find_last_not_of(" \t");
    if (last != std::string_view::npos && before[last] == '?') return;
    const std::string_view rest = text_.substr(frame.key_at);
    if (rest.substr(0, rest.find('\n')).find(':') == std::string_view::npos)
      fail(place_at(text_, frame.key_at), "a key without its colon");
  }

  void open(TextPlace place, json empty, YAML::anchor_t anchor) {
    if (frames_.size() >= kMaxDepth) fail(place, "more than 100 levels deep");
    if (expects_key()) fail(place, "a key may not be a list or a map");
    note_place(place);
    Frame& frame = frames_.emplace_back();
    frame.value = std::move(empty);
    frame.anchor = anchor;
    frame.place = place;
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    add(frame.place, std::move(frame.value), frame.anchor);
  }

  void add(TextPlace place, json value, YAML::anchor_t anchor) {
    if (anchor != 0) {
      count_copy(place, value);
      anchors_[anchor] = value;
    }
    put(place, std::move(value), Origin::written);
  }

  void put(TextPlace place, json value, Origin origin) {
    if (frames_.empty()) {
      root_ = std::move(value);
      return;
    }
    Frame& frame = frames_.back();
    if (expects_key()) {
      std::optional<std::string> key = yaml_key(value);
      if (!key) fail(place, "a key must be text, a number or a boolean");
      if (notes_ != nullptr) note_key(frame, *key, place);
      frame.key = std::move(key);
      return;
    }
    if (!value.is_structured() || origin == Origin::alias) note_place(place);
    if (frame.value.is_array()) {
      frame.value.push_back(std::move(value));
      return;
    }
    if (std::exchange(frame.merges, false)) {
      merge(place, frame.value, value, origin);
    } else {
      frame.value[frame.key.value_or("")] = std::move(value);
    }
    frame.key.reset();
  }

  /// `<<`: go-yaml v2 lets it win over keys before it, and keys after it win over it.
  static void merge(TextPlace place, json& target, const json& value, Origin origin) {
    const bool list = value.is_array() && origin == Origin::written;
    const bool all_maps =
        std::all_of(value.begin(), value.end(), [](const json& item) { return item.is_object(); });
    if (!value.is_object() && !(list && all_maps))
      fail(place, "a merge (<<) takes a map or a list of maps");
    if (value.is_object()) {
      target.update(value);
      return;
    }
    // Earlier maps of the list win.
    for (auto item = value.rbegin(); item != value.rend(); ++item) target.update(*item);
  }

  void count_copy(TextPlace place, const json& value) {
    copied_ += weight(value);
    if (copied_ > kMaxCopied) fail(place, "anchors and aliases make this text too large");
  }

  void note_key(Frame& frame, const std::string& key, TextPlace place) {
    if (notes_->twice) return;
    const auto [first, is_new] = frame.keys.emplace(key, place);
    if (!is_new) notes_->twice = YamlTwice{key, first->second, place};
  }

  /// Notes where the value that comes next stands.
  void note_place(TextPlace place) {
    if (notes_ == nullptr || frames_.size() > notes_->depth) return;
    json::json_pointer pointer;
    for (const Frame& frame : frames_) {
      if (frame.value.is_array()) pointer /= frame.value.size();
      if (frame.key) pointer /= *frame.key;
    }
    notes_->places[pointer.to_string()] = place;
  }

  std::string_view text_;
  YamlNotes* notes_;
  json root_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, json> anchors_;
  std::size_t copied_ = 0;
};

/// go-yaml refuses these; yaml-cpp would take some of them for the end of the text.
void check_characters(std::string_view text) {
  if (text.size() > kMaxBytes) fail({}, "more than 4 MB");
  if (is_utf16(text)) return;
  const std::string clean = valid_utf8(text);
  const auto [bad, same] = std::mismatch(text.begin(), text.end(), clean.begin(), clean.end());
  if (clean != text)
    fail(place_at(text, static_cast<std::size_t>(bad - text.begin())), "not valid UTF-8");
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f)
      fail(place_at(text, at), "control characters are not allowed");
  }
}

/// Finds out where the next document starts, and reads no more of it.
class StartFinder : public Builder {
 public:
  struct Found {
    YAML::Mark mark;
  };
  StartFinder() : Builder({}, nullptr) {}
  void OnDocumentStart(const YAML::Mark& mark) override { throw Found{mark}; }
};

/// yaml-cpp takes text that does not belong to a document any more, as after a wrong indentation,
/// for the next document. Only `---` and `...` start one.
void check_end(std::string_view text, YAML::Parser& parser) {
  try {
    StartFinder finder;
    parser.HandleNextDocument(finder);
  } catch (const StartFinder::Found& found) {
    const std::string_view rest = text.substr(offset_of(text, found.mark));
    const std::string_view before = text.substr(0, text.size() - rest.size());
    if (!rest.starts_with("---") && before.find("\n...") == std::string_view::npos)
      fail(place_of(found.mark), "this does not belong to what is above it");
  } catch (const YAML::Exception&) {
    return;  // what follows the first document is nobody's business
  }
}

/// The parser's words, without the characters of the text that some of them end in.
std::string words_of(const YAML::Exception& problem) {
  return problem.msg.substr(0, problem.msg.find(": "));
}

json build(std::string_view text, YamlNotes* notes) {
  check_characters(text);
  Builder builder(text, notes);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (!is_utf16(text)) check_end(text, parser);
  } catch (const YAML::Exception& problem) {
    fail(place_of(problem.mark), words_of(problem));
  }
  return builder.take();
}

}  // namespace

json yaml_to_json(std::string_view text) { return build(text, nullptr); }

json yaml_to_json(std::string_view text, YamlNotes& notes) { return build(text, &notes); }

std::map<std::string, TextPlace> yaml_places(std::string_view text) {
  YamlNotes notes{.depth = kMaxDepth, .places = {}, .twice = {}};
  build(text, &notes);
  return std::move(notes.places);
}

TextPlace yaml_place(std::string_view text, const json::json_pointer& pointer) {
  const std::map<std::string, TextPlace> places = yaml_places(text);
  for (json::json_pointer at = pointer; !at.empty(); at.pop_back()) {
    const auto found = places.find(at.to_string());
    if (found != places.end()) return found->second;
  }
  return {};
}

std::size_t yaml_line(std::string_view text, const json::json_pointer& pointer) {
  return yaml_place(text, pointer).line;
}

}  // namespace gpu::decode
