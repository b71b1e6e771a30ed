#include "usage/live_use.hpp"

namespace gpu::usage {

LiveUse::LiveUse(const Snapshot& /*snapshot*/, const std::optional<Time>& /*now*/) {}

const std::vector<DeviceUse>& LiveUse::devices_on(std::string_view node) const {
  static const std::vector<DeviceUse> kNone;
  const auto found = devices_.find(node);
  return found == devices_.end() ? kNone : found->second;
}

const Sample* LiveUse::of_pod(std::string_view ns, std::string_view name) const {
  const auto found = pods_.find(std::string(ns) + "/" + std::string(name));
  return found == pods_.end() ? nullptr : &found->second;
}

}  // namespace gpu::usage
