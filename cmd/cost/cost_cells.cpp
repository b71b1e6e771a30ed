#include "cmd/cost/cost_cells.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/phrase.hpp"
#include "base/quantity.hpp"

namespace gpu::cmd {
namespace {

/// Several, with commas between them.
class Notes {
 public:
  void add(const std::string& note) { text_ += (text_.empty() ? "" : ", ") + note; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

constexpr std::string_view kTooLarge = "a sum is too large to count";

void add_rate_notes(Notes& notes, const cost::CostRow& row) {
  if (row.unpriced_units > 0) notes.add(counted(row.unpriced_units, "GPU") + " without a price");
  const Money known = row.rate.sum.busy + row.rate.sum.idle;
  const Money unknown = row.rate.sum.unknown;
  const bool is_large = (row.nodes > 0 ? row.price.sum : known + unknown).is_capped();
  if (is_large) notes.add(std::string(kTooLarge));
  if (unknown.nano > 0 && known.nano > 0 && !row.is_unheld && !is_large)
    notes.add(fmt::format("use of ${:.2f} not known", static_cast<double>(unknown.nano) / 1e9));
}

/// "2 pods are gone: estimated"; where nothing says what they cost, what they held.
std::string missing_pods_note(const cost::CostRow& row) {
  if (row.evidence == cost::Evidence::no_record)
    return "no record of " + counted(row.missing_pods, "pod that is gone", "pods that are gone");
  std::string text = counted(row.missing_pods, "pod is gone", "pods are gone");
  const std::optional<double> hours = row.card_hours.value();
  if (row.evidence == cost::Evidence::estimated && row.total.value()) return text + ": estimated";
  if (row.total.value()) return text;
  if (!hours) return text + ": their cost is not known";
  return text + fmt::format(": about {:.1f} GPU-hours at an unknown price", *hours);
}

void add_total_notes(Notes& notes, const cost::CostRow& row) {
  if (row.total.sum.is_capped()) notes.add(std::string(kTooLarge));
  if (row.has_odd_times) notes.add("times contradict each other");
  if (row.has_partial_total()) notes.add("total is at least");
  if (row.is_since_node) notes.add("at least: older than its node");
  if (row.was_on_earlier_node) notes.add("on an earlier node of that name: estimated");
  if (row.may_have_more_pods)
    notes.add(row.total.value() ? "at least: earlier pods may be gone"
                                : "earlier pods may be gone");
  if (row.missing_pods > 0)
    notes.add(missing_pods_note(row));
  else if (row.evidence == cost::Evidence::estimated && !row.was_on_earlier_node)
    notes.add("estimated");
  else if (row.evidence == cost::Evidence::no_record)
    notes.add("no record");
}

void add_price_notes(Notes& notes, const cost::CostRow& row) {
  if (row.basis.is_estimate && row.basis.prices > 0) notes.add("estimate");
  if (row.basis.is_upper_bound) notes.add("at most: spot price not known");
}

}  // namespace

report::Cell text_cell(const std::string& text) {
  return text.empty() ? report::Cell() : report::Cell(text);
}

report::Cell length_cell(const std::optional<std::chrono::seconds>& length) {
  return length ? report::Cell(report::Seconds{*length}) : report::Cell();
}

report::Cell usd_cell(Money amount) {
  return amount.is_capped() ? report::Cell() : report::Cell(report::Usd{amount.nano});
}

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
  if (known.nano <= 0 || known.is_capped()) return std::nullopt;
  return static_cast<double>(rate->busy.nano) / static_cast<double>(known.nano);
}

report::Cell month_cell(const std::optional<Money>& amount) {
  if (!amount || amount->is_capped()) return {};
  constexpr Int128 kNano = 1'000'000'000;
  return share_of(*amount, kHoursOfMonth, kNano).nano;
}

std::string rate_note(const cost::CostRow& row) {
  Notes notes;
  add_rate_notes(notes, row);
  add_price_notes(notes, row);
  return notes.text();
}

std::string total_note(const cost::CostRow& row) {
  Notes notes;
  add_rate_notes(notes, row);
  add_total_notes(notes, row);
  add_price_notes(notes, row);
  return notes.text();
}

}  // namespace gpu::cmd
