#include "diagnose/nodes/candidates.hpp"

#include <algorithm>

namespace gpu::diagnose {
bool Candidate::lacks_only_room() const { return kinds.are_among(kinds_with(BlockerTrait::room)); }

bool Candidate::lacks_only_stack() const {
  return kinds.are_among(kinds_with(BlockerTrait::stack));
}

bool Candidate::has_the_gpus() const { return !kinds.has_any_of(kinds_with(BlockerTrait::gpus)); }

std::vector<Candidate> candidates_of(const scheduler::Verdict& verdict,
                                     const NodeReasons& reasons) {
  constexpr auto is_nearer = [](const Candidate& a, const Candidate& b) {
    const bool a_has_none = a.has(BlockerKind::no_gpus);
    if (a_has_none != b.has(BlockerKind::no_gpus)) return !a_has_none;
    if (a.kinds.size() != b.kinds.size()) return a.kinds.size() < b.kinds.size();
    if (a.free_gpus != b.free_gpus) return a.free_gpus > b.free_gpus;
    return a.free_share > b.free_share;
  };
  std::vector<Candidate> candidates;
  for (const scheduler::NodeVerdict& node : verdict.nodes) {
    const BlockerKinds kinds = reasons.kinds_of(node);
    if (kinds.has_any_of(kinds_with(BlockerTrait::left_out))) continue;
    const double share = reasons.gpus().empty() ? share_free_on(node.node, reasons) : 1;
    candidates.push_back({&node, kinds, free_gpus_on(node.node, reasons), share});
  }
  std::stable_sort(candidates.begin(), candidates.end(), is_nearer);
  return candidates;
}

}  // namespace gpu::diagnose
