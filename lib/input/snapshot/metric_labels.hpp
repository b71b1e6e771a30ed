#pragma once

#include <optional>
#include <string_view>

namespace gpu::input {

/// What a label of an exporter's series says, and so what hides it.
enum class MetricLabel {
  open,     ///< of the card or the reading: an index, a model, a profile
  version,  ///< of a driver
  pci,      ///< where the card is plugged in
  host,     ///< a node, or a pod that took its name for a host's
  address,  ///< of what was scraped: "10.1.2.3:9400"
  ns,
  pod,
  container,
  uid,        ///< of a pod
  device_id,  ///< a card's UUID or serial number
  claim,
  driver,
  pool,
  device,
  other,  ///< a name of something else, whose presence says something
};

/// Nothing for labels that no reader of ours asks for: pods' labels, jobs, endpoints. Letter case
/// does not count: some agents change it.
std::optional<MetricLabel> metric_label(std::string_view key);

}  // namespace gpu::input
