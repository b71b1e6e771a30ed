#include "plan/outlook.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "plan/plan.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {
namespace {

/// Of several templates, that of the pods that fit on the fewest nodes: workers with GPUs rather
/// than their head.
const diagnose::Explanation& scarcest(const std::vector<diagnose::Explanation>& answers) {
  return *std::min_element(answers.begin(), answers.end(), [](const auto& a, const auto& b) {
    constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();
    return a.fits_on.value_or(kMany) < b.fits_on.value_or(kMany);
  });
}

}  // namespace

std::optional<Outlook> outlook_of(PlannedObjects planned, Snapshot snapshot,
                                  const std::optional<Time>& now) {
  if (planned.pods.empty() && planned.unknown.empty()) return std::nullopt;
  add_planned(planned, snapshot);
  const scheduler::Cluster cluster(snapshot);
  diagnose::ExplainOptions options{.now = now};
  options.fixes = diagnose::ExplainOptions::Fixes::leave_out;
  const PlannedAnswers answers = explain_planned_objects(planned, cluster, options);
  for (const diagnose::Explanation& answer : answers.explanations)
    if (answer.code == diagnose::Code::not_modelled)
      return Outlook{Outlook::Start::unknown,
                     "whether it would start is not known: " + answer.summary};
  for (const diagnose::Explanation& answer : answers.explanations)
    if (answer.is_blocked)
      return Outlook{Outlook::Start::waits, "it would wait today: " + answer.summary};
  if (answers.explanations.empty())
    return Outlook{Outlook::Start::unknown,
                   "whether it would start is not checked: a controller creates its pods"};
  return Outlook{Outlook::Start::now, scarcest(answers.explanations).summary};
}

}  // namespace gpu::plan
