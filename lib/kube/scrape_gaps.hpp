#pragma once

#include <set>
#include <string>
#include <vector>

#include "kube/connection.hpp"
#include "kube/exporter_scrape.hpp"
#include "model/gap.hpp"

namespace gpu::kube {

/// What exporters did not tell: one gap for each reason, about the nodes that are not in `told`;
/// and one for texts of which a part could not be read.
std::vector<Gap> gaps_of(const std::vector<Scraped>& scraped,
                         const std::set<std::string, std::less<>>& told,
                         const Connection& connection);

/// "gpu-a1", "gpu-a1 and gpu-a2", "5 nodes (gpu-a1, gpu-a2, gpu-a3, ...)".
std::string nodes_in_words(const std::set<std::string, std::less<>>& nodes);

}  // namespace gpu::kube
