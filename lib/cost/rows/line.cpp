#include "cost/rows/line.hpp"

#include <algorithm>
#include <utility>

#include "cost/held/past_held.hpp"
#include "cost/rows/line_parts.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::cost {
namespace {

/// A node costs from its creation on. A pod that is older began on an earlier node of that name, of
/// which nothing is known: that time is left out, and the rest is the least that the pod has cost.
/// One that ended before has no such rest: its time is known, and priced as the node is now, which
/// is an estimate.
void set_held(CostLine& line, const Pod& pod, const Ledger::Entry* entry) {
  line.held = held_of(pod);
  const Node* const node = entry == nullptr ? nullptr : entry->facts.node;
  if (node == nullptr || !is_older_than(line.held, *node)) return;
  line.was_on_earlier_node = ended_by(line.held, *node->created);
  if (line.was_on_earlier_node) return;
  line.is_since_node = true;
  line.held = since(line.held, *node->created);
}

CostLine line_of(const usage::PodUsage& row, const Ledger::Entry& entry, std::size_t place,
                 const Snapshot& snapshot) {
  CostLine line{.ns = row.holding->ns,
                .pod = row.pod,
                .claim = row.holding->claim,
                .node = row.pool->node,
                .pool = row.pool,
                .resource = row.pool->resource,
                .units = row.holding->units,
                .price = &entry.ledger.price_of(*row.pool),
                .cards = entry.ledger.held_cards(place),
                .holds_now = true,
                .rate = entry.ledger.held()[place]};
  if (line.rate) line.hour = line.rate->total();
  if (row.pod == nullptr) return line;
  line.owner = top_owner(*row.pod, snapshot);
  set_held(line, *row.pod, &entry);
  return line;
}

const Pool* pool_of(const Ledger::Entry* entry, std::string_view resource) {
  if (entry == nullptr) return nullptr;
  for (const Pool* pool : entry->facts.pools)
    if (pool->resource == resource && pool->source == PoolSource::device_plugin) return pool;
  return nullptr;
}

/// A pod that has let go of its GPUs: it costs nothing now, and what it did is priced as its node
/// is now.
CostLine finished_line(const Pod& pod, const std::string& resource, std::int64_t units,
                       const Ledger& ledger, const Snapshot& snapshot) {
  const Ledger::Entry* entry = ledger.node(pod.node_name);
  CostLine line{.ns = pod.ns,
                .pod = &pod,
                .owner = top_owner(pod, snapshot),
                .node = pod.node_name,
                .resource = resource,
                .units = units,
                .rate = HeldRate{}};
  add_price(line, entry);
  set_held(line, pod, entry);
  return line;
}

/// It holds GPUs now, of a node that was not seen.
void hold_without_price(CostLine& line) {
  line.holds_now = true;
  line.rate.reset();
}

/// Lines of pods that hold GPUs of no node of the ledger: they are finished, or it was not seen.
void add_finished(std::vector<CostLine>& lines, const Ledger& ledger, const Snapshot& snapshot) {
  for (const Pod& pod : snapshot.pods) {
    const bool is_unseen = !is_finished(pod) && ledger.node(pod.node_name) == nullptr;
    if (pod.node_name.empty() || (!is_finished(pod) && !is_unseen)) continue;
    for (const auto& [resource, amount] : effective_requests(pod)) {
      const std::int64_t units = amount.value();
      if (units <= 0 || !gpu_resource(resource)) continue;
      lines.push_back(finished_line(pod, resource, units, ledger, snapshot));
      if (is_unseen) hold_without_price(lines.back());
    }
  }
}

}  // namespace

void add_price(CostLine& line, const Ledger::Entry* entry) {
  line.pool = pool_of(entry, line.resource);
  if (line.pool == nullptr) return;
  line.price = &entry->ledger.price_of(*line.pool);
  line.cards = entry->ledger.cards_in(*line.pool, line.units);
  line.hour = entry->ledger.rate(*line.pool, line.units);
}

void add_totals(CostLine& line, const std::optional<Time>& now, const std::optional<Time>& from) {
  if ((line.pod == nullptr && line.past == nullptr) || !now) return;
  line.has_odd_times = has_odd_times(line.held, *now);
  const Held held = from ? since(line.held, *from) : line.held;
  line.held_for = held_seconds(held, *now);
  line.started_for = started_seconds(held, *now);
  if (!line.held_for) return;
  if (line.hour) line.total = total_over(*line.hour, *line.held_for);
  constexpr double kHour = 3600;
  if (line.cards)
    line.card_hours = *line.cards * static_cast<double>(line.held_for->count()) / kHour;
}

std::vector<CostLine> cost_lines(const Ledger& ledger, const Snapshot& snapshot,
                                 const std::optional<Time>& now, const std::optional<Time>& from) {
  std::vector<CostLine> lines;
  lines.reserve(ledger.rows().size());
  for (const Ledger::Entry& entry : ledger.nodes())
    for (std::size_t i = 0; i < entry.facts.rows.size(); ++i)
      lines.push_back(line_of(*entry.facts.rows[i], entry, i, snapshot));
  add_finished(lines, ledger, snapshot);
  if (from) std::erase_if(lines, [&](const CostLine& line) { return ended_by(line.held, *from); });
  for (CostLine& line : lines) add_totals(line, now, from);
  return lines;
}

}  // namespace gpu::cost
