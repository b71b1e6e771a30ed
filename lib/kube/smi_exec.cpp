#include "kube/smi_exec.hpp"

namespace gpu::kube {

std::set<std::string, std::less<>> read_smi_by_exec(Reading& /*reading*/,
                                                    const std::vector<SmiPod>& /*pods*/) {
  return {};
}

}  // namespace gpu::kube
