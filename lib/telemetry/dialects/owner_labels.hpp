#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "telemetry/dialects/dialect.hpp"

namespace gpu::telemetry {

/// Labels in which one exporter alone names owners.
struct OwnerLabels {
  std::string_view pod, ns, container;
};

/// For an exporter that never writes an owner into `pod`: that label is the scrape's own pod, and
/// not an owner. Returns copies of the series with the exporter's labels where Owners reads them.
class NamedOwners {
 public:
  NamedOwners(const std::vector<DialectSample>& told, const OwnerLabels& labels);
  NamedOwners(const NamedOwners&) = delete;  // told_ refers to series_
  NamedOwners& operator=(const NamedOwners&) = delete;
  ~NamedOwners() = default;

  [[nodiscard]] const std::vector<DialectSample>& told() const { return told_; }

 private:
  std::deque<Series> series_;
  std::vector<DialectSample> told_;
};

}  // namespace gpu::telemetry
