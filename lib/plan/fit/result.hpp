#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/money.hpp"
#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "plan/gang.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::plan {

/// The least and the most of what may come of the scheduler's random choices.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = 0;
  [[nodiscard]] bool is_one() const { return least == most; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Pods that start on one node.
struct Place {
  std::string node;
  std::int64_t pods = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// How many of one template's pods start now, and where.
struct FitRow {
  std::string ns;
  std::string kind;         ///< of who makes the pods: "Job", "Pod"
  std::string name;         ///< of it
  std::string template_at;  ///< "spec.workerGroupSpecs[0].template", of several in the object
  std::string file;
  std::int64_t pods = 0;
  std::int64_t gpus = 0;                            ///< of each pod, of all kinds of devices
  std::vector<diagnose::ResourceRequest> requests;  ///< of each pod
  std::int32_t priority = 0;
  std::optional<Range> starts;  ///< nothing: it cannot be told
  std::vector<Place> places;    ///< by node
  bool is_certain = false;      ///< `places` are the only way: no choice is random
  bool is_sure = true;  ///< false: something that keeps pods from starting may not have been read
  std::vector<std::string> stops;  ///< NAMESPACE/NAME of pods that are preempted for them
  Gang gang = Gang::none;
  std::string gang_name;                 ///< "job/llm", "podgroup/pair"
  std::int64_t gang_least = 0;           ///< of a gang that starts whole: so many of them, or none
  std::int64_t gang_pods = 0;            ///< of all templates of the object
  std::optional<std::int64_t> room_for;  ///< of a gang that does not start: how many would fit
  std::optional<diagnose::Code> code;    ///< why the next pod does not start
  std::string summary;                   ///< the headline of why-pending for it
  std::optional<Range> more;  ///< pods of the same that would fit after all; nothing: not tried
  bool is_more_capped = false;
  std::string exists;  ///< that pods of it exist already, and count; empty: none do
  std::vector<std::string> not_checked;
  std::vector<std::string> warnings;  ///< of pods that start: what may go wrong then
};

/// A pod that waits, and for which the scheduler keeps room on a node.
struct NominatedPod {
  std::string ns;
  std::string name;
  std::string node;
  std::int64_t gpus = 0;
};

/// The most free GPUs that one node has of a model, now.
struct FreeBlock {
  std::string model;                    ///< "H100-80G"; empty: not known
  usage::Unit unit = usage::Unit::gpu;  ///< what `free` counts: time-sliced GPUs come in shares
  std::string resource;
  std::string node;
  std::int64_t free = 0;
};

/// Ready nodes that are cordoned, and what `kubectl uncordon` of all of them would give.
struct Uncordoning {
  std::vector<std::string> nodes;  ///< by name; each is needed, but where there are more than a few
  std::int64_t starts = 0;         ///< pods that then start, at least
};

/// Nodes to add after which all that was asked for starts.
struct NodeNeed {
  std::string type;           ///< "p5.48xlarge"; empty: no label says it
  std::string model;          ///< "H100-80G"; empty: not known
  std::string like;           ///< the node of the cluster that they were tried as
  std::int64_t gpus = 0;      ///< of each node
  std::int64_t nodes = 0;     ///< how many
  std::optional<Money> hour;  ///< of all of them; nothing: the price is not known
  std::string price_source;   ///< "table", "flag"; empty: none
  std::optional<Time> as_of;
  bool is_estimate = false;
};

/// The answer to whether everything starts.
struct FitAnswer {
  std::vector<FitRow> rows;
  std::int64_t pods = 0;
  std::optional<Range> starts;  ///< of all; nothing: it cannot be told
  std::vector<FreeBlock> blocks;
  std::vector<NominatedPod> nominated;     ///< with GPUs
  std::optional<Uncordoning> uncordoning;  ///< where more pods start then
  std::vector<NodeNeed> needs;             ///< the cheapest first
  bool needs_were_tried = false;           ///< something is missing that nodes may give
  bool needs_too_many = false;             ///< of some type more would be needed than are tried
  std::vector<std::string> not_checked;
  std::size_t runs = 0;  ///< how often the scheduler's choices were played through

  [[nodiscard]] bool all_start() const { return starts && starts->least == pods; }
};

}  // namespace gpu::plan
