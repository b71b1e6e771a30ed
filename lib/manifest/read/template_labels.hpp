#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "manifest/read/mistake.hpp"
#include "model/objects/pod.hpp"

namespace gpu::manifest {

/// What a controller adds to the labels of the pods that it makes of one template.
struct AddedLabels {
  std::vector<std::pair<std::string, std::string>> known;
  std::vector<std::string> open;  ///< keys: each pod has its own value, or none can be told
};

/// By the kind of `object`, whose template's spec stands at `spec_at`. Values that nobody can know,
/// and that all its pods share (a uid, a hash), are made up.
AddedLabels labels_added(const nlohmann::json& object, const KindName& kind,
                         const nlohmann::json::json_pointer& spec_at);

/// Gives the pod of a template those labels that it does not have.
void add_labels(nlohmann::json& pod, const AddedLabels& added);

/// Does with matchLabelKeys of affinities what the API server does, and takes out rules that select
/// pods by labels that are open; says which these are.
std::vector<std::string> settle_rules(Pod& pod, const AddedLabels& added);

}  // namespace gpu::manifest
