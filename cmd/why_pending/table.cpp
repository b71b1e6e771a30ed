#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "cmd/top/columns.hpp"
#include "cmd/why_pending/view.hpp"
#include "diagnose/answer/code.hpp"

namespace gpu::cmd {
namespace {

using diagnose::Explanation;
using report::Cell;
using PendingColumns = Columns<diagnose::Explanation>;

/// `groups[].nodes` of JSON names at most these, unless --nodes asks for all.
constexpr std::size_t kMostNodes = 10;

template <class Item, class Make>
report::List list_of(const std::vector<Item>& items, Make make) {
  report::List list;
  for (const Item& item : items) list.emplace_back(make(item));
  return list;
}

report::Cell text_or_null(const std::string& text) {
  return text.empty() ? report::Cell() : report::Cell(text);
}

report::Cell time_cell(const std::optional<Time>& time) {
  return time ? report::Cell(format_time(*time)) : report::Cell();
}

report::Cell owner_cell(const diagnose::Explanation& it) {
  if (it.owner.name.empty() || it.owner.kind == "Pod") return {};
  return report::Record{{"kind", it.owner.kind}, {"name", it.owner.name}};
}

/// Amounts of why-pending's JSON: cpu in cores, bytes, and counts.
report::Cell amount_cell(const std::string& resource, std::int64_t amount) {
  if (resource == "cpu") return report::Ratio{static_cast<double>(amount) / 1000};
  return amount;
}

report::Cell requests_cell(const diagnose::Explanation& it) {
  if (!it.gpus) return {};  // not read
  report::Record record;
  for (const diagnose::ResourceRequest& asked : it.requests)
    record.emplace_back(asked.resource, amount_cell(asked.resource, asked.amount));
  return record;
}

report::Cell blocker_record(const diagnose::GroupBlocker& blocker) {
  return report::Record{{"code", diagnose::name_of(blocker.code)},
                        {"filter", scheduler::name_of(blocker.filter)},
                        {"message", text_or_null(blocker.message)},
                        {"detail", text_or_null(blocker.detail)}};
}

report::Cell node_record(const diagnose::NearNode& node) {
  report::Record free;
  for (const auto& [resource, amount] : node.free)
    free.emplace_back(resource, amount_cell(resource, amount));
  return report::Record{{"name", node.name}, {"free", std::move(free)}};
}

report::Cell group_record(const diagnose::NodeGroup& group, report::Names names) {
  std::vector<diagnose::NearNode> nodes = group.nodes;
  if (names == report::Names::first && nodes.size() > kMostNodes) nodes.resize(kMostNodes);
  return report::Record{{"blockers", list_of(group.blockers, blocker_record)},
                        {"count", static_cast<std::int64_t>(group.nodes.size())},
                        {"nodes", list_of(nodes, node_record)}};
}

report::Cell scheduler_cell(const diagnose::Explanation& it) {
  if (!it.scheduler) return {};
  return report::Record{{"message", it.scheduler->message},
                        {"time", time_cell(it.scheduler->time)},
                        {"agrees", report::cell_of(it.scheduler->agrees)}};
}

report::Cell fix_record(const diagnose::Fix& fix) {
  return report::Record{
      {"summary", fix.summary},
      {"command", text_or_null(fix.command)},
      {"patch", text_or_null(fix.patch)},
      {"note", text_or_null(fix.note)},
      {"stops", list_of(fix.stops, [](const std::string& name) { return report::Cell(name); })}};
}

report::Cell advice_record(const diagnose::Advice& advice) {
  return report::Record{{"summary", advice.summary}, {"command", text_or_null(advice.command)}};
}

report::Cell text_list(const std::vector<std::string>& texts) {
  return list_of(texts, [](const std::string& text) { return report::Cell(text); });
}

report::Cell notes_cell(const diagnose::Explanation& it) {
  report::List notes =
      list_of(it.remarks, [](const diagnose::Remark& remark) { return report::Cell(remark.text); });
  if (!it.template_at.empty())
    notes.insert(notes.begin(), report::Cell("its pods are of " + it.template_at));
  return notes;
}

/// "job/train" where no pod was made: what kubectl takes.
std::string kubectl_name(const diagnose::Explanation& it) {
  return lower_case(it.kind) + "/" + it.name;
}

/// "asr (9 pods)" where rows are folded.
std::string name_text(const diagnose::Explanation& it) {
  if (it.kind != "Pod") return kubectl_name(it);
  if (it.names.size() < 2) return it.name;
  return fmt::format("{} ({} pods)", it.owner.name, it.names.size());
}

void add_people_and_plain(PendingColumns& columns) {
  columns
      .text("namespace", "NAMESPACE", kPeople | kPlain | kMachine,
            [](const diagnose::Explanation& it) { return report::Cell(it.ns); })
      .is_name = true;
  columns
      .text("", "POD", kPeople,
            [](const diagnose::Explanation& it) { return report::Cell(name_text(it)); })
      .is_name = true;
  columns.text("", "POD", kPlain, [](const diagnose::Explanation& it) {
    return report::Cell(it.kind == "Pod" ? it.name : kubectl_name(it));
  });
  columns.machine("name", [](const diagnose::Explanation& it) { return report::Cell(it.name); });
  columns.number("", "PODS", kPlain, [](const diagnose::Explanation& it) {
    return it.kind == "Pod" ? report::Cell(static_cast<std::int64_t>(it.names.size()))
                            : report::Cell();
  });
  columns.number("", "GPUS", kPeople | kPlain, [](const diagnose::Explanation& it) {
    return it.gpus ? report::Cell(*it.gpus * static_cast<std::int64_t>(it.names.size()))
                   : report::Cell();
  });
  columns.number("", "WAITS", kPeople, [](const diagnose::Explanation& it) {
    return it.waiting ? report::Cell(report::Seconds{*it.waiting}) : report::Cell();
  });
  columns.number("", "WAITS_SECONDS", kPlain, [](const diagnose::Explanation& it) {
    return it.waiting ? report::Cell(report::Seconds{*it.waiting}) : report::Cell();
  });
  columns.text("", "REASON", kPeople | kPlain, [](const diagnose::Explanation& it) {
    return report::Cell(diagnose::name_of(it.code));
  });
  columns
      .text("", "NEAREST", kPeople,
            [](const diagnose::Explanation& it) { return report::Cell(it.nearest); })
      .is_prose = true;
}

void add_machine(PendingColumns& columns, report::Names names) {
  columns.machine("kind", [](const diagnose::Explanation& it) { return report::Cell(it.kind); });
  columns.machine("pods", [](const diagnose::Explanation& it) {
    return it.kind == "Pod" ? text_list(it.names) : report::Cell(report::List{});
  });
  columns.machine("owner", owner_cell);
  columns.machine("blocked",
                  [](const diagnose::Explanation& it) { return report::Cell(it.is_blocked); });
  columns.machine("code", [](const diagnose::Explanation& it) {
    return report::Cell(diagnose::name_of(it.code));
  });
  columns.machine("summary",
                  [](const diagnose::Explanation& it) { return report::Cell(it.summary); });
  columns.machine("nearest",
                  [](const diagnose::Explanation& it) { return text_or_null(it.nearest); });
  columns.machine("waitingSeconds", [](const diagnose::Explanation& it) {
    return it.waiting ? report::Cell(static_cast<std::int64_t>(it.waiting->count()))
                      : report::Cell();
  });
  columns.machine("gpus", [](const diagnose::Explanation& it) {
    return it.gpus ? report::Cell(*it.gpus) : report::Cell();
  });
  columns.machine("requests", requests_cell);
  columns.machine("claims", [](const diagnose::Explanation& it) { return text_list(it.claims); });
  columns.machine("groups", [names](const diagnose::Explanation& it) -> report::Cell {
    return list_of(it.groups, [names](const diagnose::NodeGroup& group) {
      return group_record(group, names);
    });
  });
  columns.machine("predictedMessage", [](const diagnose::Explanation& it) {
    return text_or_null(it.predicted_message);
  });
  columns.machine("scheduler", scheduler_cell);
  columns.machine("fixes", [](const diagnose::Explanation& it) -> report::Cell {
    return list_of(it.fixes, fix_record);
  });
  columns.machine("advice", [](const diagnose::Explanation& it) -> report::Cell {
    return list_of(it.advice, advice_record);
  });
  columns.machine("notes", notes_cell);
  columns.machine("notChecked",
                  [](const diagnose::Explanation& it) { return text_list(it.not_checked); });
}

}  // namespace

report::Report pending_report(const PendingAnswers& answers, const std::vector<Gap>& gaps,
                              report::Names names) {
  const std::vector<diagnose::Explanation>& explanations = answers.explanations;
  PendingColumns columns;
  add_people_and_plain(columns);
  add_machine(columns, names);
  // For -o name alone.
  columns.text("", "", 0,
               [](const diagnose::Explanation& it) { return report::Cell(kubectl_name(it)); });
  report::Report report{.kind = "PendingExplanationList"};
  report.table = columns.table(explanations);
  report.name_column = report.table.columns.size() - 1;
  std::int64_t pods = 0;
  std::int64_t workloads = 0;
  for (std::size_t i = 0; i < explanations.size(); ++i) {
    const diagnose::Explanation& each = explanations[i];
    if (!each.is_blocked) continue;
    const std::int64_t count = answers.count_of(i);
    (each.kind == "Pod" ? pods : workloads) += count;
  }
  const GpusWaitedFor gpus = gpus_waited_for(answers);
  report.machine_summary = {
      {"waitingPods", pods},
      {"waitingWorkloads", workloads},
      {"waitingGpus", gpus.are_all ? report::Cell(gpus.known) : report::Cell()}};
  for (const Gap& gap : gaps) report.gaps.push_back({gap.what, gap.why, gap.help});
  if (explanations.empty()) report.empty_text = "no pod waits";
  return report;
}

}  // namespace gpu::cmd
