#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::cmd {

struct Env;

/// A word that may follow, with what it means.
struct Candidate {
  std::string word;
  std::string meaning = {};
};
using Candidates = std::vector<Candidate>;

/// Nothing: names of files, which the shell knows.
using CandidatesOrFiles = std::optional<Candidates>;

/// What Tab is asked: the word that is being typed, as far as it is.
struct Typing {
  const std::string& current;
  const Env& env;
};

/// Each of `words`, without a meaning.
template <class Words>
Candidates candidates_of(const Words& words) {
  Candidates candidates;
  for (const std::string_view word : words) candidates.push_back({std::string(word)});
  return candidates;
}

}  // namespace gpu::cmd
