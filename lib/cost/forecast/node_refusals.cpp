#include "cost/forecast/node_refusals.hpp"

#include <algorithm>

#include "diagnose/explain/explain.hpp"
#include "model/pools/toleration.hpp"
#include "scheduler/cluster/scheduling_key.hpp"

namespace gpu::cost {
namespace {

/// More requests of one manifest than anybody reads the reasons of.
constexpr std::size_t kMostJudged = 64;

void make_well(Node& node) {
  node.unschedulable = false;
  std::erase_if(node.taints, [](const Taint& taint) {
    return is_health_taint(taint) || lifecycle_of(taint) != Unavailable::none;
  });
  std::erase_if(node.conditions, [](const Condition& each) { return each.type == "Ready"; });
  node.conditions.push_back({.type = "Ready", .status = "True"});
}

/// What nodes are asked about: volumes and other pods are not.
Pod bare(const Pod& pod) {
  Pod made = pod;
  made.volumes.clear();
  made.placement.pod_affinity.clear();
  made.placement.pod_anti_affinity.clear();
  made.placement.spread.clear();
  return made;
}

}  // namespace

NodeRefusals::NodeRefusals(const Snapshot& snapshot) : snapshot_(snapshot) {}
NodeRefusals::~NodeRefusals() = default;

const scheduler::Cluster& NodeRefusals::cluster() {
  if (cluster_) return *cluster_;
  auto well = std::make_unique<Snapshot>(snapshot_);
  for (Node& node : well->nodes) make_well(node);
  well_ = std::move(well);
  cluster_ = std::make_unique<const scheduler::Cluster>(*well_);
  return *cluster_;
}

std::string NodeRefusals::reason(const Pod& pod) {
  if (snapshot_.node_coverage != Coverage::whole || !pod.claim_slots.empty()) return {};
  Pod asked = bare(pod);
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const auto& each) {
    return scheduler::same_scheduling_key(each.first, asked);
  });
  if (known != known_.end()) return known->second;
  if (known_.size() == kMostJudged) return {};
  const diagnose::Explanation answer = diagnose::explain_request(
      cluster(), asked, {.fixes = diagnose::ExplainOptions::Fixes::leave_out});
  const bool is_known = answer.is_blocked && answer.code != diagnose::Code::not_modelled;
  known_.emplace_back(std::move(asked), is_known ? answer.summary : std::string());
  return known_.back().second;
}

}  // namespace gpu::cost
