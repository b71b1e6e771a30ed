#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "checkup/checks/check_result.hpp"
#include "checkup/checks/context.hpp"
#include "model/objects/object_kind.hpp"

namespace gpu::checkup {

/// A check: one function in a file of its own in checks/, and its row in check.cpp.
struct Check {
  std::string_view name;                    ///< as typed
  std::string_view says;                    ///< what it looks at
  std::span<const std::string_view> needs;  ///< names of checks before it
  ObjectKinds kinds;                        ///< that it wants read
  enum class LooksAt : std::uint8_t { cluster, machine } looks_at{};
  /// At least one result; their `check` is filled in by the caller.
  CheckResults (*run)(const CheckContext& context);
};

/// All, in the order in which one depends on another.
std::span<const Check> all_checks();

// Each looks at what its row in check.cpp says.
CheckResults check_access(const CheckContext& context);
CheckResults check_server(const CheckContext& context);
CheckResults check_gpu_nodes(const CheckContext& context);
CheckResults check_operator(const CheckContext& context);
CheckResults check_discovery(const CheckContext& context);
CheckResults check_driver(const CheckContext& context);
CheckResults check_runtime(const CheckContext& context);
CheckResults check_device_plugin(const CheckContext& context);
CheckResults check_gpus(const CheckContext& context);
CheckResults check_mig(const CheckContext& context);
CheckResults check_sharing(const CheckContext& context);
CheckResults check_labels(const CheckContext& context);
CheckResults check_images(const CheckContext& context);
CheckResults check_dra(const CheckContext& context);
CheckResults check_two_ways(const CheckContext& context);
CheckResults check_metrics(const CheckContext& context);
CheckResults check_numbers(const CheckContext& context);
CheckResults check_prometheus(const CheckContext& context);
CheckResults check_unrequested(const CheckContext& context);
CheckResults check_quota(const CheckContext& context);
CheckResults check_idle(const CheckContext& context);
CheckResults check_cordoned(const CheckContext& context);
CheckResults check_plugin_path(const CheckContext& context);
CheckResults check_completion(const CheckContext& context);

}  // namespace gpu::checkup
