#include <fmt/format.h>

#include <string_view>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "cmd/why_pending/question.hpp"
#include "diagnose/explain/explain_owner.hpp"

namespace gpu::cmd {
namespace {

bool is_pod_word(std::string_view word) {
  const std::string lower = lower_case(word);
  return lower == "pod" || lower == "pods" || lower == "po";
}

[[noreturn]] void refuse(const std::string& message, const std::string& help) {
  throw Error(ErrorKind::usage, message, help);
}

constexpr std::string_view kForms =
    "a pod is named POD, NAMESPACE/POD or -n NAMESPACE POD, and its owner TYPE/NAME: job/train";

/// What kubectl takes for a kind, and creates no pods: no namespace is meant.
bool is_kind_without_pods(std::string_view word) {
  static constexpr std::string_view kNames =
      " node nodes no namespace namespaces ns service services svc configmap configmaps cm secret "
      "secrets persistentvolumeclaim persistentvolumeclaims pvc persistentvolume persistentvolumes "
      "pv ingress ingresses ing event events ev endpoints ep resourcequota resourcequotas quota "
      "serviceaccount serviceaccounts sa storageclass storageclasses sc resourceclaim "
      "resourceclaims deviceclass deviceclasses resourceslice resourceslices localqueue "
      "horizontalpodautoscaler horizontalpodautoscalers hpa verticalpodautoscaler "
      "verticalpodautoscalers vpa poddisruptionbudget poddisruptionbudgets pdb limitrange "
      "limitranges limits priorityclass priorityclasses pc runtimeclass runtimeclasses "
      "networkpolicy networkpolicies netpol role roles rolebinding rolebindings clusterrole "
      "clusterroles customresourcedefinition customresourcedefinitions crd crds "
      "localqueues clusterqueue clusterqueues workload workloads podgroup podgroups ";
  return kNames.find(" " + lower_case(word) + " ") != std::string_view::npos;
}

/// `left/right`: a kind and a name, or a namespace and a pod. A kind wins, as with kubectl.
void read_pair(PendingQuestion& question, const std::string& left, const std::string& right) {
  question.name = right;
  if (is_pod_word(left)) {
    question.about = PendingQuestion::About::pod;
  } else if (const WorkloadKind* kind = workload_kind_named(left)) {
    question.about = PendingQuestion::About::workload;
    question.kind = kind;
  } else if (is_kind_without_pods(left)) {
    refuse("`" + left + "` is a kind that creates no pods", std::string(kForms));
  } else {
    question.about = PendingQuestion::About::pod;
    question.ns = left;
    question.kind_word = left;
    question.is_namespace_given = true;
  }
}

/// The word before the slash is no namespace where -n names another: whether pods have an owner of
/// such a kind is found once they are read.
void mean_kind(PendingQuestion& question, const std::string& ns) {
  question.is_kind_meant = true;
  question.ns = ns;
}

bool has_slash(std::string_view word) { return word.find('/') != std::string_view::npos; }

bool is_type_word(const std::string& word) {
  return is_pod_word(word) || workload_kind_named(word) != nullptr;
}

PendingQuestion question_of_word(const std::string& word) {
  PendingQuestion question;
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos) {
    question.about = PendingQuestion::About::pod;
    question.name = word;
    return question;
  }
  const std::string left = word.substr(0, slash);
  const std::string right = word.substr(slash + 1);
  if (left.empty() || right.empty() || has_slash(right))
    refuse("`" + word + "` is not the name of a pod", std::string(kForms));
  read_pair(question, left, right);
  return question;
}

/// TYPE NAME..., or names each by itself, as kubectl takes them.
std::vector<PendingQuestion> questions_of_words(const std::vector<std::string>& words) {
  std::vector<PendingQuestion> questions;
  const bool starts_with_type = words.size() > 1 && is_type_word(words.front());
  if (!starts_with_type) {
    for (const std::string& word : words) questions.push_back(question_of_word(word));
    if (words.size() > 1 && !has_slash(words.front()))
      questions.front().like_kind = diagnose::nearest_kind(words.front());
    return questions;
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (has_slash(words[i]))
      refuse("`" + words.front() + "` comes before `" + words[i] + "`, which has its type already",
             "leave out `" + words.front() + "`");
    read_pair(questions.emplace_back(), words.front(), words[i]);
  }
  return questions;
}

/// Which namespace a name is of: what it says, -n, or the context's.
void settle_namespace(PendingQuestion& question, const WhyPendingFlags& flags,
                      const std::string& default_namespace) {
  const std::string given = flags.global.connection.ns.value_or(question.ns);
  if (question.is_namespace_given && given != question.ns) mean_kind(question, given);
  if (!question.ns.empty()) return;
  question.is_namespace_given = flags.global.connection.ns.has_value();
  question.ns = flags.global.connection.ns.value_or(default_namespace);
}

/// Everything that waits, in all namespaces unless -n names one: who asks why pods wait seldom
/// means those of one namespace alone.
PendingQuestion question_of_all(const WhyPendingFlags& flags) {
  PendingQuestion question;
  if (flags.all_namespaces) return question;
  question.is_namespace_given = flags.global.connection.ns.has_value();
  question.ns = flags.global.connection.ns.value_or("");
  return question;
}

}  // namespace

bool is_path_word(std::string_view word) {
  for (const std::string_view end : {".yaml", ".yml", ".json"})
    if (word.ends_with(end)) return true;
  for (const std::string_view start : {"./", "../", "/"})
    if (word.starts_with(start)) return true;
  return word == "-";
}

OutputForms pending_forms() {
  OutputForms offered = table_forms();
  offered.forms.push_back({"patch", {}, "prints the best fix as a YAML patch"});
  offered.jq = "kubectl gpu why-pending -A -o json | jq -r '.items[] | [.name, .code] | @tsv'";
  return offered;
}

std::vector<PendingQuestion> pending_questions(const WhyPendingFlags& flags,
                                               const std::string& default_namespace) {
  const bool has_files = flags.manifests.is_given();
  // kubectl users name the type of all pods where they mean all of them.
  const bool names_all = flags.words.size() == 1 && is_pod_word(flags.words.front());
  const bool has_names = !flags.words.empty() && !names_all;
  if ((has_names || has_files) && flags.all_namespaces)
    refuse("`-A` is for all pods that wait, and cannot be joined with a name or a file",
           "leave one of them out");
  if (!flags.words.empty() && has_files)
    refuse("`" + flags.words.front() + "` is no file, and files cannot be joined with names",
           "leave one of them out");
  check_manifest_flags(flags.manifests);
  std::vector<PendingQuestion> questions;
  if (has_names)
    questions = questions_of_words(flags.words);
  else
    questions.push_back(question_of_all(flags));
  if (has_files) questions.front().about = PendingQuestion::About::file;
  const auto format = format_of(flags.global, pending_forms());
  if (!format && !has_names && !has_files)
    refuse("`-o patch` prints the patches of one pod, owner or file", std::string(kForms));
  for (PendingQuestion& question : questions) {
    question.format = format;
    question.reads_files = flags.global.from.has_value();
    if (question.about != PendingQuestion::About::all)
      settle_namespace(question, flags, default_namespace);
  }
  return questions;
}

}  // namespace gpu::cmd
