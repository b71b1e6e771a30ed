#include "usage/devices/card_keys.hpp"

#include <optional>
#include <string_view>

#include "base/ascii.hpp"

namespace gpu::usage {
namespace {

std::string of_vendor(const Sample& sample, std::string_view kind, const std::string& name) {
  return std::string(name_of(sample.vendor)) + " " + std::string(kind) + " " + name;
}

/// Empty: not told.
std::string address_of(const Sample& sample) {
  if (sample.pci_bus_id.empty()) return {};
  return of_vendor(sample, "pci", pci_key(sample.pci_bus_id));
}

std::string index_of(const Sample& sample) {
  if (!sample.index) return {};
  return of_vendor(sample, "index", std::to_string(*sample.index));
}

std::string only_one(const std::map<std::string, std::set<std::string>, std::less<>>& names,
                     const std::string& name) {
  const auto at = names.find(name);
  if (name.empty() || at == names.end() || at->second.size() != 1) return {};
  return *at->second.begin();
}

}  // namespace

CardKeys::CardKeys(const std::vector<const Sample*>& samples) {
  for (const Sample* sample : samples) {
    const std::string address = address_of(*sample);
    const std::string index = index_of(*sample);
    if (!sample->uuid.empty()) {
      const std::string uuid = "uuid " + uuid_key(sample->uuid);
      if (!address.empty()) uuids_[address].insert(uuid);
      if (!address.empty()) addresses_[uuid].insert(address);
      if (!index.empty()) uuids_[index].insert(uuid);
    } else if (!address.empty() && !index.empty()) {
      addresses_[index].insert(address);
    }
  }
}

std::string CardKeys::card_of(const Sample& sample) const {
  if (!sample.uuid.empty()) return "uuid " + uuid_key(sample.uuid);
  std::string address = address_of(sample);
  std::string index = index_of(sample);
  if (std::string uuid = only_one(uuids_, address); !uuid.empty()) return uuid;
  if (std::string uuid = only_one(uuids_, index); !uuid.empty()) {
    const bool is_elsewhere = !address.empty() && addresses_.contains(uuid);
    if (!is_elsewhere) return uuid;
  }
  if (!address.empty()) return address;
  if (std::string only = only_one(addresses_, index); !only.empty()) return only;
  return index.empty() ? of_vendor(sample, "unnamed", "") : index;
}

DeviceKey CardKeys::key_of(const Sample& sample) const {
  return {.card = card_of(sample), .instance = sample.mig_instance, .partition = sample.partition};
}

std::string pci_key(const std::string& address) {
  std::string key = lower_case(address);
  // NVML writes a domain of 8 digits, the kernel one of 4.
  while (key.starts_with("0") && key.find(':') > 4 && key.find(':') != std::string::npos)
    key.erase(0, 1);
  return key;
}

}  // namespace gpu::usage
