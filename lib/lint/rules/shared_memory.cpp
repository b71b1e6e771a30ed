#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/quantity.hpp"
#include "lint/rules/rules.hpp"

namespace gpu::lint {
namespace {

constexpr auto kRules = std::to_array<Rule>({
    {"shm-missing", Severity::warning, "PyTorch runs with 64 MiB of shared memory",
     "Container runtimes give /dev/shm 64 MiB. Data loaders and NCCL on several GPUs use it, and "
     "die with a bus error. Mount an emptyDir with medium: Memory at /dev/shm, with a sizeLimit; "
     "it counts against the container's memory limit.",
     "https://github.com/pytorch/pytorch/issues/16979"},
    {"empty-dir-medium", Severity::error, "an emptyDir has no such medium",
     "The API server accepts any word. Only Memory, written so, is memory: anything else is the "
     "node's disk or is refused by the kubelet.",
     "https://kubernetes.io/docs/concepts/storage/volumes/#emptydir"},
    {"shm-size-missing", Severity::advice, "the shared memory of a pod with GPUs has no sizeLimit",
     "Without one it may take half of the node's memory, and the kubelet kills the container once "
     "its memory limit is reached.",
     "https://kubernetes.io/docs/concepts/storage/volumes/#emptydir"},
    {"shm-above-memory-limit", Severity::warning, "shared memory is as large as the memory limit",
     "What is written to it counts against the container's memory limit: the container is killed "
     "before the sizeLimit is reached.",
     "https://kubernetes.io/docs/concepts/storage/volumes/#emptydir"},
});

enum RuleAt : std::size_t { kMissing, kMedium, kNoSize, kAboveLimit };

/// What is in /dev/shm of the container: the name of the volume; empty where none is mounted.
std::string shm_volume(const ContainerSubject& container) {
  const json& mounts = value_at(container.container, Pointer("/volumeMounts"));
  if (!mounts.is_array()) return {};
  for (const json& each : mounts) {
    std::string_view path = text_at(each, "/mountPath");
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    if (path == "/dev/shm") return std::string(text_at(each, "/name"));
  }
  return {};
}

/// Whether it is PyTorch, by its image and its command: what uses /dev/shm between processes.
bool is_torch(const ContainerSubject& container) {
  const std::string image = lower_case(text_at(container.container, "/image"));
  if (contains(image, "pytorch")) return true;
  // vLLM shares memory between the processes of several GPUs.
  if (contains(image, "vllm") && gpus_of(container) > 1) return true;
  const std::vector<std::string> words = container.words();
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return contains(word, "torchrun") || contains(word, "torch.distributed") ||
           contains(word, "deepspeed") || contains(word, "accelerate launch");
  });
}

/// Processes of other pods share memory with it only through the host's.
bool shares_host_memory(const PodSubject& pod) {
  return value_at(pod.spec, Pointer("/hostIPC")) == true;
}

const json& volumes_of(const PodSubject& pod) {
  static const json kNone = json::array();
  const json& found = value_at(pod.spec, Pointer("/volumes"));
  return found.is_array() ? found : kNone;
}

void check_media(const PodSubject& pod, Findings& findings) {
  const json& volumes = volumes_of(pod);
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const std::string_view medium = text_at(volumes[i], "/emptyDir/medium");
    if (medium.empty() || medium == "Memory" || medium.starts_with("HugePages")) continue;
    const Pointer at = pod.spec_at / "volumes" / i / "emptyDir" / "medium";
    const bool is_slip = equal_ignoring_case(medium, "memory");
    findings.add(kRules[kMedium], at, fmt::format("an emptyDir has no medium {}", medium),
                 "write Memory",
                 is_slip ? std::optional(Edit{Edit::Kind::set, at, "Memory"}) : std::nullopt);
  }
}

void check_size(const ContainerSubject& container, const std::string& volume, Findings& findings) {
  const json& volumes = volumes_of(container.pod);
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    if (text_at(volumes[i], "/name") != volume) continue;
    if (text_at(volumes[i], "/emptyDir/medium") != "Memory") return;
    const Pointer at = container.pod.spec_at / "volumes" / i / "emptyDir";
    const json& size = value_at(volumes[i], Pointer("/emptyDir/sizeLimit"));
    if (size.is_null())
      return findings.add(kRules[kNoSize], at, "the shared memory has no sizeLimit",
                          "add a sizeLimit below the memory limit, as 8Gi");
    const auto most = Quantity::parse(written(size));
    const json& amounts = container.amounts("limits");
    const auto found = amounts.find("memory");
    const auto memory = found == amounts.end() ? std::nullopt : Quantity::parse(written(*found));
    if (most && memory && *most >= *memory)
      findings.add(kRules[kAboveLimit], at / "sizeLimit",
                   fmt::format("the shared memory may have {}, and the container's memory limit "
                               "is {}",
                               written(size), written(*found)),
                   "raise the memory limit, or lower the sizeLimit");
    return;
  }
}

}  // namespace

std::span<const Rule> shared_memory_rules() { return kRules; }

void check_shared_memory(const PodSubject& pod, Findings& findings) {
  check_media(pod, findings);
  for_each_container(pod, [&](const ContainerSubject& each) {
    if (each.is_init || gpus_of(each) == 0) return;
    const std::string volume = shm_volume(each);
    if (!volume.empty()) return check_size(each, volume, findings);
    const bool is_tpu = devices_of(each, "google.com/tpu").has_value();
    if (is_torch(each) && !is_tpu && !shares_host_memory(pod))
      findings.add(kRules[kMissing], each.at / "volumeMounts",
                   "PyTorch has 64 MiB of shared memory: nothing is mounted at /dev/shm",
                   "mount an emptyDir with medium: Memory and a sizeLimit at /dev/shm");
  });
}

}  // namespace gpu::lint
