#pragma once

#include <functional>
#include <vector>

#include "cmd/top/question.hpp"
#include "cmd/watch/watch.hpp"

namespace gpu::cmd {

/// What `top -w` may show: the typed question, and on a terminal the same of each other view whose
/// rows come from the same part of the cluster. In the order of kViews.
std::vector<TopQuestion> watched_questions(const TopQuestion& typed, const TopFlags& flags,
                                           const Env& env);

/// The answer to a question.
using ReportOf = std::function<report::Report(const TopQuestion&, const Snapshot&)>;

/// The views of these questions, which must outlive them; that of `typed` is shown first.
WatchedViews watched_views(const std::vector<TopQuestion>& questions, const TopQuestion& typed,
                           const ReportOf& report_of);

}  // namespace gpu::cmd
