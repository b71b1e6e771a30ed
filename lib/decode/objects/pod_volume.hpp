#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "decode/wire/json_fields.hpp"
#include "model/objects/volume.hpp"

namespace gpu::decode {

/// One entry of a pod's `spec.volumes`, or nothing for a kind that matters for no node. The claim
/// of an ephemeral volume is not named yet: the pod's name may not be known. Both forms give the
/// same.
std::optional<PodVolume> volume_from_json(const JsonObject& volume);
std::optional<PodVolume> volume_from_protobuf(std::string_view message);

/// Volumes of which a pod keeps only that it has one.
enum class KeptVolume : std::uint8_t { empty_dir, host_path };
/// Whether an entry is of that kind.
bool is_of(const JsonObject& volume, KeptVolume kind);
bool is_of(std::string_view message, KeptVolume kind);

/// What an Azure disk is called by its `kind`: "azureDisk" where it is managed, else
/// "azureDisk:Dedicated", which no CSI driver has. The API server takes none for Shared.
std::string azure_disk(std::string_view kind);

}  // namespace gpu::decode
