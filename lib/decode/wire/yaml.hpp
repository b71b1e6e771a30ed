#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace gpu::decode {

/// Where something stands in a text: both count from 1, columns by bytes.
struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// What yaml_to_json throws, with its place apart from its problem.
class YamlError : public Error {
 public:
  YamlError(TextPlace place, const std::string& problem)
      : Error(ErrorKind::data, "line " + std::to_string(place.line) + ": " + problem),
        place_(place),
        problem_(problem) {}
  [[nodiscard]] TextPlace place() const { return place_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  TextPlace place_;
  std::string problem_;
};

/// The first document of a YAML text as JSON, read as kubectl reads a kubeconfig
/// (sigs.k8s.io/yaml): YAML 1.1 typing (bare yes/no/on/off/y/n are booleans, bare numbers are
/// numbers, quoted text is text), merge keys, the last of duplicate keys, `!!binary`, anchors with
/// a bound on expansion, BOM and CRLF. Null for an empty text. Throws Error{data}, message starting
/// with `line N: `, for text that is not YAML, is deeper than 100 levels, or is over 4 MB.
nlohmann::json yaml_to_json(std::string_view text);

/// A key that a map has twice: of these values the later one counts.
struct YamlTwice {
  std::string key;
  TextPlace first, second;
};

/// What a text says beside its values.
struct YamlNotes {
  std::size_t depth = 0;                    ///< in how many lists and maps values are noted
  std::map<std::string, TextPlace> places;  ///< of these, as yaml_places()
  std::optional<YamlTwice> twice;           ///< the first one; what a merge key brings is none
};

/// As yaml_to_json(text), in one reading with the notes of it.
nlohmann::json yaml_to_json(std::string_view text, YamlNotes& notes);

/// Where the value at `pointer` stands in a text that yaml_to_json reads; the place of the nearest
/// value around it where it came through an alias. Reads the text again.
TextPlace yaml_place(std::string_view text, const nlohmann::json::json_pointer& pointer);

/// Where each value stands in a text that yaml_to_json reads, by its JSON pointer; what came
/// through an alias stands where the alias does.
std::map<std::string, TextPlace> yaml_places(std::string_view text);

/// The line of that place.
std::size_t yaml_line(std::string_view text, const nlohmann::json::json_pointer& pointer);

}  // namespace gpu::decode
