#include "manifest/kinds/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "manifest/fit/api_words.hpp"

namespace gpu::manifest {
namespace {

bool is_valid(std::string_view name, const NameRule& rule) {
  const auto is_good = [](char c) { return is_digit(c) || c == '-' || (c >= 'a' && c <= 'z'); };
  if (name.empty() || name.size() > rule.most) return false;
  if (!std::all_of(name.begin(), name.end(), is_good)) return false;
  if (name.front() == '-' || name.back() == '-') return false;
  return rule.form == NameForm::dns_1123 || !is_digit(name.front());
}

/// The nearest name that is valid.
std::string valid_name(std::string_view name, const NameRule& rule) {
  std::string made;
  for (const char c : lower_case(name)) {
    const bool is_good = is_digit(c) || (c >= 'a' && c <= 'z');
    if (is_good)
      made += c;
    else if (!made.empty() && made.back() != '-')
      made += '-';
  }
  if (rule.form == NameForm::dns_1035 && !made.empty() && is_digit(made.front()))
    made.insert(0, "gpu-");
  if (made.size() > rule.most) made.resize(rule.most);
  while (made.ends_with('-')) made.pop_back();
  return made.empty() ? "gpu" : made;
}

void check_name(const GenKind& kind, const std::string& name) {
  if (is_valid(name, kind.name)) return;
  const std::string_view begins =
      kind.name.form == NameForm::dns_1035 ? ", and begins with a letter" : "";
  throw Error(
      ErrorKind::usage,
      fmt::format("`{}` is no valid name of the kind {}: it has at most {} lower case letters, "
                  "digits and dashes{}{}{}",
                  sanitize(name), kind.kind, kind.name.most, begins,
                  kind.name.why.empty() ? "" : "; ", kind.name.why),
      fmt::format("for example `{}`", valid_name(name, kind.name)));
}

/// Of Secrets that a person named.
void warn_of_secret(GenRequest& request, const std::string& name) {
  const auto& known = request.facts.secrets;
  if (name.empty() || !known || std::find(known->begin(), known->end(), name) != known->end())
    return;
  const std::vector<std::string_view> names(known->begin(), known->end());
  const auto nearest = nearest_name(name, names);
  request.warn(fmt::format("there is no Secret `{}` in the namespace {}", name, request.facts.ns),
               nearest
                   ? fmt::format("a similar one is `{}`", *nearest)
                   : fmt::format("its pods wait for it: kubectl create secret generic {}", name));
}

/// Refuses a name of something that the cluster does not have, where all of its kind were read.
void check_known(const std::optional<std::vector<std::string>>& known, const std::string& name,
                 std::string_view what, std::string_view where, std::string_view create) {
  if (name.empty() || !known || std::find(known->begin(), known->end(), name) != known->end())
    return;
  const std::vector<std::string_view> names(known->begin(), known->end());
  const auto nearest = nearest_name(name, names);
  std::string help = std::string(create);
  if (nearest)
    help = fmt::format("a similar one is `{}`", *nearest);
  else if (!names.empty())
    help = "there are " + few_and_rest(names, 6);
  throw Error(ErrorKind::usage, fmt::format("there is no {} `{}`{}", what, sanitize(name), where),
              help);
}

void check_references(const GenOptions& options, const ClusterFacts& facts) {
  const std::string in = facts.ns.empty() ? "" : " in the namespace " + facts.ns;
  check_known(facts.queues, options.queue, "LocalQueue", in,
              "it may be in another namespace: --namespace; kubectl gpu gen queue creates one");
  check_known(facts.priority_classes, options.priority_class, "PriorityClass", "",
              "create it first");
  check_known(facts.runtime_classes, options.runtime_class, "RuntimeClass", "",
              "leave out --runtime-class: pods that name a missing one are refused");
  check_known(facts.storage_classes, options.storage_class, "StorageClass", "", "create it first");
  for (const MountedClaim& each : options.claims)
    check_known(facts.claims, each.claim, "PersistentVolumeClaim", in, "create it first");
}

void check_paths(const GenOptions& options) {
  for (std::size_t at = 0; at < options.claims.size(); ++at) {
    const std::string& path = options.claims[at].path;
    const bool is_taken = path == "/dev/shm" || path == "/scripts" ||
                          std::any_of(options.claims.begin(),
                                      options.claims.begin() + static_cast<std::ptrdiff_t>(at),
                                      [&](const MountedClaim& each) { return each.path == path; });
    if (is_taken)
      throw Error(ErrorKind::usage, fmt::format("two volumes cannot be at {}", sanitize(path)),
                  "use another path with --volume CLAIM:/PATH");
  }
}

/// Of kinds with pods: a quota may well count both GPUs and slices.
void check_choices(const GenOptions& options) {
  if (options.uses_dra && options.is_shared)
    throw Error(ErrorKind::usage, "--dra and --shared exclude each other", "leave one of them out");
  if (!options.mig.empty() && !is_mig_profile(options.mig))
    throw Error(ErrorKind::usage,
                fmt::format("there is no MIG profile `{}`", sanitize(options.mig)),
                "profiles are 1g.10gb, 3g.40gb, ...");
  if (!options.mig.empty() && options.gpus)
    throw Error(ErrorKind::usage, "--gpus and --mig exclude each other",
                "a pod with --mig has one slice, since CUDA uses only one in a process");
  if (options.is_cpu_only && (options.uses_dra || options.gpus || !options.mig.empty() ||
                              options.is_shared || !options.gpu_models.empty()))
    throw Error(ErrorKind::usage,
                "--cpu-only excludes --gpus, --gpu-model, --mig, --shared and --dra",
                "leave one of them out");
  if (options.is_shared && options.gpus.value_or(1) > 1)
    throw Error(ErrorKind::usage, "--shared is a part of one card, so --gpus can only be 1",
                "leave out --shared for whole GPUs");
}

}  // namespace

void warn_of_references(GenRequest& request) {
  const GenOptions& options = request.options;
  const ClusterFacts& facts = request.facts;
  if (!options.queue.empty() && !facts.is_managed_by_kueue.value_or(true))
    request.warn(fmt::format("Kueue does not manage the namespace {}, so what is put into a queue "
                             "there may stay suspended",
                             facts.ns),
                 "leave out --queue, or use a namespace that managedJobsNamespaceSelector of the "
                 "ConfigMap kueue-manager-config selects");
  std::set<std::string> secrets;
  for (const EnvVariable& each : options.env) secrets.insert(each.secret);
  if (options.hf_secret) secrets.insert(options.hf_secret->substr(0, options.hf_secret->find('/')));
  for (const std::string& each : secrets) warn_of_secret(request, each);
}

void check_request(const GenKind& kind, const GenOptions& options, const ClusterFacts& facts) {
  check_name(kind, options.name);
  check_api_words(options);
  if (kind.options.contains(Option::image)) check_choices(options);
  check_paths(options);
  check_references(options, facts);
}

}  // namespace gpu::manifest
