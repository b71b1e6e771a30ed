#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpu::decode {

/// A meta/v1 Status: how the API server says no.
struct Status {
  int code = 0;
  std::string reason;
  std::string message;
  std::optional<int> retry_after_seconds;
  std::string continue_token;  ///< metadata.continue: a 410's way on
};

/// The Status in a body, protobuf (with the `k8s\0` envelope) or JSON, whatever the Content-Type
/// says; nothing when it holds none (HTML of a proxy, plain text). Never throws.
std::optional<Status> status_from_body(std::string_view body);

}  // namespace gpu::decode
