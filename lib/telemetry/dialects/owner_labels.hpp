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

/// Series of an exporter that never calls an owner `pod`: what stands there is the scrape's own
/// pod, and no owner. Copies, in which the exporter's word is where Owners reads it.
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
