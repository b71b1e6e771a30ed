#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/label_selector.hpp"
#include "model/objects/object_kind.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::kube {

/// How pods are read. `automatic`: by the number of GPU nodes. `all`: every pod, also failed ones,
/// even if no node has a GPU.
enum class PodLists { automatic, by_node, one, all, none };
/// Which slices, claims and classes of DRA are read.
enum class DeviceObjects { of_gpus, all };
/// The encoding in which nodes and pods are requested.
enum class WireChoice { protobuf, json };

/// How far reading has come, for a progress line.
struct Progress {
  std::int64_t nodes = 0;
  std::int64_t pods = 0;
  std::int64_t bytes = 0;
};

/// Where live use is read. `automatic`: from exporters, then from Prometheus for nodes whose
/// exporters did not answer, then from custom.metrics.k8s.io for pods.
enum class MetricsChoice { none, automatic, exporter, prometheus, custom };

/// What a command needs of live use, and how to read it.
struct MetricsNeeds {
  MetricsChoice choice = MetricsChoice::none;
  std::vector<std::string> exporters;  ///< more of them, as typed: NS/POD:PORT, NS/https:POD:PORT
  std::string prometheus_url;          ///< outside the cluster; empty: found by its Service
  std::string prometheus_service;      ///< as typed: NS/NAME:PORT/PATH
  std::string prometheus_token;        ///< for prometheus_url; never shown
  std::vector<std::string> prometheus_headers;  ///< as typed, for tenants: "X-Scope-OrgID: team-a"
  std::optional<std::chrono::seconds> since;    ///< averages and maxima over this time
  bool history = false;                         ///< over `since`, of pods that are gone, too
  bool may_exec = false;  ///< nvidia-smi through kubectl exec, where no exporter
  /// Sources other than exporters must answer by this time, and get no request after it. Empty: no
  /// limit.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

/// An object that creates pods, which the user named.
struct NamedWorkload {
  const WorkloadKind* kind = nullptr;  ///< never null
  std::string ns;                      ///< empty: any, where files are read
  std::string name;
};

/// What a command needs to know of the cluster.
struct Needs {
  std::vector<std::string> node_names;  ///< empty: all
  std::string node_selector;            ///< as typed; empty: all
  std::string ns;                       ///< where to look when pods of all namespaces are forbidden
  /// Pods of this namespace are all that the answer is about; empty: of all. Sums of nodes are
  /// then "at least".
  std::string only_namespace;
  bool may_lack_nodes = false;  ///< there is an answer where nodes cannot be read, too
  /// Count the pods that request GPUs and are not bound, or failed before they started.
  bool waiting_pods = false;
  bool owners = false;  ///< who controls the kept pods, up to the top
  /// What is read into Snapshot::scheduling, as far as it can matter to the pods that wait.
  ObjectKinds kinds;
  /// These kinds are read for the namespaces of all pods, not only of those that wait.
  bool kinds_of_all_pods = false;
  DeviceObjects devices = DeviceObjects::of_gpus;
  bool server_version = false;
  /// Pods that do not exist yet (-f): what they need to be judged is read, too.
  std::vector<Pod> planned_pods;
  /// With events: only those for these reasons, of all namespaces; empty: those that can matter.
  std::vector<std::string> event_reasons;
  /// With events: also those of owners whose pods are refused, in namespaces where no pod waits.
  bool refused_owners = false;
  /// The objects themselves are read, too. One alone must exist; of several, those that do are
  /// read.
  std::vector<NamedWorkload> workloads;
  Fold::Keep keep;  ///< which pods are stored; none without it
  PodLists pod_lists = PodLists::automatic;
  /// Also reads the pods of these nodes, although no label or resource of them shows GPUs.
  std::function<bool(const Node&)> also_pods_of;
  /// Label selectors: pods with such labels are read wherever they run, and where no node has GPUs.
  std::vector<std::string> pod_selectors;
  /// Pods that have succeeded or failed are read, too. They hold nothing, but `keep` sees them.
  bool finished_pods = false;
  WireChoice wire = WireChoice::protobuf;
  MetricsNeeds metrics;
  /// Called with each object as it was read, of every kind, before it is decoded: a snapshot writes
  /// it down. Everything is then requested as JSON, and the pods of all nodes in one list.
  std::function<void(const nlohmann::json& object, std::string_view api_version,
                     std::string_view kind)>
      on_object;
  /// Called while bytes arrive and, without them from a cluster, about ten times a second.
  std::function<void(const Progress&)> on_progress;
};

/// Everything that decides where pods run, for commands that judge pods as the scheduler does.
inline Needs scheduling_needs() {
  return {.kinds = kSchedulingKinds,
          .devices = DeviceObjects::all,
          .server_version = true,
          .pod_lists = PodLists::all};
}

/// Adds everything that decides about pods which manifests would create.
inline void add_planned(Needs& needs, const std::vector<PlannedPod>& planned) {
  for (const PlannedPod& each : planned) {
    needs.planned_pods.push_back(each.pod);
    if (each.pod.scheduler_name == "volcano") needs.kinds = needs.kinds | kVolcanoKinds;
  }
}

}  // namespace gpu::kube
