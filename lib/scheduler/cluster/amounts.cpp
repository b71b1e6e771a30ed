#include "scheduler/cluster/amounts.hpp"

namespace gpu::scheduler {

bool is_compared(std::string_view resource) {
  if (resource == "cpu" || resource == "memory" || resource == "ephemeral-storage") return true;
  if (resource.starts_with("hugepages-") || resource.starts_with("attachable-volumes-"))
    return true;
  if (resource.find("kubernetes.io/") != std::string_view::npos) return true;
  return resource.find('/') != std::string_view::npos && !resource.starts_with("requests.");
}

std::int64_t compared_amount(std::string_view resource, Quantity amount) {
  return resource == "cpu" ? amount.milli_value() : amount.value();
}

}  // namespace gpu::scheduler
