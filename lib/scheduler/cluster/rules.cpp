#include "scheduler/cluster/rules.hpp"

#include <algorithm>
#include <optional>

#include "scheduler/cluster/scheduler_version.hpp"

namespace gpu::scheduler {
namespace {

constexpr int kOldest = 30;
constexpr int kNewest = 36;

}  // namespace

Rules rules_for(std::string_view version) {
  const std::optional<Version> known = parse_version(version);
  Rules rules{.minor = kNewest, .patch = 0, .is_exact = false};
  if (known && known->major == 1) {
    rules.minor = std::clamp(known->minor, kOldest, kNewest);
    rules.is_exact = rules.minor == known->minor;
    rules.patch = rules.is_exact || known->minor > kNewest ? known->patch : 0;
  }
  constexpr int kStableDevices = 34;
  rules.has_devices = rules.minor >= kStableDevices;
  rules.is_silent_without_claims = rules.minor == 33;
  // kubernetes#135023, taken back to 1.34.2.
  rules.names_taint = rules.minor < 34 || (rules.minor == 34 && rules.patch < 2);
  rules.sees_lasting_shortage = rules.minor >= 34;
  rules.says_same_claim = rules.minor < 34;
  rules.says_volume_conflict = rules.minor < 33;
  rules.counts_left_out = rules.minor >= 32;
  rules.counts_sidecar_ports = rules.minor >= 33;
  rules.counts_attachments = rules.minor >= 32;
  rules.requests.counts_resizes = rules.minor >= 33;
  rules.requests.reads_pod_requests = rules.minor >= 34;
  rules.uses_incomplete_pools = rules.minor <= 34;
  rules.stops_at_invalid_pools = rules.minor <= 34;
  rules.resumes_device_search = rules.minor >= 36;
  rules.maps_extended_resources = rules.minor >= 36;
  rules.scores_change_of_balance = rules.minor >= 36;
  rules.reads_declared_features = rules.minor >= 36;
  return rules;
}

}  // namespace gpu::scheduler
