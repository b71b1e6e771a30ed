#include "telemetry/dialects/owner_labels.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace gpu::telemetry {
namespace {

constexpr std::array<std::string_view, 6> kScraped = {
    "pod", "namespace", "container", "pod_name", "pod_namespace", "container_name"};

bool is_scraped(std::string_view label) {
  return std::find(kScraped.begin(), kScraped.end(), label) != kScraped.end();
}

Series with_owner(const Series& series, const OwnerLabels& labels) {
  const std::string_view pod = value_of(series.labels, labels.pod);
  Series copy{.name = series.name, .value = series.value, .at = series.at};
  for (const auto& [label, value] : series.labels) {
    // Beside an owner the scrape's pod is known for what it is, and names the exporter.
    if (!is_scraped(label) || (!pod.empty() && label != labels.pod && label != labels.ns))
      copy.labels.set(label, value);
  }
  if (pod.empty()) return copy;
  copy.labels.set("exported_pod", std::string(pod));
  copy.labels.set("exported_namespace", std::string(value_of(series.labels, labels.ns)));
  copy.labels.set("exported_container", std::string(value_of(series.labels, labels.container)));
  return copy;
}

}  // namespace

NamedOwners::NamedOwners(const std::vector<DialectSample>& told, const OwnerLabels& labels) {
  for (const DialectSample& each : told) {
    told_.push_back(each);
    told_.back().series = &series_.emplace_back(with_owner(*each.series, labels));
  }
}

}  // namespace gpu::telemetry
