#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cmd/shell/env.hpp"
#include "cmd/shell/flags.hpp"
#include "kube/read/needs.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// Whether the rows of a view may be sorted by the one who watches: those of a tree may not.
enum class Sorting { free, fixed };

/// A view that can be watched.
struct WatchedView {
  std::string name;  ///< "nodes"
  std::function<report::Report(const Snapshot&)> report;
  std::string sorted_by;  ///< as --sort-by has it; may be empty
  Sorting sorting = Sorting::free;
};

/// Views of one feed: the first is shown, and on a terminal its number chooses another.
struct WatchedViews {
  kube::Needs needs;               ///< of all of them
  std::vector<WatchedView> views;  ///< never empty; in the order of their numbers
  std::size_t first = 0;           ///< the one that is shown
};

/// What the view says of the cluster now. A name that no row has any more is no error: it has been
/// there.
report::Report report_of(const WatchedView& view, const Snapshot& snapshot);

/// Says on stderr what of `gaps` it has not said yet.
class GapTeller {
 public:
  GapTeller(const GlobalFlags& flags, Env& env) : flags_(flags), env_(env) {}
  void tell(const std::vector<report::Note>& gaps);

 private:
  const GlobalFlags& flags_;
  Env& env_;
  std::set<std::string> told_;
};

}  // namespace gpu::cmd
