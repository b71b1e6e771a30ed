#include <fmt/format.h>

#include <string_view>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

/// A number of pods, or a share of them: "2" is no share, so it must not be a text.
Tree pods_or_share(std::string_view flag, const std::string& typed) {
  const bool is_share = typed.ends_with('%');
  const std::string_view digits =
      std::string_view(typed).substr(0, typed.size() - (is_share ? 1 : 0));
  const auto number = whole_number(digits);
  constexpr std::int64_t kMost = 2'147'483'647;
  if (!number || *number < 0 || *number > (is_share ? 100 : kMost))
    throw Error(ErrorKind::usage, fmt::format("`{} {}` cannot be read", flag, sanitize(typed)),
                fmt::format("for example {} 1, or {} 25%", flag, flag));
  return is_share ? Tree(fmt::format("{}%", *number)) : Tree(*number);
}

Tree selected_labels(const GenRequest& request) {
  if (request.options.selector.empty()) return app_labels(request);
  Tree labels;
  for (const auto& [key, value] : request.options.selector) labels.set(key, value);
  return labels;
}

/// What it allows: one pod at a time where nothing was said.
void set_bound(Tree& spec, GenRequest& request) {
  const GenOptions& options = request.options;
  if (!options.min_available.empty()) {
    if (!options.max_unavailable.empty())
      throw Error(ErrorKind::usage, "--min-available and --max-unavailable exclude each other",
                  "leave one of them out");
    spec.set("minAvailable", pods_or_share("--min-available", options.min_available),
             {"no drain of their nodes goes on while no more pods than these are ready",
              "With as many as there are, they are kept from every drain. That is wanted for "
              "training that cannot start again, and never for servers.",
              "helm/charts#7127"});
    if (options.min_available.ends_with('%'))
      request.note(
          "for pods of Jobs, JobSets and other training --min-available has to be a number: a "
          "share of them is not known, and nothing may be evicted");
    return;
  }
  const std::string most = options.max_unavailable.empty() ? "1" : options.max_unavailable;
  spec.set("maxUnavailable", pods_or_share("--max-unavailable", most),
           {"for servers; pods of Jobs need --min-available N",
            "The controllers of Jobs and most training have no scale subresource. With "
            "maxUnavailable, none of their pods may be evicted.",
            "kubernetes/kubernetes: pkg/controller/disruption"});
  if (most == "0" || most == "0%")
    request.warn("with --max-unavailable 0, no node with these pods can be drained",
                 "use 1 for servers");
}

Documents make_pdb(GenRequest& request) {
  Tree spec;
  set_bound(spec, request);
  spec.set("unhealthyPodEvictionPolicy", "AlwaysAllow",
           {"", "Pods that are not ready do not hold up a drain.", "KEP-3017"});
  spec.set("selector", Tree::map({{"matchLabels", selected_labels(request)}}));
  Tree budget =
      object_of("policy/v1", "PodDisruptionBudget", metadata_of(request, request.options.name));
  budget.set("spec", std::move(spec));
  if (request.options.selector.empty())
    request.note(
        fmt::format("it is for pods with app.kubernetes.io/name={}; --selector chooses "
                    "others",
                    request.options.name));
  return {std::move(budget)};
}

}  // namespace

const GenKind kPdbKind = {
    .word = "pdb",
    .kind = "PodDisruptionBudget",
    .group = "policy",
    .summary = "how many pods of a workload a drain may stop at one time",
    .example = "--selector app=vllm --max-unavailable 1",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::budget},
    .make = make_pdb,
};

}  // namespace gpu::manifest
