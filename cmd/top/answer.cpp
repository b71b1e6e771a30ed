#include "cmd/top/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

#include "base/duration.hpp"
#include "base/phrase.hpp"
#include "cmd/top/rows.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

std::string no_gpus_text(const Snapshot& snapshot) {
  return fmt::format(
      "no GPUs on {} node{}: none advertises nvidia.com/*, amd.com/gpu, gpu.intel.com/i915 or "
      "xe, habana.ai/gaudi, google.com/tpu, or aws.amazon.com/neuron, and no label "
      "(nvidia.com/gpu.present and others) promises one",
      snapshot.nodes.size(), snapshot.nodes.size() == 1 ? "" : "s");
}

/// No pod, as far as pods were read.
std::string no_holder_text(const TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  if (answer.inventory.snapshot.pod_coverage == Coverage::none)
    return "which pods hold GPUs is not known: no pods were read";
  std::string text = "no pod";
  if (!question.selector.empty() && question.view.about == About::pods)
    text += fmt::format(" that matches -l {}", question.selector);
  if (!question.ns.empty()) text += fmt::format(" in the namespace {}", question.ns);
  const bool saw_nodes = answer.inventory.snapshot.node_coverage != Coverage::none;
  text += saw_nodes ? " holds a GPU" : " requests a GPU";
  if (question.idle)
    text += fmt::format(" and is known to be idle for {}", typed_duration(*question.idle));
  if (!question.nodes.empty()) text += " of these nodes";
  const bool is_of_one = !question.ns.empty();
  const bool saw_all = is_of_one || answer.inventory.snapshot.pod_coverage == Coverage::whole;
  return saw_all ? text : text + ", of those that could be read";
}

/// Pods tell what they request, but not which GPUs there are, nor of what model or node.
std::string empty_text_without_nodes(const TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  const bool is_of_holders = question.shape == Shape::table && question.model.empty() &&
                             (question.view.about == About::pods ||
                              (question.view.about == About::devices && question.selector.empty()));
  if (is_of_holders) return no_holder_text(answer);
  return "which GPUs there are is not known: no nodes were read";
}

/// Why there is nothing to show: no GPU at all, none that the filters let through, or no holder.
std::string empty_text(const TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  const Snapshot& snapshot = answer.inventory.snapshot;
  if (snapshot.nodes.empty() && snapshot.node_coverage != Coverage::whole)
    return empty_text_without_nodes(answer);
  if (snapshot.nodes.empty() && !question.selector.empty() && question.view.about != About::pods)
    return fmt::format("no node matches -l {}", question.selector);
  if (answer.inventory.pools.empty()) return no_gpus_text(snapshot);
  if (answer.nodes.empty()) {
    std::set<std::string> names;
    for (const Pool& pool : answer.inventory.pools)
      names.insert(question.model.empty() ? pool.resource : pool.model.empty() ? "-" : pool.model);
    return fmt::format("no GPU matches {}; there are: {}",
                       question.model.empty() ? question.resource : question.model, joined(names));
  }
  return no_holder_text(answer);
}

void find_nodes(TopAnswer& answer) {
  for (usage::NodeUsage& row : usage::node_usage(answer.inventory))
    if (matches(row.pool, answer.question)) answer.nodes.push_back(std::move(row));
  for (Gap& gap : usage::gaps_of_nodes(answer.inventory, answer.question.nodes))
    answer.gaps.push_back(std::move(gap));
}

/// Of no pod is known whether it was idle: to show none would say that none was.
void say_idle_is_unknown(TopAnswer& answer) {
  Gap gap = usage::take_idle_gap(answer.gaps, *answer.question.idle);
  answer.empty_text = gap.what + ": " + gap.why;
  answer.unanswered = std::move(gap);
}

/// The nodes that the rows are about; where nothing chose among rows, those of the totals too.
std::set<std::string_view> nodes_shown(const TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  const bool chose_rows = !question.names.empty() || !question.ns.empty() ||
                          !question.pod_selector.empty() || question.idle.has_value();
  const bool is_about_nodes =
      question.shape == Shape::summary || question.view.rows_are == RowsAre::nodes;
  std::set<std::string_view> nodes;
  if (is_about_nodes || !chose_rows)
    for (const usage::NodeUsage& row : answer.nodes) nodes.insert(row.pool.node);
  if (is_about_nodes) return nodes;
  for (const usage::GpuUsage& row : answer.gpus) nodes.insert(row.pool->node);
  for (const usage::PodUsage& row : answer.pods) nodes.insert(row.pool->node);
  for (const usage::ModelUsage& row : answer.models)
    nodes.insert(row.nodes.begin(), row.nodes.end());
  return nodes;
}

}  // namespace

void keep_idle(TopAnswer& answer) {
  if (!answer.question.idle) return;
  const std::chrono::seconds wanted = *answer.question.idle;
  const auto unknown = std::count_if(answer.pods.begin(), answer.pods.end(),
                                     [](const usage::PodUsage& row) { return !row.use.idle_for; });
  const bool is_all = unknown > 0 && static_cast<std::size_t>(unknown) == answer.pods.size();
  std::erase_if(answer.pods, [&](const usage::PodUsage& row) {
    return !row.use.idle_for || *row.use.idle_for < wanted;
  });
  if (unknown == 0) return;
  if (is_all) return say_idle_is_unknown(answer);
  answer.gaps.push_back(usage::gap_of_some_idle(unknown, wanted));
}

TopAnswer answer_to(const TopQuestion& question, const Snapshot& snapshot,
                    const std::optional<Time>& now) {
  TopAnswer answer{.question = question, .inventory = usage::Inventory(snapshot, now), .now = now};
  answer.gaps = usage::gaps_of_values(answer.inventory);
  answer.ages = usage::ages_of(answer.inventory);
  const bool has_window = snapshot.sample_window.has_value() || question.metrics.since.has_value();
  if (has_window) answer.window = Window::some;
  find_nodes(answer);
  if (question.shape != Shape::summary) {
    question.view.find_rows(answer);
    if (!question.view.has_rows(answer) && !answer.unanswered)
      answer.empty_text = empty_text(answer);
  } else if (answer.nodes.empty()) {
    answer.empty_text = empty_text(answer);
  }
  usage::drop_gaps_of_others(answer.gaps, answer.inventory, nodes_shown(answer));
  // A watch reads owners for the views that show them, and this may be another.
  if (!needs_of(question).owners)
    std::erase_if(answer.gaps, [](const Gap& gap) { return gap.about == GapTopic::owners; });
  return answer;
}

}  // namespace gpu::cmd
