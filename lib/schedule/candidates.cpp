#include "schedule/candidates.hpp"

#include <algorithm>
#include <tuple>

#include "schedule/node_groups.hpp"

namespace gpu::schedule {
namespace {

bool is_about_room(Word word) {
  return word == Word::few_free_gpus || word == Word::few_gpus || word == Word::unhealthy_gpus ||
         word == Word::few_resources || word == Word::little_cpu || word == Word::little_memory ||
         word == Word::little_storage || word == Word::too_many_pods || word == Word::no_devices;
}

bool is_about_stack(Word word) {
  return word == Word::no_device_plugin || word == Word::unhealthy_device_plugin ||
         word == Word::no_driver || word == Word::renamed_gpus;
}

bool is_about_gpus(Word word) {
  return word == Word::few_free_gpus || word == Word::few_gpus || word == Word::no_gpus ||
         word == Word::unhealthy_gpus || word == Word::no_devices || is_about_stack(word);
}

}  // namespace

bool Candidate::has(Word word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool Candidate::lacks_only_room() const {
  return std::all_of(words.begin(), words.end(), is_about_room);
}

bool Candidate::lacks_only_stack() const {
  return std::all_of(words.begin(), words.end(), is_about_stack);
}

bool Candidate::has_the_gpus() const {
  return std::none_of(words.begin(), words.end(), is_about_gpus);
}

std::vector<Candidate> candidates_of(const Verdict& verdict, const NodeReasons& reasons) {
  std::vector<Candidate> candidates;
  for (const NodeVerdict& node : verdict.nodes) {
    Candidate candidate{&node, reasons.words_of(node), free_gpus_on(node.node, reasons)};
    if (!candidate.has(Word::node_selector) && !candidate.has(Word::other_node_name))
      candidates.push_back(std::move(candidate));
  }
  std::stable_sort(
      candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        const auto rank = [](const Candidate& each) {
          return std::tuple(each.has(Word::no_gpus), each.words.size(), -each.free_gpus);
        };
        return rank(a) < rank(b);
      });
  return candidates;
}

}  // namespace gpu::schedule
