#include "cmd/fit/room_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "report/columns.hpp"
#include "report/fields.hpp"
#include "report/values.hpp"
#include "report/wrap.hpp"

namespace gpu::cmd {
namespace {

using plan::Move;
using plan::RoomAnswer;
using plan::RoomPlan;
using report::Cell;
using report::kPeople;
using report::kPlain;
using report::Type;

/// Where the text of a step begins: "1. ".
constexpr std::size_t kStepIndent = 3;

struct Row {
  RoomStep step;
  std::optional<Time> now;
};

std::string owner_text(const Move& move) {
  return lower_case(move.owner.kind) + "/" + move.owner.name;
}

std::optional<std::chrono::seconds> age_of(const Move& move, const std::optional<Time>& now) {
  if (!now || !move.running_since || *now < *move.running_since) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::seconds>(*now - *move.running_since);
}

std::string to_text(const Move& move) {
  constexpr std::size_t kShown = 4;
  if (move.to.size() == 1) return move.to.front();
  if (move.to.size() <= kShown) {
    const std::vector<std::string_view> names(move.to.begin(), move.to.end());
    return listed(names, "or");
  }
  return fmt::format("one of {} nodes", move.to.size());
}

/// Whose pod it is, and what it loses.
std::string about(const Move& move, const std::string& node, const std::optional<Time>& now) {
  std::string text = fmt::format("of {}, {}", owner_text(move), counted(move.gpus, "GPU"));
  if (move.priority != 0) text += fmt::format(", priority {}", move.priority);
  if (const auto age = age_of(move, now))
    text +=
        ", runs for " + report::words_of(report::Seconds{*age}, report::PowerUnit::watts, "").text;
  if (!move.budget.empty()) text += ", guarded by poddisruptionbudget/" + move.budget;
  if (move.loses_empty_dir) text += ", loses what is in its emptyDir";
  if (move.leaves_host_path) text += ", leaves what is in its hostPath volumes on " + node;
  if (move.restarts) text += ", starts over and counts as a failed pod of its Job";
  return text;
}

/// `kubectl drain` evicts all pods of a node, or those of a selector; the subresource evicts one.
/// It keeps to PodDisruptionBudgets, as deleting does not.
std::string eviction_of(const Move& move) {
  const std::string eviction = fmt::format(
      R"({{"apiVersion":"policy/v1","kind":"Eviction","metadata":{{"name":"{}"}}}})", move.name);
  return fmt::format(
      "echo {} | kubectl create -f - --raw {}", shell_quoted(eviction),
      shell_quoted(fmt::format("/api/v1/namespaces/{}/pods/{}/eviction", move.ns, move.name)));
}

}  // namespace

std::vector<RoomStep> room_steps(const RoomPlan& plan) {
  std::vector<RoomStep> steps;
  if (plan.needs_cordon)
    steps.push_back({.action = "cordon",
                     .command = "kubectl cordon " + shell_quoted(plan.node),
                     .node = plan.node});
  for (const Move& move : plan.moves)
    steps.push_back(
        {.action = "move", .command = eviction_of(move), .move = &move, .node = plan.node});
  if (plan.needs_cordon)
    steps.push_back({.action = "uncordon",
                     .command = "kubectl uncordon " + shell_quoted(plan.node),
                     .node = plan.node});
  return steps;
}

namespace {

std::string rivals_text(const std::vector<std::string>& rivals) {
  constexpr std::size_t kShown = 4;
  if (rivals.size() == 1)
    return rivals.front() + " waits, fits there too, and may take the room first";
  return fmt::format("{} pods that wait fit there too, and may take the room first: {}",
                     rivals.size(), few_and_rest(rivals, kShown));
}

}  // namespace

std::string room_headline(const RoomAnswer& answer, std::int64_t gpus, const std::string& model) {
  const std::string what = model.empty() ? counted(gpus, "GPU") : fmt::format("{} {}", gpus, model);
  if (answer.is_refused)
    return fmt::format(
        "the API server would refuse a pod with {}; `fit` without --make-room says why", what);
  if (!answer.free_now.empty())
    return fmt::format("nothing has to move: a pod with {} fits on {} now", what,
                       joined(answer.free_now));
  if (answer.plan)
    return fmt::format("{} of {} {} free after {}", what, answer.plan->node,
                       gpus == 1 ? "is" : "are",
                       counted(static_cast<std::int64_t>(answer.plan->moves.size()),
                               "pod has moved", "pods have moved"));
  if (answer.candidates == 0)
    return fmt::format("no node could hold a pod with {}, whoever left it", what);
  return fmt::format("no pods can be moved so that one node has {} free", what);
}

std::vector<std::string> room_facts(const RoomAnswer& answer) {
  std::vector<std::string> facts;
  if (answer.plan) {
    facts.emplace_back("ask the owners first: each pod that moves is stopped and created again");
    facts.emplace_back(
        "each pod is evicted, which the API server refuses where a PodDisruptionBudget forbids it "
        "then; after each step wait until the new pod runs");
    if (answer.plan->needs_cordon)
      facts.emplace_back(
          "create your pod before the last step, or others may take the room; the cordon keeps "
          "moved pods from coming back");
    if (!answer.plan->rivals.empty()) facts.push_back(rivals_text(answer.plan->rivals));
  }
  if (!answer.plan)
    for (const auto& [stays, count] : answer.staying)
      facts.push_back(fmt::format("{} with GPUs {}: {}{}", counted(count, "pod"),
                                  count == 1 ? "stays" : "stay", count == 1 ? "" : "of each, ",
                                  plan::text_of(stays)));
  if (answer.is_search_cut)
    facts.emplace_back("not all sets of pods were tried: there are too many");
  return facts;
}

std::string room_text(const RoomAnswer& answer, const std::optional<Time>& now,
                      const report::Style& style) {
  if (!answer.plan) return {};
  std::string text;
  int number = 1;
  for (const RoomStep& step : room_steps(*answer.plan)) {
    std::string what = step.action + " " + step.node;
    if (step.move != nullptr)
      what = fmt::format("move {}/{} to {}: {}", step.move->ns, step.move->name,
                         to_text(*step.move), about(*step.move, step.node, now));
    text += fmt::format("{}. ", number++);
    report::append_prose(text, what, kStepIndent, style);
    text += "\n      " + sanitize(step.command) + '\n';
  }
  return text;
}

namespace {

Cell of_move(const Row& row, Cell (*fill)(const Move&)) {
  return row.step.move == nullptr ? Cell() : fill(*row.step.move);
}

report::List node_list(const Move& move) {
  report::List list;
  for (const std::string& each : move.to) list.emplace_back(each);
  return list;
}

report::Columns<Row> columns_of_steps() {
  report::Columns<Row> columns;
  const unsigned all = kPeople | kPlain;
  columns.text({"action", Type::one_of({"cordon", "move", "uncordon"})}, "ACTION", all,
               [](const Row& row) { return Cell(row.step.action); });
  columns
      .text({"namespace", Type::text().or_null()}, "NAMESPACE", all,
            [](const Row& row) {
              return of_move(row, [](const Move& move) { return Cell(move.ns); });
            })
      .is_name = true;
  columns
      .text({"pod", Type::text().or_null(), "Null: the step is about the node."}, "POD", all,
            [](const Row& row) {
              return of_move(row, [](const Move& move) { return Cell(move.name); });
            })
      .is_name = true;
  columns.text("OWNER", all, [](const Row& row) {
    return of_move(row, [](const Move& move) { return Cell(owner_text(move)); });
  });
  columns.number({"gpus", Type::count().or_null()}, "GPUS", all, [](const Row& row) {
    return of_move(row, [](const Move& move) { return Cell(move.gpus); });
  });
  columns.text({"node", Type::text(), "That is cleared."}, "NODE", all,
               [](const Row& row) { return Cell(row.step.node); });
  columns.text("TO", all, [](const Row& row) {
    return of_move(row, [](const Move& move) { return Cell(joined(move.to, ",")); });
  });
  columns.machine({"to", Type::list(Type::text()), "Nodes that the scheduler may take for it."},
                  [](const Row& row) {
                    return row.step.move == nullptr ? Cell(report::List{})
                                                    : Cell(node_list(*row.step.move));
                  });
  columns.machine({"ownerKind", Type::text().or_null()}, [](const Row& row) {
    return of_move(row, [](const Move& move) { return Cell(move.owner.kind); });
  });
  columns.machine({"ownerName", Type::text().or_null()}, [](const Row& row) {
    return of_move(row, [](const Move& move) { return Cell(move.owner.name); });
  });
  columns.machine({"priority", Type::integer().or_null()}, [](const Row& row) {
    return of_move(row, [](const Move& move) { return Cell(std::int64_t{move.priority}); });
  });
  columns.machine({"runningSeconds", Type::amount().or_null()}, [](const Row& row) {
    const auto age = row.step.move == nullptr ? std::nullopt : age_of(*row.step.move, row.now);
    return age ? Cell(report::Seconds{*age}) : Cell();
  });
  columns.machine({"losesEmptyDir", Type::flag().or_null()}, [](const Row& row) {
    return of_move(row, [](const Move& move) { return Cell(move.loses_empty_dir); });
  });
  columns.machine({"budget", Type::text().or_null(), "The PodDisruptionBudget that allows it."},
                  [](const Row& row) {
                    return of_move(row, [](const Move& move) {
                      return move.budget.empty() ? Cell() : Cell(move.budget);
                    });
                  });
  columns.machine({"leavesHostPath", Type::flag().or_null()}, [](const Row& row) {
    return of_move(row, [](const Move& move) { return Cell(move.leaves_host_path); });
  });
  columns.machine({"command", Type::text()}, [](const Row& row) { return Cell(row.step.command); });
  // What -o name prints.
  columns.text("", 0, [](const Row& row) {
    return row.step.move == nullptr
               ? Cell("node/" + row.step.node)
               : Cell(fmt::format("pod/{}/{}", row.step.move->ns, row.step.move->name));
  });
  return columns;
}

struct Stayed {
  std::string reason;
  std::int64_t pods = 0;
};

const report::Fields<Stayed>& stayed_fields() {
  static const report::Fields<Stayed> fields = {
      {{"reason", Type::text()}, &Stayed::reason},
      {{"pods", Type::count(1)}, &Stayed::pods},
  };
  return fields;
}

report::List texts_in(const std::vector<std::string>& all) {
  report::List list;
  for (const std::string& each : all) list.emplace_back(each);
  return list;
}

const report::Fields<RoomAnswer>& room_summary() {
  static const report::Fields<RoomAnswer> fields = {
      {{"node", Type::text().or_null(), "That is cleared; null: there is no plan."},
       [](const RoomAnswer& answer) { return answer.plan ? Cell(answer.plan->node) : Cell(); }},
      {{"isRefused", Type::flag(), "The API server would refuse the pod."},
       &RoomAnswer::is_refused},
      {{"freeNow", Type::list(Type::text()), "Nodes on which nothing has to move."},
       [](const RoomAnswer& answer) { return Cell(texts_in(answer.free_now)); }},
      {{"moves", Type::count()},
       [](const RoomAnswer& answer) {
         return Cell(answer.plan ? static_cast<std::int64_t>(answer.plan->moves.size())
                                 : std::int64_t{0});
       }},
      {{"rivals", Type::list(Type::text()), "Waiting pods that may take the room first."},
       [](const RoomAnswer& answer) {
         return Cell(answer.plan ? texts_in(answer.plan->rivals) : report::List{});
       }},
      {{"candidates", Type::count(), "Nodes that could hold the pod if they were empty."},
       [](const RoomAnswer& answer) { return Cell(static_cast<std::int64_t>(answer.candidates)); }},
      {{"staying", Type::list(stayed_fields().type()), "Pods with GPUs that cannot be moved."},
       [](const RoomAnswer& answer) {
         std::vector<Stayed> all;
         for (const auto& [stays, pods] : answer.staying)
           all.push_back({std::string(plan::text_of(stays)), pods});
         return Cell(stayed_fields().list(all));
       }},
      {{"notChecked", Type::list(Type::text())},
       [](const RoomAnswer& answer) { return Cell(texts_in(answer.not_checked)); }},
      {{"isSearchCut", Type::flag(), "Not all sets of pods were tried."},
       &RoomAnswer::is_search_cut},
  };
  return fields;
}

}  // namespace

report::Report room_report(const RoomAnswer& answer, const std::vector<RoomStep>& steps,
                           const std::optional<Time>& now, const std::vector<Gap>& gaps) {
  report::Report report{.kind = "RoomPlanList"};
  std::vector<Row> rows;
  for (const RoomStep& step : steps) rows.push_back({step, now});
  report.table = columns_of_steps().table(rows);
  report.name_column = report.table.columns.size() - 1;
  report.machine_summary = room_summary().record(answer);
  for (const Gap& gap : gaps)
    if (gap.about != GapTopic::use) report.gaps.push_back({gap.what, gap.why, gap.help});
  return report;
}

report::AnswerForm room_form() {
  return {.kind = "RoomPlanList",
          .command = "fit --make-room",
          .item = "One item per step of the plan, in its order.",
          .fields = report::declared_fields(columns_of_steps().table({})),
          .summary = room_summary().declared(),
          .summary_says = "The plan as a whole, and what keeps others from moving."};
}

}  // namespace gpu::cmd
