#include "model/snapshot/live.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/quantity.hpp"

namespace gpu {
namespace {

using NamespacedName = std::tuple<std::string_view, std::string_view>;

std::string_view id_of(const Node& node) { return node.name; }
std::string_view id_of(const ResourceSlice& slice) { return slice.name; }
std::string_view id_of(const DeviceClass& device_class) { return device_class.name; }
NamespacedName id_of(const Pod& pod) { return {pod.ns, pod.name}; }
NamespacedName id_of(const ResourceClaim& claim) { return {claim.ns, claim.name}; }

/// Where the object of that id is in a sorted list, or belongs.
template <class Object, class Id>
auto place_of(std::vector<Object>& list, const Id& id) {
  return std::lower_bound(list.begin(), list.end(), id, [](const Object& object, const Id& wanted) {
    return id_of(object) < wanted;
  });
}

template <class Object>
Changed put(std::vector<Object>& list, std::type_identity_t<Object>&& object) {
  const auto at = place_of(list, id_of(object));
  if (at == list.end() || id_of(*at) != id_of(object)) {
    list.insert(at, std::move(object));
    return Changed::yes;
  }
  if (*at == object) return Changed::no;
  *at = std::move(object);
  return Changed::yes;
}

template <class Object, class Id>
Changed take_out(std::vector<Object>& list, const Id& id) {
  const auto at = place_of(list, id);
  if (at == list.end() || id_of(*at) != id) return Changed::no;
  list.erase(at);
  return Changed::yes;
}

Changed changed_if(bool is_changed) { return is_changed ? Changed::yes : Changed::no; }

Changed either(Changed a, Changed b) { return changed_if(a == Changed::yes || b == Changed::yes); }

}  // namespace

std::string key_of(std::string_view ns, std::string_view name) {
  std::string key;
  key.reserve(ns.size() + 1 + name.size());
  key.append(ns).append("/").append(name);
  return key;
}

LiveSnapshot::LiveSnapshot(Snapshot start, Fold::Keep keep)
    : snapshot_(std::move(start)), keep_(std::move(keep)) {}

Changed LiveSnapshot::set(Node&& node) { return put(snapshot_.nodes, std::move(node)); }

Changed LiveSnapshot::set(ResourceSlice&& slice) { return put(snapshot_.slices, std::move(slice)); }

Changed LiveSnapshot::set(ResourceClaim&& claim) { return put(snapshot_.claims, std::move(claim)); }

Changed LiveSnapshot::set(DeviceClass&& device_class) {
  return put(snapshot_.device_classes, std::move(device_class));
}

Changed LiveSnapshot::set(const Pod& pod) {
  const Changed kept = keep(pod);
  PodShare share = share_of(pod);
  const auto [known, is_new] = shares_.try_emplace(key_of(pod.ns, pod.name));
  if (known->second == share) return kept;
  uncount(known->first, known->second);
  known->second = std::move(share);
  count(known->first, known->second);
  return Changed::yes;
}

Changed LiveSnapshot::keep(const Pod& pod) {
  if (keep_ && keep_(pod)) return put(snapshot_.pods, Pod(pod));
  return drop(pod.ns, pod.name);
}

Changed LiveSnapshot::drop(std::string_view ns, std::string_view name) {
  return take_out(snapshot_.pods, NamespacedName{ns, name});
}

void LiveSnapshot::count(const std::string& key, const PodShare& share) {
  if (share.waits_for > 0) waiting_[key] = share.waits_for;
  if (snapshot_.waiting) count_controlled(snapshot_.controlled, share.controlled);
  if (share.node.empty()) return;
  on_node_[share.node].push_back(&share);
  stale_.insert(share.node);
}

void LiveSnapshot::uncount(const std::string& key, const PodShare& share) {
  if (share.waits_for > 0) waiting_.erase(key);
  if (snapshot_.waiting) uncount_controlled(snapshot_.controlled, share.controlled);
  if (share.node.empty()) return;
  std::erase(on_node_[share.node], &share);
  stale_.insert(share.node);
}

void LiveSnapshot::sum_up(const std::string& node) {
  const std::vector<const PodShare*>& shares = on_node_[node];
  if (shares.empty()) {
    on_node_.erase(node);
    snapshot_.sums.erase(node);
    return;
  }
  NodeSums sums;
  for (const PodShare* const share : shares) add_to(sums, share->sums);
  snapshot_.sums[node] = std::move(sums);
}

Changed LiveSnapshot::remove_node(std::string_view name) { return take_out(snapshot_.nodes, name); }

Changed LiveSnapshot::remove_slice(std::string_view name) {
  return take_out(snapshot_.slices, name);
}

Changed LiveSnapshot::remove_class(std::string_view name) {
  return take_out(snapshot_.device_classes, name);
}

Changed LiveSnapshot::remove_claim(std::string_view ns, std::string_view name) {
  return take_out(snapshot_.claims, NamespacedName{ns, name});
}

Changed LiveSnapshot::remove_pod(const std::string& ns, const std::string& name) {
  const Changed kept = drop(ns, name);
  const std::string key = key_of(ns, name);
  const auto known = shares_.find(key);
  if (known == shares_.end()) return kept;
  const bool counted = known->second != PodShare{};
  uncount(known->first, known->second);
  shares_.erase(known);
  return either(kept, changed_if(counted));
}

Changed LiveSnapshot::retain_nodes(const Keys& listed) {
  return changed_if(std::erase_if(snapshot_.nodes, [&](const Node& node) {
                      return !listed.contains(node.name);
                    }) > 0);
}

Changed LiveSnapshot::retain_slices(const Keys& listed) {
  return changed_if(std::erase_if(snapshot_.slices, [&](const ResourceSlice& slice) {
                      return !listed.contains(slice.name);
                    }) > 0);
}

Changed LiveSnapshot::retain_classes(const Keys& listed) {
  return changed_if(std::erase_if(snapshot_.device_classes, [&](const DeviceClass& one) {
                      return !listed.contains(one.name);
                    }) > 0);
}

Changed LiveSnapshot::retain_claims(const Keys& listed) {
  return changed_if(std::erase_if(snapshot_.claims, [&](const ResourceClaim& claim) {
                      return !listed.contains(key_of(claim.ns, claim.name));
                    }) > 0);
}

Changed LiveSnapshot::retain_pods(const Keys& listed, std::string_view prefix) {
  std::vector<std::string> gone;
  for (const auto& [key, share] : shares_)
    if (key.starts_with(prefix) && !listed.contains(key)) gone.push_back(key);
  Changed changed = Changed::no;
  for (const std::string& key : gone) {
    const std::size_t slash = key.find('/');
    changed = either(changed, remove_pod(key.substr(0, slash), key.substr(slash + 1)));
  }
  return changed;
}

const Snapshot& LiveSnapshot::snapshot() {
  for (const std::string& node : stale_) sum_up(node);
  stale_.clear();
  if (snapshot_.waiting) {
    snapshot_.waiting = WaitingSums{};
    for (const auto& [key, gpus] : waiting_) {
      ++snapshot_.waiting->pods;
      snapshot_.waiting->gpus = capped_sum(snapshot_.waiting->gpus, gpus);
    }
  }
  return snapshot_;
}

}  // namespace gpu
