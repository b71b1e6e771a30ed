#include "decode/objects/pod_volume.hpp"

#include <protozero/pbf_reader.hpp>
#include <string>

#include "base/ascii.hpp"
#include "decode/wire/protobuf.hpp"

namespace gpu::decode {
namespace {

/// VolumeRestrictions tells images of RBD apart by pool and name.
std::string rbd_id(const std::string& pool, const std::string& image) { return pool + "/" + image; }

std::optional<InlineDisk> disk_in(const JsonObject& volume) {
  if (const auto disk = volume.object("gcePersistentDisk"))
    return InlineDisk{"gcePersistentDisk", disk->text("pdName"), {}, disk->flag("readOnly")};
  if (const auto disk = volume.object("awsElasticBlockStore"))
    return InlineDisk{"awsElasticBlockStore", disk->text("volumeID"), {}, disk->flag("readOnly")};
  if (const auto disk = volume.object("azureDisk"))
    return InlineDisk{
        azure_disk(disk->text("kind")), disk->text("diskURI"), {}, disk->flag("readOnly")};
  for (const char* const kind : {"cinder", "portworxVolume"})
    if (const auto disk = volume.object(kind))
      return InlineDisk{kind, disk->text("volumeID"), {}, disk->flag("readOnly")};
  if (const auto disk = volume.object("iscsi"))
    return InlineDisk{"iscsi", disk->text("iqn"), {}, disk->flag("readOnly")};
  if (const auto disk = volume.object("rbd"))
    return InlineDisk{"rbd", rbd_id(disk->text("pool"), disk->text("image")),
                      disk->texts("monitors"), disk->flag("readOnly")};
  return std::nullopt;
}

/// A disk whose message says in `id` which it is, and in `read_only` how it is mounted.
InlineDisk disk_from_protobuf(std::string_view kind, std::string_view message,
                              protozero::pbf_tag_type id, protozero::pbf_tag_type read_only) {
  InlineDisk disk{.kind = std::string(kind)};
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() == bytes_field(id))
      disk.id = string_of(fields);
    else if (fields.tag_and_type() == varint_field(read_only))
      disk.read_only = fields.get_bool();
    else
      fields.skip();
  }
  return disk;
}

InlineDisk rbd_from_protobuf(std::string_view message) {
  InlineDisk disk{.kind = "rbd"};
  std::string image;
  std::string pool;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        disk.monitors.push_back(string_of(fields));
        break;
      case bytes_field(2):
        image = string_of(fields);
        break;
      case bytes_field(4):
        pool = string_of(fields);
        break;
      case varint_field(8):
        disk.read_only = fields.get_bool();
        break;
      default:
        fields.skip();
    }
  }
  disk.id = rbd_id(pool, image);
  return disk;
}

InlineDisk azure_disk_from_protobuf(std::string_view message) {
  InlineDisk disk = disk_from_protobuf("", message, 2, 5);
  disk.kind = azure_disk(text_field(message, 6));
  return disk;
}

/// core/v1 VolumeSource.
void read_source(PodVolume& volume, std::string_view message) {
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(3):
        volume.disk = disk_from_protobuf("gcePersistentDisk", bytes_of(fields), 1, 4);
        break;
      case bytes_field(4):
        volume.disk = disk_from_protobuf("awsElasticBlockStore", bytes_of(fields), 1, 4);
        break;
      case bytes_field(8):
        volume.disk = disk_from_protobuf("iscsi", bytes_of(fields), 2, 6);
        break;
      case bytes_field(10):
        volume.claim = text_field(bytes_of(fields), 1);
        break;
      case bytes_field(11):
        volume.disk = rbd_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(13):
        volume.disk = disk_from_protobuf("cinder", bytes_of(fields), 1, 3);
        break;
      case bytes_field(22):
        volume.disk = azure_disk_from_protobuf(bytes_of(fields));
        break;
      case bytes_field(24):
        volume.disk = disk_from_protobuf("portworxVolume", bytes_of(fields), 1, 3);
        break;
      case bytes_field(28):
        volume.csi_driver = text_field(bytes_of(fields), 1);
        break;
      case bytes_field(29):
        volume.is_ephemeral = true;
        fields.skip();
        break;
      default:
        fields.skip();
    }
  }
}

bool matters(const PodVolume& volume) {
  return volume.is_ephemeral || !volume.claim.empty() || !volume.csi_driver.empty() || volume.disk;
}

std::string_view member_of(KeptVolume kind) {
  return kind == KeptVolume::empty_dir ? "emptyDir" : "hostPath";
}

std::uint32_t tag_of(KeptVolume kind) { return bytes_field(kind == KeptVolume::empty_dir ? 2 : 1); }

}  // namespace

std::string azure_disk(std::string_view kind) {
  if (lower_case(kind) == "managed") return "azureDisk";
  return "azureDisk:" + std::string(kind.empty() ? "Shared" : kind);
}

bool is_of(const JsonObject& volume, KeptVolume kind) {
  return volume.object(member_of(kind)).has_value();
}

bool is_of(std::string_view message, KeptVolume kind) {
  for (auto fields = fields_of(message); fields.next();) {
    if (fields.tag_and_type() != bytes_field(2)) {
      fields.skip();
      continue;
    }
    for (auto source = fields_of(bytes_of(fields)); source.next(); source.skip())
      if (source.tag_and_type() == tag_of(kind)) return true;
  }
  return false;
}

std::optional<PodVolume> volume_from_json(const JsonObject& volume) {
  PodVolume read{.name = volume.text("name")};
  if (const auto claim = volume.object("persistentVolumeClaim"))
    read.claim = claim->text("claimName");
  read.is_ephemeral = volume.object("ephemeral").has_value();
  if (const auto csi = volume.object("csi")) read.csi_driver = csi->text("driver");
  read.disk = disk_in(volume);
  if (!matters(read)) return std::nullopt;
  return read;
}

std::optional<PodVolume> volume_from_protobuf(std::string_view message) {
  PodVolume read;
  std::string_view name;
  for (auto fields = fields_of(message); fields.next();) {
    switch (fields.tag_and_type()) {
      case bytes_field(1):
        name = bytes_of(fields);
        break;
      case bytes_field(2):
        read_source(read, bytes_of(fields));
        break;
      default:
        fields.skip();
    }
  }
  if (!matters(read)) return std::nullopt;
  read.name = name;
  return read;
}

}  // namespace gpu::decode
