#include "schedule/volume_filters.hpp"

namespace gpu::schedule {

struct VolumeFilters::State {
  const Pod& pod;
};

VolumeFilters::VolumeFilters(const Cluster&, const Pod& pod)
    : state_(std::make_unique<const State>(pod)) {}
VolumeFilters::VolumeFilters(VolumeFilters&&) noexcept = default;
VolumeFilters::~VolumeFilters() = default;

PreFilterResult VolumeFilters::before(Filter filter) const {
  PreFilterResult result{.skips = true};
  if (filter == Filter::volume_binding && !state_->pod.volumes.empty())
    result.not_checked.emplace_back("volumes");
  return result;
}

void VolumeFilters::ask(Filter, const NodeView&, Findings&) const {}

}  // namespace gpu::schedule
