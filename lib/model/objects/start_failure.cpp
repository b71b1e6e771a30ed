#include "model/objects/start_failure.hpp"

namespace gpu {

bool is_start_failure(std::string_view terminated) {
  return terminated == "StartError" || terminated == "ContainerCannotRun";
}

}  // namespace gpu
