#include "plan/fit/cordons.hpp"

#include <algorithm>
#include <set>

#include "diagnose/stack/node_maintenance.hpp"
#include "plan/fit/missing.hpp"
#include "plan/fit/run.hpp"
#include "scheduler/cluster/overlay.hpp"

namespace gpu::plan {
namespace {

/// Whether each node is needed is tried for that many nodes: each try lays the cluster out again.
constexpr std::size_t kMostProven = 8;

using Names = std::set<std::string>;

Names cordoned_in(const Snapshot& snapshot) {
  Names names;
  for (const Node& node : snapshot.nodes)
    if (diagnose::may_be_uncordoned(node)) names.insert(node.name);
  return names;
}

/// A cluster in which the nodes of that name are not cordoned.
class Uncordoned {
 public:
  Uncordoned(Snapshot snapshot, const Names& names)
      : filling_(opened(std::move(snapshot), names)) {}

  std::int64_t missing(const std::vector<AskedObject>& objects,
                       const diagnose::ExplainOptions& options) {
    return missing_in(filling_, objects, options).pods;
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

/// Nothing where there are more pods of one template than are tried.
std::optional<std::int64_t> pods_of(const std::vector<AskedObject>& objects) {
  std::int64_t pods = 0;
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts) {
      if (each.planned.count > kMostTriedPods) return std::nullopt;
      pods += each.planned.count;
    }
  return pods;
}

}  // namespace

std::optional<Uncordoning> uncordoning_for(Filling& filling,
                                           const std::vector<AskedObject>& objects,
                                           const diagnose::ExplainOptions& options) {
  const Snapshot& snapshot = filling.cluster().snapshot();
  const std::optional<std::int64_t> pods = pods_of(objects);
  const Names cordoned = cordoned_in(snapshot);
  if (cordoned.empty() || !pods) return std::nullopt;
  Uncordoned all(snapshot, cordoned);
  const std::int64_t missing = all.missing(objects, options);
  if (missing >= missing_in(filling, objects, options).pods) return std::nullopt;
  const auto are_enough = [&](const Names& names) {
    return Uncordoned(snapshot, names).missing(objects, options) <= missing;
  };
  Names needed = all.used(cordoned, objects, options);
  // Pods may start elsewhere once fewer nodes are open: what is named is tried by itself.
  if (!are_enough(needed)) needed = cordoned;
  if (needed.size() > 1 && needed.size() <= kMostProven)
    for (const std::string& name : Names(needed)) {
      Names fewer = needed;
      fewer.erase(name);
      if (are_enough(fewer)) needed = std::move(fewer);
    }
  return Uncordoning{{needed.begin(), needed.end()}, *pods - missing};
}

}  // namespace gpu::plan
