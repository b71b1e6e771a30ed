#include "scheduler/cycle/prepared_filters.hpp"

#include <utility>

namespace gpu::scheduler {
namespace {

/// Whether two objects are one pod: files may lack UIDs.
bool is_same(const Pod& a, const Pod& b) {
  if (!a.uid.empty() && !b.uid.empty()) return a.uid == b.uid;
  return a.ns == b.ns && a.name == b.name;
}

}  // namespace

PreparedFilters::PreparedFilters(const Overlay& overlay, const Pod& pod) : filters_(overlay, pod) {
  for (const Plugin& plugin : kPlugins) {
    PreFilterResult result = plugin.before(filters_);
    if (!result.skips && !result.refusal) active_.push_back(&plugin);
    before_.push_back({plugin.filter, std::move(result)});
  }
  for (const Plugin* const plugin : active_) {
    if (plugin->filter == Filter::node_ports) asks_resources_first_ = false;
    if (plugin->filter > Filter::node_resources_fit) asks_resources_last_ = false;
  }
}

std::vector<const BoundPod*> PreparedFilters::nominated(const NodeView& node) const {
  std::vector<const BoundPod*> found;
  for (const BoundPod& other : node.state.nominated) {
    // Only pods of the same scheduler are in its queue.
    if (other.priority >= pod().priority.value_or(0) && !is_same(*other.pod, pod()) &&
        other.pod->scheduler_name == pod().scheduler_name)
      found.push_back(&other);
  }
  return found;
}

void PreparedFilters::ask(const NodeView& node, Depth depth, Findings& findings) const {
  findings.start_node();
  if (!node.state.nominated.empty()) {
    NodeView with_nominated = node;
    with_nominated.extra = nominated(node);
    if (!with_nominated.extra.empty()) {
      ask_once(with_nominated, depth, findings);
      if (!findings.is_empty()) return;
    }
  }
  ask_once(node, depth, findings);
}

void PreparedFilters::ask_once(const NodeView& node, Depth depth, Findings& findings) const {
  for (const Plugin* const plugin : active_) {
    findings.start_filter(plugin->filter);
    plugin->ask(filters_, node, findings);
    if (depth == Depth::first && !findings.is_empty()) return;
  }
}

}  // namespace gpu::scheduler
