#pragma once

#include <string>
#include <utility>
#include <vector>

#include "manifest/fit/facts.hpp"
#include "manifest/fit/options.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// Something to say beside the manifest.
struct GenNote {
  enum class Level { note, warning };
  Level level = Level::note;
  std::string text;
  std::string help = {};     ///< what to do about it
  std::string command = {};  ///< a command of its own line
};

/// One manifest in the making: what was asked for, what is known, and what is to be said.
struct GenRequest {
  const GenOptions& options;
  const ClusterFacts& facts;
  std::vector<GenNote> notes;
  Documents before = {};     ///< what the object needs first: ConfigMaps, claim templates
  Documents judged_as = {};  ///< what its controller creates, where why-pending cannot know that

  void note(std::string text) { notes.push_back({GenNote::Level::note, std::move(text)}); }
  void warn(std::string text, std::string help = {}, std::string command = {}) {
    notes.push_back(
        {GenNote::Level::warning, std::move(text), std::move(help), std::move(command)});
  }
};

}  // namespace gpu::manifest
