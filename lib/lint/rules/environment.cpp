#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "lint/rules/rules.hpp"

namespace gpu::lint {
namespace {

constexpr auto kRules = std::to_array<Rule>({
    {"visible-devices-all", Severity::error,
     "NVIDIA_VISIBLE_DEVICES takes GPUs that the pod did not request",
     "Where the nvidia runtime is the default one, the container gets every GPU of its node behind "
     "the scheduler's back, and other pods' too. Elsewhere it does nothing. Request nvidia.com/gpu "
     "and leave the variable out. On a pod without GPUs the value void is fine.",
     "https://github.com/NVIDIA/k8s-device-plugin/issues/61"},
    {"visible-devices-set", Severity::warning,
     "NVIDIA_VISIBLE_DEVICES is set beside a request for GPUs",
     "The device plugin sets it to the GPUs that the container was given; the value of the "
     "manifest may win over that, and show GPUs of other pods.",
     "https://github.com/NVIDIA/k8s-device-plugin/issues/1376"},
    {"cuda-visible-devices", Severity::warning, "CUDA_VISIBLE_DEVICES names GPUs by number",
     "Inside of a container its GPUs are numbered from 0. A number that it does not have hides "
     "all of them.",
     "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#env-vars"},
    {"env-value-not-text", Severity::error, "the value of a variable is not text",
     "YAML reads plain yes, on, 1 and true as no texts, and the API server refuses them. Write the "
     "value in quotes.",
     "https://kubernetes.io/docs/tasks/inject-data-application/"
     "define-environment-variable-container"},
    {"env-not-expanded", Severity::warning, "a variable's value is not expanded by any shell",
     "Kubernetes expands $(NAME) of variables that come before it, and nothing else.",
     "https://kubernetes.io/docs/tasks/inject-data-application/"
     "define-interdependent-environment-variables"},
    {"secret-in-manifest", Severity::warning, "a token is in the manifest",
     "Everybody who may read the object reads it, and it stays in the repository's history. Put it "
     "into a Secret, and name that with valueFrom.secretKeyRef.",
     "https://kubernetes.io/docs/concepts/configuration/secret"},
});

enum RuleAt : std::size_t { kAll, kSet, kCuda, kNotText, kNotExpanded, kSecret };

bool is_number_list(std::string_view value) {
  return !value.empty() && value.find_first_not_of("0123456789, ") == std::string_view::npos;
}

/// The largest number of "0,1,3".
std::int64_t largest_of(std::string_view list) {
  std::int64_t most = 0;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    most = std::max(most, whole_number(trimmed(list.substr(0, end))).value_or(0));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return most;
}

/// Tokens that are known by how they begin: Hugging Face, GitHub, OpenAI, AWS, Weights & Biases by
/// the variable's name.
bool is_token(std::string_view name, std::string_view value) {
  if (value.empty() || value.find("$(") != std::string_view::npos) return false;
  for (const std::string_view start : {"hf_", "ghp_", "github_pat_", "sk-", "AKIA"})
    if (value.starts_with(start) && value.size() >= 16) return true;
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HUGGINGFACE_TOKEN", "WANDB_API_KEY",
       "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "NGC_API_KEY"});
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() && !value.starts_with('$') &&
         !value.starts_with('<') && value.size() >= 16;
}

void check_visible_devices(const ContainerSubject& container, std::string_view value,
                           const Pointer& at, Findings& findings) {
  if (value.empty() || value == "void" || value == "none") return;
  // What serves a node's GPUs has to see them; claims bring devices, too.
  const bool has_claims = value_at(container.container, Pointer("/resources/claims")).is_array();
  if (container.pod.owner.name.kind == "DaemonSet" || has_claims) return;
  if (gpus_of(container) == 0)
    findings.add(kRules[kAll], at,
                 fmt::format("NVIDIA_VISIBLE_DEVICES={} takes GPUs that are not requested", value),
                 "request nvidia.com/gpu, and leave the variable out");
  else
    findings.add(kRules[kSet], at,
                 fmt::format("NVIDIA_VISIBLE_DEVICES={} is set beside a request for GPUs", value),
                 "leave the variable out: the device plugin sets it",
                 Edit{Edit::Kind::remove, at, {}});
}

void check_variable(const ContainerSubject& container, const json& variable, const Pointer& at,
                    Findings& findings) {
  const std::string_view name = text_at(variable, "/name");
  const json& value = value_at(variable, Pointer("/value"));
  if (value.is_number() || value.is_boolean()) {
    findings.add(kRules[kNotText], at / "value",
                 fmt::format("the value of {} is {}, which is not text", name, value.dump()),
                 "write it in quotes", Edit{Edit::Kind::quote, at / "value", {}});
  }
  const std::string text = value.is_null() ? std::string() : written(value);
  if (name == "NVIDIA_VISIBLE_DEVICES") check_visible_devices(container, text, at, findings);
  if (name == "CUDA_VISIBLE_DEVICES" && is_number_list(text)) {
    const std::int64_t gpus = gpus_of(container);
    if (gpus > 0 && largest_of(text) >= gpus)
      findings.add(kRules[kCuda], at,
                   fmt::format("CUDA_VISIBLE_DEVICES is {}, and the container's {} numbered from "
                               "0 to {}",
                               text, gpus == 1 ? "only GPU is" : "GPUs are", gpus - 1),
                   "leave the variable out");
  }
  if (is_token(name, text))
    findings.add(kRules[kSecret], at / "value",
                 fmt::format("the value of {} is in the manifest", name),
                 "put it into a Secret, and write valueFrom.secretKeyRef");
  else if (text.size() > 1 && text[0] == '$' &&
           (is_letter(text[1]) || text[1] == '{' || text[1] == '_'))
    findings.add(kRules[kNotExpanded], at / "value",
                 fmt::format("the value of {} stays {}: no shell expands it", name, text),
                 fmt::format("write $({}), of a variable that comes before it",
                             trimmed(std::string_view(text).substr(
                                 1 + (text[1] == '{' ? 1 : 0),
                                 text.find_last_not_of('}') - (text[1] == '{' ? 1 : 0)))));
}

}  // namespace

std::span<const Rule> environment_rules() { return kRules; }

void check_environment(const PodSubject& pod, Findings& findings) {
  for_each_container(pod, [&](const ContainerSubject& each) {
    const json& variables = value_at(each.container, Pointer("/env"));
    if (!variables.is_array()) return;
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (variables[i].is_object())
        check_variable(each, variables[i], each.at / "env" / i, findings);
  });
}

}  // namespace gpu::lint
