#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "decode/wire/yaml.hpp"

namespace gpu::manifest {

/// One document of a manifest. Refers to the manifest's text.
struct ManifestDocument {
  std::string_view text;
  std::size_t first_line = 1;  ///< of the manifest
  nlohmann::json object;

  /// "line 3, column 7" of the manifest, for the value at `pointer`, or for what stands around it.
  [[nodiscard]] std::string place_of(const nlohmann::json::json_pointer& pointer) const;
};

/// The documents of YAML, or of one or more JSON values after each other; those without a value are
/// left out. Throws Error{data}, message starting with "line 3, column 7: ", for what is neither.
std::vector<ManifestDocument> documents_of(std::string_view text);

}  // namespace gpu::manifest
