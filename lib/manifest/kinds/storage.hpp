#pragma once

#include <string>
#include <string_view>

#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// A PersistentVolumeClaim that a kind creates beside itself.
struct NewClaim {
  std::string name;
  std::string_view access_mode;  ///< "ReadWriteOnce"
  std::string_view usual_size;   ///< without --storage
  Why why;
};

/// Its object, with --storage and --storage-class.
Tree claim_of(const GenRequest& request, const NewClaim& claim);

}  // namespace gpu::manifest
