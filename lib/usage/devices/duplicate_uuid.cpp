#include "usage/devices/duplicate_uuid.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "usage/devices/contradictions.hpp"
#include "usage/devices/listed.hpp"

namespace gpu::usage {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Which nodes name cards by other ways than telemetry: by UUID.
class NamedCards {
 public:
  explicit NamedCards(const Snapshot& snapshot) {
    for (const ResourceSlice& slice : snapshot.slices)
      for (const Device& device : slice.devices) add_published(slice, device);
    for (const Node& node : snapshot.nodes)
      for (const SharedCard& card : node.shared_cards) add(card.uuid, node.name);
    for (const auto& [node, sums] : snapshot.sums)
      for (const auto& [card, use] : sums.cards) add(card.second, node);
    for (const Pod& pod : snapshot.pods)
      if (!is_finished(pod)) add_given(pod);
  }

  [[nodiscard]] const Names& nodes_of(const std::string& key) const {
    static const Names kNone;
    const auto found = nodes_.find(key);
    return found == nodes_.end() ? kNone : found->second;
  }

 private:
  void add(std::string_view uuid, const std::string& node) {
    // A replica of a shared card is GPU-4b3c...::3; an old name of a MIG instance has a card in it.
    uuid = uuid.substr(0, uuid.find("::"));
    if (uuid.starts_with("MIG-GPU-")) uuid = uuid.substr(4, uuid.find('/') - 4);
    if (uuid.starts_with("GPU-") && !node.empty()) nodes_[uuid_key(uuid)].insert(node);
  }

  void add_published(const ResourceSlice& slice, const Device& device) {
    const std::string& node = device.node_name.empty() ? slice.node_name : device.node_name;
    for (const std::string_view attribute : {"uuid", "parentUUID"})
      add(value_of(device.attributes, attribute), node);
  }

  void add_given(const Pod& pod) {
    for (const auto* statuses : {&pod.container_statuses, &pod.init_container_statuses})
      for (const ContainerResourceStatus& status : *statuses)
        for (const AllocatedResource& given : status.devices) add(given.id, pod.node_name);
  }

  std::map<std::string, Names, std::less<>> nodes_;
};

/// Where telemetry says that one card is.
struct Told {
  std::string uuid;
  Names nodes;
  Names usual;  ///< as exporters in usual namespaces say
};

std::map<std::string, Told> cards_in(const SamplesByNode& samples, const std::optional<Time>& now) {
  std::map<std::string, Told> cards;
  for (const auto& [node, those] : samples)
    for (const Sample* sample : those) {
      if (sample->vendor != Vendor::nvidia || sample->uuid.empty() || is_stale(*sample, now))
        continue;
      Told& told = cards[uuid_key(sample->uuid)];
      told.uuid = sample->uuid;
      told.nodes.insert(node);
      if (is_of_usual_exporter(*sample)) told.usual.insert(node);
    }
  std::erase_if(cards, [](const auto& card) { return card.second.nodes.size() < 2; });
  return cards;
}

Names both(const Names& a, const Names& b) {
  Names common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::inserter(common, common.end()));
  return common;
}

/// Empty: nobody can say.
std::string home_of(const Told& told, const Names& named) {
  const Names evident = both(told.nodes, named);
  if (evident.size() == 1) return *evident.begin();
  return evident.empty() && told.usual.size() == 1 ? *told.usual.begin() : std::string();
}

std::string text_of(const Told& told, const std::string& home) {
  return told.uuid + " on " + listed({told.nodes.begin(), told.nodes.end()}) +
         (home.empty() ? ": shown on none" : ": shown on " + home);
}

}  // namespace

std::vector<Gap> keep_on_one_node(SamplesByNode& samples, const Snapshot& snapshot,
                                  const std::optional<Time>& now) {
  const std::map<std::string, Told> cards = cards_in(samples, now);
  if (cards.empty()) return {};
  const NamedCards named(snapshot);
  std::map<std::string, std::string> homes;
  std::vector<std::string> texts;
  Gap gap;
  for (const auto& [key, told] : cards) {
    const std::string& home = homes.emplace(key, home_of(told, named.nodes_of(key))).first->second;
    texts.push_back(text_of(told, home));
    gap.nodes.insert(gap.nodes.end(), told.nodes.begin(), told.nodes.end());
  }
  for (auto& [node, those] : samples)
    std::erase_if(those, [&, &here = node](const Sample* sample) {
      if (sample->vendor != Vendor::nvidia || sample->uuid.empty()) return false;
      const auto home = homes.find(uuid_key(sample->uuid));
      return home != homes.end() && home->second != here;
    });
  std::sort(gap.nodes.begin(), gap.nodes.end());
  gap.nodes.erase(std::unique(gap.nodes.begin(), gap.nodes.end()), gap.nodes.end());
  gap.what = counted(cards.size(), "GPU is", "GPUs are") + " reported to be in several nodes";
  gap.why = listed(texts);
  return {std::move(gap)};
}

}  // namespace gpu::usage
