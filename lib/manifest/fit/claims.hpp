#pragma once

#include <string>

#include "manifest/fit/accelerator.hpp"
#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// What pods call their claim for devices (DRA), and what a container asks for it by.
inline constexpr std::string_view kClaimName = "gpu";

/// The name of the ResourceClaimTemplate of the request: "train-gpu".
std::string claim_template_name(const GenRequest& request);

/// The spec of a claim for `units` devices of NVIDIA's DRA driver, by the models that were asked
/// for. Throws Error{usage} for models whose names in DRA are not known.
Tree device_claim_spec(GenRequest& request, std::int64_t units);

/// The ResourceClaimTemplate of the pods.
Tree claim_template(GenRequest& request, std::int64_t units);

}  // namespace gpu::manifest
