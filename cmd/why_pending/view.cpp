#include "cmd/why_pending/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "diagnose/answer/code.hpp"
#include "diagnose/answer/constraint.hpp"
#include "model/objects/quantity_text.hpp"

namespace gpu::cmd {
namespace {

using diagnose::Explanation;
using diagnose::NodeGroup;

std::string place_of(const diagnose::Explanation& it) {
  std::string place = it.kind == "Pod"
                          ? it.ns + "/" + it.name
                          : fmt::format("{}/{} in {}", lower_case(it.kind), it.name, it.ns);
  if (it.kind == "Pod" && it.owner.kind != "Pod" && !it.owner.name.empty())
    place += fmt::format(", from {}/{}", lower_case(it.owner.kind), it.owner.name);
  if (!it.template_at.empty()) place += ", " + it.template_at;
  if (it.names.size() > 1) place += fmt::format(", and {} more like it", it.names.size() - 1);
  if (it.waiting && it.is_blocked) place += ", waiting for " + human_duration(*it.waiting);
  return place;
}

std::string asks_text(const diagnose::Explanation& it) {
  std::string text;
  for (const diagnose::ResourceRequest& asked : it.requests)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        amount_text(asked.resource, asked.amount), asked.resource);
  for (const std::string& claim : it.claims) text += (text.empty() ? "" : ", ") + claim;
  return text;
}

void add_evidence(report::Diagnostic& diagnostic, const diagnose::Explanation& it) {
  if (!it.requests.empty() || !it.claims.empty())
    diagnostic.evidence.push_back({"asks for", asks_text(it)});
  bool is_first = true;
  for (const diagnose::Constraint& constraint : it.only_on) {
    diagnostic.evidence.push_back({is_first ? "only on" : "", constraint.text,
                                   std::string(diagnose::field_of(constraint.origin))});
    is_first = false;
  }
}

std::string words_of(const diagnose::NodeGroup& group) {
  std::string text;
  for (const diagnose::GroupBlocker& blocker : group.blockers)
    text += (text.empty() ? "" : ", ") + blocker.title;
  return text.empty() ? "nothing else" : text;
}

/// Which labels are wrong is said above the table, by what is asked for.
std::string detail_of(const diagnose::NodeGroup& group) {
  std::string text;
  for (const diagnose::GroupBlocker& blocker : group.blockers)
    if (!blocker.detail.empty() && blocker.code != diagnose::Code::node_selector_mismatch)
      text += (text.empty() ? "" : "; ") + blocker.detail;
  return text;
}

report::Named named(const diagnose::NearNode& node) {
  if (node.free_gpus)
    return {.name = node.name, .note = std::to_string(*node.free_gpus), .unit = "free"};
  return {.name = node.name, .note = node.note};
}

void add_groups(report::Diagnostic& diagnostic, const diagnose::Explanation& it) {
  diagnostic.count_title = "NODES";
  diagnostic.what_title = "RULED OUT BY";
  diagnostic.names_title = "NEAREST FIRST";
  for (const diagnose::NodeGroup& group : it.groups) {
    report::AlikeRow row{.count = static_cast<std::int64_t>(group.nodes.size()),
                         .what = words_of(group),
                         .names = {},
                         .detail = detail_of(group)};
    for (const diagnose::NearNode& node : group.nodes) row.names.push_back(named(node));
    diagnostic.rows.push_back(std::move(row));
  }
}

std::vector<std::string> command_lines(std::string_view command) {
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(command)) lines.emplace_back(line);
  return lines;
}

/// A fix that ends what runs: others' pods, or those of the Job itself. A patch alone stops one.
bool ends_others(const diagnose::Fix& fix) {
  return !fix.stops.empty() && (fix.patch.empty() || fix.stops.size() > 1);
}

/// In which order fixes are shown: what ends others' work stands last.
std::vector<const diagnose::Fix*> in_order(const diagnose::Explanation& it) {
  std::vector<const diagnose::Fix*> fixes;
  for (const bool do_end : {false, true})
    for (const diagnose::Fix& fix : it.fixes)
      if (ends_others(fix) == do_end) fixes.push_back(&fix);
  return fixes;
}

/// The command that prints the patch alone: of a pod, or of a manifest whose pods do not exist yet.
std::string patch_command(const diagnose::Explanation& it) {
  if (it.manifest.empty())
    return fmt::format("kubectl gpu why-pending {} -o patch", shell_quoted(it.ns + "/" + it.name));
  return fmt::format("kubectl gpu why-pending -f {} -o patch",
                     shell_quoted(it.manifest == "stdin" ? "-" : it.manifest));
}

/// -o patch prints the first patch alone.
enum class PatchPlace { first, later };

void add_fix(report::Diagnostic& diagnostic, const diagnose::Explanation& it,
             const diagnose::Fix& fix, std::string_view before, PatchPlace place) {
  report::Advised advised{.label = "help",
                          .text = std::string(before) + fix.summary,
                          .commands = command_lines(fix.command)};
  if (!fix.patch.empty())
    advised.files.push_back({fix.patch_file,
                             place == PatchPlace::first ? patch_command(it) : std::string(),
                             fix.patch});
  diagnostic.advised.push_back(std::move(advised));
  if (!fix.note.empty()) diagnostic.advised.push_back({.label = "note", .text = fix.note});
}

/// What ends others' work stands last, behind what was not tested, too.
void add_fixes(report::Diagnostic& diagnostic, const diagnose::Explanation& it) {
  std::string_view before;
  PatchPlace place = PatchPlace::first;
  const auto add_those = [&](bool do_end) {
    for (const diagnose::Fix* const fix : in_order(it)) {
      if (ends_others(*fix) != do_end) continue;
      add_fix(diagnostic, it, *fix, before, place);
      if (!fix->patch.empty()) place = PatchPlace::later;
      before = "or ";
    }
  };
  add_those(false);
  for (const diagnose::Advice& advice : it.advice) {
    diagnostic.advised.push_back({.label = "advice",
                                  .text = advice.summary + " (not tested)",
                                  .commands = command_lines(advice.command)});
    before = "or ";
  }
  add_those(true);
}

std::string ago_text(const diagnose::SchedulerWord& word, const std::optional<Time>& now) {
  if (!now || !word.time || *now < *word.time) return {};
  return fmt::format(" ({} ago)", human_duration(*now - *word.time));
}

/// Words of a scheduler that goes by rules of its own: who said them, how often, and when last.
std::string own_words_text(const diagnose::SchedulerWord& word, const std::optional<Time>& now) {
  std::string when;
  if (now && word.time && *now >= *word.time)
    when = fmt::format("{} ago", human_duration(*now - *word.time));
  if (word.count.value_or(0) > 1)
    when += fmt::format("{}{} times", when.empty() ? "" : ", ", *word.count);
  if (word.is_summary) return when.empty() ? std::string() : word.by + " said so " + when;
  return fmt::format("{} says{}: {}", word.by, when.empty() ? "" : " (" + when + ")", word.message);
}

std::string agreeing_words_text(const diagnose::SchedulerWord& word,
                                const std::optional<Time>& now) {
  if (!word.by.empty()) return own_words_text(word, now);
  return (word.agrees ? "the scheduler agrees" : "the scheduler says") + ago_text(word, now) +
         ": " + word.message;
}

bool disagrees(const diagnose::Explanation& it) {
  const bool is_doubted = std::any_of(it.remarks.begin(), it.remarks.end(),
                                      [](const diagnose::Remark& each) { return each.is_warning; });
  return it.scheduler && it.scheduler->by.empty() &&
         (is_doubted || !it.scheduler->agrees.value_or(true));
}

/// The scheduler is right where it says something else: before anything that follows from ours.
void add_disagreement(report::Diagnostic& diagnostic, const diagnose::Explanation& it,
                      const std::optional<Time>& now) {
  std::string text;
  for (const diagnose::Remark& remark : it.remarks)
    if (remark.is_warning) text += (text.empty() ? "" : "; ") + remark.text;
  if (disagrees(it))
    text += (text.empty() ? "the scheduler says" : "; it says") + ago_text(*it.scheduler, now) +
            ": " + it.scheduler->message;
  if (!text.empty()) diagnostic.advised.push_back({.label = "warning", .text = std::move(text)});
}

void add_notes(report::Diagnostic& diagnostic, const diagnose::Explanation& it,
               const std::optional<Time>& now) {
  for (const diagnose::Remark& remark : it.remarks)
    if (!remark.is_warning) diagnostic.advised.push_back({.label = "note", .text = remark.text});
  if (it.scheduler && !disagrees(it))
    if (std::string text = agreeing_words_text(*it.scheduler, now); !text.empty())
      diagnostic.advised.push_back({.label = "note", .text = std::move(text)});
  if (!it.not_checked.empty())
    diagnostic.advised.push_back(
        {.label = "note", .text = fmt::format("not checked: {}", fmt::join(it.not_checked, "; "))});
}

}  // namespace

report::Diagnostic diagnostic_of(const diagnose::Explanation& explanation,
                                 const std::optional<Time>& now) {
  report::Diagnostic diagnostic;
  diagnostic.severity = explanation.is_blocked ? "error" : "note";
  if (explanation.is_blocked) diagnostic.code = std::string(diagnose::name_of(explanation.code));
  diagnostic.headline = explanation.summary;
  diagnostic.place = place_of(explanation);
  add_evidence(diagnostic, explanation);
  add_groups(diagnostic, explanation);
  add_disagreement(diagnostic, explanation, now);
  add_fixes(diagnostic, explanation);
  add_notes(diagnostic, explanation, now);
  return diagnostic;
}

GpusWaitedFor gpus_waited_for(const PendingAnswers& answers) {
  GpusWaitedFor sum;
  for (std::size_t i = 0; i < answers.explanations.size(); ++i) {
    const diagnose::Explanation& each = answers.explanations[i];
    if (!each.is_blocked) continue;
    sum.are_all = sum.are_all && each.gpus;
    sum.known = capped_sum(sum.known, capped_product(answers.count_of(i), each.gpus.value_or(0)));
  }
  return sum;
}

std::string waiting_text(const PendingAnswers& answers) {
  std::int64_t all = 0;
  std::map<std::string, std::int64_t> counts;  // by kind; pods are said first
  for (std::size_t i = 0; i < answers.explanations.size(); ++i) {
    const diagnose::Explanation& each = answers.explanations[i];
    if (!each.is_blocked) continue;
    const std::int64_t count = answers.count_of(i);
    counts[each.kind == "Pod" ? "" : lower_case(each.kind)] += count;
    all += count;
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts)
    parts.push_back(
        fmt::format("{} {}{}", count, kind.empty() ? "pod" : kind, count == 1 ? "" : "s"));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  const GpusWaitedFor gpus = gpus_waited_for(answers);
  text = fmt::format("{} {}", text.empty() ? "0 pods" : text, all == 1 ? "waits" : "wait");
  if (!gpus.are_all && gpus.known == 0) return text;
  return fmt::format("{} for {}{} {}", text, gpus.are_all ? "" : "at least ", gpus.known,
                     gpus.known == 1 ? "GPU" : "GPUs");
}

std::string patches_of(const std::vector<diagnose::Explanation>& explanations) {
  std::string text;
  std::size_t left_out = 0;
  for (const diagnose::Explanation& each : explanations) {
    bool is_first = true;
    for (const diagnose::Fix* const at : in_order(each)) {
      const diagnose::Fix& fix = *at;
      if (fix.patch.empty()) continue;
      // kubectl takes the first document of a patch file, and no other.
      if (!std::exchange(is_first, false)) {
        ++left_out;
        continue;
      }
      if (!text.empty()) text += "---\n";
      text += "# " + sanitize(fix.summary) + '\n';
      for (const std::string_view line : lines_of(fix.command))
        text += "# " + sanitize(line) + '\n';
      if (!fix.note.empty()) text += "# " + sanitize(fix.note) + '\n';
      text += fix.patch;
    }
  }
  if (left_out > 0)
    text += fmt::format("# {} other {}: see the answer without -o patch\n", left_out,
                        left_out == 1 ? "patch would do, too" : "patches would do, too");
  return text;
}

}  // namespace gpu::cmd
