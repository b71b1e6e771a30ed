#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpu::golden {

/// An answer of why-pending, what it decides apart from how it is worded: the file
/// tests/golden/keys says which keys are which.
struct Verdict {
  std::string decisions;               ///< JSON; of each sentence the names and numbers in it
  std::vector<std::string> sentences;  ///< all of them, in the order of the answer
};

/// Reads an answer in JSON. The working folder is the root of the project. Throws
/// std::runtime_error where a string's key is not in tests/golden/keys, or what is no JSON.
Verdict verdict_of(const std::string& answer);

/// Whether a sentence contains this text.
bool says(const Verdict& verdict, std::string_view text);

}  // namespace gpu::golden
