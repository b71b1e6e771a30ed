#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace gpu::checkup {

/// A program that kubectl starts in place of one of our commands: it looks for the longest file
/// name first.
struct HidingProgram {
  std::string path;     ///< "/usr/local/bin/kubectl-gpu-top"
  std::string command;  ///< "top"
  friend bool operator==(const HidingProgram&, const HidingProgram&) = default;
};

/// What a check may know beside the cluster: of this machine, and of how the cluster was read.
struct Surroundings {
  enum class Source : std::uint8_t { cluster, files } source{};
  enum class Metrics : std::uint8_t { asked, left_out } metrics{};  ///< left out by --metrics none
  std::optional<Time> now;  ///< nothing: how long something lasts is not known
  std::vector<HidingProgram> hiding;
  enum class Completion : std::uint8_t {
    installed,
    missing,
    unknown
  } completion = Completion::unknown;
};

}  // namespace gpu::checkup
