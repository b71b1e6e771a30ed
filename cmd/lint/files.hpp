#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::cmd {

/// A text that is to be judged, by the name that findings say.
struct LintText {
  std::string name;  ///< "train.yaml", "stdin"
  std::string text;
  bool is_named = true;  ///< false: found in a folder, and may be no manifest
};

/// The texts of all words: files, `-`, and folders with all .yaml, .yml and .json files below them.
/// Left out are hidden folders, node_modules, and what a Helm chart keeps in templates/.
struct LintTexts {
  std::vector<LintText> texts;
  std::vector<std::string> charts;  ///< whose templates were left out
};

/// Throws Error{usage} for what cannot be read, and for a folder without such a file.
LintTexts read_texts(const std::vector<std::string>& words);

}  // namespace gpu::cmd
