#pragma once

#include <cstdint>
#include <initializer_list>

namespace gpu {

/// Kinds that a command may want read, beside nodes, pods, and what DRA knows of devices; what each
/// is called and how it is read stands in decode/kinds/kind_info.cpp.
enum class ObjectKind : std::uint8_t {
  name_space,
  resource_quota,
  limit_range,
  event,
  volume_claim,
  volume,
  storage_class,
  csi_node,
  csi_driver,
  storage_capacity,
  volume_attachment,
  claim_template,
  daemon_set,
  priority_class,
  runtime_class,
  lease,
  workload,
  local_queue,
  cluster_queue,
  cohort,
  kai_queue,
  volcano_queue,
  volcano_pod_group,
  resource_flavor,
  api_group,
  job,
  karpenter_node_pool,
  queue_config,
  secret,
  cluster_policy,
  plugin_config,  ///< ConfigMaps, too: in the row of queue_config
  disruption_budget,
};

/// A set of kinds.
class ObjectKinds {
 public:
  constexpr ObjectKinds() = default;
  constexpr ObjectKinds(std::initializer_list<ObjectKind> kinds) {
    for (const ObjectKind kind : kinds) bits_ |= bit_of(kind);
  }

  [[nodiscard]] constexpr bool contains(ObjectKind kind) const {
    return (bits_ & bit_of(kind)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

  friend constexpr ObjectKinds operator|(ObjectKinds one, ObjectKinds other) {
    one.bits_ |= other.bits_;
    return one;
  }

 private:
  static constexpr std::uint64_t bit_of(ObjectKind kind) {
    return std::uint64_t{1} << static_cast<unsigned>(kind);
  }

  std::uint64_t bits_ = 0;
};

/// What decides where a pod runs, and whether it may.
inline constexpr ObjectKinds kSchedulingKinds = {
    ObjectKind::name_space,
    ObjectKind::resource_quota,
    ObjectKind::event,
    ObjectKind::volume_claim,
    ObjectKind::volume,
    ObjectKind::storage_class,
    ObjectKind::csi_node,
    ObjectKind::csi_driver,
    ObjectKind::storage_capacity,
    ObjectKind::volume_attachment,
    ObjectKind::claim_template,
    ObjectKind::daemon_set,
    ObjectKind::priority_class,
    ObjectKind::runtime_class,
    ObjectKind::lease,
    ObjectKind::workload,
    ObjectKind::local_queue,
    ObjectKind::cluster_queue,
    ObjectKind::cohort,
    ObjectKind::kai_queue,
};
/// What else decides on a pod that does not exist yet.
inline constexpr ObjectKinds kPlanningKinds = {ObjectKind::limit_range,
                                               ObjectKind::resource_flavor};

/// What manifests name, and are fitted to.
inline constexpr ObjectKinds kFittingKinds = {ObjectKind::api_group,     ObjectKind::local_queue,
                                              ObjectKind::storage_class, ObjectKind::priority_class,
                                              ObjectKind::runtime_class, ObjectKind::volume_claim};
/// What decides beside it on pods of Volcano.
inline constexpr ObjectKinds kVolcanoKinds = {ObjectKind::volcano_queue,
                                              ObjectKind::volcano_pod_group};
/// What tells whether Kueue takes what is put into a queue.
inline constexpr ObjectKinds kQueueingKinds = {ObjectKind::name_space, ObjectKind::queue_config};

/// What limits GPUs, and who holds them or waits for them there.
inline constexpr ObjectKinds kQuotaKinds = {
    ObjectKind::name_space,        ObjectKind::resource_quota, ObjectKind::workload,
    ObjectKind::local_queue,       ObjectKind::cluster_queue,  ObjectKind::cohort,
    ObjectKind::resource_flavor,   ObjectKind::kai_queue,      ObjectKind::volcano_queue,
    ObjectKind::volcano_pod_group, ObjectKind::priority_class, ObjectKind::event};

/// What tells of pods that are gone.
inline constexpr ObjectKinds kCostKinds = {ObjectKind::job};

/// What tells of the health of the GPU stack.
inline constexpr ObjectKinds kCheckupKinds = {ObjectKind::daemon_set, ObjectKind::resource_quota,
                                              ObjectKind::api_group, ObjectKind::cluster_policy,
                                              ObjectKind::plugin_config};

/// What keeps pods from being moved.
inline constexpr ObjectKinds kMovingKinds = {ObjectKind::disruption_budget};

/// What tells of nodes that do not exist yet, and of devices of pods that do not.
inline constexpr ObjectKinds kForecastKinds = {ObjectKind::karpenter_node_pool,
                                               ObjectKind::claim_template};

}  // namespace gpu
