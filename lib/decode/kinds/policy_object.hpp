#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/scheduling_facts.hpp"

namespace gpu::decode {

/// Objects that say what pods of theirs may be and get. All throw Error{data} for JSON that is
/// none.
Namespace namespace_from_json(const nlohmann::json& object);
/// Of a Secret, or of its metadata alone.
SecretName secret_name_from_json(const nlohmann::json& object);
PriorityClass priority_class_from_json(const nlohmann::json& object);
RuntimeClass runtime_class_from_json(const nlohmann::json& object);
/// Of a quota with scopes, which counts only some pods, what it limits is left out: `hard` is
/// empty.
ResourceQuota resource_quota_from_json(const nlohmann::json& object);
LimitRange limit_range_from_json(const nlohmann::json& object);
DisruptionBudget disruption_budget_from_json(const nlohmann::json& object);
/// Its pod is in the DaemonSet's namespace, and has no name.
DaemonSet daemon_set_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
