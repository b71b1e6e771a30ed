#pragma once

#include <string_view>

namespace gpu::cmd {

/// What the build knows of itself; empty where it does not.
struct BuildInfo {
  std::string_view version;  ///< "0.1.0"
  std::string_view commit;   ///< 40 hex digits
  std::string_view date;     ///< RFC 3339: SOURCE_DATE_EPOCH, or when the commit was written
};

/// Of this program, set when the build is configured.
extern const BuildInfo kThisBuild;

}  // namespace gpu::cmd
