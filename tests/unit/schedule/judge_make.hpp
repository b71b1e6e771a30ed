#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "make.hpp"
#include "schedule/judge.hpp"

/// Judges made-up pods, so that a test of a filter is six lines.
namespace gpu::make {

/// A pod that waits, with a UID of its own.
inline Pod waiting(std::string name, std::int64_t gpus = 0) {
  Pod made = pod(std::move(name), "", gpus);
  made.uid = "uid-" + made.name;
  made.scheduler_name = "default-scheduler";
  return made;
}

/// A pod on a node, with a UID of its own and labels.
inline Pod running(std::string name, std::string node_name, StringMap labels = {},
                   std::int64_t gpus = 0) {
  Pod made = pod(std::move(name), std::move(node_name), gpus);
  made.uid = "uid-" + made.name;
  made.labels = std::move(labels);
  return made;
}

inline Node labelled(std::string name, StringMap labels, std::int64_t gpus = 0) {
  Node made = node(std::move(name), gpus);
  made.labels = std::move(labels);
  return made;
}

/// A cluster that was seen whole.
inline Snapshot cluster(std::vector<Node> nodes, const std::vector<Pod>& pods = {},
                        std::string version = "v1.36.1") {
  Snapshot made = snapshot(std::move(nodes), pods);
  made.server_version = std::move(version);
  made.scheduling.sights["namespaces"] = Sight::whole;
  return made;
}

/// "NODE: reason, reason", for each node, of one filter; only the node's name where it says
/// nothing.
inline std::vector<std::string> said(const Snapshot& snapshot, const Pod& pod,
                                     schedule::Filter filter, const schedule::Change& change = {}) {
  const schedule::Cluster made(snapshot);
  std::vector<std::size_t> nodes(made.nodes().size());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  const schedule::Verdict verdict = schedule::judge(made, pod, change, nodes);
  std::vector<std::string> lines;
  for (const schedule::NodeVerdict& node : verdict.nodes) {
    std::string line = snapshot.nodes[node.node].name;
    const std::size_t bare = line.size();
    for (const schedule::Blocker& blocker : verdict.blockers_of(node)) {
      if (blocker.filter != filter) continue;
      line += (line.size() == bare ? ": " : ", ") + verdict.reasons[blocker.reason];
      if (blocker.rejection == schedule::Rejection::unresolvable) line += "!";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// What kube-scheduler would write.
inline std::string message(const Snapshot& snapshot, const Pod& pod) {
  const schedule::Cluster made(snapshot);
  return schedule::predicted_message(made, pod, schedule::judge(made, pod));
}

using Lines = std::vector<std::string>;

}  // namespace gpu::make
