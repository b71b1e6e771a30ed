#include "cmd/gen/gen_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/gen/flag_values.hpp"

namespace gpu::cmd {
namespace {

using manifest::Option;

struct OptionFlag {
  std::string_view flag;
  Option option;
};

/// Which option of a kind each flag is. Flags that are not here are taken by every kind.
constexpr auto kOptionFlags = std::to_array<OptionFlag>({
    {"--image", Option::image},
    {"--script", Option::script},
    {"--env", Option::env},
    {"--env-from-secret", Option::env},
    {"--gpus", Option::gpus},
    {"--nodes", Option::nodes},
    {"--gpu-model", Option::gpu_model},
    {"--mig", Option::mig},
    {"--shared", Option::shared},
    {"--cpu-only", Option::cpu_only},
    {"--dra", Option::dra},
    {"--cpu", Option::size},
    {"--memory", Option::size},
    {"--shm", Option::shm},
    {"--node-selector", Option::place},
    {"--toleration", Option::place},
    {"--spot", Option::spot},
    {"--queue", Option::queue},
    {"--priority", Option::priority},
    {"--runtime-class", Option::runtime_class},
    {"--service-account", Option::service_account},
    {"--deadline", Option::deadline},
    {"--retries", Option::retries},
    {"--ttl", Option::ttl},
    {"--volume", Option::volumes},
    {"--data", Option::volumes},
    {"--results", Option::volumes},
    {"--model", Option::model},
    {"--hf-secret", Option::model},
    {"--preset", Option::preset},
    {"--replicas", Option::replicas},
    {"--min-replicas", Option::autoscaling},
    {"--max-replicas", Option::autoscaling},
    {"--storage", Option::storage},
    {"--storage-class", Option::storage},
    {"--runtime", Option::runtime},
    {"--ray-version", Option::ray_version},
    {"--once", Option::claim_once},
    {"--value", Option::priority_value},
    {"--preempt", Option::priority_value},
    {"--access-mode", Option::access_mode},
    {"--selector", Option::budget},
    {"--max-unavailable", Option::budget},
    {"--min-available", Option::budget},
    {"--node-class", Option::node_class},
    {"--release", Option::release},
    {"--idle-after", Option::idle},
    {"--hot", Option::hot},
});

/// Flags that hardly more than one kind takes.
void add_of_one_kind(FlagSet& flags, GenFlags& to) {
  const auto value = [&](std::string_view name, Flag::Target target, std::string text) {
    flags.value(name, target).in(FlagGroup::what).help(std::move(text));
  };
  value("--ray-version VERSION", &to.ray_version,
        "Ray version of the image, if its tag does not say it");
  flags.toggle("--once", &to.is_claimed_once)
      .in(FlagGroup::what)
      .help("create one claim that all pods share");
  value("--value NUMBER", &to.priority_value, "value of the priority, at most 1000000000");
  value("--preempt WHICH", &to.preemption, "which pods its pods can stop: lower or never");
  value("--access-mode MODE", &to.access_mode,
        "access mode of the claim: RWO (the default), RWX, ROX, or RWOP");
  flags.list("--selector LABEL=VALUE", to.selector).in(FlagGroup::what).help("label of the pods");
  value("--max-unavailable N", &to.max_unavailable,
        "pods that can be missing, such as 25%; the default is 1");
  value("--min-available N", &to.min_available, "pods that must stay, such as 2 or 50%");
  value("--node-class GROUP/KIND/NAME", &to.node_class,
        "the default is karpenter.k8s.aws/EC2NodeClass/gpu");
}

void add_what(FlagSet& flags, GenFlags& to) {
  const auto value = [&](std::string_view name, Flag::Target target, std::string text) -> Flag& {
    return flags.value(name, target).in(FlagGroup::what).help(std::move(text));
  };
  const auto list = [&](std::string_view name, std::vector<std::string>& target,
                        std::string text) -> Flag& {
    return flags.list(name, target).in(FlagGroup::what).help(std::move(text));
  };
  value("--image IMAGE", &to.image, "image of the container");
  value("--script FILE", &to.script, "script to run, which goes into a ConfigMap").file();
  list("--env NAME=VALUE", to.env, "environment variable");
  list("--env-from-secret NAME=SECRET/KEY", to.secrets, "environment variable from a Secret");
  value("--gpus N", &to.gpus, "GPUs of each pod; the default is 1");
  value("--nodes N", &to.nodes, "pods that train together, one on each node");
  list("--gpu-model MODEL", to.models, "GPU model, such as H100; the first is preferred");
  value("--mig SLICE", &to.mig, "MIG slice instead of a GPU, such as 1g.10gb");
  flags.toggle("--shared", &to.is_shared)
      .in(FlagGroup::what)
      .help("request a share of a time-sliced or MPS GPU");
  flags.toggle("--cpu-only", &to.is_cpu_only).in(FlagGroup::what).help("request no GPU");
  flags.toggle("--dra", &to.uses_dra)
      .in(FlagGroup::what)
      .help("request GPUs by a ResourceClaimTemplate (DRA)");
  value("--model MODEL", &to.model, "model to serve, an ID at Hugging Face or a URI");
  value("--hf-secret SECRET[/KEY]", &to.hf_secret, "Secret with the token for Hugging Face");
  value("--preset NAME", &to.preset, "inference server, such as vllm or triton");
  value("--replicas N", &to.replicas, "pods of the server; the default is 1");
  value("--min-replicas N", &to.min_replicas, "least number of pods for the autoscaler");
  value("--max-replicas N", &to.max_replicas, "greatest number of pods for the autoscaler");
  value("--cpu CPUS", &to.cpu, "CPUs of each pod; otherwise its share of the node");
  value("--memory SIZE", &to.memory, "memory of each pod; otherwise its share of the node");
  value("--shm SIZE", &to.shm, "size of /dev/shm, which is part of the memory");
  list("--volume CLAIM:/PATH[:ro]", to.volumes, "claim to mount");
  value("--data CLAIM", &to.data, "claim to mount at /data, read-only");
  value("--results CLAIM", &to.results, "claim to mount at /results");
  value("--storage SIZE", &to.storage, "size of the claim that is also created");
  value("--storage-class NAME", &to.storage_class, "StorageClass of the claim");
  list("--node-selector LABEL=VALUE", to.node_selector, "label that the node must have");
  list("--toleration KEY[=VALUE][:EFFECT]", to.tolerations, "toleration of the pods");
  flags.toggle("--spot", &to.uses_spot).in(FlagGroup::what).help("run only on spot nodes");
  value("--queue NAME", &to.queue, "LocalQueue of Kueue");
  value("--priority NAME", &to.priority, "PriorityClass of the pods");
  value("--runtime-class NAME", &to.runtime_class, "RuntimeClass of the pods");
  value("--service-account NAME", &to.service_account, "ServiceAccount of the pods");
  value("--runtime NAME", &to.runtime, "ClusterTrainingRuntime; the default is torch-distributed");
  value("--deadline TIME", &to.deadline, "time limit, such as 90m, 12h, or 2d");
  value("--retries N", &to.retries, "number of retries; the default is 3");
  value("--ttl TIME", &to.ttl, "time to keep it after it ends; the default is 1d");
  list("--set [KIND/]PATH=VALUE", to.sets, "set a field of the objects");
  add_of_one_kind(flags, to);
  value("--release NAME", &to.release,
        "`release` label that Prometheus selects; the default is kube-prometheus-stack");
  value("--idle-after TIME", &to.idle_after, "how long a GPU can be idle; the default is 1h");
  value("--hot CELSIUS", &to.hot, "temperature in C that is too hot; the default is 85");
  list("--label LABEL=VALUE", to.labels, "label of the objects");
  list("--annotation NAME=VALUE", to.annotations, "annotation of the objects");
}

/// As sh reads it back.
std::string quoted(const std::string& word) {
  const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:=,@%+").find(c) != std::string_view::npos;
  });
  if (is_plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return sanitize(text + "'");
}

}  // namespace

void add_gen_flags(FlagSet& flags, GenFlags& to) {
  flags.words(&to.words).completes([&to](const Typing&) {
    Candidates candidates;
    if (to.words.empty())
      for (const manifest::GenKind* kind : manifest::gen_kinds())
        candidates.push_back({std::string(kind->word), std::string(kind->summary)});
    return candidates;
  });
  flags.after_dashes(to.command);
  add_what(flags, to);
  flags.toggle("--explain", &to.explain)
      .in(FlagGroup::output)
      .help("explain each choice, and print no manifest");
  flags.toggle("--offline", &to.is_offline)
      .in(FlagGroup::input)
      .help("do not read a cluster; print a portable manifest");
  flags.toggle("--no-check", &to.no_check)
      .in(FlagGroup::input)
      .help("do not check whether it would start now");
}

std::optional<Option> option_of(std::string_view flag) {
  for (const OptionFlag& each : kOptionFlags)
    if (each.flag == flag) return each.option;
  return std::nullopt;
}

void check_flags_of_kind(const FlagSet& flags, const manifest::GenKind& kind) {
  for (const OptionFlag& each : kOptionFlags) {
    if (kind.options.contains(each.option) || !flags.was_given(each.flag)) continue;
    std::vector<std::string_view> others;
    for (const manifest::GenKind* other : manifest::gen_kinds())
      if (other->options.contains(each.option)) others.push_back(other->word);
    throw Error(ErrorKind::usage, fmt::format("`{}` has no {}", kind.word, each.flag),
                others.empty() ? "" : "kinds that have it are " + joined(others));
  }
}

manifest::GenOptions options_of(const GenFlags& flags) {
  manifest::GenOptions options;
  options.name = flags.words.at(1);
  options.ns = flags.global.connection.ns.value_or("");
  options.labels = pairs_of("--label", flags.labels);
  options.annotations = pairs_of("--annotation", flags.annotations);
  options.image = flags.image.value_or("");
  options.command = flags.command;
  options.env = env_of(flags);
  options.gpus = count_of("--gpus", flags.gpus, 1);
  options.nodes = count_of("--nodes", flags.nodes, 1);
  options.gpu_models = models_of(flags.models);
  options.mig = flags.mig.value_or("");
  options.is_shared = flags.is_shared;
  options.is_cpu_only = flags.is_cpu_only;
  options.uses_dra = flags.uses_dra;
  options.cpu = quantity_of("--cpu", flags.cpu, "8");
  options.memory = quantity_of("--memory", flags.memory, "64Gi");
  options.shm = quantity_of("--shm", flags.shm, "16Gi");
  options.node_selector = pairs_of("--node-selector", flags.node_selector);
  options.tolerations = tolerations_of(flags.tolerations);
  options.uses_spot = flags.uses_spot;
  options.queue = flags.queue.value_or("");
  options.priority_class = flags.priority.value_or("");
  options.runtime_class = flags.runtime_class.value_or("");
  options.service_account = flags.service_account.value_or("");
  options.runtime = flags.runtime.value_or("");
  options.deadline_seconds = seconds_of("--deadline", flags.deadline);
  options.retries = count_of("--retries", flags.retries, 0);
  options.ttl_seconds = seconds_of("--ttl", flags.ttl);
  options.claims = claims_of(flags);
  options.model = flags.model.value_or("");
  options.preset = flags.preset.value_or("");
  options.replicas = count_of("--replicas", flags.replicas, 1);
  options.min_replicas = count_of("--min-replicas", flags.min_replicas, 0);
  options.max_replicas = count_of("--max-replicas", flags.max_replicas, 1);
  options.storage = quantity_of("--storage", flags.storage, "100Gi");
  options.storage_class = flags.storage_class.value_or("");
  options.hf_secret = flags.hf_secret;
  for (auto& [path, value] : pairs_of("--set", flags.sets)) options.sets.push_back({path, value});
  options.ray_version = flags.ray_version.value_or("");
  options.is_claimed_once = flags.is_claimed_once;
  options.priority_value = number_of("--value", flags.priority_value);
  options.preemption = flags.preemption.value_or("");
  options.access_mode = flags.access_mode.value_or("");
  options.selector = pairs_of("--selector", flags.selector);
  options.max_unavailable = flags.max_unavailable.value_or("");
  options.min_available = flags.min_available.value_or("");
  options.node_class = flags.node_class.value_or("");
  options.release = flags.release.value_or("");
  options.idle_seconds = seconds_of("--idle-after", flags.idle_after);
  options.hot_celsius = count_of("--hot", flags.hot, 1);
  return options;
}

std::string command_line(const FlagSet& flags, const GenFlags& typed, std::string_view program) {
  std::string text = fmt::format("{} gen", program);
  for (const std::string& word : flags.typed()) {
    if (!word.starts_with("--")) {
      text += " " + quoted(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Flag* const flag = flags.named(name);
    const bool says_what = flag != nullptr && flag->group() == FlagGroup::what;
    if (!says_what && name != "--namespace") continue;
    text += " " + name;
    if (equals != std::string::npos) text += " " + quoted(word.substr(equals + 1));
  }
  if (!typed.command.empty()) text += " --";
  for (const std::string& word : typed.command) text += " " + quoted(word);
  return text;
}

}  // namespace gpu::cmd
