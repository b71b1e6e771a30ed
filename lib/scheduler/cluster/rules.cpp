#include "scheduler/cluster/rules.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gpu::scheduler {
namespace {

/// The number at the start of `text`, which is taken off.
std::optional<int> leading_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
};

std::optional<Version> version_of(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  Version version;
  const auto major = leading_number(text);
  if (!major || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto minor = leading_number(text);
  if (!minor) return std::nullopt;
  version = {*major, *minor, 0};
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    version.patch = leading_number(text).value_or(0);
  }
  return version;
}

constexpr int kOldest = 34;
constexpr int kNewest = 36;

}  // namespace

Rules rules_for(std::string_view server_version) {
  const std::optional<Version> version = version_of(server_version);
  Rules rules{.minor = kNewest, .patch = 0, .is_exact = false};
  if (version && version->major == 1) {
    rules.minor = std::clamp(version->minor, kOldest, kNewest);
    rules.is_exact = rules.minor == version->minor;
    rules.patch = rules.is_exact || version->minor > kNewest ? version->patch : 0;
  }
  // kubernetes#135023, taken back to 1.34.2.
  rules.names_taint = rules.minor == kOldest && rules.patch < 2;
  rules.uses_incomplete_pools = rules.minor == kOldest;
  rules.stops_at_invalid_pools = rules.minor == kOldest;
  rules.resumes_device_search = rules.minor >= kNewest;
  rules.maps_extended_resources = rules.minor >= kNewest;
  rules.reads_declared_features = rules.minor >= kNewest;
  return rules;
}

}  // namespace gpu::scheduler
