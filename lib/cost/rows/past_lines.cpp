#include "cost/rows/past_lines.hpp"

#include <algorithm>
#include <utility>

#include "cost/held/past_held.hpp"
#include "cost/rows/line_parts.hpp"

namespace gpu::cost {
namespace {

/// Nodes as they were, with nothing on them.
Snapshot snapshot_of(const History& history) {
  Snapshot snapshot;
  snapshot.nodes = history.nodes;
  for (Node& node : snapshot.nodes)
    node.conditions = {
        {.type = "Ready", .status = "True", .reason = {}, .message = {}, .last_transition = {}}};
  snapshot.node_coverage = snapshot.pod_coverage = Coverage::whole;
  snapshot.slice_coverage = snapshot.claim_coverage = Coverage::whole;
  return snapshot;
}

Owner top_of(const PastPod& pod) {
  if (pod.owners.empty()) return {"Pod", pod.name, pod.uid, "v1"};
  const OwnerReference& top = pod.owners.back();
  return {top.kind, top.name, top.uid, top.api_version};
}

}  // namespace

PastLedger::PastLedger(const History& history, const PriceBook& prices, ChargeRules rules)
    : snapshot_(snapshot_of(history)), inventory_(snapshot_), ledger_(inventory_, prices, rules) {}

std::vector<CostLine> past_lines(const Ledger& ledger, const PastLedger& past,
                                 const Snapshot& snapshot, const std::optional<Time>& now,
                                 const std::optional<Time>& from) {
  std::vector<CostLine> lines;
  lines.reserve(snapshot.history.pods.size());
  for (const PastPod& pod : snapshot.history.pods) {
    const Ledger::Entry* entry = ledger.node(pod.node);
    if (entry == nullptr) entry = past.node(pod.node);
    for (const auto& [resource, amount] : pod.requests) {
      CostLine line{.ns = pod.ns,
                    .past = &pod,
                    .owner = top_of(pod),
                    .node = pod.node,
                    .resource = resource,
                    .units = amount.value(),
                    .held = held_of(pod)};
      add_price(line, entry);
      add_totals(line, now, from);
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

void doubt_sum(CostRow& row, const History& history) {
  if (row.nodes > 0) return;
  const bool is_of_label = row.ns.empty();
  const bool is_of_namespace = !is_of_label && row.name.empty();
  // What a Job has counted is known of it without any history.
  const bool is_by_history =
      !row.kind.empty() && row.kind != "Pod" && row.evidence == Evidence::history;
  const bool has_whole = history.coverage == Coverage::whole;
  const bool lacks_some = is_of_label ? !has_whole || !history.pods.empty()
                                      : !has_whole && (is_of_namespace || is_by_history);
  if (lacks_some) row.evidence = std::max(row.evidence, Evidence::lower_bound);
}

}  // namespace gpu::cost
