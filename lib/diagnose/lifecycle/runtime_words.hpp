#pragma once

#include <string>
#include <string_view>

#include "diagnose/lifecycle/trouble.hpp"

namespace gpu::diagnose {

/// The message of a kubelet or container runtime that cannot create or start a container, without
/// the names of the programs that passed it on: "exec: "train": executable file not found in
/// $PATH". If it contains a message of NVIDIA's toolkit, returns only that.
std::string_view cause_in(std::string_view message);

/// Whether a message says that the GPU's part of the container runtime is missing or does not work.
bool is_about_gpu_runtime(std::string_view message);

/// What helps a container of `pod` that cannot be started, by the message of the runtime. The code
/// is runtime-missing if the message is about GPUs, otherwise start-error. Source:
/// nvidia-container-toolkit (cli, cdi), runc, containerd.
Trouble start_trouble(const Pod& pod, std::string_view container, std::string_view message);

/// The same if no container is named: a sandbox, an event.
Trouble runtime_trouble(const Pod& pod, std::string_view message);

}  // namespace gpu::diagnose
