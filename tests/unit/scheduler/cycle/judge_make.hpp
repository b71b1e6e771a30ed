#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "make.hpp"
#include "scheduler/cycle/judge.hpp"

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
  made.scheduling.coverages["namespaces"] = Coverage::whole;
  return made;
}

/// "NODE: reason, reason", for each node, of one filter; only the node's name where it says
/// nothing.
inline std::vector<std::string> said(const Snapshot& snapshot, const Pod& pod,
                                     scheduler::Filter filter,
                                     const scheduler::Change& change = {}) {
  const scheduler::Cluster made(snapshot);
  std::vector<std::size_t> nodes(made.nodes().size());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  const scheduler::Verdict verdict = scheduler::judge(made, pod, change, nodes);
  std::vector<std::string> lines;
  for (const scheduler::NodeVerdict& node : verdict.nodes) {
    std::string line = snapshot.nodes[node.node].name;
    const std::size_t bare = line.size();
    for (const scheduler::FilterFailure& blocker : verdict.blockers_of(node)) {
      if (blocker.filter != filter) continue;
      line += (line.size() == bare ? ": " : ", ") + verdict.reasons[blocker.reason];
      if (blocker.rejection == scheduler::Rejection::unresolvable) line += "!";
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// What kube-scheduler would write.
inline std::string message(const Snapshot& snapshot, const Pod& pod) {
  const scheduler::Cluster made(snapshot);
  return scheduler::predicted_message(made, pod, scheduler::judge(made, pod));
}

using Lines = std::vector<std::string>;

}  // namespace gpu::make
