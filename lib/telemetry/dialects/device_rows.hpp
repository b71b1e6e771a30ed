#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "telemetry/dialects/labels.hpp"
#include "telemetry/dialects/readings.hpp"

namespace gpu::telemetry {

/// One series of a device, and the owner that it names.
struct Row {
  DialectSample told;
  SampleOwner owner;  ///< without a pod: the series names none
};

/// The series of one device.
struct DeviceRows {
  Sample sample;          ///< identity and exporter of the device; no measures yet
  std::vector<Row> rows;  ///< in the order in which they came; only what is current
};

/// Writes into `sample` which device a series is about: vendor, uuid, index, mig_instance, profile,
/// partition, pci_bus_id, product, dra; false for a series without a device. Each dialect has its
/// own function.
using Identify = std::function<bool(const DialectSample& told, Sample& sample)>;

/// Groups series by device: the UUID, else the index, else the PCI address, with the GPU instance
/// and the partition, on one node. What the rows of a device say of its identity is put together.
/// Source, exporter, node, host and instance are filled in for all dialects.
///
/// Rows that are not current are left out: older than the newest of the same metric and aspect, or
/// of an owner who has only such rows there.
std::vector<DeviceRows> device_rows(const std::vector<DialectSample>& told, const Origin& origin,
                                    const Identify& identify);

/// A key that is equal for devices of one card in one answer.
std::string card_key(const Sample& sample);

/// The node of a device in one answer, or what identifies it; empty if all devices are of one node.
std::string place_of(const Sample& sample);

/// Where and when a series was measured, for all dialects: source, exporter, node, host, instance,
/// and time.
Sample placed(const DialectSample& told, const Origin& origin, const Owners& owners);

/// "NAMESPACE/POD": rows of one pod may name different containers of it, or none. Empty without a
/// pod.
std::string owner_key(const SampleOwner& owner);

/// The owners in `rows`, each pod once, in the order in which they came, without measures of their
/// own. Of several containers of a pod, or several shares that it holds, the first is named.
std::vector<SampleOwner> owners_in(const std::vector<Row>& rows);

/// `device` as a Sample: `readings` are its measures, times and doubts.
Sample finished(Sample sample, Readings& readings, UtilizationKind kind,
                Readings::StandIn stand_in = Readings::StandIn::none);

/// Most dialects: every row is a measure of the whole device, by `table`, and every owner in them
/// is an owner of it.
std::vector<Sample> plain_samples(const std::vector<DialectSample>& told, const Origin& origin,
                                  std::span<const Metric> table, UtilizationKind kind,
                                  const Identify& identify,
                                  Readings::StandIn stand_in = Readings::StandIn::none);

}  // namespace gpu::telemetry
