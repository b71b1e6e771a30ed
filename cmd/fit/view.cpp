#include "cmd/fit/view.hpp"

#include <string>

#include "base/time.hpp"
#include "cmd/fit/text.hpp"
#include "diagnose/answer/code.hpp"
#include "report/columns.hpp"
#include "report/fields.hpp"

namespace gpu::cmd {
namespace {

using plan::FitAnswer;
using plan::FitRow;
using plan::FreeBlock;
using plan::NodeNeed;
using plan::Place;
using report::Cell;
using report::Fields;
using report::kPeople;
using report::kPlain;
using report::Type;

Cell text_or_null(const std::string& text) { return text.empty() ? Cell() : Cell(text); }
Cell usd_of(const std::optional<Money>& amount) {
  return amount ? Cell(report::Usd{amount->nano}) : Cell();
}

report::List texts(const std::vector<std::string>& all) {
  report::List list;
  for (const std::string& each : all) list.emplace_back(each);
  return list;
}

std::string_view name_of_gang(plan::Gang gang) {
  switch (gang) {
    case plan::Gang::none:
      return "none";
    case plan::Gang::whole:
      return "whole";
    case plan::Gang::partial:
      return "partial";
  }
  return "";
}

Cell least(const std::optional<plan::Range>& range) { return range ? Cell(range->least) : Cell(); }
Cell most(const std::optional<plan::Range>& range) { return range ? Cell(range->most) : Cell(); }

const Fields<Place>& place_fields() {
  static const Fields<Place> fields = {
      {{"node", Type::text()}, &Place::node},
      {{"pods", Type::count(1)}, &Place::pods},
  };
  return fields;
}

const Fields<FreeBlock>& block_fields() {
  static const Fields<FreeBlock> fields = {
      {{"model", Type::text().or_null()},
       [](const FreeBlock& block) { return text_or_null(block.model); }},
      {{"resource", Type::text()}, &FreeBlock::resource},
      {{"unit", Type::text(), "What `free` counts: gpu, share, mig, ..."},
       [](const FreeBlock& block) { return Cell(usage::name_of(block.unit)); }},
      {{"node", Type::text()}, &FreeBlock::node},
      {{"free", Type::count(), "Units that one pod could have there now."}, &FreeBlock::free},
  };
  return fields;
}

const Fields<NodeNeed>& need_fields() {
  static const Fields<NodeNeed> fields = {
      {{"instanceType", Type::text().or_null()},
       [](const NodeNeed& need) { return text_or_null(need.type); }},
      {{"model", Type::text().or_null(), "Of its GPUs."},
       [](const NodeNeed& need) { return text_or_null(need.model); }},
      {{"like", Type::text(), "The node of the cluster that they were tried as."}, &NodeNeed::like},
      {{"gpusPerNode", Type::count()}, &NodeNeed::gpus},
      {{"nodes", Type::count(1)}, &NodeNeed::nodes},
      {{"usdPerHour", Type::amount().or_null(), "All of them; null: no price."},
       [](const NodeNeed& need) { return usd_of(need.hour); }},
      {{"priceSource", Type::text().or_null()},
       [](const NodeNeed& need) { return text_or_null(need.price_source); }},
      {{"priceAsOf", Type::text().or_null()},
       [](const NodeNeed& need) {
         return need.as_of ? Cell(format_time(*need.as_of).substr(0, 10)) : Cell();
       }},
      {{"isEstimate", Type::flag(), "Another region's price, or a median."},
       &NodeNeed::is_estimate},
  };
  return fields;
}

/// How many pods of a row start, in two columns for pipes.
void add_starts(report::Columns<FitRow>& columns) {
  columns.number("STARTS", kPeople, [](const FitRow& row) {
    if (!row.starts) return Cell();
    const bool all = row.starts->least == row.pods;
    return Cell(range_text(*row.starts), all ? report::Concern::good : report::Concern::warning);
  });
  columns.number(
      {"startsMin", Type::count().or_null(), "Pods that start, however the scheduler chooses."},
      "STARTS_MIN", kPlain, [](const FitRow& row) { return least(row.starts); });
  columns.number({"startsMax", Type::count().or_null()}, "STARTS_MAX", kPlain,
                 [](const FitRow& row) { return most(row.starts); });
}

void add_keys(report::Columns<FitRow>& columns) {
  columns.machine({"template", Type::text().or_null(), "Where in its object, of several."},
                  [](const FitRow& row) { return text_or_null(row.template_at); });
  columns.machine({"gpus", Type::count(), "Of each pod."},
                  [](const FitRow& row) { return Cell(row.gpus); });
  columns.machine({"priority", Type::integer()},
                  [](const FitRow& row) { return Cell(std::int64_t{row.priority}); });
  columns.machine({"places", Type::list(place_fields().type()), "Where pods start."},
                  [](const FitRow& row) { return Cell(place_fields().list(row.places)); });
  columns.machine({"isCertain", Type::flag(), "`places` are the only way: nothing is random."},
                  [](const FitRow& row) { return Cell(row.is_certain); });
  columns.machine({"isSure", Type::flag(), "All that may keep pods from starting was read."},
                  [](const FitRow& row) { return Cell(row.is_sure); });
  columns.machine({"stops", Type::list(Type::text()), "NAMESPACE/NAME of pods preempted for them."},
                  [](const FitRow& row) { return Cell(texts(row.stops)); });
  columns.machine({"gang", Type::one_of({"none", "whole", "partial"}),
                   "Whether pods that work together start together."},
                  [](const FitRow& row) { return Cell(name_of_gang(row.gang)); });
  columns.machine({"gangMinimum", Type::count().or_null(),
                   "Pods of the object that start together, or none; null: no gang that does."},
                  [](const FitRow& row) {
                    return row.gang == plan::Gang::whole ? Cell(row.gang_least) : Cell();
                  });
  columns.machine({"roomFor", Type::count().or_null(), "Of a gang that does not start."},
                  [](const FitRow& row) { return report::cell_of(row.room_for); });
  columns.machine(
      {"code", Type::text().or_null(), "Why the next pod does not start."},
      [](const FitRow& row) { return row.code ? Cell(diagnose::name_of(*row.code)) : Cell(); });
  columns.machine({"summary", Type::text().or_null()},
                  [](const FitRow& row) { return text_or_null(row.summary); });
  columns.machine(
      {"moreMin", Type::count().or_null(), "Pods of the same that would fit after all."},
      [](const FitRow& row) { return least(row.more); });
  columns.machine({"moreMax", Type::count().or_null()},
                  [](const FitRow& row) { return most(row.more); });
  columns.machine({"isMoreCapped", Type::flag(), "More were not tried."},
                  [](const FitRow& row) { return Cell(row.is_more_capped); });
  columns.machine({"warnings", Type::list(Type::text()), "What may go wrong once pods start."},
                  [](const FitRow& row) { return Cell(texts(row.warnings)); });
  columns.machine({"notChecked", Type::list(Type::text())},
                  [](const FitRow& row) { return Cell(texts(row.not_checked)); });
}

report::Columns<FitRow> columns_of() {
  report::Columns<FitRow> columns;
  columns
      .text({"namespace", Type::text()}, "NAMESPACE", kPeople | kPlain,
            [](const FitRow& row) { return Cell(row.ns); })
      .is_name = true;
  columns.text("OBJECT", kPeople | kPlain, [](const FitRow& row) { return Cell(object_text(row)); })
      .is_name = true;
  columns.machine({"kind", Type::text(), "Kind of what creates the pods; Pod: nothing does."},
                  [](const FitRow& row) { return Cell(row.kind); });
  columns.machine({"name", Type::any_text()}, [](const FitRow& row) { return Cell(row.name); });
  columns.number({"pods", Type::count()}, "PODS", kPeople | kPlain,
                 [](const FitRow& row) { return Cell(row.pods); });
  columns.text("GPUS EACH", kPeople, [](const FitRow& row) { return Cell(gpus_of_pod(row)); });
  columns.number("GPUS_EACH", kPlain, [](const FitRow& row) { return Cell(row.gpus); });
  add_starts(columns);
  columns.text("ON", kPeople, [](const FitRow& row) { return text_or_null(places_text(row)); });
  add_keys(columns);
  return columns;
}

const Fields<FitAnswer>& summary_fields() {
  static const Fields<FitAnswer> fields = {
      {{"pods", Type::count()}, &FitAnswer::pods},
      {{"startsMin", Type::count().or_null()},
       [](const FitAnswer& answer) { return least(answer.starts); }},
      {{"startsMax", Type::count().or_null()},
       [](const FitAnswer& answer) { return most(answer.starts); }},
      {{"allStart", Type::flag(), "Exit code 0."},
       [](const FitAnswer& answer) { return Cell(answer.all_start()); }},
      {{"freeBlocks", Type::list(block_fields().type()), "The most free GPUs on one node, now."},
       [](const FitAnswer& answer) { return Cell(block_fields().list(answer.blocks)); }},
      {{"uncordon", Type::list(Type::text()),
        "Ready nodes that are cordoned: more pods start once these are uncordoned."},
       [](const FitAnswer& answer) {
         return Cell(answer.uncordoning ? texts(answer.uncordoning->nodes) : report::List());
       }},
      {{"startsUncordoned", Type::count().or_null(), "Pods that then start, at least."},
       [](const FitAnswer& answer) {
         return answer.uncordoning ? Cell(answer.uncordoning->starts) : Cell();
       }},
      {{"nodesNeeded", Type::list(need_fields().type()),
        "Each by itself lets all start; the cheapest first."},
       [](const FitAnswer& answer) { return Cell(need_fields().list(answer.needs)); }},
      {{"runs", Type::count(), "How often the scheduler's random choices were simulated."},
       [](const FitAnswer& answer) { return Cell(static_cast<std::int64_t>(answer.runs)); }},
      {{"notChecked", Type::list(Type::text())},
       [](const FitAnswer& answer) { return Cell(texts(answer.not_checked)); }},
  };
  return fields;
}

}  // namespace

report::Report fit_report(const FitAnswer& answer, const std::vector<Gap>& gaps) {
  report::Report report{.kind = "FitList"};
  report.table = columns_of().table(answer.rows);
  report.name_column = 1;
  report.machine_summary = summary_fields().record(answer);
  for (const Gap& gap : gaps)
    if (gap.about != GapTopic::use) report.gaps.push_back({gap.what, gap.why, gap.help});
  return report;
}

report::AnswerForm fit_form() {
  return {.kind = "FitList",
          .command = "fit",
          .item = "One item per pod template of what would be created.",
          .fields = report::declared_fields(columns_of().table({})),
          .summary = summary_fields().declared(),
          .summary_says = "All pods together, and what the cluster has."};
}

}  // namespace gpu::cmd
