#include "cmd/doctor/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "report/checklist.hpp"
#include "report/columns.hpp"

namespace gpu::cmd {
namespace {

using checkup::CheckResult;
using checkup::CheckState;
using report::Cell;
using report::ChecklistItem;
using report::Type;

/// In the order of the screen: what is to be acted on stands above what was not looked at.
constexpr auto kStates = std::to_array<CheckState>(
    {CheckState::ok, CheckState::failed, CheckState::warning, CheckState::skipped});

ChecklistItem::Tone tone_of(CheckState state) {
  switch (state) {
    case CheckState::ok:
      return ChecklistItem::Tone::good;
    case CheckState::warning:
      return ChecklistItem::Tone::warning;
    case CheckState::failed:
      return ChecklistItem::Tone::broken;
    case CheckState::skipped:
      break;
  }
  return ChecklistItem::Tone::dim;
}

/// "device plugin": a dash is for whoever types it.
std::string title_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

/// Why several checks were skipped, where that can be said once; empty for what stands by itself.
std::string shared_reason(const CheckResult& result, const DoctorAnswer& answer) {
  const bool has_help = !result.help.empty() || !result.command.empty();
  if (result.state != CheckState::skipped || has_help) return {};
  if (!result.blocked_by.empty()) return "need " + title_of(result.blocked_by) + ", which failed";
  const bool is_of_file = answer.source == checkup::Surroundings::Source::files;
  return result.is_out_of_sight && is_of_file
             ? "need a live cluster, this machine, or more than the file holds"
             : result.says;
}

ChecklistItem item_of(const CheckResult& result) {
  return {.tone = tone_of(result.state),
          .word = std::string(name_of(result.state)),
          .name = title_of(result.check),
          .text = result.says,
          .help = result.help,
          .command = result.command};
}

/// Checks that were skipped for one reason stand in one line: "13 checks  need ...: access, ...".
std::vector<ChecklistItem> items_of(const DoctorAnswer& answer) {
  std::map<std::string, std::vector<std::string>> alike;  // names by reason
  for (const CheckResult& each : answer.found.results)
    if (const std::string reason = shared_reason(each, answer); !reason.empty())
      alike[reason].push_back(title_of(each.check));
  std::set<std::string> said;
  std::vector<ChecklistItem> items;
  for (const CheckState state : kStates)
    for (const CheckResult& each : answer.found.results) {
      if (each.state != state) continue;
      const std::string reason = shared_reason(each, answer);
      const auto group = alike.find(reason);
      const bool is_folded = group != alike.end() && group->second.size() > 1;
      if (is_folded && !said.insert(reason).second) continue;
      ChecklistItem item = item_of(each);
      if (is_folded) {
        item.name = counted(static_cast<std::int64_t>(group->second.size()), "check");
        item.text = fmt::format("{}: {}", reason, joined(group->second));
      }
      items.push_back(std::move(item));
    }
  return items;
}

/// "prod-eu, Kubernetes 1.36.1, 6 GPU nodes".
std::string place_line(const DoctorAnswer& answer) {
  std::string line = sanitize(answer.place);
  std::string_view version = answer.server_version;
  if (version.starts_with('v')) version.remove_prefix(1);
  if (!version.empty()) line += ", Kubernetes " + sanitize(version);
  return line + ", " + counted(answer.found.gpu_nodes, "GPU node") + "\n\n";
}

/// "3 ok, 3 warnings, 1 failure, 1 skipped".
std::string count_line(const DoctorAnswer& answer) {
  std::vector<std::string> parts;
  const auto add = [&](CheckState state, std::string_view one, std::string_view many) {
    if (const std::int64_t number = answer.count(state); number > 0)
      parts.push_back(counted(number, one, many));
  };
  add(CheckState::ok, "ok", "ok");
  add(CheckState::warning, "warning", "warnings");
  add(CheckState::failed, "failure", "failures");
  add(CheckState::skipped, "skipped", "skipped");
  return "\n" + joined(parts) + "\n";
}

const report::Fields<CheckResult>& result_fields() {
  static const report::Fields<CheckResult> kFields = {
      {{"check", Type::text(), "as it is typed: `doctor metrics`"},
       [](const CheckResult& it) { return Cell(it.check); }},
      {{"state", Type::one_of(checkup::name_of), "skip: it was not looked at"},
       [](const CheckResult& it) { return Cell(std::string(name_of(it.state))); }},
      {{"summary", Type::text(), "what was found, or why it was not looked at"},
       [](const CheckResult& it) { return Cell(valid_utf8(it.says)); }},
      {{"help", Type::any_text(), "what to do; may have several lines"},
       [](const CheckResult& it) { return Cell(valid_utf8(it.help)); }},
      {{"command", Type::any_text(), "that shows more, or fixes it"},
       [](const CheckResult& it) { return Cell(valid_utf8(it.command)); }},
      {{"nodes", Type::list(Type::text()), "that it is about; empty: not about nodes alone"},
       [](const CheckResult& it) {
         report::List nodes;
         for (const std::string& node : it.nodes) nodes.emplace_back(valid_utf8(node));
         return Cell(std::move(nodes));
       }},
  };
  return kFields;
}

const report::Fields<DoctorAnswer>& answer_fields() {
  const auto count_of = [](CheckState state) {
    return [state](const DoctorAnswer& it) { return Cell(it.count(state)); };
  };
  static const report::Fields<DoctorAnswer> kFields = {
      {{"serverVersion", Type::text().or_null(), "of the API server"},
       [](const DoctorAnswer& it) {
         return it.server_version.empty() ? Cell() : Cell(valid_utf8(it.server_version));
       }},
      {{"gpuNodes", Type::count(), "nodes with GPUs, or that something reports to have some"},
       [](const DoctorAnswer& it) { return Cell(it.found.gpu_nodes); }},
      {{"ok", Type::count(), "results in that state"}, count_of(CheckState::ok)},
      {{"warnings", Type::count(), "results in that state"}, count_of(CheckState::warning)},
      {{"failures", Type::count(), "results in that state"}, count_of(CheckState::failed)},
      {{"skipped", Type::count(), "results in that state"}, count_of(CheckState::skipped)},
  };
  return kFields;
}

}  // namespace

std::int64_t DoctorAnswer::count(CheckState state) const {
  return std::count_if(found.results.begin(), found.results.end(),
                       [&](const CheckResult& each) { return each.state == state; });
}

std::string doctor_text(const DoctorAnswer& answer, const report::Style& style) {
  const std::string lead = answer.place.empty() ? std::string() : place_line(answer);
  return lead + report::render_checklist(items_of(answer), style) + count_line(answer);
}

report::Report doctor_report(const DoctorAnswer& answer) {
  report::Columns<CheckResult> columns;
  columns.machine(result_fields());
  report::Report report{.kind = "CheckList"};
  report.table = columns.table(answer.found.results);
  report.name_prefix = "check/";
  report.machine_summary = answer_fields().record(answer);
  for (const Gap& gap : answer.gaps) report.gaps.push_back({gap.what, gap.why, gap.help});
  return report;
}

report::AnswerForm check_form() {
  return {.kind = "CheckList",
          .command = "doctor",
          .item = "What a check found.",
          .fields = result_fields().declared(),
          .summary = answer_fields().declared(),
          .summary_says = "The cluster, and how many results there are of each state."};
}

}  // namespace gpu::cmd
