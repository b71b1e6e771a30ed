#pragma once

#include <string_view>

#include "decode/wire/path.hpp"
#include "model/objects/container.hpp"

namespace gpu::decode {

/// core/v1 ResourceRequirements.
struct Requirements {
  ResourceList requests;
  ResourceList limits;
};
/// Throws Error{data} that names `path`, as the two below.
Requirements requirements_from_protobuf(std::string_view message, const Path& path);

/// A core/v1 Container.
Container container_from_protobuf(std::string_view message, const Path& path);

/// A core/v1 ContainerStatus.
ContainerResourceStatus container_status_from_protobuf(std::string_view message, const Path& path);

}  // namespace gpu::decode
