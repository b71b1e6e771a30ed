#pragma once

#include <optional>

#include "base/time.hpp"
#include "model/objects/pod.hpp"

namespace gpu::cost {

/// When the first of a pod's main containers that ask for GPUs started; where none asks for any, of
/// all main containers.
struct FirstStart {
  std::optional<Time> time;  ///< nothing: none has started, or nothing says when
  bool is_none = false;      ///< none has started, for certain
  bool is_late = false;      ///< one may have started before `time`
};

/// The kubelet keeps the times of a container's last two runs only. After more of them the earliest
/// that is remembered stands for the first, or the moment by which the pod had been ready, if that
/// is earlier.
FirstStart first_start_of(const Pod& pod);

}  // namespace gpu::cost
