#pragma once

#include <string>

#include "kube/http/client.hpp"

namespace gpu::kube {

/// "v1.36.1": gitVersion of the server's /version. Empty where it does not tell; nothing else fails
/// for that.
std::string server_version(Client& client);

}  // namespace gpu::kube
