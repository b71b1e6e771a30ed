#include "cmd/cost/cost_cells.hpp"

#include <fmt/format.h>

#include "base/phrase.hpp"
#include "base/quantity.hpp"

namespace gpu::cmd {

report::Cell text_cell(const std::string& text) {
  return text.empty() ? report::Cell() : report::Cell(text);
}

report::Cell length_cell(const std::optional<std::chrono::seconds>& length) {
  return length ? report::Cell(report::Seconds{*length}) : report::Cell();
}

report::Cell usd_cell(Money amount) { return report::Usd{amount.nano}; }

report::Cell usd_cell(const std::optional<Money>& amount) {
  return amount ? usd_cell(*amount) : report::Cell();
}

std::optional<Money> hour_of(const cost::CostRow& row) {
  if (row.nodes > 0) return row.price.value();
  const auto rate = row.rate.value();
  return rate ? std::optional(rate->total()) : std::nullopt;
}

std::optional<Money> idle_of(const cost::CostRow& row) {
  const auto rate = row.rate.value();
  if (!rate) return std::nullopt;
  const Money known = rate->busy + rate->idle;
  return known.nano == 0 && rate->unknown.nano > 0 ? std::nullopt : std::optional(rate->idle);
}

std::optional<Money> unknown_of(const cost::CostRow& row) {
  const bool has_price =
      row.nodes > 0 ? row.price.value().has_value() : row.rate.value().has_value();
  return has_price ? std::optional(row.rate.sum.unknown + row.unseen) : std::nullopt;
}

std::optional<double> busy_of(const cost::CostRow& row) {
  const auto rate = row.rate.value();
  // A mean with an unknown part is unknown.
  if (!rate || row.is_unheld || rate->unknown.nano > 0) return std::nullopt;
  const Money known = rate->busy + rate->idle;
  if (known.nano <= 0) return std::nullopt;
  return static_cast<double>(rate->busy.nano) / static_cast<double>(known.nano);
}

report::Cell month_cell(const std::optional<Money>& amount) {
  if (!amount) return {};
  constexpr Int128 kNano = 1'000'000'000;
  return share_of(*amount, kHoursOfMonth, kNano).nano;
}

std::string note_of(const cost::CostRow& row) {
  std::string note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : ", ") + text; };
  if (row.unpriced_units > 0) add(counted(row.unpriced_units, "GPU") + " without a price");
  const Money known = row.rate.sum.busy + row.rate.sum.idle;
  if (row.rate.sum.unknown.nano > 0 && known.nano > 0 && !row.is_unheld)
    add(fmt::format("use of ${:.2f} not known",
                    static_cast<double>(row.rate.sum.unknown.nano) / 1e9));
  if (row.has_partial_total()) add("total is at least");
  if (row.evidence == cost::Evidence::estimated)
    add(row.missing_pods > 0
            ? counted(row.missing_pods, "pod is gone: estimated", "pods are gone: estimated")
            : "estimated");
  if (row.evidence == cost::Evidence::no_record) add("no record");
  if (row.basis.is_estimate && row.basis.prices > 0) add("estimate");
  if (row.basis.is_upper_bound) add("at most: spot price not known");
  return note;
}

}  // namespace gpu::cmd
