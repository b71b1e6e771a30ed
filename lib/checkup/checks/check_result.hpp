#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::checkup {

/// How something is.
enum class CheckState : std::uint8_t {
  ok,
  warning,
  failed,
  skipped,  ///< it was not looked at, and `says` tells why
};

/// "ok", "warn", "FAIL", "skip": the same words for people and machines.
std::string_view name_of(CheckState state);

/// One thing that a check found, or that it found nothing.
struct CheckResult {
  std::string check = {};  ///< the name of the check that found it; filled in by check_up()
  CheckState state = CheckState::ok;
  std::string says = {};                ///< a sentence without a full stop
  std::string help = {};                ///< what to do; may be empty
  std::string command = {};             ///< that shows more, or mends it; may be empty
  std::vector<std::string> nodes = {};  ///< all that it is about; empty: not about nodes alone
  /// Of one that was skipped: what was read cannot answer it. It takes a live cluster, this
  /// machine, or kinds that the file does not hold.
  bool is_out_of_sight = false;
  std::string blocked_by = {};  ///< of one that was skipped: the check that failed; often empty
};

using CheckResults = std::vector<CheckResult>;

}  // namespace gpu::checkup
