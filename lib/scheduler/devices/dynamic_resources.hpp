#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// Why devices do not serve a request, as counts over the devices that a node can use: the details
/// that `cannot allocate all claims` leaves out.
struct RequestShortage {
  std::string claim;
  std::string request;
  std::string device_class;
  std::int64_t wanted = 0;                  ///< 0: all
  std::int64_t of_class = 0;                ///< devices that the class selects
  std::int64_t matching = 0;                ///< devices that class and request select
  std::int64_t in_use = 0;                  ///< of the matching
  std::int64_t tainted = 0;                 ///< of the matching, not tolerated
  std::int64_t incomplete = 0;              ///< of pools that lack slices
  std::vector<std::string> selectors = {};  ///< of the request, in CEL
};

/// DynamicResources for one pod: claims, their devices, and extended resources that a DeviceClass
/// serves. Refers to the cluster and the pod.
class DynamicResources {
 public:
  /// `ended`: pods that are gone, and how their end changes claims.
  DynamicResources(const Cluster& cluster, const Pod& pod, const EndedPods& ended = {});
  DynamicResources(DynamicResources&&) noexcept;
  ~DynamicResources();

  [[nodiscard]] PreFilterResult before() const;
  /// Checks a node. CEL's run-time errors and pools that are being updated end the cycle.
  void ask(const NodeView& node, Findings& findings) const;
  /// Whether NodeResourcesFit leaves `resource` to this filter on a node that has none of it.
  [[nodiscard]] bool serves(std::string_view resource) const;
  /// Whether before() accepted claims of the pod, its own or those for its extended resources.
  [[nodiscard]] bool has_claims() const;
  /// Whether an earlier attempt left a claim for its extended resources: the scheduler deletes it.
  [[nodiscard]] bool has_made_claim() const;
  /// Whether one of its claims is allocated, reserved for no pod, and not available on `node`: the
  /// scheduler then deallocates it.
  [[nodiscard]] bool may_deallocate(const NodeView& node) const;
  /// What a node lacks, by request; empty if all devices can be allocated.
  [[nodiscard]] std::vector<RequestShortage> shortages(const NodeView& node) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace gpu::scheduler
