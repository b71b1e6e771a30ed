#include "cmd/quota/view.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "cmd/quota/cells.hpp"
#include "cmd/quota/table.hpp"
#include "report/fields.hpp"

namespace gpu::cmd {
namespace {

using quota::IdleHolder;
using quota::Party;
using quota::Promise;
using quota::QuotaAnswer;
using quota::QuotaRow;
using quota::State;
using quota::Wait;
using report::Cell;
using report::Type;

Cell text_cell(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

Cell seconds_cell(const std::optional<std::chrono::seconds>& time) {
  return time ? Cell(report::Seconds{*time}) : Cell();
}

const report::Fields<Party>& party_fields() {
  static const report::Fields<Party> kFields = {
      {{"namespace", Type::text()}, &Party::ns},
      {{"kind", Type::text()}, &Party::kind},
      {{"name", Type::text()}, &Party::name},
      {{"queue", Type::any_text(),
        "Of those that wait with Kueue the LocalQueue, otherwise the queue whose quota it has."},
       &Party::queue},
      {{"flavor", Type::text().or_null()}, [](const Party& it) { return text_cell(it.flavor); }},
      {{"units", Type::number().or_null()}, [](const Party& it) { return units_cell(it.units); }},
      {{"missingPods", Type::count().or_null(),
        "Of an owner whose pods a ResourceQuota refuses: how many it lacks; null: not known, 1 is "
        "counted."},
       [](const Party& it) { return report::cell_of(it.missing_pods); }},
      {{"sinceSeconds", Type::count().or_null()},
       [](const Party& it) { return seconds_cell(it.since); }},
      {{"reason", Type::text().or_null(), "In the words of Kueue, Volcano or the API server."},
       [](const Party& it) { return text_cell(it.reason); }},
  };
  return kFields;
}

const report::Fields<Wait>& wait_fields() {
  static const report::Fields<Wait> kFields = {
      {{"system", Type::one_of({"kubernetes", "kueue", "volcano", "kai"})},
       [](const Wait& it) { return Cell(quota::system_of(it.limiter)); }},
      {{"queue", Type::text().or_null(),
        "NAMESPACE/NAME of a ResourceQuota; null: the queue that they name does not exist."},
       [](const Wait& it) { return text_cell(it.queue); }},
      {{"resource", Type::text()}, &Wait::resource},
      {{"waiting", Type::list(party_fields().type()), "Longest first."},
       [](const Wait& it) { return Cell(party_fields().list(it.waiting)); }},
      {{"holders", Type::list(party_fields().type()),
        "Who has quota that they share, in the queue and in its cohorts; most units first, 20 at "
        "most."},
       [](const Wait& it) { return Cell(party_fields().list(it.holders)); }},
      {{"holdersLeftOut", Type::count()}, &Wait::holders_left_out},
  };
  return kFields;
}

Cell models_cell(const Promise& promise) {
  report::List list;
  for (const auto& [model, units] : promise.models)
    list.emplace_back(report::Record{{"model", text_cell(model)}, {"units", Cell(units)}});
  return list;
}

const report::Fields<Promise>& promise_fields() {
  static const report::Fields<Promise> kFields = {
      {{"kind", Type::text(), "Of which limits it is the sum."},
       [](const Promise& it) { return Cell(quota::kind_of(it.limiter)); }},
      {{"system", Type::one_of({"kubernetes", "kueue", "volcano", "kai"})},
       [](const Promise& it) { return Cell(quota::system_of(it.limiter)); }},
      {{"resource", Type::text()}, &Promise::resource},
      {{"flavor", Type::text().or_null(), "null: of all flavors together."},
       [](const Promise& it) { return text_cell(it.flavor); }},
      {{"promised", Type::number()}, [](const Promise& it) { return units_cell(it.promised); }},
      {{"existing", Type::count().or_null(), "On nodes, of the flavor's where it is of one."},
       [](const Promise& it) { return report::cell_of(it.existing); }},
      {{"unit", Type::text().or_null(), "What one of them is: gpu, mig, share; mixed."},
       [](const Promise& it) { return text_cell(it.unit); }},
      {{"models",
        Type::list(Type::record({{"model", Type::text().or_null()}, {"units", Type::count()}}))},
       models_cell},
      {{"isTooMuch", Type::flag()}, [](const Promise& it) { return Cell(quota::is_too_much(it)); }},
  };
  return kFields;
}

const report::Fields<IdleHolder>& idle_fields() {
  static const report::Fields<IdleHolder> kFields = {
      {{"limit", Type::text(), "The ClusterQueue, or NAMESPACE/NAME of the ResourceQuota."},
       &IdleHolder::queue},
      {{"limitKind", Type::text()},
       [](const IdleHolder& it) { return Cell(quota::kind_of(it.limiter)); }},
      {{"namespace", Type::text()}, &IdleHolder::ns},
      {{"kind", Type::text()}, &IdleHolder::kind},
      {{"name", Type::text()}, &IdleHolder::name},
      {{"resource", Type::text()}, &IdleHolder::resource},
      {{"flavor", Type::text().or_null()},
       [](const IdleHolder& it) { return text_cell(it.flavor); }},
      {{"units", Type::number()}, [](const IdleHolder& it) { return units_cell(it.units); }},
      {{"sinceSeconds", Type::count().or_null()},
       [](const IdleHolder& it) { return seconds_cell(it.since); }},
      {{"reason", Type::one_of<quota::IdleReason>(quota::name_of),
        "ended: its owner has; no-pods: none waits or runs; not-seen: none was seen; not-bound: "
        "the pod waits for a node."},
       [](const IdleHolder& it) { return Cell(quota::name_of(it.reason)); }},
  };
  return kFields;
}

template <class Holds>
Cell count_of(const QuotaAnswer& answer, Holds holds) {
  return static_cast<std::int64_t>(std::count_if(answer.rows.begin(), answer.rows.end(), holds));
}

const report::Fields<QuotaAnswer>& summary_fields() {
  static const report::Fields<QuotaAnswer> kFields = {
      {{"atLimit", Type::count(), "Items that are full or over."},
       [](const QuotaAnswer& it) {
         return count_of(it, [](const QuotaRow& row) {
           return row.state == State::full || row.state == State::over;
         });
       }},
      {{"withProblem", Type::count(), "Items with a problem."},
       [](const QuotaAnswer& it) {
         return count_of(it,
                         [](const QuotaRow& row) { return row.problem != quota::Problem::none; });
       }},
      {{"wrong", Type::count(), "Items with isWrong: above 0 the exit code is 1."},
       [](const QuotaAnswer& it) { return count_of(it, quota::is_wrong); }},
      {{"notCounted", Type::list(Type::text()),
        "ResourceQuotas, as NAMESPACE/NAME, whose devices of ResourceClaims were not counted "
        "here."},
       [](const QuotaAnswer& it) {
         report::List list;
         for (const std::string& name : quota::not_counted(it)) list.emplace_back(name);
         return Cell(std::move(list));
       }},
      {{"differing", Type::count(), "Items whose status says else than is counted here."},
       [](const QuotaAnswer& it) { return count_of(it, quota::differs); }},
      {{"waits", Type::list(wait_fields().type()), "Who waits for whom, by queue and resource."},
       [](const QuotaAnswer& it) { return Cell(wait_fields().list(it.waits)); }},
      {{"promises", Type::list(promise_fields().type()), "Sums of limits beside what exists."},
       [](const QuotaAnswer& it) { return Cell(promise_fields().list(it.promises)); }},
      {{"idle", Type::list(idle_fields().type()), "What holds quota and runs nothing."},
       [](const QuotaAnswer& it) { return Cell(idle_fields().list(it.idle)); }},
      {{"notRead", Type::list(Type::text()), "Kinds that were not read everywhere."},
       [](const QuotaAnswer& it) {
         report::List list;
         for (const std::string& kind : it.unseen) list.emplace_back(kind);
         return Cell(std::move(list));
       }},
  };
  return kFields;
}

}  // namespace

report::Report quota_report(const QuotaAnswer& answer, const std::vector<Gap>& gaps) {
  report::Report report{.kind = "QuotaList", .table = quota_table(answer)};
  report.name_column = report.table.columns.size() - 1;
  report.machine_summary = summary_fields().record(answer);
  for (const Gap& gap : gaps) report.gaps.push_back({gap.what, gap.why, gap.help});
  return report;
}

report::AnswerForm quota_form() {
  return {.kind = "QuotaList",
          .command = "quota",
          .item = "One item per limit and GPU resource; of Kueue per flavor, too.",
          .fields = report::declared_fields(quota_table({})),
          .summary = summary_fields().declared(),
          .summary_says = "Of the whole answer."};
}

}  // namespace gpu::cmd
