#include "cost/rows/cost_row.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/quantity.hpp"
#include "model/gpu/gpu_labels.hpp"

namespace gpu::cost {
namespace {

using Key = std::pair<std::string, std::string>;  ///< namespace, name

/// What rows are told apart by; the kind stands in the name, as owners of two kinds may be
/// called alike.
Key key_of(const CostLine& line, GroupBy by, const std::string& label) {
  switch (by) {
    case GroupBy::ns:
      return {line.ns, ""};
    case GroupBy::pod:
      if (line.past != nullptr) return {line.ns, line.past->name};
      return {line.ns, line.pod == nullptr ? "claim/" + line.claim : line.pod->name};
    case GroupBy::owner:
      if (line.owner.name.empty()) return {line.ns, "claim/" + line.claim};
      return {line.ns, line.owner.kind + "/" + line.owner.name};
    case GroupBy::label:
      break;
  }
  const std::string_view value = line.pod == nullptr ? "" : value_of(line.pod->labels, label);
  return {"", std::string(value)};
}

struct KeyedLine {
  Key key;
  const CostLine* line = nullptr;
};

/// Lines of one row stand side by side, in their order.
std::vector<KeyedLine> by_key(const std::vector<CostLine>& lines, GroupBy by,
                              const std::string& label) {
  std::vector<KeyedLine> keyed;
  keyed.reserve(lines.size());
  for (const CostLine& line : lines) keyed.push_back({key_of(line, by, label), &line});
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const KeyedLine& a, const KeyedLine& b) { return a.key < b.key; });
  return keyed;
}

std::size_t count_keys(const std::vector<KeyedLine>& keyed) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < keyed.size(); ++i)
    if (i == 0 || keyed[i].key != keyed[i - 1].key) ++count;
  return count;
}

void name_row(CostRow& row, const CostLine& line, GroupBy by, const Key& key) {
  row.ns = key.first;
  row.name = key.second;
  if (by == GroupBy::pod || by == GroupBy::owner) row.owner = line.owner;
  if (by != GroupBy::owner || line.owner.name.empty()) return;
  row.kind = line.owner.kind;
  row.name = line.owner.name;
}

/// The field's value of all parts, or empty where they differ.
void join(std::string& common, const std::string& value, bool is_first) {
  if (is_first)
    common = value;
  else if (common != value)
    common.clear();
}

/// Sums up the lines of one row. A claim that several pods share counts its units once.
class RowSum {
 public:
  void add(const CostLine& line, CostRow& row) {
    join(row.node, line.node, is_first_);
    join(row.model, line.pool == nullptr ? "" : line.pool->model, is_first_);
    is_first_ = false;
    line.holds_now ? add_held(line, row) : add_finished(line, row);
    row.total.add(line.total);
    row.card_hours.add(line.card_hours);
    add_parts(line, row);
    row.held_for.add(line.held_for);
    row.started_for.add(line.started_for);
    if (line.held.queued)
      row.queued = std::max(row.queued.value_or(*line.held.queued), *line.held.queued);
    if (line.price != nullptr && line.price->per_hour) row.basis.add(*line.price);
  }

 private:
  static void add_parts(const CostLine& line, CostRow& row) {
    const bool is_sure = line.held_for && !line.held.has_clock_skew && !line.held.since_is_late;
    if (line.was_on_earlier_node) row.evidence = std::max(row.evidence, Evidence::estimated);
    if (line.is_since_node) row.evidence = std::max(row.evidence, Evidence::lower_bound);
    row.was_on_earlier_node = row.was_on_earlier_node || line.was_on_earlier_node;
    row.is_since_node = row.is_since_node || line.is_since_node;
    row.has_odd_times = row.has_odd_times || line.has_odd_times;
    if (line.past != nullptr) row.evidence = std::max(row.evidence, Evidence::history);
    const bool is_seen = line.past == nullptr || line.past->end != PastEnd::unseen;
    if (!is_sure || !is_seen) row.evidence = std::max(row.evidence, Evidence::lower_bound);
    if (line.pod != nullptr && line.pod->phase == "Failed") row.lost.add(line.total);
    if (!line.hour || !line.held_for || !line.started_for) return row.startup.add(std::nullopt);
    row.startup.add(total_over(*line.hour, *line.held_for - *line.started_for));
  }

  void add_held(const CostLine& line, CostRow& row) {
    row.rate.add(line.rate);
    if (!line.rate) row.unpriced_units = capped_sum(row.unpriced_units, line.units);
    if (line.pod != nullptr && pods_.insert(line.pod).second) {
      ++row.pods;
      row.restarts += line.held.restarts;
    }
    cards_.add(line.cards);
    row.cards = cards_.missing > 0 ? std::nullopt : cards_.value();
    const bool is_counted =
        !line.claim.empty() && !claims_.insert(line.ns + "/" + line.claim + line.resource).second;
    if (is_counted) return;
    row.units = capped_sum(row.units, line.units);
    if (line.pool != nullptr) row.amounts.push_back({line.pool, line.units});
  }

  void add_finished(const CostLine& line, CostRow& row) {
    row.rate.add(line.rate);
    const bool is_gone = line.past != nullptr;
    if (is_gone ? !gone_.insert(line.past).second : !finished_.insert(line.pod).second) return;
    ++row.finished_pods;
    row.restarts += line.held.restarts;
  }

  bool is_first_ = true;
  Tally<double> cards_;
  std::set<const Pod*> pods_, finished_;
  std::set<const PastPod*> gone_;
  std::set<std::string> claims_;
};

Money rate_of(const CostRow& row) {
  const Money supply = row.price.sum;
  return supply.nano > 0 ? supply : row.rate.sum.total();
}

/// The dearest first, then by what it came to, units, and name. In place: rows are large.
void sort(std::vector<CostRow>& rows) {
  std::sort(rows.begin(), rows.end(), [](const CostRow& a, const CostRow& b) {
    const auto key = [](const CostRow& row) {
      return std::tuple(-rate_of(row).nano, -row.total.sum.nano, -row.units);
    };
    return std::tuple_cat(key(a), std::tie(a.ns, a.name, a.kind)) <
           std::tuple_cat(key(b), std::tie(b.ns, b.name, b.kind));
  });
}

void add_node(CostRow& row, const Ledger::Entry& entry) {
  const NodeLedger& ledger = entry.ledger;
  ++row.nodes;
  for (const Pool* pool : entry.facts.pools) {
    if (pool->is_second_view || pool->total.value_or(0) == 0) continue;
    row.amounts.push_back({pool, *pool->total});
    row.units = capped_sum(row.units, *pool->total);
  }
  const auto cards = ledger.cards();
  row.cards = cards && (row.cards || row.nodes == 1)
                  ? std::optional(row.cards.value_or(0) + static_cast<double>(*cards))
                  : std::nullopt;
  std::set<const Pod*> pods;
  for (std::size_t i = 0; i < entry.facts.rows.size(); ++i) {
    if (entry.facts.rows[i]->pod != nullptr) pods.insert(entry.facts.rows[i]->pod);
    row.rate.add(ledger.held()[i]);
    if (!ledger.held()[i])
      row.unpriced_units = capped_sum(row.unpriced_units, entry.facts.rows[i]->holding->units);
  }
  const auto count = static_cast<std::int64_t>(pods.size());
  row.pods += count;
  if (entry.facts.sums != nullptr)
    row.other_pods += std::max<std::int64_t>(0, entry.facts.sums->pods - count);
  row.price.add(ledger.price().per_hour);
  for (std::size_t i = 0; i < kUnallocated; ++i)
    row.unallocated[i] += ledger.unallocated(static_cast<Unallocated>(i));
  row.unseen += ledger.unseen();
  row.host += ledger.host();
  if (ledger.price().per_hour) row.basis.add(ledger.price());
}

}  // namespace

void PriceBasis::add(const NodePrice& price) {
  source = prices == 0 ? price.source : std::max(source, price.source);
  if (prices == 0)
    as_of = price.as_of;
  else
    as_of = as_of && price.as_of ? std::min(as_of, price.as_of) : std::nullopt;
  is_estimate = is_estimate || price.is_estimate;
  is_upper_bound = is_upper_bound || price.is_upper_bound;
  ++prices;
}

Money CostRow::unallocated_sum() const {
  return std::accumulate(unallocated.begin(), unallocated.end(), Money{});
}

std::vector<CostRow> demand_rows(const std::vector<CostLine>& lines, GroupBy by,
                                 const std::string& label) {
  const std::vector<KeyedLine> keyed = by_key(lines, by, label);
  const auto is_other = [](const KeyedLine& a, const KeyedLine& b) { return a.key != b.key; };
  std::vector<CostRow> rows;
  // Exactly so much: there may be a row for each of 100,000 pods.
  rows.reserve(count_keys(keyed));
  for (auto at = keyed.begin(); at != keyed.end();) {
    const auto last = std::adjacent_find(at, keyed.end(), is_other);
    const auto end = last == keyed.end() ? last : last + 1;
    CostRow& row = rows.emplace_back();
    RowSum sum;
    for (; at != end; ++at) {
      name_row(row, *at->line, by, at->key);
      sum.add(*at->line, row);
    }
  }
  for (CostRow& row : rows)
    if (row.has_partial_total()) row.evidence = std::max(row.evidence, Evidence::lower_bound);
  sort(rows);
  return rows;
}

std::vector<CostRow> node_rows(const Ledger& ledger) {
  std::vector<CostRow> rows;
  rows.reserve(ledger.nodes().size());
  for (const Ledger::Entry& entry : ledger.nodes()) {
    CostRow& row = rows.emplace_back();
    row.name = row.node = entry.name();
    row.model = card_model(entry.facts);
    add_node(row, entry);
  }
  sort(rows);
  return rows;
}

std::vector<CostRow> model_rows(const Ledger& ledger) {
  std::map<std::string, CostRow> found;
  for (const Ledger::Entry& entry : ledger.nodes()) {
    const std::string model = card_model(entry.facts);
    CostRow& row = found[model];
    row.name = row.model = model;
    add_node(row, entry);
  }
  std::vector<CostRow> rows;
  rows.reserve(found.size());
  for (auto& [model, row] : found) rows.push_back(std::move(row));
  sort(rows);
  return rows;
}

CostRow total_row(const Ledger& ledger) {
  CostRow row;
  for (const Ledger::Entry& entry : ledger.nodes()) add_node(row, entry);
  return row;
}

std::string card_model(const GpuNode& facts) {
  std::string models;
  std::set<std::string_view> products;
  for (const Pool* pool : facts.pools) {
    if (pool->is_second_view || pool->product.empty()) continue;
    const std::string_view product = card_product(pool->product);
    if (!products.insert(product).second) continue;
    if (!models.empty()) models += " + ";
    models +=
        pool->kind.kind == DeviceKind::card ? pool->model : short_model(product, std::nullopt);
  }
  return models;
}

}  // namespace gpu::cost
