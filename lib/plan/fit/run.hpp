#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "plan/filling.hpp"
#include "plan/fit/ask.hpp"

namespace gpu::plan {

/// So many pods of one template are tried.
inline constexpr std::int64_t kMostTriedPods = 1000;
/// So many more of the same.
inline constexpr std::int64_t kMostMore = 100;

/// What one run of the scheduler's choices gives one template.
struct PartRun {
  std::int64_t started = 0;
  std::int64_t tried = 0;
  std::map<std::uint32_t, std::int64_t> places;  ///< pods by node
  bool is_by_chance = false;
  bool is_sure = true;
  bool is_open = false;  ///< what a started pod takes is not known, so that the rest is not
  std::vector<std::string> stops;
  std::int64_t room_for = 0;                     ///< of a gang that was taken back
  std::optional<diagnose::Explanation> stopped;  ///< why the next one does not start
  std::optional<std::int64_t> more;
};

/// What a run finds out beside how many pods start: how many more would, and why others do not.
enum class Detail { starts, more, explained };

/// One run through all objects, from where the filling stands, and back. By row.
std::vector<PartRun> run_through(Filling& filling, const std::vector<AskedObject>& objects,
                                 TieBreak ties, Detail detail,
                                 const diagnose::ExplainOptions& options);

}  // namespace gpu::plan
