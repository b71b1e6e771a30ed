#include "diagnose/nodes/candidates.hpp"

#include <algorithm>

#include "diagnose/nodes/node_groups.hpp"

namespace gpu::diagnose {
namespace {

const BlockerKinds kRoom{
    BlockerKind::few_free_gpus,  BlockerKind::few_gpus,      BlockerKind::unhealthy_gpus,
    BlockerKind::few_resources,  BlockerKind::little_cpu,    BlockerKind::little_memory,
    BlockerKind::little_storage, BlockerKind::too_many_pods, BlockerKind::no_devices};
const BlockerKinds kGpus{
    BlockerKind::few_free_gpus,           BlockerKind::few_gpus,   BlockerKind::no_gpus,
    BlockerKind::unhealthy_gpus,          BlockerKind::no_devices, BlockerKind::no_device_plugin,
    BlockerKind::unhealthy_device_plugin, BlockerKind::no_driver,  BlockerKind::renamed_gpus};

}  // namespace

bool Candidate::lacks_only_room() const { return words.are_among(kRoom); }

bool Candidate::lacks_only_stack() const { return words.are_among(kStackBlockers); }

bool Candidate::has_the_gpus() const { return !words.has_any_of(kGpus); }

std::vector<Candidate> candidates_of(const scheduler::Verdict& verdict,
                                     const NodeReasons& reasons) {
  constexpr auto is_nearer = [](const Candidate& a, const Candidate& b) {
    const bool a_has_none = a.has(BlockerKind::no_gpus);
    if (a_has_none != b.has(BlockerKind::no_gpus)) return !a_has_none;
    if (a.words.size() != b.words.size()) return a.words.size() < b.words.size();
    if (a.free_gpus != b.free_gpus) return a.free_gpus > b.free_gpus;
    return a.free_share > b.free_share;
  };
  std::vector<Candidate> candidates;
  for (const scheduler::NodeVerdict& node : verdict.nodes) {
    const BlockerKinds words = reasons.kinds_of(node);
    if (words.has(BlockerKind::node_selector) || words.has(BlockerKind::other_node_name)) continue;
    const double share = reasons.gpus().empty() ? share_free_on(node.node, reasons) : 1;
    candidates.push_back({&node, words, free_gpus_on(node.node, reasons), share});
  }
  std::stable_sort(candidates.begin(), candidates.end(), is_nearer);
  return candidates;
}

}  // namespace gpu::diagnose
