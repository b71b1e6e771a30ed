#include "diagnose/lifecycle/runtime_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/contains.hpp"
#include "base/text.hpp"

namespace gpu::diagnose {
namespace {

/// Words of a runtime, and what helps; `{}` is the node.
struct Words {
  std::string_view says;
  std::string_view advice;
};

constexpr auto kOfGpus = std::to_array<Words>({
    {"driver/library version mismatch",
     "the driver of {} was updated while the old one is loaded: drain the node and reboot it"},
    {"unsatisfied condition: cuda",
     "the image needs a newer driver than {} has: update the driver there, or take an image of an "
     "older CUDA release"},
    {"unsatisfied condition", "the image does not support the GPUs of {}: use one that does"},
    {"driver not loaded",
     "the driver of {} is not loaded: run nvidia-smi there, and see the driver's pod if an "
     "operator installs it"},
    {"driver rpc error",
     "the driver of {} does not answer: run nvidia-smi there; if it hangs, drain the node and "
     "reboot it"},
    {"unknown device",
     "the GPU that the pod got is not on {} any more: run nvidia-smi there, then restart the "
     "device plugin's pod of that node"},
    {"device error",
     "the GPU that the pod got is not on {} any more: run nvidia-smi there, then restart the "
     "device plugin's pod of that node"},
    {"unresolvable CDI devices",
     "no CDI specification on {} has the device that the pod got: restart the device plugin's or "
     "DRA driver's pod of that node, or create the file with nvidia-ctk cdi generate"},
    {"no runtime for",
     "the container runtime of {} has no handler of that name in effect: add it (nvidia-ctk "
     "runtime configure), then restart containerd there"},
    {"exec: \"nvidia-smi\"",
     "nvidia-smi comes from the container toolkit, not from the image: see that {} runs the pod "
     "with the runtime nvidia (runtimeClassName, or containerd's default)"},
    {"libcuda", ""},
    {"libnvidia-ml", ""},
    {"nvidia-container", ""},
    {"CUDA", ""},
});
constexpr std::string_view kToolkit =
    "install or configure the GPU maker's container toolkit on {}, and check that the driver "
    "answers there";

constexpr auto kOfPrograms = std::to_array<Words>({
    {"executable file not found",
     "correct `command`, or the image: there is no such program in it"},
    {"exec format error", "take an image for the CPU architecture of {}"},
    {"permission denied",
     "the program may not be run by the container's user: correct its mode in "
     "the image, or `securityContext`"},
    {"no such file or directory",
     "correct `command`, `workingDir` or the mounts: the image has no such file"},
    {"not a directory",
     "a file is mounted where a folder is, or the other way round: correct "
     "`volumeMounts`"},
});

template <std::size_t N>
const Words* words_in(const std::array<Words, N>& table, std::string_view message) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Words& words) {
    return contains(message, words.says);
  });
  return found == table.end() ? nullptr : &*found;
}

std::string advice_by(const Words& words, const std::string& node) {
  return fmt::format(fmt::runtime(words.advice.empty() ? kToolkit : words.advice), node);
}

Trouble trouble_of(const Pod& pod, std::string lead, std::string_view message) {
  Trouble trouble{.code = Code::start_error,
                  .summary = std::move(lead) + std::string(cause_in(message))};
  if (const Words* const words = words_in(kOfGpus, message)) {
    trouble.code = Code::runtime_missing;
    trouble.advice = {{.summary = advice_by(*words, pod.node_name)}};
  } else if (const Words* const program = words_in(kOfPrograms, message)) {
    trouble.advice = {{.summary = advice_by(*program, pod.node_name)}};
  } else {
    trouble.advice = {look_at_pod(pod, "correct what the message names")};
  }
  return trouble;
}

}  // namespace

std::string_view cause_in(std::string_view message) {
  constexpr std::string_view kOwn = "nvidia-container-cli: ";
  if (const std::size_t own = message.find(kOwn); own != std::string_view::npos) {
    message.remove_prefix(own);
    return message.substr(0, message.find('\n'));
  }
  static constexpr auto kLeads = std::to_array<std::string_view>(
      {"Error: ", "Failed to create pod sandbox: ", "rpc error: code = Unknown desc = ",
       "failed to create containerd container: ", "failed to create containerd task: ",
       "failed to create shim task: ", "failed to generate container ",
       "OCI runtime create failed: ", "runc create failed: ", "container_linux.go:380: ",
       "starting container process caused: ", "unable to start container process: ",
       "error during container init: "});
  for (bool is_cut = true; is_cut;) {
    is_cut = false;
    for (const std::string_view lead : kLeads)
      if (message.starts_with(lead) && message.size() > lead.size()) {
        message.remove_prefix(lead.size());
        is_cut = true;
      }
  }
  return message;
}

bool is_about_gpu_runtime(std::string_view message) {
  return words_in(kOfGpus, message) != nullptr;
}

Trouble start_trouble(const Pod& pod, std::string_view container, std::string_view message) {
  return trouble_of(pod, fmt::format("container {} cannot start on {}: ", container, pod.node_name),
                    message);
}

Trouble runtime_trouble(const Pod& pod, std::string_view message) {
  return trouble_of(pod, fmt::format("its containers cannot start on {}: ", pod.node_name),
                    message);
}

}  // namespace gpu::diagnose
