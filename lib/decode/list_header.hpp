#pragma once

#include <string>
#include <string_view>

namespace gpu::decode {

/// What a framer learns of the list itself.
struct ListHeader {
  std::string kind;
  std::string resource_version;
  std::string continue_token;
};

/// The kind of the answer that holds no items, whatever its fields look like.
inline constexpr std::string_view kStatusKind = "Status";

}  // namespace gpu::decode
