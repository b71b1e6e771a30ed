#pragma once

#include <chrono>
#include <string>

#include "kube/config/kubeconfig.hpp"

namespace gpu::kube {

/// The bearer token that an auth-provider entry gives at `now`: oidc's id-token while it is valid.
/// Throws Error{config} in kubectl's words for gcp and azure, which kubectl no longer has, for
/// unknown names, and for an id-token that would have to be renewed, which is kubectl's work.
std::string auth_provider_token(const AuthProviderEntry& provider,
                                std::chrono::system_clock::time_point now);

/// Throws what kubectl says about an entry that it cannot use at all, even next to a token.
void check_auth_provider(const AuthProviderEntry& provider);

}  // namespace gpu::kube
