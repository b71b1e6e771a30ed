#include "schedule/device_filter.hpp"

namespace gpu::schedule {

struct DeviceFilter::State {
  const Pod& pod;
};

DeviceFilter::DeviceFilter(const Cluster&, const Pod& pod)
    : state_(std::make_unique<const State>(pod)) {}
DeviceFilter::DeviceFilter(DeviceFilter&&) noexcept = default;
DeviceFilter::~DeviceFilter() = default;

PreFilterResult DeviceFilter::before() const {
  PreFilterResult result{.skips = true};
  if (!state_->pod.claim_slots.empty()) result.not_checked.emplace_back("resource claims");
  return result;
}

void DeviceFilter::ask(const NodeView&, Findings&) const {}
bool DeviceFilter::serves(std::string_view) const { return false; }
bool DeviceFilter::has_claims() const { return false; }
bool DeviceFilter::may_deallocate(const NodeView&) const { return false; }
std::vector<RequestShortage> DeviceFilter::shortages(const NodeView&) const { return {}; }

}  // namespace gpu::schedule
