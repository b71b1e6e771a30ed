#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/amounts.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kLower = "lower";
constexpr std::string_view kNever = "never";

/// What a word in the name of a class says of its pods.
struct UsualPriority {
  std::string_view word;
  std::int64_t value;
  std::string_view preemption;
  std::string_view description;
};

constexpr std::array<UsualPriority, 8> kUsual = {{
    {"inference", 100'000, kLower, "servers that answer requests"},
    {"serving", 100'000, kLower, "servers that answer requests"},
    {"interactive", 50'000, kLower, "notebooks and other work that a person waits for"},
    {"notebook", 50'000, kLower, "notebooks and other work that a person waits for"},
    {"train", 10'000, kLower, "training"},
    {"batch", 1'000, kNever, "work that can wait: it stops no other pods"},
    {"research", 1'000, kNever, "work that can wait: it stops no other pods"},
    {"low", 1'000, kNever, "work that can wait: it stops no other pods"},
}};

const UsualPriority* usual_priority(std::string_view name) {
  const auto* const at = std::find_if(kUsual.begin(), kUsual.end(), [&](const auto& each) {
    return name.find(each.word) != std::string_view::npos;
  });
  return at == kUsual.end() ? nullptr : at;
}

std::int64_t priority_of(const GenOptions& options, const UsualPriority* usual) {
  constexpr std::int64_t kMost = 1'000'000'000;
  constexpr std::int64_t kLeast = -2'147'483'648;
  if (!options.priority_value) {
    if (usual != nullptr) return usual->value;
    throw Error(ErrorKind::usage,
                fmt::format("which value `{}` is to have is not said", options.name),
                "for example --value 10000: training; usual are 100000 for inference, 50000 for "
                "notebooks, and 1000 for what can wait");
  }
  if (*options.priority_value > kMost || *options.priority_value < kLeast)
    throw Error(ErrorKind::usage,
                fmt::format("--value {} is out of range", *options.priority_value),
                "at most 1000000000: what is above belongs to the system");
  return *options.priority_value;
}

std::string_view policy_of(const GenOptions& options, const UsualPriority* usual) {
  std::string_view word = options.preemption;
  if (word.empty()) word = usual == nullptr ? kLower : usual->preemption;
  if (word == kNever) return "Never";
  if (word == kLower) return "PreemptLowerPriority";
  throw Error(ErrorKind::usage, fmt::format("`--preempt {}` cannot be read", sanitize(word)),
              "it is lower, or never");
}

Documents make_priority_class(GenRequest& request) {
  const GenOptions& options = request.options;
  if (options.name.starts_with("system-"))
    throw Error(ErrorKind::usage, "names that begin with `system-` belong to Kubernetes",
                fmt::format("for example `{}`", "gpu" + options.name.substr(6)));
  const UsualPriority* const usual = usual_priority(options.name);
  Tree object = object_of("scheduling.k8s.io/v1", "PriorityClass",
                          cluster_metadata_of(request, options.name));
  object.set("value", priority_of(options, usual),
             {"it cannot be changed later, and neither can preemptionPolicy",
              "The API server refuses an update of either.", ""});
  object.set("preemptionPolicy", policy_of(options, usual));
  object.set("globalDefault", false,
             {"", "It would raise or lower every pod of the cluster that names no class.", ""});
  if (usual != nullptr) object.set("description", usual->description);
  return {std::move(object)};
}

}  // namespace

const GenKind kPriorityClassKind = {
    .word = "priorityclass",
    .kind = "PriorityClass",
    .group = "scheduling.k8s.io",
    .summary = "which pods come first, and may stop others: gpu-inference, gpu-batch, ...",
    .example = "--value 10000 --preempt never",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::priority_value},
    .make = make_priority_class,
};

}  // namespace gpu::manifest
