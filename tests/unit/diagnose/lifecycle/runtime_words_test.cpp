#include "diagnose/lifecycle/runtime_words.hpp"

#include <catch2/catch.hpp>

namespace lifecycle_runtime_words_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

Trouble started(std::string_view message) {
  Pod pod;
  pod.ns = "ml";
  pod.name = "train-0";
  pod.node_name = "g1";
  return start_trouble(pod, "main", message);
}

}  // namespace

TEST_CASE("the cause stands without the programs that handed it on") {
  CHECK(cause_in("failed to create containerd task: failed to create shim task: OCI runtime create "
                 "failed: runc create failed: unable to start container process: error during "
                 "container init: exec: \"x\": no such file or directory") ==
        "exec: \"x\": no such file or directory");
  CHECK(cause_in("Error: failed to create shim task: ") == "failed to create shim task: ");
  CHECK(cause_in("StartError") == "StartError");
  CHECK(cause_in("hook #0: exit status 1, stderr: Auto-detected mode as 'legacy'\n"
                 "nvidia-container-cli: initialization error: driver not loaded\nmore") ==
        "nvidia-container-cli: initialization error: driver not loaded");
}

TEST_CASE("words about GPUs are of the runtime, and each has its own advice") {
  const auto advice = [](std::string_view message) {
    const Trouble it = started(message);
    CHECK(it.code == Code::runtime_missing);
    REQUIRE(it.advice.size() == 1);
    return it.advice.front().summary;
  };
  CHECK(advice("nvidia-container-cli: initialization error: nvml error: driver/library version "
               "mismatch")
            .find("reboot") != std::string::npos);
  CHECK(advice("nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8, please "
               "update your driver")
            .starts_with("the image needs a newer driver than g1 has"));
  CHECK(advice("nvidia-container-cli: device error: 3: unknown device")
            .starts_with("the GPU that the pod got is not on g1 any more"));
  CHECK(advice("CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=0")
            .starts_with("no CDI specification on g1"));
  CHECK(advice("unable to get OCI runtime for sandbox: no runtime for \"nvidia\" is configured")
            .find("restart containerd") != std::string::npos);
  CHECK(
      advice("exec: \"nvidia-smi\": executable file not found in $PATH").find("runtimeClassName") !=
      std::string::npos);
  CHECK(advice("nvidia-container-cli: mount error: out of space")
            .starts_with("install or configure the GPU maker's container toolkit on g1"));
}

TEST_CASE("words about the program are not of GPUs") {
  const auto advice = [](std::string_view message) {
    const Trouble it = started(message);
    CHECK(it.code == Code::start_error);
    REQUIRE(it.advice.size() == 1);
    return it.advice.front().summary;
  };
  CHECK(advice("exec: \"train\": executable file not found in $PATH")
            .starts_with("correct `command`"));
  CHECK(advice("exec /bin/train: exec format error") ==
        "take an image for the CPU architecture of g1");
  CHECK(advice("exec: \"/data/run.sh\": permission denied").find("securityContext") !=
        std::string::npos);
  CHECK(advice("something new") == "correct what the message names");
}

}  // namespace lifecycle_runtime_words_test
