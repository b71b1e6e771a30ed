#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "decode/objects/pod_template.hpp"
#include "model/objects/field_mistake.hpp"

namespace gpu::manifest {

/// What the API server's validation finds in the fields of one pod template, as far as it is
/// modelled: fields that do not exist (as kubectl apply has them refused), what is required, what
/// a Job or a selector asks of its template. What placement and amounts break is
/// admission::invalid_placement()'s.
struct FieldsOpinion {
  std::optional<FieldMistake> mistake;
  std::vector<std::string> not_checked;  ///< fields that are not known here, and may be new
};

/// What a kind is called: others than Kubernetes' own have such names, too.
struct KindName {
  std::string kind;         ///< "Job"
  std::string api_version;  ///< "batch/v1"
};

/// `object` is the whole object that `made` stands in. Of kinds that are not Kubernetes' own
/// nothing is known.
FieldsOpinion opinion_on_fields(const nlohmann::json& object, const KindName& name,
                                const decode::PodTemplate& made);

}  // namespace gpu::manifest
