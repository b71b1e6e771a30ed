#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kube/client.hpp"
#include "model/label_selector.hpp"
#include "model/snapshot.hpp"

namespace gpu::kube {

/// How pods are read: as the number of GPU nodes suggests, or as told.
enum class PodLists { automatic, by_node, one, none };
/// What nodes and pods are asked for as.
enum class WireChoice { protobuf, json };

/// What a command needs to know of the cluster.
struct Needs {
  std::vector<std::string> node_names;  ///< empty: all
  std::string node_selector;            ///< as typed; empty: all
  std::string ns;                       ///< where to look when pods of all namespaces are forbidden
  bool waiting_pods = false;            ///< count the unbound pods that ask for GPUs
  Fold::Keep keep;                      ///< which pods are stored; none without it
  PodLists pod_lists = PodLists::automatic;
  WireChoice wire = WireChoice::protobuf;
};

/// Reads the cluster: nodes, then the pods that the answer needs (on GPU nodes only). Throws when
/// there can be no answer; what is only partly seen becomes a Gap.
Snapshot collect(Client& client, const Needs& needs);

/// Reads `path` instead: a `kubectl get -o json` List, a single list or object, or a folder of such
/// files (*.json). Throws Error{usage} or Error{data} with the file's name and the place.
Snapshot collect_from_files(const std::string& path, const Needs& needs);

}  // namespace gpu::kube
