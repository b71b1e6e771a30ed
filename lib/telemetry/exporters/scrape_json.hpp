#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "telemetry/dialects/interpret.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// `kind` of an object of a Snapshot file that holds one scrape: raw series, as they were read.
inline constexpr std::string_view kScrapeKind = "Scrape";
inline constexpr std::string_view kScrapeVersion = "kubectl-gpu/v1";

/// One scrape, or one answer of a query, as an object of a Snapshot file:
/// {"kind": "Scrape", "metadata": {"name"}, "source", "node", "exporter", "readAt",
/// "intervalMilliseconds", "series": [{"name", "labels", "value", "at"}]}. Values that are no
/// numbers are text: "NaN". A long one is cut: the next object then has "continues": true, and more
/// series of it. Of custom metrics, labels are `namespace` and `pod`; of nvidia-smi, see
/// smi_series().
nlohmann::json scrape_json(const std::vector<Series>& series, const Origin& origin);

/// Whether a Scrape object holds more series of the one before it. Throws Error{data}.
bool continues_other(const nlohmann::json& object);

/// The same read back. Throws Error{data} naming the place.
struct Scrape {
  Origin origin;
  std::vector<Series> series;
};
Scrape scrape_of(const nlohmann::json& object);

}  // namespace gpu::telemetry
