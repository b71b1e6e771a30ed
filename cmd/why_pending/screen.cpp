#include "cmd/why_pending/screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/why_pending/patches.hpp"
#include "diagnose/answer/code.hpp"
#include "diagnose/answer/constraint.hpp"
#include "model/objects/quantity_text.hpp"
#include "scheduler/cluster/filter.hpp"

namespace gpu::cmd {
namespace {

using diagnose::Explanation;
using diagnose::NodeGroup;

/// Of a brief answer.
constexpr std::size_t kMostGroups = 6;
constexpr std::size_t kMostWays = 2;
/// Fewer ways leave room for more notes.
constexpr std::size_t kMostNotes = 4;
/// Bytes of what was not checked, two lines or three.
constexpr std::size_t kMostNotChecked = 200;

std::string place_of(const Explanation& it) {
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

std::string requests_text(const Explanation& it) {
  std::vector<std::string> texts;
  for (const diagnose::ResourceRequest& each : it.requests)
    texts.push_back(fmt::format("{} {}", amount_text(each.resource, each.amount), each.resource));
  texts.insert(texts.end(), it.claims.begin(), it.claims.end());
  return joined(texts);
}

/// Whether it names nodes by their labels: other rules go by what else runs there.
bool names_nodes(diagnose::ConstraintOrigin origin) {
  using diagnose::ConstraintOrigin;
  return origin == ConstraintOrigin::node_selector || origin == ConstraintOrigin::node_affinity ||
         origin == ConstraintOrigin::volumes || origin == ConstraintOrigin::queue_flavor;
}

void add_evidence(report::Diagnostic& diagnostic, const Explanation& it) {
  if (!it.requests.empty() || !it.claims.empty())
    diagnostic.evidence.push_back({"requests", requests_text(it)});
  std::string_view before;
  for (const diagnose::Constraint& constraint : it.only_on) {
    const std::string_view label = names_nodes(constraint.origin) ? "only on" : "placement";
    diagnostic.evidence.push_back({label == before ? "" : std::string(label), constraint.text,
                                   std::string(diagnose::field_of(constraint.origin))});
    before = label;
  }
}

std::string words_of(const NodeGroup& group) {
  std::string text;
  for (const diagnose::GroupBlocker& blocker : group.blockers)
    text += (text.empty() ? "" : ", ") + blocker.title;
  return text.empty() ? "(fits)" : text;
}

/// Which labels are wrong is said above the table, by what is requested.
std::string detail_of(const NodeGroup& group) {
  std::string text;
  for (const diagnose::GroupBlocker& blocker : group.blockers)
    if (!blocker.detail.empty() && blocker.code != diagnose::Code::node_selector_mismatch)
      text += (text.empty() ? "" : "; ") + blocker.detail;
  return text;
}

/// Only a GPU where pods may start is free; of a cordoned node, some are held by none.
std::string_view unit_of(const NodeGroup& group) {
  const bool is_cordoned = std::any_of(
      group.blockers.begin(), group.blockers.end(), [](const diagnose::GroupBlocker& blocker) {
        return blocker.filter == scheduler::Filter::node_unschedulable;
      });
  return is_cordoned ? "unallocated" : "free";
}

report::Named named(const diagnose::NearNode& node, std::string_view unit) {
  if (node.free_gpus)
    return {.name = node.name, .note = std::to_string(*node.free_gpus), .unit = std::string(unit)};
  return {.name = node.name, .note = node.note};
}

report::AlikeRow row_of(const NodeGroup& group) {
  report::AlikeRow row{.count = static_cast<std::int64_t>(group.nodes.size()),
                       .what = words_of(group),
                       .names = {},
                       .detail = detail_of(group)};
  for (const diagnose::NearNode& node : group.nodes)
    row.names.push_back(named(node, unit_of(group)));
  return row;
}

report::AlikeRow row_of_others(std::span<const NodeGroup> groups) {
  report::AlikeRow row{.what = fmt::format("{} other combinations", groups.size()), .names = {}};
  for (const NodeGroup& group : groups) row.count += static_cast<std::int64_t>(group.nodes.size());
  return row;
}

std::vector<std::string> command_lines(std::string_view command) {
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(command)) lines.emplace_back(line);
  return lines;
}

/// The command that prints the patch alone: of a pod, or of a manifest whose pods do not exist yet.
std::string patch_command(const Explanation& it) {
  if (it.manifest.empty())
    return fmt::format("kubectl gpu why-pending {} -o patch", shell_quoted(it.ns + "/" + it.name));
  return fmt::format("kubectl gpu why-pending -f {} -o patch",
                     shell_quoted(it.manifest == "stdin" ? "-" : it.manifest));
}

std::string ago_text(const diagnose::SchedulerWord& word, const std::optional<Time>& now) {
  if (!now || !word.time || *now < *word.time) return {};
  return fmt::format(" ({} ago)", human_duration(*now - *word.time));
}

/// Words of a scheduler with rules of its own: who said them, how often, and when last.
std::string own_words_text(const diagnose::SchedulerWord& word, const std::optional<Time>& now) {
  std::string when;
  if (now && word.time && *now >= *word.time)
    when = fmt::format("{} ago", human_duration(*now - *word.time));
  if (word.count.value_or(0) > 1)
    when += fmt::format("{}{} times", when.empty() ? "" : ", ", *word.count);
  if (word.is_summary) return when.empty() ? std::string() : word.by + " said so " + when;
  return fmt::format("{} says{}: {}", word.by, when.empty() ? "" : " (" + when + ")", word.message);
}

/// A warning that the scheduler disagrees quotes it.
bool disagrees(const Explanation& it) {
  const bool is_doubted = std::any_of(it.remarks.begin(), it.remarks.end(),
                                      [](const diagnose::Remark& each) { return each.is_warning; });
  return it.scheduler && it.scheduler->by.empty() &&
         (is_doubted || !it.scheduler->agrees.value_or(true));
}

std::string scheduler_text(const diagnose::SchedulerWord& word, const std::optional<Time>& now,
                           Detail detail) {
  if (!word.by.empty()) return own_words_text(word, now);
  if (!word.agrees) return "the scheduler says" + ago_text(word, now) + ": " + word.message;
  const std::string agrees = "the scheduler agrees" + ago_text(word, now);
  return detail == Detail::all ? agrees + ": " + word.message : agrees;
}

/// What may be done about a pod: a tested fix, or else an advice.
struct Way {
  const diagnose::Fix* fix = nullptr;
  const diagnose::Advice* advice = nullptr;
};

/// What stops others' work is last, behind what was not tested, too.
std::vector<Way> ways_of(const Explanation& it) {
  std::vector<Way> ways;
  std::vector<Way> stopping;
  for (const diagnose::Fix* const fix : fixes_in_order(it))
    (stops_others(*fix) ? stopping : ways).push_back({.fix = fix});
  for (const diagnose::Advice& advice : it.advice) ways.push_back({.advice = &advice});
  ways.insert(ways.end(), stopping.begin(), stopping.end());
  return ways;
}

class Builder {
 public:
  Builder(const std::optional<Time>& now, Detail detail) : now_(now), detail_(detail) {}

  report::Diagnostic add(const Explanation& it) {
    report::Diagnostic diagnostic;
    diagnostic.severity = it.is_blocked ? "error" : "note";
    if (it.is_blocked) diagnostic.code = std::string(diagnose::name_of(it.code));
    diagnostic.headline = it.summary;
    diagnostic.place = place_of(it);
    add_evidence(diagnostic, it);
    add_groups(diagnostic, it);
    add_disagreement(diagnostic, it);
    const std::size_t ways = add_ways(diagnostic, it);
    add_notes(diagnostic, it, is_brief() ? kMostNotes - ways : it.remarks.size());
    return diagnostic;
  }

  /// What holds for all that were added.
  [[nodiscard]] std::vector<report::Advised> closing() const {
    std::vector<report::Advised> closing;
    std::size_t shown = 0;
    if (!not_checked_.empty()) {
      std::string text = "not checked: " + not_checked_.front();
      for (shown = 1; shown < not_checked_.size(); ++shown) {
        const std::string& next = not_checked_[shown];
        if (detail_ == Detail::brief && text.size() + next.size() > kMostNotChecked) break;
        text += "; " + next;
      }
      if (shown < not_checked_.size())
        text += fmt::format("; and {} more", not_checked_.size() - shown);
      closing.push_back({.label = "note", .text = std::move(text)});
    }
    if (std::string text = left_out_text(); !text.empty())
      closing.push_back({.label = "note", .text = std::move(text)});
    return closing;
  }

 private:
  [[nodiscard]] bool is_brief() const { return detail_ == Detail::brief; }

  /// Adds a note that does not stand on the screen yet.
  void note(report::Diagnostic& diagnostic, std::string text) {
    if (text.empty() || !said_.insert(text).second) return;
    diagnostic.advised.push_back({.label = "note", .text = std::move(text)});
  }

  void add_groups(report::Diagnostic& diagnostic, const Explanation& it) const {
    diagnostic.count_title = "NODES";
    diagnostic.what_title = "RULED OUT BY";
    diagnostic.names_title = "NEAREST FIRST";
    const bool has_room = !is_brief() || it.groups.size() <= kMostGroups;
    const std::size_t shown = has_room ? it.groups.size() : kMostGroups - 1;
    for (std::size_t i = 0; i < shown; ++i) diagnostic.rows.push_back(row_of(it.groups[i]));
    if (!has_room) diagnostic.rows.push_back(row_of_others(std::span(it.groups).subspan(shown)));
  }

  /// The scheduler is right where it says something else: before all that follows from our words.
  void add_disagreement(report::Diagnostic& diagnostic, const Explanation& it) const {
    std::string text;
    for (const diagnose::Remark& remark : it.remarks)
      if (remark.is_warning) text += (text.empty() ? "" : "; ") + remark.text;
    if (disagrees(it))
      text += (text.empty() ? "the scheduler says" : "; it says") + ago_text(*it.scheduler, now_) +
              ": " + it.scheduler->message;
    if (!text.empty()) diagnostic.advised.push_back({.label = "warning", .text = std::move(text)});
  }

  /// How many were added.
  std::size_t add_ways(report::Diagnostic& diagnostic, const Explanation& it) {
    const std::vector<Way> ways = ways_of(it);
    const std::size_t shown = is_brief() ? std::min(ways.size(), kMostWays) : ways.size();
    left_ways_ += ways.size() - shown;
    std::size_t untested = 0;
    bool has_patch = false;
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string_view before = i == 0 || ways[i].advice != nullptr ? "" : "or ";
      if (ways[i].fix != nullptr) {
        add_fix(diagnostic, it, *ways[i].fix, before, has_patch);
        has_patch = has_patch || !ways[i].fix->patch.empty();
        continue;
      }
      ++untested;
      const bool is_last = i + 1 == shown || ways[i + 1].advice == nullptr;
      diagnostic.advised.push_back(
          {.label = "advice",
           .text = ways[i].advice->summary + std::string(is_last ? not_tested_text(untested) : ""),
           .commands = command_lines(ways[i].advice->command)});
    }
    return shown;
  }

  static std::string_view not_tested_text(std::size_t count) {
    if (count == 1) return " (not tested)";
    return count == 2 ? " (neither is tested)" : " (none of these is tested)";
  }

  /// -o patch prints the first patch alone, and so does a brief answer.
  void add_fix(report::Diagnostic& diagnostic, const Explanation& it, const diagnose::Fix& fix,
               std::string_view before, bool has_patch) {
    report::Advised advised{.label = "help", .text = std::string(before) + fix.summary};
    if (has_patch && is_brief() && !fix.patch.empty()) {
      ++left_patches_;
      diagnostic.advised.push_back(std::move(advised));
      return note(diagnostic, fix.note);  // whom to ask is no part of the patch
    }
    advised.commands = command_lines(fix.command);
    if (!fix.patch.empty())
      advised.files.push_back(
          {fix.patch_file, has_patch ? std::string() : patch_command(it), fix.patch});
    diagnostic.advised.push_back(std::move(advised));
    for (std::string& each : notes_of(fix)) note(diagnostic, std::move(each));
  }

  void add_notes(report::Diagnostic& diagnostic, const Explanation& it, std::size_t most) {
    std::size_t shown = 0;
    for (const diagnose::Remark& remark : it.remarks) {
      if (remark.is_warning || said_.contains(remark.text)) continue;
      if (shown == most) {
        ++left_notes_;
        continue;
      }
      note(diagnostic, remark.text);
      ++shown;
    }
    if (it.scheduler && !disagrees(it))
      note(diagnostic, scheduler_text(*it.scheduler, now_, detail_));
    for (const std::string& each : it.not_checked)
      if (std::find(not_checked_.begin(), not_checked_.end(), each) == not_checked_.end())
        not_checked_.push_back(each);
  }

  [[nodiscard]] std::string left_out_text() const {
    std::vector<std::string> parts;
    const auto add = [&](std::size_t count, std::string_view one, std::string_view many) {
      if (count > 0) parts.push_back(counted(static_cast<std::int64_t>(count), one, many));
    };
    add(left_ways_, "other way", "other ways");
    add(left_patches_, "patch", "patches");
    add(left_notes_, "note", "notes");
    if (parts.empty()) return {};
    const std::vector<std::string_view> views(parts.begin(), parts.end());
    return "not shown: " + listed(views, "and") + "; add --all";
  }

  std::optional<Time> now_;
  Detail detail_;
  std::set<std::string> said_;
  std::vector<std::string> not_checked_;
  std::size_t left_ways_ = 0;
  std::size_t left_patches_ = 0;
  std::size_t left_notes_ = 0;
};

}  // namespace

Screen screen_of(const std::vector<Explanation>& answers, const std::optional<Time>& now,
                 Detail detail) {
  Screen screen;
  Builder builder(now, detail);
  for (const Explanation& each : answers) screen.answers.push_back(builder.add(each));
  screen.closing = builder.closing();
  if (screen.answers.size() != 1) return screen;
  std::vector<report::Advised>& advised = screen.answers.front().advised;
  advised.insert(advised.end(), std::make_move_iterator(screen.closing.begin()),
                 std::make_move_iterator(screen.closing.end()));
  screen.closing.clear();
  return screen;
}

}  // namespace gpu::cmd
