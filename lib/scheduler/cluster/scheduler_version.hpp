#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/snapshot/snapshot.hpp"

namespace gpu::scheduler {

/// A version of Kubernetes.
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};

/// "v1.34.1", "v1.35.2-gke.1", "1.36"; nothing for a text that does not begin so.
std::optional<Version> parse_version(std::string_view text);

/// Where the version of the scheduler was read, the most certain last.
enum class VersionSource : std::uint8_t {
  none,
  kubelets,   ///< the newest: none may be newer than the API server, so the scheduler may be newer
  server,     ///< the API server's, from which the scheduler's differs during an upgrade alone
  scheduler,  ///< the images of its pods in kube-system
};

/// As it is written: "v1.31.14-eks-1a2b3c4".
struct SchedulerVersion {
  std::string text;
  VersionSource source = VersionSource::none;
};

/// The version of the cluster's kube-scheduler, as far as `snapshot` shows it.
SchedulerVersion scheduler_version(const Snapshot& snapshot);

}  // namespace gpu::scheduler
