#include "cmd/cost/forecast_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/duration.hpp"
#include "base/phrase.hpp"
#include "cmd/cost/cost_cells.hpp"
#include "cmd/cost/forecast_keys.hpp"
#include "report/fields.hpp"
#include "report/values.hpp"

namespace gpu::cmd {
namespace {

using cost::BoundBy;
using cost::MoneyRange;
using cost::ObjectForecast;
using report::Cell;
using report::kPeople;
using report::kPlain;
using report::Type;

std::string dollars(Money amount) {
  return report::words_of(report::Usd{amount.nano}, report::PowerUnit::watts, "").text;
}

/// For people: one number, or both ends, "1.60-6.00".
Cell range_cell(const std::optional<MoneyRange>& range) {
  if (!range || !range->low) return {};
  if (range->low == range->high) return usd_cell(range->low);
  if (!range->high) return Cell(dollars(*range->low) + " or more");
  return Cell(dollars(*range->low) + "-" + dollars(*range->high));
}

std::string kind_and_name(const ObjectForecast& object) {
  return lower_case(object.kind) + "/" + object.name;
}

/// What stands before the number of GPUs of which those are parts: "0.5 of ", "parts of "; empty
/// where some are whole.
std::string parts_text(const std::set<std::string>& parts) {
  constexpr std::size_t kShort = 12;
  if (parts.contains("")) return "";
  const bool is_one = parts.size() == 1 && parts.begin()->size() <= kShort;
  return (is_one ? *parts.begin() : std::string("parts")) + " of ";
}

/// "16 H100-80G", "2 gpu" where they may be of several models, "4 mig-1g.10gb", "0.5 of 4 L4-24G".
std::string gpus_text(const ObjectForecast& object) {
  std::set<std::string> models, resources, parts;
  for (const cost::PodForecast& pod : object.pods) {
    for (const cost::GpuRequest& request : pod.gpus) {
      const std::size_t slash = request.resource.rfind('/');
      resources.insert(request.resource.substr(slash == std::string::npos ? 0 : slash + 1));
      parts.insert(request.part ? cost::text_of(*request.part) : "");
    }
    for (const cost::MachineOffer& offer : pod.offers)
      if (!offer.model.empty()) models.insert(offer.model);
  }
  const bool is_of_cards = resources == std::set<std::string>{"gpu"};
  const std::set<std::string>& kinds = is_of_cards && models.size() == 1 ? models : resources;
  if (kinds.empty()) return "0";
  if (kinds.size() > 2) return fmt::format("{} of {} kinds", object.units(), kinds.size());
  return fmt::format("{}{} {}", parts_text(parts), object.units(), joined(kinds, " + "));
}

/// The instance types that were priced: "p5.48xlarge", "3 types".
Cell machines_cell(const ObjectForecast& object) {
  std::set<std::string> types;
  for (const cost::PodForecast& pod : object.pods)
    for (const cost::MachineOffer& offer : pod.offers)
      if (!offer.type.empty()) types.insert(offer.type);
  if (types.empty()) return {};
  if (types.size() == 1) return Cell(*types.begin());
  return Cell(fmt::format("{} types", types.size()));
}

/// People see one cell, pipes a number for each end. The column of people.
report::Column& add_amount(
    ForecastColumns& columns, const std::string& title, const std::string& plain,
    const std::function<std::optional<MoneyRange>(const ObjectForecast&)>& of) {
  columns.number(plain + "_MIN", kPlain, [of](const ObjectForecast& each) {
    const auto range = of(each);
    return range ? usd_cell(range->low) : Cell();
  });
  columns.number(plain + "_MAX", kPlain, [of](const ObjectForecast& each) {
    const auto range = of(each);
    return range ? usd_cell(range->high) : Cell();
  });
  return columns.number(title, kPeople,
                        [of](const ObjectForecast& each) { return range_cell(of(each)); });
}

template <class Test>
bool has_any(const ForecastAnswer& answer, Test test) {
  return std::any_of(answer.objects.begin(), answer.objects.end(), test);
}

/// Which column names the object.
constexpr std::size_t kNameColumn = 1;

/// The row of all objects together has amounts alone.
ForecastColumns::Fill of_objects(ForecastColumns::Fill fill) {
  return [fill = std::move(fill)](const ObjectForecast& object) {
    return object.pods.empty() ? Cell("") : fill(object);
  };
}

void add_objects(ForecastColumns& columns) {
  columns.text("NAMESPACE", kPeople | kPlain, [](const auto& each) { return Cell(each.ns); })
      .is_name = true;
  columns
      .text("OBJECT", kPeople | kPlain,
            of_objects([](const auto& each) { return Cell(kind_and_name(each)); }))
      .is_name = true;
  columns.number("PODS", kPeople | kPlain,
                 of_objects([](const auto& each) { return Cell(each.pods_at_once()); }));
  columns.text("GPUS", kPeople, of_objects([](const auto& each) { return Cell(gpus_text(each)); }));
  columns.number("GPUS", kPlain, of_objects([](const auto& each) { return Cell(each.units()); }));
  columns.text("ON", kPeople | kPlain, of_objects(machines_cell)).drops_first = true;
}

void add_rates_now_and_then(ForecastColumns& columns, const ForecastAnswer& answer) {
  if (has_any(answer, [](const auto& each) { return each.now.has_value(); })) {
    columns.number("NOW $/HOUR", kPeople, [](const auto& each) { return usd_cell(each.now); });
    columns.number("NOW_USD_PER_HOUR", kPlain, [](const auto& each) { return usd_cell(each.now); });
  }
  add_amount(columns, "$/HOUR", "USD_PER_HOUR",
             [](const auto& each) { return std::optional(each.cost.hour); });
  if (has_any(answer, [](const auto& each) { return each.spot_hour.has_value(); }))
    add_amount(columns, "SPOT $/HOUR", "SPOT_USD_PER_HOUR",
               [](const auto& each) { return each.spot_hour; });
}

void add_totals_of_run(ForecastColumns& columns, const ForecastAnswer& answer) {
  if (answer.question.rules.run_for) {
    add_amount(columns, "TOTAL $", "USD_TOTAL", [](const auto& each) { return each.cost.total; });
    add_amount(columns, "WORST $", "USD_WORST", [](const auto& each) { return each.cost.worst; });
  }
  if (has_any(answer, [](const auto& each) { return each.cost.by_deadline.has_value(); })) {
    columns.number("DEADLINE", kPeople,
                   [](const auto& each) { return length_cell(each.cost.deadline); });
    columns.number("DEADLINE_SECONDS", kPlain,
                   [](const auto& each) { return length_cell(each.cost.deadline); });
    add_amount(columns, "AT MOST $", "USD_BY_DEADLINE",
               [](const auto& each) { return each.cost.by_deadline; });
  }
  const auto is_open = [](const auto& each) {
    return each.has_gpus() && each.cost.bound_by() == BoundBy::nothing;
  };
  if (!has_any(answer, is_open)) return;
  for (const std::int64_t hours : kHorizons) {
    const std::string length = hours == 168 ? "7D" : fmt::format("{}H", hours);
    report::Column& column =
        add_amount(columns, length + " $", "USD_" + length,
                   [hours](const auto& each) { return over_horizon(each, hours); });
    column.drops_first = hours == 1;  // it is the rate
  }
}

ForecastColumns columns_for(const ForecastAnswer& answer) {
  ForecastColumns columns;
  add_objects(columns);
  add_rates_now_and_then(columns, answer);
  add_totals_of_run(columns, answer);
  add_forecast_keys(columns);
  return columns;
}

struct Summary {
  cost::ForecastSum sum;
  std::optional<Money> most;
};

report::Fields<Summary>::Entry summary_end(std::string key, std::string says,
                                           std::optional<Money> (*of)(const Summary&)) {
  return {{std::move(key), Type::amount().or_null(), std::move(says)},
          [of](const Summary& all) { return usd_cell(of(all)); }};
}

const report::Fields<Summary>& forecast_summary() {
  static const report::Fields<Summary> fields = {
      summary_end("usdPerHourMin", "", [](const Summary& all) { return all.sum.hour.low; }),
      summary_end("usdPerHourMax", "null: some price is not known.",
                  [](const Summary& all) { return all.sum.hour.high; }),
      summary_end("usdPerHourNow", "Of objects that exist; null: none does.",
                  [](const Summary& all) { return all.sum.now; }),
      summary_end(
          "usdBound", "At the most; null: not every object has a bound, or a price.",
          [](const Summary& all) { return all.sum.bound ? all.sum.bound->high : std::nullopt; }),
      summary_end("usdMax", "--max; null: not asked.", [](const Summary& all) { return all.most; }),
      {{"isAboveMax", Type::flag().or_null(), "Exit code 1; null: not asked, or not known."},
       [](const Summary& all) {
         const bool is_known = all.most && all.sum.bound && all.sum.bound->high;
         return is_known ? Cell(*all.sum.bound->high > *all.most) : Cell();
       }},
  };
  return fields;
}

/// A row for all of them: amounts alone.
std::vector<Cell> total_cells(const ForecastColumns& columns, const ForecastAnswer& answer) {
  ObjectForecast all{.ns = "total"};
  all.cost.hour = answer.sum.hour;
  all.cost.total = answer.sum.total;
  all.cost.worst = answer.question.rules.run_for ? answer.sum.bound : std::nullopt;
  all.now = answer.sum.now;
  return columns.table({all}).rows.front();
}

}  // namespace

std::string money_text(const MoneyRange& amount) {
  if (!amount.low) return "-";
  if (!amount.high) return "at least " + dollars(*amount.low);
  if (amount.low == amount.high) return dollars(*amount.low);
  return dollars(*amount.low) + " to " + dollars(*amount.high);
}

report::Report forecast_report(const ForecastAnswer& answer) {
  report::Report report{.kind = "CostForecastList"};
  const ForecastColumns columns = columns_for(answer);
  report.table = columns.table(answer.objects);
  if (answer.objects.size() > 1) report.table.totals = {total_cells(columns, answer)};
  report.name_column = kNameColumn;
  report.machine_summary = forecast_summary().record({answer.sum, answer.question.most});
  for (const Gap& gap : answer.gaps) report.gaps.push_back({gap.what, gap.why, gap.help});
  return report;
}

report::AnswerForm forecast_form() {
  ForecastColumns columns;
  add_forecast_keys(columns);
  return {.kind = "CostForecastList",
          .command = "cost -f",
          .item = "One item per object of the manifests that creates pods.",
          .fields = report::declared_fields(columns.table({})),
          .summary = forecast_summary().declared(),
          .summary_says = "All objects together."};
}

}  // namespace gpu::cmd
