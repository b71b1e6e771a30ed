#include "kube/prometheus.hpp"

namespace gpu::kube {

std::set<std::string, std::less<>> read_prometheus(
    Reading& /*reading*/, const std::vector<Exporter>& /*exporters*/,
    const std::set<std::string, std::less<>>& /*nodes*/) {
  return {};
}

}  // namespace gpu::kube
