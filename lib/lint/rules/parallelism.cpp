#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/ascii.hpp"
#include "lint/rules/rules.hpp"

namespace gpu::lint {
namespace {

constexpr auto kRules = std::to_array<Rule>({
    {"processes-differ-from-gpus", Severity::error,
     "torchrun starts another number of processes than there are GPUs",
     "More processes than GPUs fail with an invalid device ordinal. Fewer leave GPUs idle, and "
     "they cost as much.",
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

enum RuleAt : std::size_t { kProcesses, kTensorAbove, kTensorBelow };

/// The number behind one of the flags, as "--name=8", "--name 8", also within a script's line.
std::optional<std::int64_t> number_of(const std::vector<std::string>& words,
                                      std::span<const std::string_view> flags) {
  std::vector<std::string_view> parts;
  for (const std::string& word : words) {
    std::string_view rest = word;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(" \t\r\n"), rest.size());
      if (end > 0) parts.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const std::string_view flag : flags) {
      if (parts[i] == flag && i + 1 < parts.size()) return whole_number(parts[i + 1]);
      if (parts[i].starts_with(flag) && parts[i].size() > flag.size() &&
          parts[i][flag.size()] == '=')
        return whole_number(parts[i].substr(flag.size() + 1));
    }
  return std::nullopt;
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
      std::to_array<std::string_view>({"--tensor-parallel-size", "-tp", "--tp-size", "--tp"});
  static constexpr auto kOtherFlags = std::to_array<std::string_view>(
      {"--pipeline-parallel-size", "-pp", "--pp-size", "--data-parallel-size", "-dp",
       "--data-parallel-size-local", "--dp-size"});
  for_each_container(pod, [&](const ContainerSubject& each) {
    const std::int64_t gpus = gpus_of(each);
    if (each.is_init || gpus == 0) return;
    const std::vector<std::string> words = each.words();
    if (const auto processes = number_of(words, kProcessFlags); processes && *processes != gpus)
      findings.add(kRules[kProcesses], place_of(each),
                   fmt::format("torchrun starts {} processes, and the container has {} GPUs",
                               *processes, gpus),
                   fmt::format("write --nproc-per-node={}", gpus));
    const auto split = number_of(words, kTensorFlags);
    if (!split) return;
    if (*split > gpus)
      findings.add(
          kRules[kTensorAbove], place_of(each),
          fmt::format("the model is split over {} GPUs, and the container has {}", *split, gpus),
          fmt::format("write --tensor-parallel-size={}, or request {} GPUs", gpus, *split));
    else if (*split < gpus && !number_of(words, kOtherFlags))
      findings.add(
          kRules[kTensorBelow], place_of(each),
          fmt::format("the model is split over {} of the container's {} GPUs", *split, gpus),
          fmt::format("write --tensor-parallel-size={}, or request {}", gpus, *split));
  });
}

}  // namespace gpu::lint
