#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "lint/rules/rules.hpp"

namespace gpu::lint {
namespace {

constexpr auto kRules = std::to_array<Rule>({
    {"processes-above-gpus", Severity::error, "torchrun starts more processes than there are GPUs",
     "Those without a GPU of their own fail with an invalid device ordinal.",
     "https://docs.pytorch.org/docs/stable/elastic/run.html"},
    {"processes-below-gpus", Severity::warning,
     "torchrun starts fewer processes than there are GPUs",
     "The other GPUs are held and do nothing, unless a process uses several.",
     "https://docs.pytorch.org/docs/stable/elastic/run.html"},
    {"tensor-parallel-above-gpus", Severity::error,
     "the model is split over more GPUs than the container has",
     "vLLM and SGLang stop at once: the GPUs of a container are those under its limits. Over nodes "
     "a model is split by pipeline parallelism.",
     "https://github.com/ai-dynamo/dynamo/issues/4934"},
    {"tensor-parallel-below-gpus", Severity::warning,
     "the model uses fewer GPUs than the container has", "The other GPUs are held and do nothing.",
     "https://docs.vllm.ai/en/latest/serving/parallelism_scaling.html"},
});

enum RuleAt : std::size_t { kProcessesAbove, kProcessesBelow, kTensorAbove, kTensorBelow };

/// Words as a shell separates them, also those within a script's lines.
std::vector<std::string_view> parts_of(const std::vector<std::string>& words) {
  std::vector<std::string_view> parts;
  for (const std::string& word : words) {
    std::string_view rest = word;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(" \t\r\n"), rest.size());
      if (end > 0) parts.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return parts;
}

/// The number behind one of the flags, as "--name=8" or "--name 8"; nothing where several are
/// started.
std::optional<std::int64_t> number_of(std::span<const std::string_view> parts,
                                      std::span<const std::string_view> flags) {
  const auto is_flag = [&](std::string_view part) {
    return std::find(flags.begin(), flags.end(), part.substr(0, part.find('='))) != flags.end();
  };
  if (std::count_if(parts.begin(), parts.end(), is_flag) != 1) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const std::string_view flag : flags) {
      if (parts[i] == flag && i + 1 < parts.size()) return whole_number(parts[i + 1]);
      if (parts[i].starts_with(flag) && parts[i].size() > flag.size() &&
          parts[i][flag.size()] == '=')
        return whole_number(parts[i].substr(flag.size() + 1));
    }
  return std::nullopt;
}

/// Whether the model may be split over several pods: then its GPUs are not one container's.
bool is_over_pods(const ContainerSubject& container, std::span<const std::string_view> parts) {
  const ObjectSubject& owner = container.pod.owner;
  if (owner.name.kind == "LeaderWorkerSet" || owner.name.api_version.starts_with("ray.io/") ||
      owner.name.kind == "InferenceService")
    return true;
  static constexpr auto kMarks = std::to_array<std::string_view>(
      {"nnodes", "node-rank", "node_rank", "dist-init-addr", "ray_cluster_size",
       "distributed-executor-backend", "master-addr", "multi-node"});
  return std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    return std::any_of(kMarks.begin(), kMarks.end(),
                       [&](std::string_view mark) { return contains(part, mark); });
  });
}

/// Where the flag is: the list that has it.
Pointer place_of(const ContainerSubject& container) {
  return container.at / (container.container.contains("args") ? "args" : "command");
}

}  // namespace

std::span<const Rule> parallelism_rules() { return kRules; }

void check_parallelism(const PodSubject& pod, Findings& findings) {
  static constexpr auto kProcessFlags =
      std::to_array<std::string_view>({"--nproc-per-node", "--nproc_per_node"});
  static constexpr auto kTensorFlags =
      std::to_array<std::string_view>({"--tensor-parallel-size", "-tp", "--tp-size", "--tp",
                                       "--tensor_parallel_size", "--tp_size"});
  static constexpr auto kOtherFlags = std::to_array<std::string_view>(
      {"--pipeline-parallel-size", "--pipeline_parallel_size", "-pp", "--pp-size", "--pp_size",
       "--pp", "--data-parallel-size", "--data_parallel_size", "-dp", "--data-parallel-size-local",
       "--dp-size", "--dp_size", "--dp"});
  for_each_container(pod, [&](const ContainerSubject& each) {
    const std::int64_t gpus = gpus_of(each);
    if (each.is_init || gpus == 0) return;
    const std::vector<std::string> words = each.words();
    const std::vector<std::string_view> parts = parts_of(words);
    if (const auto processes = number_of(parts, kProcessFlags); processes && *processes != gpus)
      findings.add(kRules[*processes > gpus ? kProcessesAbove : kProcessesBelow], place_of(each),
                   fmt::format("torchrun starts {} processes, and the container has {} GPUs",
                               *processes, gpus),
                   fmt::format("write --nproc-per-node={}", gpus));
    const auto split = number_of(parts, kTensorFlags);
    if (!split || is_over_pods(each, parts)) return;
    if (*split > gpus)
      findings.add(
          kRules[kTensorAbove], place_of(each),
          fmt::format("the model is split over {} GPUs, and the container has {}", *split, gpus),
          fmt::format("write --tensor-parallel-size={}, or request {} GPUs", gpus, *split));
    else if (*split < gpus && !number_of(parts, kOtherFlags))
      findings.add(
          kRules[kTensorBelow], place_of(each),
          fmt::format("the model is split over {} of the container's {} GPUs", *split, gpus),
          fmt::format("write --tensor-parallel-size={}, or request {}", gpus, *split));
  });
}

}  // namespace gpu::lint
