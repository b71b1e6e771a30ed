#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "cmd/columns.hpp"
#include "cmd/why_pending_view.hpp"
#include "schedule/code.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using schedule::Explanation;
using PendingColumns = Columns<Explanation>;

/// `groups[].nodes` of JSON names at most these, unless --nodes asks for all.
constexpr std::size_t kMostNodes = 10;

template <class Item, class Make>
report::List list_of(const std::vector<Item>& items, Make make) {
  report::List list;
  for (const Item& item : items) list.emplace_back(make(item));
  return list;
}

Cell text_or_null(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

Cell time_cell(const std::optional<Time>& time) { return time ? Cell(format_time(*time)) : Cell(); }

Cell owner_cell(const Explanation& it) {
  if (it.owner.name.empty() || it.owner.kind == "Pod") return {};
  return report::Record{{"kind", it.owner.kind}, {"name", it.owner.name}};
}

/// Amounts of why-pending's JSON: cpu in cores, bytes, and counts.
Cell amount_cell(const std::string& resource, std::int64_t amount) {
  if (resource == "cpu") return report::Ratio{static_cast<double>(amount) / 1000};
  return amount;
}

Cell requests_cell(const Explanation& it) {
  if (!it.gpus) return {};  // not read
  report::Record record;
  for (const schedule::Asked& asked : it.asks)
    record.emplace_back(asked.resource, amount_cell(asked.resource, asked.amount));
  return record;
}

Cell blocker_record(const schedule::GroupBlocker& blocker) {
  return report::Record{{"code", schedule::name_of(blocker.code)},
                        {"filter", schedule::name_of(blocker.filter)},
                        {"message", text_or_null(blocker.message)},
                        {"detail", text_or_null(blocker.detail)}};
}

Cell node_record(const schedule::NearNode& node) {
  report::Record free;
  for (const auto& [resource, amount] : node.free)
    free.emplace_back(resource, amount_cell(resource, amount));
  return report::Record{{"name", node.name}, {"free", std::move(free)}};
}

Cell group_record(const schedule::NodeGroup& group, report::Names names) {
  std::vector<schedule::NearNode> nodes = group.nodes;
  if (names == report::Names::first && nodes.size() > kMostNodes) nodes.resize(kMostNodes);
  return report::Record{{"blockers", list_of(group.blockers, blocker_record)},
                        {"count", static_cast<std::int64_t>(group.nodes.size())},
                        {"nodes", list_of(nodes, node_record)}};
}

Cell scheduler_cell(const Explanation& it) {
  if (!it.scheduler) return {};
  return report::Record{{"message", it.scheduler->message},
                        {"time", time_cell(it.scheduler->time)},
                        {"agrees", report::cell_of(it.scheduler->agrees)}};
}

Cell fix_record(const schedule::Fix& fix) {
  return report::Record{
      {"summary", fix.summary},
      {"command", text_or_null(fix.command)},
      {"patch", text_or_null(fix.patch)},
      {"note", text_or_null(fix.note)},
      {"stops", list_of(fix.stops, [](const std::string& name) { return Cell(name); })}};
}

Cell advice_record(const schedule::Advice& advice) {
  return report::Record{{"summary", advice.summary}, {"command", text_or_null(advice.command)}};
}

Cell text_list(const std::vector<std::string>& texts) {
  return list_of(texts, [](const std::string& text) { return Cell(text); });
}

Cell notes_cell(const Explanation& it) {
  report::List notes =
      list_of(it.remarks, [](const schedule::Remark& remark) { return Cell(remark.text); });
  if (!it.template_at.empty())
    notes.insert(notes.begin(), Cell("its pods are of " + it.template_at));
  return notes;
}

/// "job/train" where no pod was made: what kubectl takes.
std::string kubectl_name(const Explanation& it) { return lower_case(it.kind) + "/" + it.name; }

/// "asr (9 pods)" where rows are folded.
std::string name_text(const Explanation& it) {
  if (it.kind != "Pod") return kubectl_name(it);
  if (it.names.size() < 2) return it.name;
  return fmt::format("{} ({} pods)", it.owner.name, it.names.size());
}

void add_people_and_plain(PendingColumns& columns) {
  columns
      .text("namespace", "NAMESPACE", kPeople | kPlain | kMachine,
            [](const Explanation& it) { return Cell(it.ns); })
      .is_name = true;
  columns.text("", "POD", kPeople, [](const Explanation& it) { return Cell(name_text(it)); })
      .is_name = true;
  columns.text("", "POD", kPlain, [](const Explanation& it) {
    return Cell(it.kind == "Pod" ? it.name : kubectl_name(it));
  });
  columns.machine("name", [](const Explanation& it) { return Cell(it.name); });
  columns.number("", "PODS", kPlain, [](const Explanation& it) {
    return it.kind == "Pod" ? Cell(static_cast<std::int64_t>(it.names.size())) : Cell();
  });
  columns.number("", "GPUS", kPeople | kPlain, [](const Explanation& it) {
    return it.gpus ? Cell(*it.gpus * static_cast<std::int64_t>(it.names.size())) : Cell();
  });
  columns.number("", "WAITS", kPeople, [](const Explanation& it) {
    return it.waiting ? Cell(report::Seconds{*it.waiting}) : Cell();
  });
  columns.number("", "WAITS_SECONDS", kPlain, [](const Explanation& it) {
    return it.waiting ? Cell(report::Seconds{*it.waiting}) : Cell();
  });
  columns.text("", "REASON", kPeople | kPlain,
               [](const Explanation& it) { return Cell(schedule::name_of(it.code)); });
  columns.text("", "NEAREST", kPeople, [](const Explanation& it) { return Cell(it.nearest); })
      .is_prose = true;
}

void add_machine(PendingColumns& columns, report::Names names) {
  columns.machine("kind", [](const Explanation& it) { return Cell(it.kind); });
  columns.machine("pods", [](const Explanation& it) {
    return it.kind == "Pod" ? text_list(it.names) : Cell(report::List{});
  });
  columns.machine("owner", owner_cell);
  columns.machine("blocked", [](const Explanation& it) { return Cell(it.is_blocked); });
  columns.machine("code", [](const Explanation& it) { return Cell(schedule::name_of(it.code)); });
  columns.machine("summary", [](const Explanation& it) { return Cell(it.summary); });
  columns.machine("nearest", [](const Explanation& it) { return text_or_null(it.nearest); });
  columns.machine("waitingSeconds", [](const Explanation& it) {
    return it.waiting ? Cell(static_cast<std::int64_t>(it.waiting->count())) : Cell();
  });
  columns.machine("gpus", [](const Explanation& it) { return it.gpus ? Cell(*it.gpus) : Cell(); });
  columns.machine("requests", requests_cell);
  columns.machine("claims", [](const Explanation& it) { return text_list(it.claims); });
  columns.machine("groups", [names](const Explanation& it) -> Cell {
    return list_of(it.groups, [names](const schedule::NodeGroup& group) {
      return group_record(group, names);
    });
  });
  columns.machine("predictedMessage",
                  [](const Explanation& it) { return text_or_null(it.predicted_message); });
  columns.machine("scheduler", scheduler_cell);
  columns.machine("fixes",
                  [](const Explanation& it) -> Cell { return list_of(it.fixes, fix_record); });
  columns.machine("advice",
                  [](const Explanation& it) -> Cell { return list_of(it.advice, advice_record); });
  columns.machine("notes", notes_cell);
  columns.machine("notChecked", [](const Explanation& it) { return text_list(it.not_checked); });
}

}  // namespace

report::Report pending_report(const PendingAnswers& answers, const std::vector<Gap>& gaps,
                              report::Names names) {
  const std::vector<Explanation>& explanations = answers.explanations;
  PendingColumns columns;
  add_people_and_plain(columns);
  add_machine(columns, names);
  // For -o name alone.
  columns.text("", "", 0, [](const Explanation& it) { return Cell(kubectl_name(it)); });
  report::Report report{.kind = "PendingExplanationList"};
  report.table = columns.table(explanations);
  report.name_column = report.table.columns.size() - 1;
  std::int64_t pods = 0;
  std::int64_t workloads = 0;
  for (std::size_t i = 0; i < explanations.size(); ++i) {
    const Explanation& each = explanations[i];
    if (!each.is_blocked) continue;
    const std::int64_t count = answers.count_of(i);
    (each.kind == "Pod" ? pods : workloads) += count;
  }
  const GpusWaitedFor gpus = gpus_waited_for(answers);
  report.machine_summary = {{"waitingPods", pods},
                            {"waitingWorkloads", workloads},
                            {"waitingGpus", gpus.are_all ? Cell(gpus.known) : Cell()}};
  for (const Gap& gap : gaps) report.gaps.push_back({gap.what, gap.why, gap.help});
  if (explanations.empty()) report.empty_text = "no pod waits";
  return report;
}

}  // namespace gpu::cmd
