#include "admission/kueue/assignment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "admission/kueue/flavor.hpp"
#include "model/objects/quantity_text.hpp"
#include "scheduler/cluster/amounts.hpp"

namespace gpu::admission {
namespace {

std::vector<QueueFlavor> flavors_of(const SchedulingFacts& facts, const ClusterQueue& queue) {
  std::vector<QueueFlavor> flavors;
  for (const FlavorQuota& quota : queue.quotas) {
    auto flavor = std::find_if(flavors.begin(), flavors.end(),
                               [&](const QueueFlavor& each) { return each.name == quota.flavor; });
    if (flavor == flavors.end())
      flavor = flavors.insert(
          flavors.end(),
          {.name = quota.flavor, .object = resource_flavor(facts, quota.flavor), .resources = {}});
    flavor->resources[quota.resource] = &quota;
  }
  return flavors;
}

void add_place(GivenPlace& place, const QueueFlavor& flavor) {
  if (flavor.object == nullptr) return;
  const ResourceFlavor& object = *flavor.object;
  for (const auto& [key, value] : object.node_labels) place.node_selector.set(key, value);
  place.tolerations.insert(place.tolerations.end(), object.tolerations.begin(),
                           object.tolerations.end());
  place.flavors.push_back(flavor.name);
}

}  // namespace

const ResourceFlavor* resource_flavor(const SchedulingFacts& facts, std::string_view name) {
  const auto found = std::find_if(facts.resource_flavors.begin(), facts.resource_flavors.end(),
                                  [&](const ResourceFlavor& each) { return each.name == name; });
  return found == facts.resource_flavors.end() ? nullptr : &*found;
}

std::set<std::string> QueueFlavor::covered() const {
  std::set<std::string> names;
  for (const auto& [resource, quota] : resources) names.insert(resource);
  return names;
}

QueueAssignment::QueueAssignment(const scheduler::Cluster& cluster, const ClusterQueue& queue,
                                 const QueueTaken& before)
    : quotas_(cluster.shared<CohortTree>(), before),
      queue_(queue),
      flavors_(flavors_of(cluster.snapshot().scheduling, queue)) {}

const QuotaRoom& QueueAssignment::room(const FlavorQuota& quota) const {
  const auto [known, is_new] = rooms_.try_emplace(&quota);
  if (is_new) known->second = quotas_.room(queue_, quota);
  return known->second;
}

/// Calls `visit` with each resource that is asked for and that the flavor has: its quota, what
/// sets of pods before this one take, and what this one asks for.
template <class Visit>
void QueueAssignment::each_asked(const QueueFlavor& flavor, const Amounts& asked,
                                 Visit visit) const {
  for (const auto& [resource, quota] : flavor.resources) {
    const auto wanted = asked.find(resource);
    if (wanted == asked.end()) continue;
    const auto before = taken_.find({flavor.name, resource});
    visit(*quota, before == taken_.end() ? 0 : before->second, wanted->second);
  }
}

QueueAssignment::Amounts QueueAssignment::asked_by(const PodSet& set) const {
  Amounts asked;
  for (const auto& [name, amount] : set.requests) {
    const std::int64_t all = capped_product(scheduler::compared_amount(name, amount), set.count);
    // What is asked for with a 0 still needs a flavor, where the queue has one.
    if (all > 0 || covers(name)) asked[name] = all;
  }
  if (covers("pods")) asked["pods"] = set.count;
  return asked;
}

std::set<QueueAssignment::Group> QueueAssignment::groups_of(const Amounts& asked) const {
  std::set<Group> groups;
  for (const QueueFlavor& flavor : flavors_)
    if (std::any_of(flavor.resources.begin(), flavor.resources.end(),
                    [&](const auto& each) { return asked.contains(each.first); }))
      groups.insert(flavor.covered());
  return groups;
}

std::string QueueAssignment::assign(const PodSet& set) {
  const Amounts asked = asked_by(set);
  lacks_unused_quota_ = lacks_resource_ = false;
  for (const auto& [resource, amount] : asked)
    if (!covers(resource)) {
      lacks_resource_ = true;
      return fmt::format("resource {} unavailable in ClusterQueue", resource);
    }
  given_.emplace_back();
  for (const Group& group : groups_of(asked))
    if (std::string words = assign(set, asked, group); !words.empty()) {
      given_.pop_back();
      return words;
    }
  return {};
}

GivenPlace QueueAssignment::only_place(const PodSet& set) const {
  GivenPlace place;
  for (const Group& group : groups_of(asked_by(set))) {
    const QueueFlavor* only = nullptr;
    std::size_t count = 0;
    for (const QueueFlavor& flavor : flavors_) {
      if (flavor.covered() != group || !mismatch(flavor, set, group).empty()) continue;
      only = &flavor;
      ++count;
    }
    if (count == 1) add_place(place, *only);
  }
  return place;
}

bool QueueAssignment::covers(const std::string& resource) const {
  return std::any_of(flavors_.begin(), flavors_.end(),
                     [&](const QueueFlavor& each) { return each.resources.contains(resource); });
}

/// By the first flavor that has enough; or by one that need not borrow, where the queue would
/// rather go on than borrow.
std::string QueueAssignment::assign(const PodSet& set, const Amounts& asked, const Group& group) {
  std::vector<std::string> why;
  const QueueFlavor* best = nullptr;
  for (const QueueFlavor& flavor : flavors_) {
    if (flavor.covered() != group) continue;
    const std::vector<std::string> lacks = lacks_of(flavor, set, asked, group);
    why.insert(why.end(), lacks.begin(), lacks.end());
    if (!lacks.empty()) continue;
    const bool is_better = best == nullptr || !borrows(flavor, asked);
    if (is_better) best = &flavor;
    if (!queue_.tries_next_before_borrowing || !borrows(flavor, asked)) break;
  }
  if (best == nullptr) {
    std::sort(why.begin(), why.end());  // as Kueue does
    return fmt::format("{}", fmt::join(why, ", "));
  }
  lacks_unused_quota_ = false;  // of flavors that were passed over
  take(*best, asked);
  return {};
}

bool QueueAssignment::borrows(const QueueFlavor& flavor, const Amounts& asked) const {
  bool any = false;
  each_asked(flavor, asked, [&](const FlavorQuota& quota, std::int64_t before, std::int64_t now) {
    any = any || capped_sum(before, now) > room(quota).own_free;
  });
  return any;
}

std::string QueueAssignment::mismatch(const QueueFlavor& flavor, const PodSet& set,
                                      const Group& group) const {
  if (flavor.object == nullptr) return {};
  std::vector<const ResourceFlavor*> others;
  for (const QueueFlavor& each : flavors_)
    if (each.object != nullptr && each.covered() == group) others.push_back(each.object);
  return flavor_mismatch(*flavor.object, others, set);
}

std::vector<std::string> QueueAssignment::lacks_of(const QueueFlavor& flavor, const PodSet& set,
                                                   const Amounts& asked, const Group& group) {
  if (std::string words = mismatch(flavor, set, group); !words.empty()) return {std::move(words)};
  std::vector<std::string> lacks;
  each_asked(flavor, asked, [&](const FlavorQuota& quota, std::int64_t before, std::int64_t now) {
    const std::int64_t all = capped_sum(before, now);
    const QuotaRoom& has = this->room(quota);
    is_known_ = is_known_ && has.free.has_value();
    if (all > has.most)
      lacks.push_back(fmt::format(
          "insufficient quota for {} in flavor {}, previously considered podsets requests ({}) + "
          "current podset request ({}) > maximum capacity ({})",
          quota.resource, flavor.name, amount_text(quota.resource, before),
          amount_text(quota.resource, now), amount_text(quota.resource, has.most)));
    else if (has.free && all > *has.free) {
      lacks_unused_quota_ = true;
      lacks.push_back(fmt::format("insufficient unused quota for {} in flavor {}, {} more needed",
                                  quota.resource, flavor.name,
                                  amount_text(quota.resource, all - *has.free)));
      if (const std::int64_t gone = quotas_.before_in_tree(queue_, quota); gone > 0)
        gone_.insert(fmt::format("{} {} in flavor {}", amount_text(quota.resource, gone),
                                 quota.resource, flavor.name));
    }
  });
  return lacks;
}

void QueueAssignment::take(const QueueFlavor& flavor, const Amounts& asked) {
  each_asked(flavor, asked, [&](const FlavorQuota& quota, std::int64_t before, std::int64_t now) {
    const std::int64_t all = capped_sum(before, now);
    if (quota.reserved) note_use(quota, all);
    taken_[{flavor.name, quota.resource}] = all;
  });
  add_place(given_.back(), flavor);
}

void QueueAssignment::note_use(const FlavorQuota& quota, std::int64_t all) {
  const std::string& resource = quota.resource;
  std::string text =
      fmt::format("{} of {} {} in flavor {}", quantity_text(resource, *quota.reserved),
                  quantity_text(resource, quota.nominal), resource, quota.flavor);
  if (const std::int64_t before = quotas_.before(queue_, quota); before > 0)
    text +=
        fmt::format(" (beside {} for what is planned before it)", amount_text(resource, before));
  if (const std::int64_t own = room(quota).own_free; all > own)
    borrowed_[fmt::format("{} in flavor {}", resource, quota.flavor)] =
        amount_text(resource, all - own);
  if (std::find(used_.begin(), used_.end(), text) == used_.end()) used_.push_back(std::move(text));
}

}  // namespace gpu::admission
