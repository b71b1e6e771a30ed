#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/claim.hpp"

namespace gpu::decode {

/// A ResourceClaim of resource.k8s.io v1, v1beta2, v1beta1 or v1alpha3, which say what a request
/// asks for in `exactly` or in the request itself. Throws Error{data} for JSON that is none.
ResourceClaim resource_claim_from_json(const nlohmann::json& object);

/// A ResourceClaimTemplate of the same versions. Throws Error{data} for JSON that is none.
ClaimTemplate claim_template_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
