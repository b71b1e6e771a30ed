#include "scheduler/filters/taint_toleration.hpp"
#include "scheduler/cluster/rules.hpp"

#include <map>
#include <tuple>

namespace gpu::scheduler {

TaintGroups::TaintGroups(const Cluster& cluster) {
  using Key = std::vector<std::tuple<std::string_view, std::string_view, std::string_view>>;
  std::map<Key, std::uint32_t> known;
  group_of.reserve(cluster.nodes().size());
  for (const NodeState& state : cluster.nodes()) {
    Key key;
    for (const Taint& taint : state.node->taints)
      key.emplace_back(taint.key, taint.value, taint.effect);
    const auto [at, is_new] = known.try_emplace(std::move(key), taints.size());
    if (is_new) taints.push_back(&state.node->taints);
    group_of.push_back(at->second);
  }
}

TaintToleration::TaintToleration(const Overlay& overlay, const Pod& pod)
    : overlay_(overlay),
      groups_(overlay.cluster().shared<TaintGroups>()),
      tolerations_(pod.tolerations) {
  texts_.reserve(groups_.taints.size());
  for (const std::vector<Taint>* taints : groups_.taints) texts_.push_back(text_for(*taints));
}

std::string TaintToleration::text_for(const std::vector<Taint>& taints) const {
  for (const Taint& taint : taints) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") continue;
    if (tolerations_.tolerates(taint)) continue;
    if (!overlay_.cluster().rules().names_taint) return "node(s) had untolerated taint(s)";
    return "node(s) had untolerated taint {" + taint.key + ": " + taint.value + "}";
  }
  return {};
}

bool TaintToleration::is_tolerated(std::size_t node) const {
  if (overlay_.is_changed(node)) return text_for(overlay_.state(node).node->taints).empty();
  return texts_[groups_.group_of[node]].empty();
}

void TaintToleration::ask(const NodeView& node, Findings& findings) const {
  const auto refuse = [&](std::string_view text) {
    if (!text.empty()) findings.refuse(Rejection::unresolvable, text);
  };
  if (overlay_.is_changed(node.index)) {
    refuse(text_for(node.state.node->taints));
  } else {
    refuse(texts_[groups_.group_of[node.index]]);
  }
}

}  // namespace gpu::scheduler
