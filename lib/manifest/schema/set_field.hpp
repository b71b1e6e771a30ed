#pragma once

#include <string>
#include <string_view>

#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// Sets one field of the documents, which must exist in its kind: PATH is spec.backoffLimit,
/// spec.template.spec.containers[0].image, metadata.annotations["acme.io/team"]; with a kind before
/// it, service/spec.type, a field of that object, else of the object of `kind`. A text is taken as
/// it is; what holds more than one value is YAML; `null` takes the field away. Throws Error{usage}
/// for a field or a type that the kind does not have, with the nearest.
void set_field(Documents& documents, std::string_view kind, std::string_view path,
               const std::string& value);

}  // namespace gpu::manifest
