#include "cmd/cost/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cost/rows/job_rows.hpp"
#include "usage/rows/gaps.hpp"

namespace gpu::cmd {
namespace {

using cost::CostLine;
using cost::CostRow;

bool matches_model(const std::string& model, const std::string& wanted) {
  return wanted.empty() || lower_case(model).find(lower_case(wanted)) != std::string::npos;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

bool is_of_owner(const CostLine& line, const CostQuestion& question) {
  if (question.kind == nullptr) return true;
  if (line.pod == nullptr && line.past == nullptr) return false;
  if (line.owner.kind == question.kind->kind && contains(question.names, line.owner.name))
    return true;
  // An owner's pod is asked for by its own name, too.
  if (question.kind->kind == "Pod" && line.pod != nullptr)
    return contains(question.names, line.pod->name);
  const auto& owners = line.past != nullptr ? line.past->owners : line.pod->owners;
  return std::any_of(owners.begin(), owners.end(), [&](const OwnerReference& owner) {
    return owner.controller && owner.kind == question.kind->kind &&
           contains(question.names, owner.name);
  });
}

bool matches(const CostLine& line, const CostQuestion& question) {
  if (!question.ns.empty() && line.ns != question.ns) return false;
  if (!contains(question.nodes, line.node)) return false;
  if (!line.holds_now && !question.counts_past()) return false;
  if (!matches_model(line.pool == nullptr ? "" : line.pool->model, question.model)) return false;
  if (!is_of_owner(line, question)) return false;
  if (line.past != nullptr && !question.label.empty()) return false;
  if (question.pod_selector.empty()) return true;
  return line.pod != nullptr && question.pod_selector.matches(line.pod->labels);
}

bool matches(const CostRow& row, const CostQuestion& question) {
  if (question.view.of == CostOf::supply && !contains(question.nodes, row.node) &&
      !row.node.empty())
    return false;
  if (question.view.of == CostOf::supply && !matches_model(row.model, question.model)) return false;
  return true;
}

/// A row is called by its name; one of a namespace's by NAMESPACE/NAME, too.
bool is_called(const CostRow& row, const std::string& name) {
  if (row.name.empty()) return row.ns == name;
  return row.name == name || (!row.ns.empty() && row.ns + "/" + row.name == name);
}

[[noreturn]] void refuse_name(const CostAnswer& answer, const std::string& name) {
  std::set<std::string> there;
  for (const CostRow& row : answer.rows) there.insert(row.name.empty() ? row.ns : row.name);
  const std::vector<std::string_view> names(there.begin(), there.end());
  const auto nearest = nearest_name(name, names);
  const CostView& view = answer.question.view;
  throw Error(ErrorKind::usage,
              fmt::format("no {} `{}` has GPUs that cost anything", view.singular, sanitize(name)),
              nearest ? fmt::format("a similar one is `{}`", *nearest)
                      : fmt::format("see all\n      kubectl gpu cost {}", view.name));
}

void keep_named(CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  if (question.names.empty() || question.kind != nullptr) return;
  for (const std::string& name : question.names)
    if (std::none_of(answer.rows.begin(), answer.rows.end(),
                     [&](const CostRow& row) { return is_called(row, name); }))
      refuse_name(answer, name);
  std::erase_if(answer.rows, [&](const CostRow& row) {
    return std::none_of(question.names.begin(), question.names.end(),
                        [&](const std::string& name) { return is_called(row, name); });
  });
}

/// Owners of one name in two namespaces are two.
[[noreturn]] void refuse_several(const CostQuestion& question, const CostRow& one,
                                 const CostRow& other) {
  throw Error(ErrorKind::usage,
              fmt::format("there is a {}/{} in {} and in {}", lower_case(question.kind->kind),
                          sanitize(one.name), sanitize(one.ns), sanitize(other.ns)),
              "say which one: -n " + shell_quoted(one.ns));
}

/// The one owner that is asked for, of whatever namespace; a row that says so where nothing of it
/// is left.
void find_owner(CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  for (CostRow& row :
       cost::owner_rows(answer.lines, answer.inventory.snapshot, answer.now, answer.from)) {
    const bool is_wanted = contains(question.names, row.name) && row.kind == question.kind->kind &&
                           (question.ns.empty() || row.ns == question.ns);
    if (!is_wanted) continue;
    if (answer.owner) refuse_several(question, *answer.owner, row);
    answer.owner = std::move(row);
  }
  if (answer.owner || !answer.rows.empty()) return;
  CostRow row{.ns = question.ns,
              .name = question.names.front(),
              .kind = std::string(question.kind->kind),
              .owner = {.kind = std::string(question.kind->kind), .name = question.names.front()},
              .evidence = cost::Evidence::no_record};
  row.total.missing = row.card_hours.missing = row.held_for.missing = 1;
  answer.owner = std::move(row);
}

/// A mistyped name would leave the built-in price in force without a word.
void say_what_picks_nothing(CostAnswer& answer, const cost::PriceBook& prices) {
  std::set<std::string> winners;
  for (const auto& entry : answer.ledger.nodes())
    for (const cost::NodePrice* price : entry.ledger.prices()) winners.insert(price->rule);
  for (const std::string& rule : prices.unused(winners))
    answer.gaps.push_back(
        {.what = sanitize(rule) + " is the price of no GPU node here",
         .why = "it names none of them, or another price wins",
         .help = "see which rules were tried\n      kubectl gpu cost --explain-price " +
                 shell_quoted(answer.ledger.nodes().front().name())});
}

std::string empty_text(const CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  const Snapshot& snapshot = answer.inventory.snapshot;
  if (snapshot.nodes.empty() && snapshot.node_coverage != Coverage::whole)
    return "what GPUs cost is not known: no nodes were read";
  if (answer.ledger.nodes().empty())
    return fmt::format("no GPUs on {}",
                       counted(static_cast<std::int64_t>(snapshot.nodes.size()), "node"));
  if (question.kind != nullptr)
    return fmt::format(
        "no record of {}/{}: none of its pods is listed any more, so what it cost is "
        "not known",
        lower_case(question.kind->kind), joined(question.names));
  if (question.view.of == CostOf::demand) return "no pod that matches holds a GPU";
  return "no node with GPUs matches";
}

/// Whether the answer goes by labels of pods, which are not known of those that are gone.
bool goes_by_labels(const CostQuestion& question) {
  return !question.label.empty() || !question.pod_selector.empty();
}

/// What --since cannot count here, where nothing has said so yet.
void add_past_gap(CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  const History& history = answer.inventory.snapshot.history;
  if (!question.metrics.since || question.view.of == CostOf::supply) return;
  if (goes_by_labels(question) && !history.pods.empty())
    answer.gaps.push_back({.what = "pods that are gone are left out: their labels are not known",
                           .why = "this answer uses labels of pods",
                           .help = "ask by namespace or owner",
                           .about = GapTopic::jobs});
}

/// Jobs of which something cannot be read are rows all the same: it says what of them is not known.
void add_unread_jobs(CostAnswer& answer) {
  if (!answer.question.counts_past()) return;
  std::vector<std::string> names;
  const Job* first = nullptr;
  for (const Job& job : answer.inventory.snapshot.scheduling.jobs) {
    const bool is_asked = answer.question.ns.empty() || job.ns == answer.question.ns;
    if (job.unread.empty() || !is_asked) continue;
    if (first == nullptr) first = &job;
    names.push_back(job.ns + "/" + job.name);
  }
  if (first == nullptr) return;
  answer.gaps.push_back(
      {.what = fmt::format("a part of {} cannot be read: {}",
                           counted(static_cast<std::int64_t>(names.size()), "Job"),
                           few_and_rest(names, 3)),
       .why = first->unread,
       .help = fmt::format(
           "what rests on it is not known; look\n      kubectl get job {} -n {} -o yaml",
           shell_quoted(first->name), shell_quoted(first->ns)),
       .about = GapTopic::jobs});
}

}  // namespace

CostAnswer::CostAnswer(const CostQuestion& of, const Snapshot& snapshot,
                       const cost::PriceBook& prices, const std::optional<Time>& at)
    : question(of),
      now(at),
      from(at && of.metrics.since ? std::optional(*at - *of.metrics.since) : std::nullopt),
      inventory(snapshot, at),
      ledger(inventory, prices, of.charge),
      past(snapshot.history, prices, of.charge),
      lines(cost::cost_lines(ledger, snapshot, at, from)),
      all(cost::total_row(ledger)) {
  std::vector<CostLine> gone = cost::past_lines(ledger, past, snapshot, at, from);
  lines.reserve(lines.size() + gone.size());
  std::move(gone.begin(), gone.end(), std::back_inserter(lines));
  gone = {};
  std::erase_if(lines, [&](const CostLine& line) { return !matches(line, question); });
  rows = question.view.rows(*this);
  std::erase_if(rows, [&](const CostRow& row) { return !matches(row, question); });
  if (question.kind != nullptr) find_owner(*this);
  if (from) {
    for (CostRow& row : rows) cost::doubt_sum(row, snapshot.history);
    if (owner) cost::doubt_sum(*owner, snapshot.history);
  }
  keep_named(*this);
  const bool has_record = !owner || owner->evidence != cost::Evidence::no_record;
  const bool is_told_by_owner = owner && has_record;
  if ((rows.empty() && !is_told_by_owner) || !has_record) empty_text = cmd::empty_text(*this);
  gaps = usage::gaps_of(inventory);
  gaps.insert(gaps.end(), prices.gaps().begin(), prices.gaps().end());
  if (!ledger.nodes().empty()) say_what_picks_nothing(*this, prices);
  add_past_gap(*this);
  add_unread_jobs(*this);
}

}  // namespace gpu::cmd
