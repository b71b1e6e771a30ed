#include "scheduler/volumes/volume_filters.hpp"

#include "scheduler/volumes/volume_binding.hpp"
#include "scheduler/volumes/volume_limits.hpp"
#include "scheduler/volumes/volume_restrictions.hpp"
#include "scheduler/volumes/volume_zone.hpp"

namespace gpu::scheduler {

struct VolumeFilters::State {
  State(const Cluster& cluster, const Pod& pod, const EndedPods& ended)
      : restrictions(cluster, pod, ended),
        limits(cluster, pod, ended),
        binding(cluster, pod),
        zone(cluster, pod) {}
  VolumeRestrictions restrictions;
  VolumeLimits limits;
  VolumeBinding binding;
  VolumeZone zone;
};

VolumeFilters::VolumeFilters(const Cluster& cluster, const Pod& pod, const EndedPods& ended)
    : state_(std::make_unique<const State>(cluster, pod, ended)) {}
VolumeFilters::VolumeFilters(VolumeFilters&&) noexcept = default;
VolumeFilters::~VolumeFilters() = default;

PreFilterResult VolumeFilters::before(Filter filter) const {
  if (filter == Filter::volume_restrictions) return state_->restrictions.before();
  if (filter == Filter::node_volume_limits) return state_->limits.before();
  if (filter == Filter::volume_binding) return state_->binding.before();
  if (filter == Filter::volume_zone) return state_->zone.before();
  return {.skips = true};
}

void VolumeFilters::ask(Filter filter, const NodeView& node, Findings& findings) const {
  if (filter == Filter::volume_restrictions) state_->restrictions.ask(node, findings);
  if (filter == Filter::node_volume_limits) state_->limits.ask(node, findings);
  if (filter == Filter::volume_binding) state_->binding.ask(node, findings);
  if (filter == Filter::volume_zone) state_->zone.ask(node, findings);
}

}  // namespace gpu::scheduler
