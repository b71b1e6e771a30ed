#include "cmd/top/watched.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gpu::cmd {
namespace {

bool is_same_part(const kube::Needs& a, const kube::Needs& b) {
  return a.node_names == b.node_names && a.node_selector == b.node_selector &&
         a.only_namespace == b.only_namespace;
}

/// The flags as if only the view's name had been typed.
TopFlags flags_for(const ViewSpec& view, TopFlags flags) {
  flags.words = {std::string(view.name)};
  flags.sort_by.clear();
  flags.label_columns.clear();
  return flags;
}

/// Adds what `other` needs of the same part of the cluster.
void widen(kube::Needs& needs, kube::Needs&& other) {
  needs.owners = needs.owners || other.owners;
  needs.waiting_pods = needs.waiting_pods || other.waiting_pods;
  if (!needs.keep) return void(needs.keep = std::move(other.keep));
  if (!other.keep) return;
  needs.keep = [one = std::move(needs.keep), two = std::move(other.keep)](const Pod& pod) {
    return one(pod) || two(pod);
  };
}

WatchedView watched_view(const TopQuestion& question, const ReportOf& report_of) {
  return {.name = std::string(question.view.name),
          .report = [&question,
                     report_of](const Snapshot& snapshot) { return report_of(question, snapshot); },
          .sorted_by = question.sort_by,
          .sorting = question.shape == Shape::table ? Sorting::free : Sorting::fixed};
}

}  // namespace

std::vector<TopQuestion> watched_questions(const TopQuestion& typed, const TopFlags& flags,
                                           const Env& env) {
  const bool has_keys = env.out_terminal.has_value();
  const bool has_others =
      has_keys && typed.shape == Shape::table && !typed.idle && typed.selector.empty();
  if (!has_others) return {typed};
  const kube::Needs needs = needs_of(typed);
  std::vector<TopQuestion> questions;
  for (const ViewSpec* const view : kViews) {
    if (view == &typed.view) {
      questions.push_back(typed);
      continue;
    }
    TopQuestion other = question_of(flags_for(*view, flags), env);
    if (is_same_part(needs_of(other), needs)) questions.push_back(std::move(other));
  }
  return questions;
}

WatchedViews watched_views(const std::vector<TopQuestion>& questions, const TopQuestion& typed,
                           const ReportOf& report_of) {
  WatchedViews views{.needs = needs_of(typed)};
  for (const TopQuestion& question : questions) {
    if (&question.view == &typed.view)
      views.first = views.views.size();
    else
      widen(views.needs, needs_of(question));
    views.views.push_back(watched_view(question, report_of));
  }
  return views;
}

}  // namespace gpu::cmd
