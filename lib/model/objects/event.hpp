#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.hpp"

namespace gpu {

/// What we keep of a core/v1 Event (events.k8s.io has the same facts).
struct Event {
  std::string ns;
  std::string type;  ///< Normal, Warning
  std::string reason;
  std::string message;
  std::string kind;  ///< involvedObject
  std::string object;
  std::string object_uid;
  std::string reporter;  ///< reportingComponent, or source.component of old ones
  std::optional<Time> first;
  std::optional<Time> last;  ///< of the series, or of the count
  std::int64_t count = 1;
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace gpu
