#include "cmd/gen/gen_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/duration.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"

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
    {"--spot", Option::place},
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
    {"--release", Option::release},
    {"--idle-after", Option::idle},
    {"--hot", Option::hot},
});

void add_what(FlagSet& flags, GenFlags& to) {
  const auto value = [&](std::string_view name, Flag::Target target, std::string text) -> Flag& {
    return flags.value(name, target).in(FlagGroup::what).help(std::move(text));
  };
  const auto list = [&](std::string_view name, std::vector<std::string>& target,
                        std::string text) -> Flag& {
    return flags.list(name, target).in(FlagGroup::what).help(std::move(text));
  };
  value("--image", &to.image, "the container's image");
  value("--script", &to.script, "a file that goes into a ConfigMap and is run").file();
  list("--env", to.env, "NAME=VALUE; may be repeated");
  list("--env-from-secret", to.secrets, "NAME=SECRET/KEY; may be repeated");
  value("--gpus", &to.gpus, "GPUs of each pod; default 1");
  value("--nodes", &to.nodes, "pods that train together, each on a node of its own");
  list("--gpu-model", to.models, "H100, A100-80GB, ...; several in the order of preference");
  value("--mig", &to.mig, "a MIG slice in place of a GPU: 1g.10gb");
  flags.toggle("--shared", &to.is_shared)
      .in(FlagGroup::what)
      .help("a share of a time-sliced GPU, or of one under MPS");
  flags.toggle("--cpu-only", &to.is_cpu_only).in(FlagGroup::what).help("no GPU at all");
  flags.toggle("--dra", &to.uses_dra)
      .in(FlagGroup::what)
      .help("GPUs by a ResourceClaimTemplate in place of a device plugin's resource");
  value("--model", &to.model, "what is served: an id at Hugging Face, or a URI");
  value("--hf-secret", &to.hf_secret, "SECRET[/KEY] with a token of Hugging Face");
  value("--preset", &to.preset, "which server: vllm, triton, ...");
  value("--replicas", &to.replicas, "pods of the server; default 1");
  value("--min-replicas", &to.min_replicas, "the least that the autoscaler keeps");
  value("--max-replicas", &to.max_replicas, "the most that the autoscaler creates");
  value("--cpu", &to.cpu, "CPUs of each pod; default: its share of the node");
  value("--memory", &to.memory, "memory of each pod; default: its share of the node");
  value("--shm", &to.shm, "size of /dev/shm, which is part of the memory");
  list("--volume", to.volumes, "CLAIM:/PATH[:ro]; may be repeated");
  value("--data", &to.data, "a claim to read from, at /data");
  value("--results", &to.results, "a claim to write to, at /results");
  value("--storage", &to.storage, "size of the claim that is created beside");
  value("--storage-class", &to.storage_class, "its StorageClass");
  list("--node-selector", to.node_selector, "LABEL=VALUE; may be repeated");
  list("--toleration", to.tolerations, "KEY[=VALUE][:EFFECT]; may be repeated");
  flags.toggle("--spot", &to.uses_spot)
      .in(FlagGroup::what)
      .help("only on nodes that the cloud may take back");
  value("--queue", &to.queue, "a LocalQueue of Kueue");
  value("--priority", &to.priority, "a PriorityClass");
  value("--runtime-class", &to.runtime_class, "a RuntimeClass");
  value("--service-account", &to.service_account, "a ServiceAccount");
  value("--deadline", &to.deadline, "how long it may run: 90m, 12h, 2d");
  value("--retries", &to.retries, "how often it may fail; default 3");
  value("--ttl", &to.ttl, "how long it is kept once it ended; default 1d");
  value("--release", &to.release,
        "the `release` label that Prometheus selects by; default kube-prometheus-stack");
  value("--idle-after", &to.idle_after, "how long a GPU may do nothing; default 1h");
  value("--hot", &to.hot, "the temperature in C that is too hot; default 85");
  list("--label", to.labels, "LABEL=VALUE of the objects; may be repeated");
  list("--annotation", to.annotations, "NAME=VALUE of the objects; may be repeated");
}

Error bad_value(std::string_view flag, std::string_view value, std::string_view example) {
  return {ErrorKind::usage, fmt::format("`{} {}` cannot be read", flag, sanitize(value)),
          fmt::format("for example {} {}", flag, example)};
}

std::optional<std::int64_t> count_of(std::string_view flag, const std::optional<std::string>& typed,
                                     std::int64_t least) {
  if (!typed) return std::nullopt;
  std::int64_t count = 0;
  for (const char c : *typed) {
    if (c < '0' || c > '9' || count > 99'999'999) {
      if (flag == "--gpus" && typed->find_first_of(".%m") != std::string::npos)
        throw Error(
            ErrorKind::usage,
            fmt::format("`--gpus {}`: a pod cannot ask for a part of a GPU", sanitize(*typed)),
            "use --shared for a share of a time-sliced GPU, or --mig 1g.10gb for a slice");
      throw bad_value(flag, *typed, "2");
    }
    count = count * 10 + (c - '0');
  }
  if (typed->empty() || count < least)
    throw Error(ErrorKind::usage,
                fmt::format("`{} {}` is less than {}", flag, sanitize(*typed), least),
                flag == "--gpus" ? "for a pod without GPUs use --cpu-only" : "");
  return count;
}

std::optional<Quantity> quantity_of(std::string_view flag, const std::optional<std::string>& typed,
                                    std::string_view example) {
  if (!typed) return std::nullopt;
  const auto quantity = Quantity::parse(*typed);
  if (!quantity || *quantity <= Quantity()) throw bad_value(flag, *typed, example);
  return quantity;
}

std::optional<std::int64_t> seconds_of(std::string_view flag,
                                       const std::optional<std::string>& typed) {
  if (!typed) return std::nullopt;
  const auto length = parse_duration(*typed);
  if (!length || length->count() == 0) throw bad_value(flag, *typed, "12h");
  return length->count();
}

/// NAME=VALUE of each word.
manifest::TextPairs pairs_of(std::string_view flag, const std::vector<std::string>& typed) {
  manifest::TextPairs pairs;
  for (const std::string& word : typed) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) throw bad_value(flag, word, "NAME=VALUE");
    pairs.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return pairs;
}

/// Names of variables whose values nobody should read in a file.
bool is_secret(std::string_view name) {
  constexpr std::array<std::string_view, 6> kWords = {"TOKEN",  "SECRET",  "PASSWORD",
                                                      "PASSWD", "API_KEY", "ACCESS_KEY"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  });
}

std::vector<manifest::EnvVariable> env_of(const GenFlags& flags) {
  std::vector<manifest::EnvVariable> env;
  for (auto& [name, value] : pairs_of("--env", flags.env)) {
    if (is_secret(name))
      throw Error(ErrorKind::usage,
                  fmt::format("the value of {} would stand in the manifest for everyone to read",
                              sanitize(name)),
                  fmt::format("put it into a Secret, and use --env-from-secret {}=SECRET/KEY",
                              sanitize(name)));
    env.push_back({.name = name, .value = value, .secret = {}, .key = {}});
  }
  for (auto& [name, place] : pairs_of("--env-from-secret", flags.secrets)) {
    const std::size_t slash = place.find('/');
    if (slash == 0 || slash == std::string::npos || slash + 1 == place.size())
      throw bad_value("--env-from-secret", name + "=" + place, "HF_TOKEN=hf-token/token");
    env.push_back({.name = name,
                   .value = {},
                   .secret = place.substr(0, slash),
                   .key = place.substr(slash + 1)});
  }
  return env;
}

std::vector<manifest::WantedToleration> tolerations_of(const std::vector<std::string>& typed) {
  std::vector<manifest::WantedToleration> all;
  for (const std::string& word : typed) {
    manifest::WantedToleration one;
    const std::size_t colon = word.find(':');
    if (colon != std::string::npos) one.effect = word.substr(colon + 1);
    const std::string taint = word.substr(0, colon);
    const std::size_t equals = taint.find('=');
    one.key = taint.substr(0, equals);
    if (equals != std::string::npos) one.value = taint.substr(equals + 1);
    const bool is_effect = one.effect.empty() || one.effect == "NoSchedule" ||
                           one.effect == "NoExecute" || one.effect == "PreferNoSchedule";
    if (one.key.empty() || !is_effect || (colon != std::string::npos && one.effect.empty()))
      throw bad_value("--toleration", word, "dedicated=research:NoSchedule");
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<manifest::MountedClaim> claims_of(const GenFlags& flags) {
  std::vector<manifest::MountedClaim> claims;
  if (flags.data) claims.push_back({.claim = *flags.data, .path = "/data", .is_read_only = true});
  if (flags.results)
    claims.push_back({.claim = *flags.results, .path = "/results", .is_read_only = false});
  for (const std::string& word : flags.volumes) {
    const std::size_t colon = word.find(':');
    const std::size_t end = colon == std::string::npos ? colon : word.find(':', colon + 1);
    const std::string how = end == std::string::npos ? "" : word.substr(end + 1);
    if (colon == 0 || colon == std::string::npos || word.compare(colon, 2, ":/") != 0 ||
        (!how.empty() && how != "ro" && how != "rw"))
      throw bad_value("--volume", word, "datasets:/datasets:ro");
    claims.push_back(
        {.claim = word.substr(0, colon),
         .path = word.substr(colon + 1, end == std::string::npos ? end : end - colon - 1),
         .is_read_only = how == "ro"});
  }
  return claims;
}

std::vector<std::string> models_of(const std::vector<std::string>& typed) {
  std::vector<std::string> models;
  for (const std::string& word : typed)
    for (std::string_view rest = word; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (comma > 0) models.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  return models;
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
      .help("in place of the manifest, each choice with its reason and where it is from");
  flags.toggle("--offline", &to.is_offline)
      .in(FlagGroup::input)
      .help("ask no cluster: a portable manifest");
  flags.toggle("--no-check", &to.no_check)
      .in(FlagGroup::input)
      .help("do not say whether it would start now; reads no pods");
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
