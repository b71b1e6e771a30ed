#include "cmd/watch/watched_view.hpp"

#include <ostream>

#include "base/error.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

report::Report report_of(const WatchedView& view, const Snapshot& snapshot) {
  try {
    return view.report(snapshot);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    report::Report nothing;
    nothing.empty_text = error.message();
    return nothing;
  }
}

void GapTeller::tell(const std::vector<report::Note>& gaps) {
  std::vector<report::Note> untold;
  for (const report::Note& gap : gaps)
    if (told_.insert(gap.what).second) untold.push_back(gap);
  if (!untold.empty()) env_.err << report::render_gaps(untold, err_style(flags_, env_));
}

}  // namespace gpu::cmd
