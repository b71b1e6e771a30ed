#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gpu::decode {

/// What a framer learns of the list itself.
struct ListHeader {
  std::string kind;
  std::string resource_version;
  std::string continue_token;
  /// JSON text of the members that a list of the API never has and our own snapshots do
  /// (is_noted_member), and of apiVersion.
  std::map<std::string, std::string, std::less<>> noted;
};

/// Whether a member of the outermost object is kept for ListFramer::noted().
inline bool is_noted_member(std::string_view name) {
  return name == "apiVersion" || name == "takenAt" || name == "serverVersion" ||
         name == "redacted" || name == "sight" || name == "gaps" || name == "sampleWindowSeconds";
}

/// The kind of the answer that holds no items, whatever its fields look like.
inline constexpr std::string_view kStatusKind = "Status";

}  // namespace gpu::decode
