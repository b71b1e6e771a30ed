#include "model/dra/dra_device.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/gpu_models.hpp"

namespace gpu {
namespace {

/// The first of these attributes that the device has.
std::string_view first_of(const Device& device, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (const std::string_view value = value_of(device.attributes, name); !value.empty())
      return value;
  return {};
}

Vendor vendor_of(std::string_view driver) {
  struct Maker {
    std::string_view domain;
    Vendor vendor;
  };
  static constexpr std::array<Maker, 6> kMakers = {{{"gaudi.intel.com", Vendor::habana},
                                                    {".nvidia.com", Vendor::nvidia},
                                                    {".amd.com", Vendor::amd},
                                                    {".intel.com", Vendor::intel},
                                                    {".google.com", Vendor::google},
                                                    {".aws.com", Vendor::aws}}};
  const auto* const maker = std::find_if(kMakers.begin(), kMakers.end(), [&](const Maker& each) {
    return driver.ends_with(each.domain);
  });
  return maker == kMakers.end() ? Vendor::other : maker->vendor;
}

/// AMD's: "cpx_nps4", of a device that is made on demand in two parts.
std::string partition_profile(const Device& device) {
  const std::string_view whole = value_of(device.attributes, "partitionProfile");
  if (!whole.empty()) return std::string(whole);
  std::string profile(value_of(device.attributes, "computePartition"));
  const std::string_view memory = value_of(device.attributes, "memoryPartition");
  if (!profile.empty() && !memory.empty()) profile.append("_").append(memory);
  return profile;
}

GpuResource kind_of(Vendor vendor, const Device& device) {
  GpuResource kind{.vendor = vendor};
  const std::string_view type = value_of(device.attributes, "type");
  const bool is_virtual_function = value_of(device.attributes, "isVF") == "true";
  if (type == "mig") {
    kind.kind = DeviceKind::mig_slice;
    kind.profile = value_of(device.attributes, "profile");
  } else if (type.ends_with("-partition") || is_virtual_function) {
    kind.kind = DeviceKind::partition;
    kind.profile = partition_profile(device);
    if (kind.profile.empty()) kind.profile = is_virtual_function ? "vf" : "partition";
  }
  return kind;
}

std::optional<std::int64_t> memory_mib(const Device& device) {
  constexpr std::int64_t kMebi = std::int64_t{1} << 20U;
  const std::int64_t mib = amount_of(device.capacity, "memory").value() / kMebi;
  return mib > 0 ? std::optional(mib) : std::nullopt;  // 0: AMD's driver could not read it
}

/// The driver's name of the card in the words of labels, which know no spaces: "NVIDIA H100 80GB
/// HBM3" is "NVIDIA-H100-80GB-HBM3" there, and AMD's "Instinct_MI300X" is MI300X.
std::string label_words(std::string_view product) {
  std::string words(product);
  std::replace(words.begin(), words.end(), ' ', '-');
  std::replace(words.begin(), words.end(), '_', '-');
  return words;
}

std::string model_of_card(std::string_view product, std::optional<std::int64_t> memory) {
  const std::string words = label_words(product);
  std::string_view name = words;
  for (const std::string_view maker : {"AMD-", "Instinct-", "Intel-"}) {
    if (find_gpu_model(name, memory) != nullptr) break;
    if (name.starts_with(maker)) name.remove_prefix(maker.size());
  }
  return short_model(name, memory);
}

/// The memory of a part tells nothing about the card.
std::string model_of(const GpuResource& kind, std::string_view product, const Device& device,
                     DraModels& models) {
  if (kind.kind == DeviceKind::card)
    return product.empty() ? std::string{} : models.model_of(product, memory_mib(device));
  if (product.empty()) return kind.profile;
  return family_of(models.model_of(product, std::nullopt)) + "-" + kind.profile;
}

std::string resource_of(std::string_view driver, const DraDeviceFacts& facts) {
  std::string resource(driver);
  const GpuResource& of = facts.kind;
  if (of.kind == DeviceKind::mig_slice) return resource.append("/mig-").append(of.profile);
  if (of.kind == DeviceKind::partition) return resource.append("/").append(of.profile);
  return facts.is_passthrough ? resource.append("/vfio") : resource;
}

}  // namespace

const std::string& DraModels::model_of(std::string_view product,
                                       std::optional<std::int64_t> memory_mib) {
  const auto [at, is_new] = models_.try_emplace({std::string(product), memory_mib});
  if (is_new) at->second = model_of_card(product, memory_mib);
  return at->second;
}

DraDeviceFacts facts_of(std::string_view driver, const Device& device, DraModels& models) {
  DraDeviceFacts facts;
  facts.kind = kind_of(vendor_of(driver), device);
  facts.is_passthrough =
      value_of(device.attributes, "type") == "vfio" && facts.kind.kind == DeviceKind::card;
  facts.resource = resource_of(driver, facts);
  facts.product = first_of(device, {"productName", "model"});
  facts.model = model_of(facts.kind, facts.product, device, models);
  return facts;
}

std::string DraCards::card_of(const DeviceId& id, const Device& device,
                              const DraDeviceFacts& facts) {
  const bool is_card = facts.kind.kind == DeviceKind::card && !facts.is_passthrough;
  const std::string_view pci =
      first_of(device, {"resource.kubernetes.io/pciBusID", "pcieBusID", "pciAddr", "pciAddress"});
  const std::string_view uuid = value_of(device.attributes, is_card ? "uuid" : "parentUUID");
  std::vector<std::string> names;
  for (const std::string_view name : {uuid, pci})
    if (!name.empty()) names.push_back(id.driver + "/" + std::string(name));
  for (const CounterUse& use : device.consumes)
    names.push_back(id.driver + "/" + id.pool + "/" + use.set);

  std::string card(uuid);
  if (card.empty()) card = is_card ? id.device : std::string(pci);
  if (card.empty() && !device.consumes.empty()) card = device.consumes.front().set;
  if (card.empty()) card = id.device;
  for (const std::string& name : names)
    if (const auto known = cards_.find(name); known != cards_.end()) {
      card = known->second;
      break;
    }
  for (std::string& name : names) cards_.emplace(std::move(name), card);
  return card;
}

}  // namespace gpu
