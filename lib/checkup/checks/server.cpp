#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/split.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"

namespace gpu::checkup {
namespace {

/// What this program was tested with.
constexpr std::int64_t kOldestMinor = 30;
constexpr std::int64_t kNewestMinor = 36;
/// A kubelet may be so many minors older than its server. Source: Kubernetes' version skew policy.
constexpr std::int64_t kMostSkew = 3;
constexpr std::string_view kDeviceGroup = "resource.k8s.io";

/// 36 of "v1.36.1-gke.100"; nothing for another text.
std::optional<std::int64_t> minor_of(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  const std::vector<std::string_view> parts = split(version, '.');
  if (parts.size() < 2 || parts[0] != "1") return std::nullopt;
  const std::size_t end = parts[1].find_first_not_of("0123456789");
  return whole_number(parts[1].substr(0, end));
}

/// "resource.k8s.io v1, v1beta2"; empty where the API was not read, or has no such group.
std::string device_versions(const Snapshot& snapshot) {
  for (const ApiGroup& group : snapshot.scheduling.api_groups) {
    if (group.name != kDeviceGroup) continue;
    std::vector<std::string_view> names;
    for (const ApiVersion& version : group.versions) names.emplace_back(version.name);
    return fmt::format("serves {} {}", kDeviceGroup, joined(names));
  }
  return {};
}

void check_version(const CheckContext& context, CheckResults& results) {
  const Snapshot& snapshot = context.snapshot;
  const auto minor = minor_of(snapshot.server_version);
  if (!minor || (*minor >= kOldestMinor && *minor <= kNewestMinor)) return;
  const bool is_old = *minor < kOldestMinor;
  results.push_back(
      {.state = CheckState::warning,
       .says = fmt::format("Kubernetes {} is {} than those that are known here, 1.{} to 1.{}",
                           snapshot.server_version, is_old ? "older" : "newer", kOldestMinor,
                           kNewestMinor),
       .help =
           is_old ? "answers about scheduling follow the rules of 1." + std::to_string(kOldestMinor)
                  : "look for a newer release of kubectl-gpu"});
}

void check_kubelets(const CheckContext& context, CheckResults& results) {
  const auto server = minor_of(context.snapshot.server_version);
  if (!server) return;
  std::vector<std::string> old;
  for (const GpuNode& node : context.nodes)
    if (const auto minor = minor_of(node.node().kubelet_version);
        minor && (*minor + kMostSkew < *server || *minor > *server))
      old.push_back(node.node().name);
  if (old.empty()) return;
  results.push_back(
      {.state = CheckState::warning,
       .says = fmt::format("the kubelet of {} is of a version that does not go with Kubernetes {}",
                           names_text(old), context.snapshot.server_version),
       .help = "a kubelet may be three minor versions older than the API server, and not newer",
       .command = "kubectl get nodes",
       .nodes = old});
}

bool uses_devices(const Snapshot& snapshot) {
  return !snapshot.slices.empty() || !snapshot.device_classes.empty() || !snapshot.claims.empty();
}

}  // namespace

CheckResults check_server(const CheckContext& context) {
  const Snapshot& snapshot = context.snapshot;
  CheckResults results;
  check_version(context, results);
  check_kubelets(context, results);
  const std::string devices = device_versions(snapshot);
  const bool pods_want_claims =
      std::any_of(snapshot.pods.begin(), snapshot.pods.end(),
                  [](const Pod& pod) { return pod.claim_references > 0 && pod.node_name.empty(); });
  if (devices.empty() && !snapshot.scheduling.api_groups.empty() && pods_want_claims)
    results.push_back({.state = CheckState::failed,
                       .says = "pods name ResourceClaims, and the API server does not serve "
                               "resource.k8s.io",
                       .help = "DRA is served by default from Kubernetes 1.34 on"});
  if (!results.empty()) return results;
  if (snapshot.server_version.empty())
    return {{.state = CheckState::skipped,
             .says = "the version of Kubernetes is not known",
             .is_out_of_sight = true}};
  std::string says = "Kubernetes " + snapshot.server_version;
  if (!devices.empty()) says += (uses_devices(snapshot) ? " " : ", which ") + devices;
  return {{.says = std::move(says)}};
}

}  // namespace gpu::checkup
