#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "decode/wire/yaml.hpp"

namespace gpu::manifest {

/// One document of a manifest. Refers to the manifest's text.
struct ManifestDocument {
  std::string_view text;
  std::size_t first_line = 1;  ///< of the manifest
  nlohmann::json object;
  /// The first key of YAML that stands twice in one map; its places count from `first_line`.
  std::optional<decode::YamlTwice> twice = {};

  /// "line 3, column 7" of the manifest, for the value at `pointer`, or for what stands around it.
  [[nodiscard]] std::string place_of(const nlohmann::json::json_pointer& pointer) const;
  /// The same of many, as places in the manifest. Reads the text once more.
  [[nodiscard]] std::vector<decode::TextPlace> places_of(
      std::span<const nlohmann::json::json_pointer> pointers) const;
};

/// What documents_of() throws, with its place in the manifest apart from its problem.
class TextError : public Error {
 public:
  TextError(decode::TextPlace place, const std::string& problem)
      : Error(ErrorKind::data, "line " + std::to_string(place.line) + ", column " +
                                   std::to_string(place.column) + ": " + problem),
        place_(place),
        problem_(problem) {}
  [[nodiscard]] decode::TextPlace place() const { return place_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  decode::TextPlace place_;
  std::string problem_;
};

/// The documents of YAML, or of one or more JSON values after each other; those without a value are
/// left out. Throws TextError, message starting with "line 3, column 7: ", for what is neither, and
/// Error{data} for more than 4 MB.
std::vector<ManifestDocument> documents_of(std::string_view text);

}  // namespace gpu::manifest
