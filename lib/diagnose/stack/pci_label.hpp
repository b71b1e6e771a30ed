#pragma once

#include <optional>
#include <string_view>

#include "model/gpu/gpu_resource.hpp"

namespace gpu::diagnose {

/// A card that node feature discovery found on the PCI bus, as its label names it:
/// "feature.node.kubernetes.io/pci-0300_10de.present", with the class of the device or without.
struct PciLabel {
  Vendor vendor = Vendor::nvidia;
  std::string_view form;    ///< "0300_10de"
  std::string_view fields;  ///< the deviceLabelFields that write it: "class,vendor"
};

/// Nothing for another label, and for a device that is not a GPU. Every machine has chips of Intel,
/// so a label of Intel counts only with the class of the device.
std::optional<PciLabel> pci_label(std::string_view label);

}  // namespace gpu::diagnose
