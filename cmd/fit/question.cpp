#include "cmd/fit/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "kube/config/connection.hpp"
#include "manifest/fit/accelerator.hpp"
#include "manifest/fit/facts.hpp"
#include "manifest/kinds/kind.hpp"
#include "manifest/read/manifest.hpp"
#include "manifest/tree/yaml.hpp"
#include "model/objects/quantity_text.hpp"
#include "plan/plan.hpp"

namespace gpu::cmd {
namespace {

/// No pod and no cluster has more.
constexpr std::int64_t kMostTyped = 100'000;

[[noreturn]] void reject(const std::string& message, const std::string& help) {
  throw Error(ErrorKind::usage, message, help);
}

std::int64_t number_of(std::string_view flag, const std::string& typed) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  if (error == std::errc() && end == typed.data() + typed.size() && number > 0 &&
      number <= kMostTyped)
    return number;
  reject(fmt::format("`{} {}` is no number from 1 to {}", flag, sanitize(typed), kMostTyped),
         fmt::format("give it as in {} 2", flag));
}

Quantity quantity_of(std::string_view flag, const std::string& typed, std::string_view example) {
  const auto quantity = Quantity::parse(typed);
  if (quantity && *quantity > Quantity()) return *quantity;
  reject(fmt::format("`{} {}` is no quantity above 0", flag, sanitize(typed)),
         fmt::format("give it as in {} {}", flag, example));
}

/// What says what a pod is goes with --gpus, and not with files, which say it themselves.
void check_flags(const FitFlags& flags) {
  check_manifest_flags(flags.manifests);
  const int ways =
      (flags.manifests.is_given() ? 1 : 0) + (flags.gpus ? 1 : 0) + (flags.make_room ? 1 : 0);
  if (ways == 0)
    reject("`fit` needs to know what is to start", "give -f FILE, --gpus N, or --make-room N");
  if (ways > 1)
    reject("`-f`, `--gpus` and `--make-room` ask different questions", "give one of them");
  const std::vector<std::pair<bool, std::string_view>> of_pods = {
      {flags.model.has_value(), "--model"},
      {flags.cpu.has_value(), "--cpu"},
      {flags.memory.has_value(), "--memory"},
      {flags.replicas.has_value(), "--replicas"},
      {flags.priority_class.has_value(), "--priority-class"}};
  for (const auto& [is_given, name] : of_pods)
    if (is_given && flags.manifests.is_given())
      reject(fmt::format("`{}` does not go with `-f`: the manifest says it", name),
             "change the manifest, or leave -f out and use --gpus");
  if (flags.replicas && flags.make_room)
    reject("`--replicas` does not go with `--make-room`, which makes room for one pod",
           "ask once for each");
}

/// The context's, as with kubectl; files know of none.
std::string namespace_of(const FitFlags& flags, const Env& env) {
  if (flags.global.connection.ns) return *flags.global.connection.ns;
  if (flags.global.from) return "default";
  const kube::Connection connection =
      kube::resolve_connection(flags.global.connection, {.environment = env.environment});
  return connection.ns.empty() ? "default" : connection.ns;
}

struct Made {
  PlannedObjects planned;
  std::vector<manifest::GenNote> notes;
};

Made made_with(manifest::GenOptions options, std::int64_t gpus, const manifest::ClusterFacts& facts,
               const std::string& ns) {
  if (options.mig.empty()) options.gpus = gpus;
  manifest::Generated made = manifest::generate(*manifest::find_gen_kind("job"), options, facts);
  return {manifest::read_manifest(manifest::yaml_of(made.documents), "", ns),
          std::move(made.notes)};
}

/// The GPU resource that a pod requests; empty: none.
std::string gpu_resource_of(const Pod& pod) {
  for (const Container& container : pod.containers)
    for (const auto& [name, amount] : container.limits)
      if (name.find('/') != std::string::npos) return name;
  return {};
}

/// The most that a node with such GPUs has, by the resource that `gen` chooses: for more, it would
/// print nothing. 0: no node has any.
std::int64_t most_of(const manifest::ClusterFacts& facts, const manifest::GenOptions& options,
                     const std::string& ns) {
  const Made one = made_with(options, 1, facts, ns);
  const std::string resource = gpu_resource_of(one.planned.pods.front().pod);
  std::int64_t most = 0;
  for (const manifest::GpuNodes& each : facts.gpu_nodes) {
    const bool is_meant =
        options.gpu_models.empty() ||
        std::any_of(options.gpu_models.begin(), options.gpu_models.end(),
                    [&](const std::string& name) { return manifest::is_model(each, name); });
    if (is_meant && each.resource == resource) most = std::max(most, each.largest);
  }
  return most;
}

std::string text_of(const Toleration& toleration) {
  std::string text = toleration.key.empty() ? "every taint" : toleration.key;
  if (!toleration.value.empty()) text += "=" + toleration.value;
  if (!toleration.effect.empty()) text += ":" + toleration.effect;
  return text;
}

/// "each pod requests 2 nvidia.com/gpu, 8 cpu and 32Gi memory, and tolerates ...".
std::string description_of(const Pod& pod) {
  std::vector<std::string> amounts;
  for (const Container& container : pod.containers)
    for (const auto& [name, amount] : container.requests)
      amounts.push_back(quantity_text(name, amount) + " " + name);
  std::vector<std::string> tolerations;
  for (const Toleration& each : pod.tolerations) tolerations.push_back(text_of(each));
  std::string text = "as `gen job` makes it, each pod requests " + joined(amounts);
  if (!tolerations.empty()) text += ", and tolerates " + joined(tolerations);
  return text;
}

/// Lets the pod request as many GPUs as were asked for, where no node has them.
void raise_gpus(Pod& pod, std::int64_t from, std::int64_t to) {
  for (Container& container : pod.containers)
    for (auto* const list : {&container.requests, &container.limits}) {
      ResourceList raised = *list;
      for (const auto& [name, amount] : *list)
        if (name.find('/') != std::string::npos && amount == Quantity::of(from))
          raised.set(name, Quantity::of(to));
      *list = raised;
    }
}

}  // namespace

FitQuestion fit_question(const FitFlags& flags, const Env& env) {
  check_flags(flags);
  FitQuestion question{.manifests = flags.manifests, .makes_room = flags.make_room.has_value()};
  manifest::GenOptions& options = question.options;
  options.name = "fit";
  options.image = "fit";
  if (flags.gpus) question.gpus = number_of("--gpus", *flags.gpus);
  if (flags.make_room) question.gpus = number_of("--make-room", *flags.make_room);
  if (flags.replicas) question.replicas = number_of("--replicas", *flags.replicas);
  if (flags.model) options.gpu_models = {*flags.model};
  options.gpus = question.gpus;
  manifest::take_slice_of_model(options);
  if (flags.cpu) options.cpu = quantity_of("--cpu", *flags.cpu, "8");
  if (flags.memory) options.memory = quantity_of("--memory", *flags.memory, "32Gi");
  if (flags.priority_class) options.priority_class = *flags.priority_class;
  question.ns = namespace_of(flags, env);
  return question;
}

Manifests asked_manifests(const FitQuestion& question, const Env& env) {
  Manifests read = read_manifests(question.manifests, question.ns, "kubectl gpu fit -f -", env);
  plan::take_found(read.planned);
  if (read.planned.pods.empty()) refuse_without_pods(question.manifests, read);
  return read;
}

PlannedObjects asked_pods(const FitQuestion& question, const Snapshot* snapshot,
                          std::vector<std::string>& notes) {
  const manifest::ClusterFacts facts = snapshot == nullptr
                                           ? manifest::ClusterFacts{.is_to_come = true}
                                           : manifest::facts_of(*snapshot, question.ns);
  manifest::GenOptions options = question.options;
  if (snapshot == nullptr) options.gpu_models.clear();  // the cluster may know better
  const std::int64_t most = most_of(facts, options, question.ns);
  const std::int64_t gpus = most == 0 ? question.gpus : std::min(question.gpus, most);
  Made made = made_with(options, gpus, facts, question.ns);
  for (PlannedPod& each : made.planned.pods) {
    each.count = question.replicas;
    raise_gpus(each.pod, gpus, question.gpus);
    notes.push_back(description_of(each.pod));
  }
  for (const manifest::GenNote& note : made.notes)
    if (note.level == manifest::GenNote::Level::warning) notes.push_back(note.text);
  return std::move(made.planned);
}

}  // namespace gpu::cmd
