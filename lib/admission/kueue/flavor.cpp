#include "admission/kueue/flavor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::admission {
namespace {

bool has_key(const std::vector<const ResourceFlavor*>& group, std::string_view key) {
  return std::any_of(group.begin(), group.end(),
                     [&](const ResourceFlavor* each) { return each->node_labels.contains(key); });
}

/// A term of which nothing is about the flavors' labels matches whatever they are, and so do all.
bool matches_affinity(const NodeSelector& affinity, const StringMap& labels,
                      const std::vector<const ResourceFlavor*>& group) {
  bool is_matched = affinity.empty();
  for (const NodeSelectorTerm& term : affinity) {
    bool is_about_them = false;
    bool it_holds = true;
    for (const Requirement& each : term.expressions) {
      if (!has_key(group, each.key)) continue;
      is_about_them = true;
      it_holds = it_holds && holds(each, labels);
    }
    if (!is_about_them) return true;
    is_matched = is_matched || it_holds;
  }
  return is_matched;
}

}  // namespace

std::string flavor_mismatch(const ResourceFlavor& flavor,
                            const std::vector<const ResourceFlavor*>& group, const PodSet& set) {
  for (const Taint& taint : flavor.node_taints)
    if ((taint.effect == "NoSchedule" || taint.effect == "NoExecute") &&
        !tolerates(set.tolerations, taint) && !tolerates(flavor.tolerations, taint))
      return fmt::format("untolerated taint {} in flavor {}", text_of(taint), flavor.name);
  const bool is_selected =
      std::all_of(set.node_selector.begin(), set.node_selector.end(), [&](const auto& label) {
        const auto* const own = flavor.node_labels.find(label.first);
        return !has_key(group, label.first) || (own != nullptr && *own == label.second);
      });
  if (is_selected &&
      (!set.node_affinity || matches_affinity(*set.node_affinity, flavor.node_labels, group)))
    return {};
  return fmt::format("flavor {} doesn't match node affinity", flavor.name);
}

}  // namespace gpu::admission
