#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "kube/config/connection.hpp"
#include "model/objects/gap.hpp"
#include "telemetry/dialects/text_reader.hpp"
#include "telemetry/exporters/scrape.hpp"

namespace gpu::telemetry {

/// Gaps for what exporters did not report: one for each reason, about the nodes that are not in
/// `told`; and one for texts of which a part could not be read.
std::vector<Gap> gaps_of(const std::vector<Scraped>& scraped,
                         const std::set<std::string, std::less<>>& told,
                         const kube::Connection& connection);

/// "line 1: why; line 5: why; ...": the first few; empty where all was read.
std::string bad_lines_in_words(const TextReader& reader);

/// `name` is a file's, or NAMESPACE/POD.
Gap gap_of_bad_lines(std::size_t count, const std::string& name, const std::string& words);

/// "gpu-a1", "gpu-a1 and gpu-a2", "5 nodes (gpu-a1, gpu-a2, gpu-a3, ...)".
std::string nodes_in_words(const std::set<std::string, std::less<>>& nodes);

}  // namespace gpu::telemetry
