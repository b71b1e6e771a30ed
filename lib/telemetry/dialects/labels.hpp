#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/dialects/dialect.hpp"

namespace gpu::telemetry {

/// The first value among those of the labels `names` that is one: DCGM writes `<<<NULL>>>`,
/// `<<<NOT_FOUND>>>`, `<<<NOT_SUPPORTED>>>`, and `<<<NOT_PERM>>>` for no value. Empty if there is
/// none.
std::string_view label_of(const Series& series, std::span<const std::string_view> names);

/// The same, as a whole number that is not negative.
std::optional<std::int64_t> number_label(const Series& series,
                                         std::span<const std::string_view> names);

/// What a thing is called in labels: the exporters' own names first, then those of agents that
/// rename labels.
namespace label {
using Name = std::string_view;
inline constexpr std::array<Name, 3> kUuid = {"UUID", "uuid", "gpu_uuid"};
inline constexpr std::array<Name, 2> kHost = {"Hostname", "hostname"};
inline constexpr std::array<Name, 3> kProduct = {"modelName", "model_name", "modelname"};
inline constexpr std::array<Name, 3> kPci = {"pci_bus_id", "pci_bdf", "pcibusid"};
/// `exported_node` is last: it is the exporter's label if the scrape has one of its own.
inline constexpr std::array<Name, 7> kNode = {
    "node",          "kubernetes_node", "nodename",      "kubernetes_node_name",
    "k8s_node_name", "node_name",       "exported_node",
};
inline constexpr std::array<Name, 1> kInstance = {"instance"};
inline constexpr std::array<Name, 1> kShare = {"vgpu"};
}  // namespace label

/// Distinguishes owners from exporters in the labels of series that came together.
///
/// If a scrape writes its own pod into `pod` (honorLabels: false), the exporter's label is
/// `exported_pod`. If it does not, a series without an owner may still get the exporter's pod from
/// the scrape: that pod is not an owner.
class Owners {
 public:
  Owners(const std::vector<DialectSample>& told, const Origin& origin);

  /// The owner that a series names; without a pod if it names none.
  [[nodiscard]] SampleOwner of(const Series& series) const;
  /// "NAMESPACE/POD" of the exporter: of the origin, otherwise as labels say; otherwise empty.
  [[nodiscard]] std::string exporter_of(const Series& series) const;

 private:
  [[nodiscard]] bool is_exporter(const Series& series, const SampleOwner& named) const;

  const Origin& origin_;
  std::set<std::string, std::less<>> exporters_;  ///< "NAMESPACE/POD" that scrapes wrote
};

}  // namespace gpu::telemetry
