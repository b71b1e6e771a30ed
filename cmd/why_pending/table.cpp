#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/why_pending/patches.hpp"
#include "cmd/why_pending/view.hpp"
#include "diagnose/answer/code.hpp"
#include "report/columns.hpp"

namespace gpu::cmd {
namespace {

using diagnose::Explanation;
using report::Cell;
using report::Fields;
using report::kPeople;
using report::kPlain;
using report::Type;
using PendingColumns = report::Columns<diagnose::Explanation>;

/// `groups[].nodes` of JSON names at most these, unless --nodes asks for all.
constexpr std::size_t kMostNodes = 10;

report::Cell text_or_null(const std::string& text) {
  return text.empty() ? report::Cell() : report::Cell(text);
}

report::List text_list(const std::vector<std::string>& texts) {
  report::List list(texts.begin(), texts.end());
  return list;
}

report::Cell time_cell(const std::optional<Time>& time) {
  return time ? report::Cell(format_time(*time)) : report::Cell();
}

const Fields<Owner>& owner_fields() {
  static const Fields<Owner> fields = {
      {{"kind", Type::text()}, &Owner::kind},
      {{"name", Type::text()}, &Owner::name},
  };
  return fields;
}

report::Cell owner_cell(const diagnose::Explanation& it) {
  if (it.owner.name.empty() || it.owner.kind == "Pod") return {};
  return owner_fields().record(it.owner);
}

report::Field code_field(std::string says) {
  return {"code", Type::text_like("^[a-z]+(-[a-z]+)*$"), std::move(says)};
}

/// Amounts of why-pending's JSON: cpu in cores, bytes, and counts.
report::Cell amount_cell(const std::string& resource, std::int64_t amount) {
  if (resource == "cpu" || resource == "gpu-fraction")
    return report::Ratio{static_cast<double>(amount) / 1000};
  return amount;
}

report::Cell requests_cell(const diagnose::Explanation& it) {
  if (!it.gpus) return {};  // not read
  report::Record record;
  for (const diagnose::ResourceRequest& asked : it.requests)
    record.emplace_back(asked.resource, amount_cell(asked.resource, asked.amount));
  return record;
}

const Fields<diagnose::GroupBlocker>& blocker_fields() {
  using diagnose::GroupBlocker;
  static const Fields<GroupBlocker> fields = {
      {code_field("The reason; docs/reasons has a page for each."),
       [](const GroupBlocker& blocker) { return diagnose::name_of(blocker.code); }},
      {{"filter", Type::text(), "The scheduler's plugin."},
       [](const GroupBlocker& blocker) { return scheduler::name_of(blocker.filter); }},
      {{"message", Type::text().or_null(), "The scheduler's text."},
       [](const GroupBlocker& blocker) { return text_or_null(blocker.message); }},
      {{"detail", Type::text().or_null(),
        "What that text leaves out; null where the nodes of the group differ."},
       [](const GroupBlocker& blocker) { return text_or_null(blocker.detail); }},
  };
  return fields;
}

constexpr std::string_view kAmounts =
    "By resource: cpu in cores, memory and storage in bytes, all else as counts";

report::Record amounts_of(const std::vector<std::pair<std::string, std::int64_t>>& amounts) {
  report::Record record;
  for (const auto& [resource, amount] : amounts)
    record.emplace_back(resource, amount_cell(resource, amount));
  return record;
}

const Fields<diagnose::NearNode>& node_fields() {
  using diagnose::NearNode;
  static const Fields<NearNode> fields = {
      {{"name", Type::text()}, &NearNode::name},
      {{"free", Type::amounts(), "Of what the pod requests. " + std::string(kAmounts) + "."},
       [](const NearNode& node) { return amounts_of(node.free); }},
  };
  return fields;
}

report::List shown_nodes(const diagnose::NodeGroup& group, report::Names names) {
  std::vector<diagnose::NearNode> nodes = group.nodes;
  if (names == report::Names::first && nodes.size() > kMostNodes) nodes.resize(kMostNodes);
  return node_fields().list(nodes);
}

/// Nodes with the same blockers, of which `names` are shown.
Fields<diagnose::NodeGroup> group_fields(report::Names names) {
  using diagnose::NodeGroup;
  return {
      {{"blockers", Type::list(blocker_fields().type()), "Empty: the pod fits there now."},
       [](const NodeGroup& group) { return blocker_fields().list(group.blockers); }},
      {{"count", Type::count(1), "Nodes in the group; every node is in exactly one."},
       [](const NodeGroup& group) { return static_cast<std::int64_t>(group.nodes.size()); }},
      {{"nodes", Type::list(node_fields().type(), 1), "Nearest first; at most 10 without --nodes."},
       [names](const NodeGroup& group) { return shown_nodes(group, names); }},
  };
}

const Fields<diagnose::SchedulerWord>& scheduler_fields() {
  using diagnose::SchedulerWord;
  static const Fields<SchedulerWord> fields = {
      {{"message", Type::text()}, &SchedulerWord::message},
      {{"time", Type::text_like("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$").or_null()},
       [](const SchedulerWord& word) { return time_cell(word.time); }},
      {{"agrees", Type::flag().or_null(),
        "With what is predicted; null where the two cannot be compared."},
       [](const SchedulerWord& word) { return report::cell_of(word.agrees); }},
  };
  return fields;
}

report::Cell scheduler_cell(const diagnose::Explanation& it) {
  if (!it.scheduler) return {};
  return scheduler_fields().record(*it.scheduler);
}

const Fields<diagnose::Fix>& fix_fields() {
  using diagnose::Fix;
  static const Fields<Fix> fields = {
      {{"summary", Type::text()}, &Fix::summary},
      {{"command", Type::text().or_null(), "For a shell."},
       [](const Fix& fix) { return text_or_null(fix.command); }},
      {{"patch", Type::text().or_null(), "YAML that the command reads."},
       [](const Fix& fix) { return text_or_null(fix.patch); }},
      {{"note", Type::text().or_null(), "What else to know of it."},
       [](const Fix& fix) { return text_or_null(joined(notes_of(fix), "; ")); }},
      {{"stops", Type::list(Type::text()), "What it evicts or restarts: pod/NAMESPACE/NAME."},
       [](const Fix& fix) { return text_list(fix.stops); }},
  };
  return fields;
}

const Fields<diagnose::Advice>& advice_fields() {
  using diagnose::Advice;
  static const Fields<Advice> fields = {
      {{"summary", Type::text()}, &Advice::summary},
      {{"command", Type::text().or_null(), "For a shell."},
       [](const Advice& advice) { return text_or_null(advice.command); }},
  };
  return fields;
}

report::Cell notes_cell(const diagnose::Explanation& it) {
  report::List notes;
  if (!it.template_at.empty()) notes.emplace_back("its pods are of " + it.template_at);
  for (const diagnose::Remark& remark : it.remarks) notes.emplace_back(remark.text);
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
      .text({"namespace", Type::any_text()}, "NAMESPACE", kPeople | kPlain,
            [](const diagnose::Explanation& it) { return report::Cell(it.ns); })
      .is_name = true;
  columns
      .text("POD", kPeople,
            [](const diagnose::Explanation& it) { return report::Cell(name_text(it)); })
      .is_name = true;
  columns.text("POD", kPlain, [](const diagnose::Explanation& it) {
    return report::Cell(it.kind == "Pod" ? it.name : kubectl_name(it));
  });
  columns.machine({"name", Type::text()},
                  [](const diagnose::Explanation& it) { return report::Cell(it.name); });
  columns.number("PODS", kPlain, [](const diagnose::Explanation& it) {
    return it.kind == "Pod" ? report::Cell(static_cast<std::int64_t>(it.names.size()))
                            : report::Cell();
  });
  columns.number("GPUS", kPeople | kPlain, [](const diagnose::Explanation& it) {
    return it.gpus ? report::Cell(*it.gpus * static_cast<std::int64_t>(it.names.size()))
                   : report::Cell();
  });
  columns.number("WAITS", kPeople, [](const diagnose::Explanation& it) {
    return it.waiting ? report::Cell(report::Seconds{*it.waiting}) : report::Cell();
  });
  columns.number("WAITS_SECONDS", kPlain, [](const diagnose::Explanation& it) {
    return it.waiting ? report::Cell(report::Seconds{*it.waiting}) : report::Cell();
  });
  columns.text("REASON", kPeople | kPlain, [](const diagnose::Explanation& it) {
    return report::Cell(diagnose::name_of(it.code));
  });
  report::Column& nearest = columns.text(
      "NEAREST", kPeople, [](const diagnose::Explanation& it) { return report::Cell(it.nearest); });
  nearest.is_note = true;
  nearest.drops_next = true;
}

void add_identity_keys(PendingColumns& columns) {
  using diagnose::Explanation;
  columns.machine({"kind", Type::text(), "Pod, or the kind of a workload that has no pods."},
                  &Explanation::kind);
  columns.machine({"pods", Type::list(Type::text()),
                   "All pods that the item answers for; none where kind is not Pod."},
                  [](const Explanation& it) {
                    return it.kind == "Pod" ? text_list(it.names) : report::List{};
                  });
  columns.machine({"owner", owner_fields().type().or_null(),
                   "Who the pod belongs to in the end; null for a pod of its own."},
                  owner_cell);
}

void add_answer_keys(PendingColumns& columns) {
  using diagnose::Explanation;
  columns.machine({"blocked", Type::flag(), "false: it runs, has finished, or is about to start."},
                  &Explanation::is_blocked);
  columns.machine(code_field("The reason; docs/reasons has a page for each."),
                  [](const Explanation& it) { return diagnose::name_of(it.code); });
  columns.machine({"summary", Type::text(), "The reason in one sentence."}, &Explanation::summary);
  columns.machine({"nearest", Type::text().or_null(), "Where it would fit first, and after what."},
                  [](const Explanation& it) { return text_or_null(it.nearest); });
}

void add_request_keys(PendingColumns& columns) {
  using diagnose::Explanation;
  columns.machine({"waitingSeconds", Type::count().or_null()}, [](const Explanation& it) {
    return it.waiting ? report::Cell(static_cast<std::int64_t>(it.waiting->count()))
                      : report::Cell();
  });
  columns.machine({"gpus", Type::count().or_null(),
                   "GPUs that one pod requests; null where that was not read."},
                  [](const Explanation& it) { return report::cell_of(it.gpus); });
  columns.machine({"requests", Type::amounts().or_null(),
                   std::string(kAmounts) + "; null where they were not read."},
                  requests_cell);
  columns.machine({"claims", Type::list(Type::text()),
                   "What claims for devices request: claim NAME: 1 x CLASS."},
                  [](const Explanation& it) { return text_list(it.claims); });
}

void add_evidence_keys(PendingColumns& columns, report::Names names) {
  using diagnose::Explanation;
  const Fields<diagnose::NodeGroup> groups = group_fields(names);
  columns.machine(
      {"groups", Type::list(groups.type()),
       "Nodes with the same blockers, fewest blockers first; empty where no node was looked at, "
       "and with -A, as fixes are."},
      [groups](const Explanation& it) { return groups.list(it.groups); });
  columns.machine({"predictedMessage", Type::text().or_null(),
                   "What kube-scheduler would write of the pod; null where it is not its turn."},
                  [](const Explanation& it) { return text_or_null(it.predicted_message); });
  columns.machine({"scheduler", scheduler_fields().type().or_null(),
                   "What it did write last; null where it wrote nothing."},
                  scheduler_cell);
}

void add_advice_keys(PendingColumns& columns) {
  using diagnose::Explanation;
  columns.machine({"fixes", Type::list(fix_fields().type()),
                   "Each was applied to the snapshot, and the pod then fits. Best first."},
                  [](const Explanation& it) { return fix_fields().list(it.fixes); });
  columns.machine(
      {"advice", Type::list(advice_fields().type()), "What may help and could not be tried."},
      [](const Explanation& it) { return advice_fields().list(it.advice); });
  columns.machine({"notes", Type::list(Type::text()), "What else to know of the answer."},
                  notes_cell);
  columns.machine(
      {"notChecked", Type::list(Type::text()), "What a client cannot know, or could not read."},
      [](const Explanation& it) { return text_list(it.not_checked); });
}

PendingColumns pending_columns(report::Names names) {
  PendingColumns columns;
  add_people_and_plain(columns);
  add_identity_keys(columns);
  add_answer_keys(columns);
  add_request_keys(columns);
  add_evidence_keys(columns, names);
  add_advice_keys(columns);
  // For -o name alone.
  columns.text("", 0, kubectl_name);
  return columns;
}

/// How many wait, for machines.
struct WaitingSums {
  std::int64_t pods = 0;
  std::int64_t workloads = 0;
  GpusWaitedFor gpus;
};

WaitingSums waiting_sums(const PendingAnswers& answers) {
  WaitingSums sums{.gpus = gpus_waited_for(answers)};
  for (std::size_t i = 0; i < answers.explanations.size(); ++i) {
    const diagnose::Explanation& each = answers.explanations[i];
    if (each.is_blocked) (each.kind == "Pod" ? sums.pods : sums.workloads) += answers.count_of(i);
  }
  return sums;
}

const Fields<WaitingSums>& sum_fields() {
  static const Fields<WaitingSums> fields = {
      {{"waitingPods", Type::count()}, &WaitingSums::pods},
      {{"waitingWorkloads", Type::count(), "Jobs and others that have no pods."},
       &WaitingSums::workloads},
      {{"waitingGpus", Type::count().or_null(), "null where it is not known of one of them."},
       [](const WaitingSums& sums) {
         return sums.gpus.are_all ? report::Cell(sums.gpus.known) : report::Cell();
       }},
  };
  return fields;
}

/// Who waits where nobody looks is not known.
bool lacks_pods(const std::vector<Gap>& gaps) {
  return std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) {
    return gap.missing == Missing::pods || gap.missing == Missing::pods_of_file;
  });
}

std::string empty_text(const PendingAnswers& answers, const std::vector<Gap>& gaps) {
  std::string text = "no pod waits";
  if (!answers.empty_namespace.empty())
    text += " in namespace " + sanitize(answers.empty_namespace);
  if (lacks_pods(gaps)) text += ", of those that were seen";
  const std::int64_t elsewhere = answers.waiting_elsewhere.value_or(0);
  if (elsewhere > 0)
    text += fmt::format("; {} in other namespaces: kubectl gpu why-pending -A",
                        counted(elsewhere, "waits", "wait"));
  return text;
}

constexpr std::string_view kKind = "PendingExplanationList";

}  // namespace

report::Report pending_report(const PendingAnswers& answers, const std::vector<Gap>& gaps,
                              report::Names names) {
  report::Report report{.kind = std::string(kKind)};
  report.table = pending_columns(names).table(answers.explanations);
  report.name_column = report.table.columns.size() - 1;
  report.machine_summary = sum_fields().record(waiting_sums(answers));
  for (const Gap& gap : gaps) report.gaps.push_back({gap.what, gap.why, gap.help});
  if (answers.explanations.empty()) report.empty_text = empty_text(answers, gaps);
  return report;
}

report::AnswerForm pending_form() {
  return {.kind = std::string(kKind),
          .command = "why-pending",
          .item =
              "One item per pod that was named or that waits, and one per workload that "
              "could not create its pods.",
          .fields = report::declared_fields(pending_columns(report::Names::all).table({})),
          .summary = sum_fields().declared(),
          .summary_says = "How many wait, over all items."};
}

}  // namespace gpu::cmd
