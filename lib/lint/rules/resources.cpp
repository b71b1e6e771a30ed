#include <fmt/format.h>

#include <array>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "lint/rules/rules.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::lint {
namespace {

constexpr std::string_view kScheduleGpus =
    "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus";

constexpr auto kRules = std::to_array<Rule>({
    {"gpu-limit-missing", Severity::error, "GPUs are requested without a limit",
     "The API server refuses the pod: GPUs cannot be overcommitted. Write the GPUs under limits; "
     "the request is copied from there.",
     kScheduleGpus},
    {"gpu-not-integer", Severity::error, "the number of GPUs is not whole",
     "GPUs are handed out whole. The API server refuses such a pod; inside of custom resources it "
     "accepts it, and the pod is refused once the controller creates it. To share a GPU, use "
     "time-slicing, MPS or MIG.",
     "https://github.com/NVIDIA/k8s-device-plugin/issues/458"},
    {"gpu-negative", Severity::error, "the number of GPUs is below 0",
     "The API server refuses the pod.", kScheduleGpus},
    {"gpu-request-differs", Severity::error, "the GPU request and the limit differ",
     "Extended resources cannot be overcommitted: the API server refuses a request that differs "
     "from the limit. Leave the request out, or write the same number.",
     kScheduleGpus},
    {"gpu-name-unknown", Severity::error, "no device plugin advertises a resource of that name",
     "The API server accepts the name, and the pod stays Pending for good: no node has the "
     "resource.",
     "https://github.com/NVIDIA/k8s-device-plugin#running-gpu-jobs"},
    {"gpu-at-pod-level", Severity::error, "GPUs are requested by the pod as a whole",
     "Only cpu, memory and hugepages can be requested at pod level: the API server refuses the "
     "pod. Containers request GPUs.",
     "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/"
     "#pod-level-resource-specification"},
    {"gpu-in-two-containers", Severity::advice, "two containers of a pod request GPUs",
     "Each container gets GPUs of its own: their numbers are added, and containers do not share "
     "them.",
     kScheduleGpus},
    {"mig-devices-in-one-container", Severity::warning, "a container requests several MIG devices",
     "CUDA uses one MIG device in a process: the others are held and do nothing. With two profiles "
     "in one container, one of them does not appear.",
     "https://github.com/NVIDIA/k8s-device-plugin/issues/728"},
    {"gpu-and-claim", Severity::advice, "a container requests GPUs and a claim for devices",
     "It is given both: the GPUs of the device plugin and the devices of the claim. Where the "
     "claim "
     "is for GPUs, too, request them in one way only; claims for network cards are fine.",
     "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation"},
    {"quantity-invalid", Severity::error, "an amount is not a quantity",
     "The API server refuses it. Units are Ki, Mi, Gi, Ti and k, M, G, T; their case counts.",
     "https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity"},
    {"request-above-limit", Severity::error, "a request is above its limit",
     "The API server refuses the pod.",
     "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers"},
    {"memory-limit-missing", Severity::advice, "a container with GPUs has no memory request",
     "Without a request the scheduler packs the pod onto any node, and it is the first to be "
     "evicted or killed when the node runs short.",
     "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction"},
});

enum RuleAt : std::size_t {
  kLimitMissing,
  kNotInteger,
  kNegative,
  kRequestDiffers,
  kNameUnknown,
  kPodLevel,
  kTwoContainers,
  kMigDevices,
  kGpuAndClaim,
  kQuantity,
  kAboveLimit,
  kMemoryMissing,
};

/// Names that people write in place of a device plugin's.
std::optional<std::string_view> meant_resource(std::string_view name) {
  struct Slip {
    std::string_view written, meant;
  };
  static constexpr auto kSlips = std::to_array<Slip>({
      {"nvidia.com/gpus", "nvidia.com/gpu"},
      {"nvidia.com/gpu-count", "nvidia.com/gpu"},
      {"nvidia.com/gpu.count", "nvidia.com/gpu"},
      {"nvidia/gpu", "nvidia.com/gpu"},
      {"nvidia.com.gpu", "nvidia.com/gpu"},
      {"nvidia.gpu", "nvidia.com/gpu"},
      {"gpu", "nvidia.com/gpu"},
      {"gpus", "nvidia.com/gpu"},
      {"gpu/nvidia.com", "nvidia.com/gpu"},
      {"nvidia.com/cuda", "nvidia.com/gpu"},
      {"kubernetes.io/gpu", "nvidia.com/gpu"},
      {"alpha.kubernetes.io/nvidia-gpu", "nvidia.com/gpu"},
      {"nvidia.com/gpu-memory", "nvidia.com/gpu"},
      {"nvidia.com/gpu.memory", "nvidia.com/gpu"},
      {"amd.com/gpus", "amd.com/gpu"},
      {"amd/gpu", "amd.com/gpu"},
      {"gpu.intel.com/gpu", "gpu.intel.com/xe"},
      {"intel.com/gpu", "gpu.intel.com/xe"},
      {"habana.ai/gaudi2", "habana.ai/gaudi"},
      {"google.com/tpus", "google.com/tpu"},
      {"cloud.google.com/tpu", "google.com/tpu"},
      {"aws.amazon.com/neurons", "aws.amazon.com/neuron"},
  });
  for (const Slip& slip : kSlips)
    if (equal_ignoring_case(name, slip.written)) return slip.meant;
  // Another letter case of a name that is one.
  for (const std::string_view known : {"nvidia.com/gpu", "amd.com/gpu", "habana.ai/gaudi",
                                       "nvidia.com/gpu.shared", "google.com/tpu"})
    if (name != known && equal_ignoring_case(name, known)) return known;
  const std::string lower = lower_case(name);
  if (lower != name && gpu_resource(lower) && !gpu_resource(name)) return std::nullopt;
  return std::nullopt;
}

bool is_device(std::string_view name) { return gpu_resource(name) || meant_resource(name); }

std::optional<Quantity> amount_of(const json& amount) { return Quantity::parse(written(amount)); }

bool is_whole(Quantity amount) { return Quantity::of(amount.value()) == amount; }

class Container {
 public:
  Container(const ContainerSubject& container, Findings& findings)
      : container_(container), findings_(findings) {}

  void check() {
    for (const char* const which : {"limits", "requests"}) {
      const json& amounts = container_.amounts(which);
      for (const auto& [name, amount] : amounts.items()) check_amount(which, name, amount);
    }
    check_pairs();
    check_mig();
    check_claims();
    check_memory();
  }

 private:
  [[nodiscard]] Pointer at(const char* which, const std::string& name) const {
    return container_.at / "resources" / which / name;
  }

  void check_amount(const char* which, const std::string& name, const json& amount) {
    if (const auto meant = meant_resource(name)) {
      const bool is_other = container_.amounts(which).contains(std::string(*meant));
      findings_.add(kRules[kNameUnknown], at(which, name),
                    fmt::format("no device plugin advertises {}", name),
                    fmt::format("write {}", *meant),
                    is_other ? std::optional<Edit>()
                             : Edit{Edit::Kind::rename, at(which, name), std::string(*meant)});
    }
    if (!amount.is_string() && !amount.is_number()) return;
    const auto quantity = amount_of(amount);
    if (!quantity) {
      findings_.add(kRules[kQuantity], at(which, name),
                    fmt::format("{} is {}, which is not a quantity", name, amount.dump()),
                    unit_advice(written(amount)));
      return;
    }
    if (!is_device(name)) return;
    if (*quantity < Quantity{})
      findings_.add(kRules[kNegative], at(which, name),
                    fmt::format("{} is {}", name, written(amount)), "write a number above 0");
    else if (!is_whole(*quantity))
      findings_.add(kRules[kNotInteger], at(which, name),
                    fmt::format("{} is {}, and GPUs are handed out whole", name, written(amount)),
                    fmt::format("write {}; to share a GPU, use time-slicing, MPS or MIG",
                                std::max<std::int64_t>(1, quantity->value())));
  }

  static std::string unit_advice(const std::string& text) {
    const std::size_t digits = text.find_first_not_of("0123456789.");
    if (digits == 0 || digits == std::string::npos) return "write an amount, as 16Gi";
    const std::string unit = lower_case(text.substr(digits));
    for (const auto& [written, meant] : {std::pair{"gb", "Gi"},
                                         {"gib", "Gi"},
                                         {"gi", "Gi"},
                                         {"g", "Gi"},
                                         {"mb", "Mi"},
                                         {"mib", "Mi"},
                                         {"mi", "Mi"},
                                         {"tb", "Ti"},
                                         {"tib", "Ti"},
                                         {"ti", "Ti"},
                                         {"kb", "Ki"},
                                         {"kib", "Ki"},
                                         {"ki", "Ki"}})
      if (unit == written) return fmt::format("write {}{}", text.substr(0, digits), meant);
    return "write an amount, as 16Gi";
  }

  void check_pairs() {
    const json& limits = container_.amounts("limits");
    for (const auto& [name, amount] : container_.amounts("requests").items()) {
      const auto limit = limits.find(name);
      const auto asked = amount_of(amount);
      if (!asked) continue;
      if (limit == limits.end()) {
        if (is_device(name) && is_whole(*asked) && *asked > Quantity{})
          findings_.add(kRules[kLimitMissing], container_.at / "resources" / "limits",
                        fmt::format("{} is requested without a limit", name),
                        fmt::format("add {}: {} to limits", name, written(amount)),
                        Edit{Edit::Kind::set, at("limits", name), amount});
        continue;
      }
      const auto most = amount_of(*limit);
      if (!most || *most == *asked) continue;
      if (is_device(name))
        findings_.add(kRules[kRequestDiffers], at("requests", name),
                      fmt::format("{} is {} under requests and {} under limits", name,
                                  written(amount), written(*limit)),
                      "leave the request out, or write the number of the limit");
      else if (*asked > *most)
        findings_.add(kRules[kAboveLimit], at("requests", name),
                      fmt::format("the request of {} is {}, above its limit of {}", name,
                                  written(amount), written(*limit)),
                      fmt::format("raise the limit to {}, or lower the request", written(amount)));
    }
  }

  void check_mig() {
    std::int64_t devices = 0;
    std::string first;
    for (const auto& [name, amount] : container_.amounts("limits").items()) {
      const auto gpu = gpu_resource(name);
      if (!gpu || gpu->kind != DeviceKind::mig_slice) continue;
      if (first.empty()) first = name;
      devices = capped_sum(devices, devices_of(container_, name).value_or(0));
    }
    if (devices > 1)
      findings_.add(kRules[kMigDevices], at("limits", first),
                    fmt::format("a process can use one of these {} MIG devices", devices),
                    "request 1, or a larger profile");
  }

  void check_claims() {
    const json& claims = value_at(container_.container, Pointer("/resources/claims"));
    if (claims.is_array() && !claims.empty() && gpus_of(container_) > 0)
      findings_.add(kRules[kGpuAndClaim], container_.at / "resources" / "claims",
                    "the container is given the devices of its claims and GPUs beside them",
                    "leave out one of them");
  }

  void check_memory() {
    if (container_.is_init || gpus_of(container_) == 0) return;
    const bool has_any = container_.amounts("requests").contains("memory") ||
                         container_.amounts("limits").contains("memory") ||
                         container_.pod.spec.contains("resources");
    if (!has_any)
      findings_.add(kRules[kMemoryMissing], container_.at / "resources",
                    "a container with GPUs requests no memory",
                    "add memory to requests and limits, as 16Gi for a GPU");
  }

  const ContainerSubject& container_;
  Findings& findings_;
};

void check_pod_level(const PodSubject& pod, Findings& findings) {
  for (const char* const which : {"limits", "requests"}) {
    const json& amounts = value_at(pod.spec, Pointer("/resources") / which);
    if (!amounts.is_object()) continue;
    for (const auto& [name, amount] : amounts.items())
      if (is_device(name))
        findings.add(kRules[kPodLevel], pod.spec_at / "resources" / which / name,
                     fmt::format("{} is requested by the pod as a whole", name),
                     "move it to resources.limits of a container");
  }
}

}  // namespace

std::span<const Rule> resource_rules() { return kRules; }

void check_resources(const PodSubject& pod, Findings& findings) {
  check_pod_level(pod, findings);
  std::vector<std::string> with_gpus;
  Pointer second;
  for_each_container(pod, [&](const ContainerSubject& each) {
    Container(each, findings).check();
    if (each.is_init || gpus_of(each) == 0) return;
    with_gpus.push_back(each.name());
    if (with_gpus.size() == 2) second = each.at / "resources" / "limits";
  });
  if (with_gpus.size() > 1)
    findings.add(kRules[kTwoContainers], second,
                 fmt::format("{} containers request GPUs, and each gets its own: {} in all",
                             with_gpus.size(), gpus_of(pod)),
                 "leave the GPUs to one container, if one uses them");
}

}  // namespace gpu::lint
