#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/kueue/quota_tree.hpp"
#include "model/objects/queue.hpp"

namespace gpu::admission {

/// Null where it was not read.
const ResourceFlavor* resource_flavor(const SchedulingFacts& facts, std::string_view name);

/// A flavor of a ClusterQueue, with its quota for each resource. Flavors with the same resources
/// are one group: of each group one flavor serves a set of pods.
struct QueueFlavor {
  std::string name;
  const ResourceFlavor* object = nullptr;  ///< null: was not read
  std::map<std::string, const FlavorQuota*> resources;

  [[nodiscard]] std::set<std::string> covered() const;
};

/// What Kueue writes into the pods of a set that it admits: they go where their flavors are.
struct GivenPlace {
  StringMap node_selector;
  std::vector<Toleration> tolerations;
  std::vector<std::string> flavors;
};

/// How Kueue looks for quota for the sets of pods of one workload, one set after the other.
/// `before` is what others that are planned take. Source: sigs.k8s.io/kueue/pkg/scheduler/
/// flavorassigner. Refers to all that it is made of.
class QueueAssignment {
 public:
  /// Amounts of a flavor's resources, by flavor and resource, as they are compared.
  using Taken = std::map<std::pair<std::string, std::string>, std::int64_t>;

  QueueAssignment(const scheduler::Cluster& cluster, const ClusterQueue& queue,
                  const QueueTaken& before);

  /// Kueue's words for why there is none; empty: there is. Adds to given().
  std::string assign(const PodSet& set);
  /// Whether the last set got none although the quota is large enough: others have taken it.
  [[nodiscard]] bool lacks_unused_quota() const { return lacks_unused_quota_; }
  /// Whether the last set asks for a resource that no flavor of the queue has.
  [[nodiscard]] bool lacks_resource() const { return lacks_resource_; }
  /// Where its pods would go, as far as only one flavor serves them.
  [[nodiscard]] GivenPlace only_place(const PodSet& set) const;

  /// Of each set that was assigned.
  [[nodiscard]] const std::vector<GivenPlace>& given() const { return given_; }

  /// Whether Kueue says of all quota how much is reserved.
  [[nodiscard]] bool is_known() const { return is_known_; }
  /// "4 of 8 nvidia.com/gpu in flavor h100", for each quota that is used.
  [[nodiscard]] const std::vector<std::string>& used() const { return used_; }
  /// "8 nvidia.com/gpu in flavor h100": what others that are planned take where too little is left.
  [[nodiscard]] const std::set<std::string>& gone() const { return gone_; }
  /// How much it borrows, by "nvidia.com/gpu in flavor h100".
  [[nodiscard]] const std::map<std::string, std::string>& borrowed() const { return borrowed_; }
  [[nodiscard]] const Taken& taken() const { return taken_; }

 private:
  using Amounts = std::map<std::string, std::int64_t>;
  using Group = std::set<std::string>;

  [[nodiscard]] bool covers(const std::string& resource) const;
  [[nodiscard]] Amounts asked_by(const PodSet& set) const;
  /// The groups that give something of what is asked for.
  [[nodiscard]] std::set<Group> groups_of(const Amounts& asked) const;
  [[nodiscard]] std::string assign(const PodSet& set, const Amounts& asked, const Group& group);
  /// Why the flavor is not of nodes for the pods; empty: it is, as far as is known.
  [[nodiscard]] std::string mismatch(const QueueFlavor& flavor, const PodSet& set,
                                     const Group& group) const;
  const QuotaRoom& room(const FlavorQuota& quota) const;
  [[nodiscard]] bool borrows(const QueueFlavor& flavor, const Amounts& asked) const;
  [[nodiscard]] std::vector<std::string> lacks_of(const QueueFlavor& flavor, const PodSet& set,
                                                  const Amounts& asked, const Group& group);
  void take(const QueueFlavor& flavor, const Amounts& asked);
  void note_use(const FlavorQuota& quota, std::int64_t all);
  template <class Visit>
  void each_asked(const QueueFlavor& flavor, const Amounts& asked, Visit visit) const;

  QuotaTree quotas_;
  const ClusterQueue& queue_;
  std::vector<QueueFlavor> flavors_;
  Taken taken_;
  bool is_known_ = true;
  bool lacks_unused_quota_ = false;
  bool lacks_resource_ = false;
  std::vector<std::string> used_;
  std::map<std::string, std::string> borrowed_;
  std::set<std::string> gone_;
  std::vector<GivenPlace> given_;
  mutable std::map<const FlavorQuota*, QuotaRoom> rooms_;
};

}  // namespace gpu::admission
