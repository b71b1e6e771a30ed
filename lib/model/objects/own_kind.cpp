#include "model/objects/own_kind.hpp"

#include <algorithm>
#include <array>

namespace gpu {
namespace {

struct OwnKind {
  std::string_view kind;
  std::string_view group;  ///< empty: core
};

// Others have kinds of the same names, and something here is decided by these.
constexpr std::array<OwnKind, 10> kOwn = {{{"Node", ""},
                                           {"Pod", ""},
                                           {"PersistentVolumeClaim", ""},
                                           {"ReplicationController", ""},
                                           {"Deployment", "apps"},
                                           {"ReplicaSet", "apps"},
                                           {"StatefulSet", "apps"},
                                           {"DaemonSet", "apps"},
                                           {"Job", "batch"},
                                           {"CronJob", "batch"}}};

const OwnKind* own_of(std::string_view kind) {
  const auto* const found = std::find_if(kOwn.begin(), kOwn.end(),
                                         [&](const OwnKind& each) { return each.kind == kind; });
  return found == kOwn.end() ? nullptr : found;
}

std::string_view group_in(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
}

}  // namespace

bool is_namesake(std::string_view kind, std::string_view api_version) {
  const OwnKind* const own = own_of(kind);
  return own != nullptr && !api_version.empty() && own->group != group_in(api_version);
}

bool is_own_kind(std::string_view own, std::string_view kind, std::string_view api_version) {
  return own == kind && !is_namesake(kind, api_version);
}

}  // namespace gpu
