#include "diagnose/stack/pci_label.hpp"

#include <array>
#include <utility>

namespace gpu::diagnose {
namespace {

constexpr std::array<std::pair<std::string_view, Vendor>, 4> kMakers = {{{"10de", Vendor::nvidia},
                                                                         {"1002", Vendor::amd},
                                                                         {"8086", Vendor::intel},
                                                                         {"1da3", Vendor::habana}}};

std::optional<Vendor> maker_of(std::string_view number) {
  for (const auto& [each, vendor] : kMakers)
    if (each == number) return vendor;
  return std::nullopt;
}

/// Display controllers and processing accelerators.
bool is_of_cards(std::string_view device_class) {
  return device_class.size() == 4 &&
         (device_class.starts_with("03") || device_class.starts_with("12"));
}

}  // namespace

std::optional<PciLabel> pci_label(std::string_view label) {
  constexpr std::string_view kLead = "feature.node.kubernetes.io/pci-";
  if (!label.starts_with(kLead)) return std::nullopt;
  std::string_view form = label.substr(kLead.size());
  form = form.substr(0, form.find('.'));
  const std::string_view first = form.substr(0, form.find('_'));
  if (const auto vendor = maker_of(first); vendor && *vendor != Vendor::intel)
    return PciLabel{*vendor, form, form == first ? "vendor" : "vendor,device"};
  if (!is_of_cards(first) || form == first) return std::nullopt;
  const std::string_view rest = form.substr(first.size() + 1);
  const std::string_view second = rest.substr(0, rest.find('_'));
  const auto vendor = maker_of(second);
  if (!vendor) return std::nullopt;
  return PciLabel{*vendor, form, rest == second ? "class,vendor" : "class,vendor,device"};
}

}  // namespace gpu::diagnose
