#include "diagnose/stack/pci_label.hpp"

#include <catch2/catch.hpp>

namespace gpu::diagnose::stack_pci_label_test {
namespace {

std::optional<Vendor> maker(std::string_view form) {
  const std::string label = "feature.node.kubernetes.io/pci-" + std::string(form) + ".present";
  const auto card = pci_label(label);
  return card ? std::optional(card->vendor) : std::nullopt;
}

}  // namespace

TEST_CASE("a card on the PCI bus is told by class and maker, or by the maker alone") {
  CHECK(maker("10de") == Vendor::nvidia);
  CHECK(maker("0302_10de") == Vendor::nvidia);
  CHECK(maker("0300_1002") == Vendor::amd);
  CHECK(maker("1200_1da3") == Vendor::habana);
  CHECK(maker("0380_8086") == Vendor::intel);
  CHECK(maker("0300_1002_744c") == Vendor::amd);
}

TEST_CASE("a device that is no card is none") {
  CHECK_FALSE(maker("8086"));       // every Intel machine has such
  CHECK_FALSE(maker("0200_8086"));  // a network card
  CHECK_FALSE(maker("0200_15b3"));
  CHECK_FALSE(pci_label("nvidia.com/gpu.present"));
}

TEST_CASE("the form of the label tells the fields that write it") {
  CHECK(pci_label("feature.node.kubernetes.io/pci-10de.present")->fields == "vendor");
  CHECK(pci_label("feature.node.kubernetes.io/pci-0302_10de.present")->fields == "class,vendor");
}

}  // namespace gpu::diagnose::stack_pci_label_test
