#include "plan/fit/cordons.hpp"

#include <algorithm>
#include <set>

#include "model/pools/toleration.hpp"
#include "plan/fit/missing.hpp"
#include "plan/fit/run.hpp"
#include "scheduler/cluster/overlay.hpp"

namespace gpu::plan {
namespace {

/// Of so many at the most it is tried whether all are needed: each try lays the cluster out anew.
constexpr std::size_t kMostProven = 8;

using Names = std::set<std::string>;

/// Whether the cordon alone keeps pods away: the node does not leave, and nothing says it is ill.
bool is_only_cordoned(const Node& node) {
  Node open = node;
  scheduler::uncordon(open);
  return node.unschedulable && is_ready(node) && !node.deleted &&
         std::none_of(open.taints.begin(), open.taints.end(), [](const Taint& taint) {
           return is_health_taint(taint) || lifecycle_of(taint) != Unavailable::none;
         });
}

Names cordoned_in(const Snapshot& snapshot) {
  Names names;
  for (const Node& node : snapshot.nodes)
    if (is_only_cordoned(node)) names.insert(node.name);
  return names;
}

/// A cluster in which the nodes of that name are not cordoned.
class Uncordoned {
 public:
  Uncordoned(Snapshot snapshot, const Names& names)
      : filling_(opened(std::move(snapshot), names)) {}

  bool lets_all_start(const std::vector<AskedObject>& objects,
                      const diagnose::ExplainOptions& options) {
    return missing_in(filling_, objects, options).pods == 0;
  }

  /// Those of `names` on which pods start in one run.
  Names used(const Names& names, const std::vector<AskedObject>& objects,
             const diagnose::ExplainOptions& options) {
    Names used;
    for (const PartRun& part :
         run_through(filling_, objects, TieBreak(TieBreak::Way::first), Detail::starts, options))
      for (const auto& [at, pods] : part.places)
        if (const std::string& name = filling_.cluster().nodes()[at].node->name;
            names.contains(name))
          used.insert(name);
    return used;
  }

 private:
  static Snapshot opened(Snapshot snapshot, const Names& names) {
    for (Node& node : snapshot.nodes)
      if (names.contains(node.name)) scheduler::uncordon(node);
    return snapshot;
  }

  Filling filling_;
};

}  // namespace

std::vector<std::string> nodes_to_uncordon(const Snapshot& snapshot,
                                           const std::vector<AskedObject>& objects,
                                           const diagnose::ExplainOptions& options) {
  const Names cordoned = cordoned_in(snapshot);
  if (cordoned.empty()) return {};
  Uncordoned all(snapshot, cordoned);
  if (!all.lets_all_start(objects, options)) return {};
  Names needed = all.used(cordoned, objects, options);
  // Pods may start elsewhere once fewer nodes are open: what is named is tried by itself.
  if (!Uncordoned(snapshot, needed).lets_all_start(objects, options)) needed = cordoned;
  if (needed.size() > 1 && needed.size() <= kMostProven)
    for (const std::string& name : Names(needed)) {
      Names fewer = needed;
      fewer.erase(name);
      if (Uncordoned(snapshot, fewer).lets_all_start(objects, options)) needed = std::move(fewer);
    }
  return {needed.begin(), needed.end()};
}

}  // namespace gpu::plan
