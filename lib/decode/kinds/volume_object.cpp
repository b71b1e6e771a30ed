#include "decode/kinds/volume_object.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/objects/pod_volume.hpp"
#include "decode/objects/selector.hpp"
#include "decode/wire/json_fields.hpp"

namespace gpu::decode {
namespace {

constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";

/// The sources of a PersistentVolume that are not CSI.
constexpr std::array<std::string_view, 21> kLegacySources = {"awsElasticBlockStore",
                                                             "azureDisk",
                                                             "azureFile",
                                                             "cephfs",
                                                             "cinder",
                                                             "fc",
                                                             "flexVolume",
                                                             "flocker",
                                                             "gcePersistentDisk",
                                                             "glusterfs",
                                                             "hostPath",
                                                             "iscsi",
                                                             "local",
                                                             "nfs",
                                                             "photonPersistentDisk",
                                                             "portworxVolume",
                                                             "quobyte",
                                                             "rbd",
                                                             "scaleIO",
                                                             "storageos",
                                                             "vsphereVolume"};

/// The member of a source that says which volume it is, of those that moved to CSI.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kLegacyIds = {
    {{"awsElasticBlockStore", "volumeID"},
     {"azureDisk", "diskURI"},
     {"cinder", "volumeID"},
     {"gcePersistentDisk", "pdName"},
     {"portworxVolume", "volumeID"}}};

Quantity storage_in(const JsonObject& object, std::string_view list) {
  return amount_of(object.resources(list), "storage");
}

void set_metadata(PersistentVolumeClaim& claim, Metadata&& metadata) {
  claim.ns = std::move(metadata.ns);
  claim.name = std::move(metadata.name);
  claim.uid = std::move(metadata.uid);
  claim.deleted = metadata.deleted;
  if (const auto controller = controller_of(metadata.owners)) claim.owner_uid = controller->uid;
  claim.is_bound = metadata.annotations.contains("pv.kubernetes.io/bind-completed");
  claim.selected_node = value_of(metadata.annotations, "volume.kubernetes.io/selected-node");
  if (const std::string* const old = metadata.annotations.find(kClassAnnotation))
    claim.storage_class = *old;
}

void read_spec(PersistentVolumeClaim& claim, const JsonObject& spec) {
  claim.volume = spec.text("volumeName");
  if (!claim.storage_class && spec.has("storageClassName"))
    claim.storage_class = spec.text("storageClassName");
  claim.access_modes = spec.texts("accessModes");
  claim.volume_mode = spec.text("volumeMode");
  if (const auto resources = spec.object("resources"))
    claim.storage = storage_in(*resources, "requests");
  claim.selector = object_selector_in(spec, "selector");
  claim.attributes_class = spec.text("volumeAttributesClassName");
}

void set_metadata(PersistentVolume& volume, Metadata&& metadata) {
  volume.name = std::move(metadata.name);
  volume.labels = std::move(metadata.labels);
  volume.deleted = metadata.deleted;
  volume.storage_class = value_of(metadata.annotations, kClassAnnotation);
}

/// A volume of a kind that Kubernetes had of its own: its CSI driver calls it as it was called.
void read_legacy_source(PersistentVolume& volume, const JsonObject& spec) {
  const auto* const found = std::find_if(kLegacySources.begin(), kLegacySources.end(),
                                         [&](std::string_view source) { return spec.has(source); });
  if (found == kLegacySources.end()) return;
  volume.legacy_driver = *found;
  for (const auto& [source, id] : kLegacyIds)
    if (source == *found) volume.csi_handle = spec.object(source)->text(id);
  if (*found == "azureDisk")
    volume.legacy_driver = azure_disk(spec.object("azureDisk")->text("kind"));
}

void read_spec(PersistentVolume& volume, const JsonObject& spec) {
  if (volume.storage_class.empty()) volume.storage_class = spec.text("storageClassName");
  volume.access_modes = spec.texts("accessModes");
  volume.volume_mode = spec.text("volumeMode");
  volume.storage = storage_in(spec, "capacity");
  volume.attributes_class = spec.text("volumeAttributesClassName");
  const auto affinity = spec.object("nodeAffinity");
  if (const auto required = affinity ? affinity->object("required") : std::nullopt)
    volume.node_affinity = node_selector_from_json(*required);
  if (const auto claim = spec.object("claimRef")) {
    volume.claim_ns = claim->text("namespace");
    volume.claim_name = claim->text("name");
    volume.claim_uid = claim->text("uid");
  }
  if (const auto csi = spec.object("csi")) {
    volume.csi_driver = csi->text("driver");
    volume.csi_handle = csi->text("volumeHandle");
  } else {
    read_legacy_source(volume, spec);
  }
}

}  // namespace

PersistentVolumeClaim volume_claim_from_json(const nlohmann::json& object) {
  PersistentVolumeClaim claim;
  naming_object("PersistentVolumeClaim", claim.ns, claim.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata"))
      set_metadata(claim, metadata_from_json(*metadata, Annotations::all));
    if (const auto spec = root.object("spec")) read_spec(claim, *spec);
    if (const auto status = root.object("status")) claim.phase = status->text("phase");
  });
  claim.is_bound = claim.is_bound && !claim.volume.empty();
  return claim;
}

PersistentVolume persistent_volume_from_json(const nlohmann::json& object) {
  PersistentVolume volume;
  naming_object("PersistentVolume", {}, volume.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata"))
      set_metadata(volume, metadata_from_json(*metadata, Annotations::all));
    if (const auto spec = root.object("spec")) read_spec(volume, *spec);
    if (const auto status = root.object("status")) volume.phase = status->text("phase");
  });
  return volume;
}

}  // namespace gpu::decode
