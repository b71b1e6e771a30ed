#pragma once

#include <optional>

#include "base/time.hpp"
#include "model/objects/pod.hpp"

namespace gpu::cost {

/// When the first of a pod's main containers that request GPUs started; if none requests any, of
/// all main containers.
struct FirstStart {
  std::optional<Time> time;  ///< nothing: none has started, or nothing says when
  bool is_none = false;      ///< none has started, for certain
  bool is_late = false;      ///< one may have started before `time`
};

/// The kubelet keeps the times of a container's last two runs only. After more runs, the earliest
/// time that it keeps counts as the first start, or the time when the pod was ready, if that is
/// earlier.
FirstStart first_start_of(const Pod& pod);

}  // namespace gpu::cost
