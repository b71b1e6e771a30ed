#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/gpu/sample.hpp"

namespace gpu::usage {

/// Which device of a node a sample is about: the card's UUID, or another name of the card if no
/// sample has its UUID.
struct DeviceKey {
  std::string card;
  std::string instance;   ///< GPU instance ID
  std::string partition;  ///< of a card, or core of an accelerator
  friend bool operator<(const DeviceKey& a, const DeviceKey& b) {
    return std::tie(a.card, a.instance, a.partition) < std::tie(b.card, b.instance, b.partition);
  }
};

/// The cards that samples of one node name: by UUID, by PCI address, by index. A sample without a
/// UUID is about the card with its address or index, if only one card in the samples has that.
class CardKeys {
 public:
  explicit CardKeys(const std::vector<const Sample*>& samples);

  [[nodiscard]] DeviceKey key_of(const Sample& sample) const;

 private:
  using Names = std::map<std::string, std::set<std::string>, std::less<>>;

  [[nodiscard]] std::string card_of(const Sample& sample) const;

  Names uuids_;      ///< of cards with a PCI address or index
  Names addresses_;  ///< by UUID, and by index of cards without one
};

/// A PCI address in a canonical form, so that equal addresses are equal texts: "0000:c1:00.0" for
/// "00000000:C1:00.0".
std::string pci_key(const std::string& address);

}  // namespace gpu::usage
