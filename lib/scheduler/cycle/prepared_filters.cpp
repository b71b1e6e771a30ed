#include "scheduler/cycle/prepared_filters.hpp"

#include <algorithm>
#include <utility>

#include "scheduler/filters/node_name.hpp"

namespace gpu::scheduler {
namespace {

/// Whether two objects are one pod: files may lack UIDs.
bool is_same(const Pod& a, const Pod& b) {
  if (!a.uid.empty() && !b.uid.empty()) return a.uid == b.uid;
  return a.ns == b.ns && a.name == b.name;
}

}  // namespace

PreparedFilters::PreparedFilters(const Overlay& overlay, const Pod& pod)
    : pod_(pod),
      unschedulable_(pod),
      taints_(overlay, pod),
      affinity_(overlay.cluster(), pod),
      ports_(overlay.cluster(), pod),
      devices_(overlay.cluster(), pod, overlay.ended_pods()),
      resources_(overlay.cluster(), pod, devices_),
      volumes_(overlay.cluster(), pod, overlay.ended_pods()),
      spread_(overlay, pod, affinity_, taints_),
      pods_(overlay, pod),
      features_(overlay.cluster().rules(), pod) {
  prepare();
}

void PreparedFilters::prepare() {
  const auto add = [&](Filter filter, PreFilterResult result) {
    if (!result.skips && !result.refusal) active_.push_back(filter);
    before_.push_back({filter, std::move(result)});
  };
  add(Filter::node_unschedulable, {});
  add(Filter::node_name, {.skips = pod_.node_name.empty()});
  add(Filter::taint_toleration, {});
  add(Filter::node_affinity, affinity_.before());
  add(Filter::node_ports, {.skips = ports_.skips()});
  add(Filter::node_resources_fit, {});
  for (const Filter filter : {Filter::volume_restrictions, Filter::node_volume_limits,
                              Filter::volume_binding, Filter::volume_zone})
    add(filter, volumes_.before(filter));
  add(Filter::pod_topology_spread, {.skips = spread_.skips()});
  PreFilterResult of_pods{.skips = pods_.skips()};
  if (pods_.lacks_namespaces()) of_pods.lacks("namespaces", "namespaces' labels");
  add(Filter::inter_pod_affinity, std::move(of_pods));
  add(Filter::dynamic_resources, devices_.before());
  add(Filter::node_declared_features, {.skips = features_.skips()});
}

bool PreparedFilters::asks_resources_last() const {
  return std::none_of(active_.begin(), active_.end(),
                      [](Filter filter) { return filter > Filter::node_resources_fit; });
}

std::vector<const BoundPod*> PreparedFilters::nominated(const NodeView& node) const {
  std::vector<const BoundPod*> found;
  for (const BoundPod& other : node.state.nominated) {
    // Only pods of the same scheduler are in its queue.
    if (other.priority >= pod_.priority.value_or(0) && !is_same(*other.pod, pod_) &&
        other.pod->scheduler_name == pod_.scheduler_name)
      found.push_back(&other);
  }
  return found;
}

void PreparedFilters::ask(const NodeView& node, Depth depth, Refusals& refusals) const {
  refusals.start();
  if (!node.state.nominated.empty()) {
    NodeView with_nominated = node;
    with_nominated.extra = nominated(node);
    if (!with_nominated.extra.empty()) {
      ask_once(with_nominated, depth, refusals);
      if (!refusals.is_empty()) return;
    }
  }
  ask_once(node, depth, refusals);
}

void PreparedFilters::ask_once(const NodeView& node, Depth depth, Refusals& refusals) const {
  for (const Filter filter : active_) {
    ask_filter(filter, node, refusals);
    if (depth == Depth::first && !refusals.is_empty()) return;
  }
}

void PreparedFilters::ask_filter(Filter filter, const NodeView& node, Refusals& refusals) const {
  switch (filter) {
    case Filter::node_unschedulable:
      return unschedulable_.ask(node, refusals);
    case Filter::node_name:
      return ask_node_name(pod_, node, refusals);
    case Filter::taint_toleration:
      return taints_.ask(node, refusals);
    case Filter::node_affinity:
      return affinity_.ask(node, refusals);
    case Filter::node_ports:
      return ports_.ask(node, refusals);
    case Filter::node_resources_fit:
      return resources_.ask(node, refusals);
    case Filter::pod_topology_spread:
      return spread_.ask(node, refusals);
    case Filter::inter_pod_affinity:
      return pods_.ask(node, refusals);
    case Filter::node_declared_features:
      return features_.ask(node, refusals);
    case Filter::volume_restrictions:
    case Filter::node_volume_limits:
    case Filter::volume_binding:
    case Filter::volume_zone:
    case Filter::dynamic_resources:
      break;
  }
  Findings findings;
  if (filter == Filter::dynamic_resources) {
    devices_.ask(node, findings);
  } else {
    volumes_.ask(filter, node, findings);
  }
  refusals.refuse(filter, findings);
  if (findings.error()) refusals.abort(filter, *findings.error());
}

}  // namespace gpu::scheduler
