#include "schedule/candidates.hpp"

#include <algorithm>

#include "schedule/node_groups.hpp"

namespace gpu::schedule {
namespace {

const Words kRoom{Word::few_free_gpus,  Word::few_gpus,      Word::unhealthy_gpus,
                  Word::few_resources,  Word::little_cpu,    Word::little_memory,
                  Word::little_storage, Word::too_many_pods, Word::no_devices};
const Words kGpus{Word::few_free_gpus,           Word::few_gpus,   Word::no_gpus,
                  Word::unhealthy_gpus,          Word::no_devices, Word::no_device_plugin,
                  Word::unhealthy_device_plugin, Word::no_driver,  Word::renamed_gpus};

}  // namespace

bool Candidate::lacks_only_room() const { return words.are_among(kRoom); }

bool Candidate::lacks_only_stack() const { return words.are_among(kStackWords); }

bool Candidate::has_the_gpus() const { return !words.has_any_of(kGpus); }

std::vector<Candidate> candidates_of(const Verdict& verdict, const NodeReasons& reasons) {
  constexpr auto is_nearer = [](const Candidate& a, const Candidate& b) {
    const bool a_has_none = a.has(Word::no_gpus);
    if (a_has_none != b.has(Word::no_gpus)) return !a_has_none;
    if (a.words.size() != b.words.size()) return a.words.size() < b.words.size();
    if (a.free_gpus != b.free_gpus) return a.free_gpus > b.free_gpus;
    return a.free_share > b.free_share;
  };
  std::vector<Candidate> candidates;
  for (const NodeVerdict& node : verdict.nodes) {
    const Words words = reasons.words_of(node);
    if (words.has(Word::node_selector) || words.has(Word::other_node_name)) continue;
    const double share = reasons.gpus().empty() ? share_free_on(node.node, reasons) : 1;
    candidates.push_back({&node, words, free_gpus_on(node.node, reasons), share});
  }
  std::stable_sort(candidates.begin(), candidates.end(), is_nearer);
  return candidates;
}

}  // namespace gpu::schedule
