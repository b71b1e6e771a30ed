#include "cmd/cost/cost_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/cost/cost_cells.hpp"
#include "cmd/cost/cost_columns.hpp"
#include "report/sort.hpp"
#include "report/values.hpp"

namespace gpu::cmd {
namespace {

using cost::CostRow;
using cost::Unallocated;
using report::Audience;
using report::Cell;
using report::kPeople;
using report::kPlain;
using report::Type;

constexpr std::chrono::days kFreshFor{180};

Money at(const CostRow& row, Unallocated reason) {
  return row.unallocated[static_cast<std::size_t>(reason)];
}

report::Fields<CostAnswer>::Entry summary_key(std::string key, std::string says,
                                              Money (*of)(const CostRow&)) {
  return {{std::move(key), Type::amount().or_null(), std::move(says)},
          [of](const CostAnswer& answer) { return usd_cell(of(answer.all)); }};
}

const report::Fields<CostAnswer>& summary_fields() {
  static const report::Fields<CostAnswer> fields = {
      summary_key("nodeUsdPerHour", "All GPU nodes: the sum of the amounts below.",
                  [](const CostRow& row) { return row.price.sum; }),
      summary_key("busyUsdPerHour", "", [](const CostRow& row) { return row.rate.sum.busy; }),
      summary_key("idleUsdPerHour", "", [](const CostRow& row) { return row.rate.sum.idle; }),
      summary_key("unknownUsdPerHour", "Held, or perhaps held, and its use is not known.",
                  [](const CostRow& row) { return row.rate.sum.unknown + row.unseen; }),
      {{"unallocatedUsdPerHour", unallocated_fields().type()},
       [](const CostAnswer& answer) { return Cell(unallocated_fields().record(answer.all)); }},
      summary_key("hostUsdPerHour", "CPU and memory, with --split opencost; else 0.",
                  [](const CostRow& row) { return row.host; }),
      {{"unpricedGpus", Type::count(), "Held now, without a price."},
       [](const CostAnswer& answer) { return Cell(answer.all.unpriced_units); }},
      {{"unpricedNodes", Type::count(), "Nodes without a price: the sums are without them."},
       [](const CostAnswer& answer) { return Cell(answer.all.price.missing); }},
      {{"owner", owner_sum_fields().type().or_null(),
        "Of TYPE/NAME, all its pods together, those that are gone, too; null: not of one owner."},
       [](const CostAnswer& answer) {
         return answer.owner ? Cell(owner_sum_fields().record(*answer.owner)) : Cell();
       }},
  };
  return fields;
}

/// What nobody holds, as rows below the table: its idle part is all of it.
CostRow unheld_row(const std::string& name, Money amount) {
  CostRow row;
  row.ns = row.name = name;
  row.is_unheld = true;
  row.rate.add(cost::HeldRate{.idle = amount});
  return row;
}

/// What is neither held for certain nor free.
CostRow unknown_row(const std::string& name, Money amount) {
  CostRow row = unheld_row(name, {});
  row.rate = {};
  row.rate.add(cost::HeldRate{.unknown = amount});
  return row;
}

std::vector<usage::PoolAmount> amounts_of(const CostAnswer& answer,
                                          std::optional<std::int64_t> Pool::*member) {
  std::vector<usage::PoolAmount> amounts;
  for (const Pool& pool : answer.inventory.pools)
    if (!pool.is_second_view && (pool.*member).value_or(0) > 0)
      amounts.push_back({&pool, *(pool.*member)});
  return amounts;
}

/// For people: what is held, free and out of reach, and all together.
std::vector<CostRow> total_rows(const CostAnswer& answer) {
  const CostRow& all = answer.all;
  CostRow held;
  held.ns = held.name = "allocated";
  held.rate = all.rate;
  held.unpriced_units = all.unpriced_units;
  held.amounts = amounts_of(answer, &Pool::allocated);
  // Where not all pods were seen, nobody knows what is free.
  const bool sees_free = all.unseen.nano == 0;
  CostRow free = unheld_row("free", at(all, Unallocated::free));
  free.amounts = amounts_of(answer, &Pool::free);
  if (!sees_free && free.amounts.empty()) free.rate = {.missing = 1};
  const Money lost = all.unallocated_sum() - at(all, Unallocated::free);
  CostRow unavailable = unheld_row("unavailable", lost);
  unavailable.amounts = amounts_of(answer, &Pool::unavailable);
  std::vector<CostRow> rows = {held, free, unavailable};
  if (all.unseen.nano > 0) rows.push_back(unknown_row("not seen", all.unseen));
  if (all.host.nano > 0) rows.push_back(unknown_row("cpu and memory", all.host));
  CostRow total;
  total.ns = total.name = "total";
  total.is_unheld = true;
  cost::HeldRate rate = all.rate.sum;
  rate.idle += all.unallocated_sum();
  rate.unknown += all.unseen + all.host;
  // What is idle below the line alone would look like all that is.
  if (!idle_of(held)) rate = {.unknown = rate.total()};
  total.rate.add(rate);
  rows.push_back(total);
  return rows;
}

bool has_totals(const CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  return question.reader == Reader::people && &question.view == &kCostNamespaces &&
         !question.chooses_rows() && !answer.rows.empty() && answer.all.price.known > 0;
}

/// The owner stands below its pods for people, and for programs where it has none.
void add_owner(report::Table& table, const CostColumns& columns, const CostAnswer& answer) {
  CostRow owner = *answer.owner;
  if (answer.rows.empty()) {
    table.rows = columns.table({owner}).rows;
    return;
  }
  // One pod that is all it ever had says the same.
  const bool says_more =
      answer.rows.size() > 1 || total_note(owner) != total_note(answer.rows.front());
  if (answer.question.reader != Reader::people || !says_more) return;
  owner.name = lower_case(owner.kind) + "/" + owner.name;
  table.totals = columns.table({owner}).rows;
}

/// What --sort-by takes beside the keys.
std::string sort_word(const std::string& typed) {
  static const std::map<std::string, std::string> kShort = {{"idle", "idleUsdPerHour"},
                                                            {"total", "usdTotal"},
                                                            {"cost", "usdPerHour"},
                                                            {"price", "usdPerHour"}};
  const auto at = kShort.find(typed);
  return at == kShort.end() ? typed : at->second;
}

/// What the form shows of a table.
unsigned shown_in(const CostQuestion& question) {
  if (question.format == report::Format::name) return 0;
  const bool is_wide = question.format == report::Format::wide;
  switch (question.reader) {
    case Reader::people:
      return is_wide ? kPeople : static_cast<unsigned>(Audience::people);
    case Reader::pipe:
      return is_wide ? kPlain : static_cast<unsigned>(Audience::plain);
    case Reader::machine:
      break;
  }
  return static_cast<unsigned>(Audience::machine);
}

std::string_view name_key(const CostView& view) {
  return &view == &kCostNamespaces ? "namespace" : "name";
}

/// Those that are shown, and the one that rows are sorted by.
CostColumns columns_of(const CostAnswer& answer) {
  const CostQuestion& question = answer.question;
  CostColumns columns;
  question.view.add_columns(columns, answer);
  add_cost_keys(columns);
  report::Table none = columns.table({});
  std::optional<std::size_t> sorted;
  if (!question.sort_by.empty()) {
    report::sort_rows(none, sort_word(question.sort_by));  // throws where there is no such column
    sorted = report::column_named(none, sort_word(question.sort_by));
  }
  const unsigned shown = shown_in(question);
  const bool is_names = question.format == report::Format::name;
  columns.keep([&](std::size_t i) {
    const report::Column& column = none.columns[i];
    const bool is_name = is_names && column.key == name_key(question.view);
    return (column.audience & shown) != 0 || i == sorted || is_name;
  });
  return columns;
}

/// "Pods leave GPUs idle for $23.76 an hour, $17,345 a month of 730 hours; research/notebook-jo is
/// $12.00 an hour of that".
void add_idle_hint(report::Report& report, const CostAnswer& answer) {
  const Money idle = answer.all.rate.sum.idle;
  constexpr Money kCent{10'000'000};
  const bool is_about_pods = answer.question.view.past == Past::left_out;
  if (idle < kCent || idle.is_capped() || answer.question.chooses_rows() || !is_about_pods) return;
  const std::vector<CostRow> pods = cost::demand_rows(answer.lines, cost::GroupBy::pod);
  const auto most = std::max_element(pods.begin(), pods.end(), [](const auto& a, const auto& b) {
    return a.rate.sum.idle < b.rate.sum.idle;
  });
  const double an_hour = static_cast<double>(idle.nano) / 1e9;
  std::string text = fmt::format(
      "Pods leave GPUs idle for ${:.2f} an hour, ${} a month of {} hours", an_hour,
      report::grouped(std::llround(an_hour * static_cast<double>(kHoursOfMonth))), kHoursOfMonth);
  if (most != pods.end())
    text += fmt::format("; {}/{} is ${:.2f} an hour of that", most->ns, most->name,
                        static_cast<double>(most->rate.sum.idle.nano) / 1e9);
  report.hints.push_back({text, "kubectl gpu cost pods --sort-by idle"});
}

/// Free GPUs that no pod can use: moving what takes the CPU and memory beside them frees them.
void add_stranded_hint(report::Report& report, const CostAnswer& answer) {
  const Money stranded = at(answer.all, Unallocated::stranded);
  if (stranded.nano == 0 || stranded.is_capped() || answer.question.chooses_rows()) return;
  report.hints.push_back(
      {fmt::format("Free GPUs of ${:.2f} an hour are stranded: no CPU, memory or pod slot is left",
                   static_cast<double>(stranded.nano) / 1e9),
       "kubectl gpu cost nodes -o wide"});
}

report::Note note_of_gap(const Gap& gap) { return {gap.what, gap.why, gap.help}; }

/// The days that prices of one source are of.
struct Ages {
  std::optional<Time> oldest;
  bool has_undated = false;
  bool is_of_now = false;

  void add(const cost::NodePrice& price) {
    is_of_now =
        price.source == cost::PriceSource::flag || price.source == cost::PriceSource::annotation;
    has_undated = has_undated || !price.as_of;
    if (price.as_of) oldest = std::min(oldest.value_or(*price.as_of), *price.as_of);
  }
  /// Who writes a price down for a node, or types it, knows it of now.
  [[nodiscard]] std::string text() const {
    if (is_of_now) return {};
    if (!oldest) return ", undated";
    return " of " + format_time(*oldest).substr(0, 10) + (has_undated ? " and undated" : "");
  }
};

std::string source_of(const cost::NodePrice& price) {
  using cost::PriceSource;
  switch (price.source) {
    case PriceSource::flag:
      return "--price";
    case PriceSource::file:
      return price.rule.substr(0, price.rule.rfind(':'));
    case PriceSource::annotation:
      return "annotations of nodes";
    case PriceSource::table:
    case PriceSource::none:
      break;
    case PriceSource::other_region:
      return "built-in list prices of other regions, an estimate";
    case PriceSource::model:
      return "the median of built-in list prices for the GPU model, an estimate";
  }
  return "built-in list prices";
}

}  // namespace

std::string prices_text(const CostAnswer& answer) {
  std::map<std::string, Ages> sources;
  for (const auto& entry : answer.ledger.nodes())
    for (const cost::NodePrice* price : entry.ledger.prices())
      if (price->per_hour) sources[source_of(*price)].add(*price);
  std::string text;
  for (const auto& [name, ages] : sources) text += (text.empty() ? "" : "; ") + name + ages.text();
  return text;
}

std::vector<Gap> price_gaps(const CostAnswer& answer) {
  std::vector<std::string> without, old, bounds;
  for (const auto& entry : answer.ledger.nodes()) {
    const cost::NodePrice& price = entry.ledger.price();
    if (entry.ledger.lacks_price()) without.push_back(entry.name());
    if (price.is_upper_bound) bounds.push_back(entry.name());
    const bool is_old =
        price.per_hour && price.as_of && answer.now && *answer.now - *price.as_of > kFreshFor;
    if (is_old) old.push_back(entry.name());
  }
  std::vector<Gap> gaps;
  const auto add = [&](const std::vector<std::string>& nodes, std::string_view what,
                       std::string why, std::string help) {
    if (nodes.empty()) return;
    gaps.push_back(
        {.what = fmt::format("{} of {}: {}", what,
                             counted(static_cast<std::int64_t>(nodes.size()), "GPU node"),
                             few_and_rest(nodes, 3)),
         .why = std::move(why),
         .help = std::move(help)});
  };
  add(without, "no price is known", "the sums are without them",
      fmt::format("give one with --price or --prices; what was tried\n      kubectl gpu cost "
                  "--explain-price {}",
                  without.empty() ? "" : shell_quoted(without.front())));
  add(old, "prices are more than 180 days old", "list prices change within months",
      "give today's with --prices FILE");
  add(bounds, "the spot price is not known", "the on-demand price is shown: it costs at most that",
      "give it with --prices FILE");
  return gaps;
}

report::Report cost_report(const CostAnswer& answer) {
  report::Report report{.kind = "CostList",
                        .empty_text = answer.empty_text,
                        .name_prefix = std::string(answer.question.view.name_prefix)};
  const CostColumns columns = columns_of(answer);
  report.table = columns.table(answer.rows);
  if (!answer.question.sort_by.empty())
    report::sort_rows(report.table, sort_word(answer.question.sort_by));
  for (std::size_t i = 0; i < report.table.columns.size(); ++i)
    if (report.table.columns[i].key == name_key(answer.question.view)) report.name_column = i;
  if (has_totals(answer)) report.table.totals = columns.table(total_rows(answer)).rows;
  if (answer.owner) add_owner(report.table, columns, answer);
  report.machine_summary = summary_fields().record(answer);
  for (const Gap& gap : answer.gaps) report.gaps.push_back(note_of_gap(gap));
  for (const Gap& gap : price_gaps(answer)) report.gaps.push_back(note_of_gap(gap));
  if (answer.question.reader != Reader::people) return report;  // nobody else sees hints
  add_idle_hint(report, answer);
  add_stranded_hint(report, answer);
  return report;
}

report::AnswerForm cost_form() {
  CostColumns columns;
  add_cost_keys(columns);
  return {.kind = "CostList",
          .command = "cost",
          .item =
              "One item per row of the view: a namespace, pod, job, owner, label value, node or "
              "model.",
          .fields = report::declared_fields(columns.table({})),
          .summary = summary_fields().declared(),
          .summary_says = "All GPU nodes, whatever the view shows."};
}

}  // namespace gpu::cmd
