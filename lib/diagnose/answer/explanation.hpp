#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/code.hpp"
#include "diagnose/answer/constraint.hpp"
#include "diagnose/answer/headline.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/filter.hpp"

namespace gpu::diagnose {

/// One reason that rules a group of nodes out.
struct GroupBlocker {
  Code code{};
  scheduler::Filter filter{};
  std::string title;    ///< for the table: "taint", "too few free GPUs", "node selector"
  std::string message;  ///< the scheduler's text
  /// "dedicated=inference:NoSchedule"; if it differs between nodes, only the taints
  std::string detail;
};

/// A node in a group, and how much it has of what the pod requests.
struct NearNode {
  std::string name;
  std::vector<std::pair<std::string, std::int64_t>> free;  ///< by requested resource; base units
  std::optional<std::int64_t> free_gpus;  ///< of all requested kinds; empty: it has none
  std::string note;                       ///< why it has none: "only MIG slices"; short, for people
};

/// Nodes with the same set of blockers. Every node is in exactly one group.
struct NodeGroup {
  std::vector<GroupBlocker> blockers;  ///< empty: the pod fits there now
  std::vector<NearNode> nodes;         ///< nearest first: those with most of what the pod requests
};

/// A change that was tried: with it, the pod fits. An untested fix is never printed.
struct Fix {
  std::string summary;     ///< "uncordon gpu-a4: tested, the pod then fits, with 4 GPUs to spare"
  std::string command;     ///< "kubectl uncordon gpu-a4"; quoted for sh
  std::string patch;       ///< YAML that the command takes as a file; empty: none
  std::string patch_file;  ///< its name in the command
  /// Of a manifest's pods, which no command can patch: "the pods' spec of spec.predictor".
  std::string patch_into = {};
  std::string note = {};           ///< "this restarts the deployment's pods"
  std::vector<std::string> stops;  ///< what it ends or restarts: "pod/research/notebook-jo"
  std::vector<std::string> edited_labels = {};  ///< keys of spec.nodeSelector that `patch` changes
};

/// The kind of an advice, for code that must tell advices apart.
enum class AdviceKind : std::uint8_t { other, add_node, edit };

/// What may help, but cannot be tried on a snapshot: a driver, Helm values, a cloud's tag.
struct Advice {
  std::string summary;
  std::string command;  ///< may be empty
  AdviceKind kind = AdviceKind::other;
};

/// Remarks that other code replaces or removes.
enum class RemarkKind : std::uint8_t {
  other,
  no_change_found,  ///< no fix was found
  may_stop_others,  ///< the scheduler may preempt others than those named
  shares,           ///< its device plugin may refuse several shares once it is bound
};

/// A remark in addition to the reason: "3 GPUs are free on H100 nodes open to it, but ...".
struct Remark {
  std::string text;
  bool is_warning = false;  ///< the scheduler says something else
  RemarkKind kind = RemarkKind::other;
};

/// The scheduler's last message about the pod.
struct SchedulerWord {
  std::string message;  ///< of the PodScheduled condition, else of the newest event
  std::optional<std::chrono::sys_seconds> time;
  std::optional<bool> agrees;  ///< with what we predict; nothing: it cannot be compared
  /// The scheduler's name, if it has rules of its own; empty for kube-scheduler's.
  std::string by = {};
  std::optional<std::int64_t> count = {};  ///< how often it reported this
  bool is_summary = false;                 ///< the headline quotes it
};

/// How much of a resource the pod requests, as a person would write it.
struct ResourceRequest {
  std::string resource;
  std::int64_t amount = 0;  ///< cpu in thousandths, all else in base units
};

/// The answer for one pod, or for a workload that could not create its pods.
struct Explanation {
  std::string ns;
  std::string name;
  std::string manifest = {};     ///< the file that it would be created from; empty: it exists
  std::string template_at = {};  ///< "spec.workerGroupSpecs[0].template", of several in the object
  std::string kind = "Pod";      ///< "Job", "ReplicaSet": what has no pod yet
  Owner owner;
  /// All similar pods, of one owner and with one reason, that this answer is for; `name` is the
  /// first.
  std::vector<std::string> names;
  bool is_blocked = true;  ///< false: it runs, has finished, or fits and will start
  Code code = Code::not_modelled;
  std::string summary;                 ///< the headline: lower case, no full stop, true on its own
  std::string nearest;                 ///< for -A: "gpu-a4, if uncordoned"
  std::optional<std::size_t> fits_on;  ///< how many nodes it fits on now; nothing: it does not
  std::vector<std::string> first_nodes = {};  ///< names of at most three of these
  Certainty certainty = Certainty::sure;      ///< of that it fits
  /// What `summary` is made of: of planned pods that start, or that one reason keeps from it.
  std::optional<Headline> headline;
  std::optional<std::chrono::seconds> waiting;
  /// Of all kinds that the pod requests; nothing if its requests were not read.
  std::optional<std::int64_t> gpus;
  std::vector<ResourceRequest> requests;
  std::vector<std::string> claims = {};  ///< "claim train-gpus: 1 x gpu.nvidia.com"
  std::vector<Constraint> only_on;
  std::vector<NodeGroup> groups;  ///< fewest blockers first
  std::string predicted_message;  ///< what kube-scheduler would write; empty: not its turn
  std::optional<SchedulerWord> scheduler;
  std::vector<Fix> fixes;  ///< best first
  std::vector<Advice> advice;
  std::vector<Remark> remarks;
  std::vector<std::string> not_checked;
};

}  // namespace gpu::diagnose
