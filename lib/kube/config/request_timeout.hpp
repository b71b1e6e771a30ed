#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace gpu::kube {

/// What --request-timeout says: whole seconds, or a Go duration ("1m30s", "500ms"); nothing for no
/// limit (0 or less). Throws Error{usage} in kubectl's words.
std::optional<std::chrono::milliseconds> parse_request_timeout(std::string_view text);

}  // namespace gpu::kube
