#pragma once

#include <string>
#include <vector>

#include "model/objects/queue.hpp"

namespace gpu::admission {

/// Why a flavor does not serve a set of pods, in Kueue's words: a taint of its nodes, or their
/// labels; empty: it does. `group` holds the flavors of its resource group: of what the pods select
/// only the labels that these have count. Source: sigs.k8s.io/kueue/pkg/scheduler/flavorassigner
/// checkFlavorForPodSets, flavorSelector.
std::string flavor_mismatch(const ResourceFlavor& flavor,
                            const std::vector<const ResourceFlavor*>& group, const PodSet& set);

}  // namespace gpu::admission
