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

[[noreturn]] void refuse_kind(const std::string& word) {
  const std::string near = diagnose::nearest_kind(word);
  refuse("there is no kind `" + word + "` that has pods",
         near.empty() ? std::string(kForms) : "a similar one is `" + near + "`");
}

/// What kubectl takes for a kind, and no pod comes of: no namespace is meant.
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
    refuse("`" + left + "` is a kind that makes no pods", std::string(kForms));
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

void read_words_of(PendingQuestion& question, const std::vector<std::string>& words) {
  const bool names_several = words.size() == 2 && words[0].find('/') != std::string::npos;
  if (words.size() > 2 || names_several)
    refuse("`why-pending` explains one pod or one owner at a time", std::string(kForms));
  if (words.size() == 2) {
    if (!is_pod_word(words[0]) && workload_kind_named(words[0]) == nullptr) refuse_kind(words[0]);
    return read_pair(question, words[0], words[1]);
  }
  const std::string& word = words.front();
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos) {
    question.about = PendingQuestion::About::pod;
    question.name = word;
    return;
  }
  const std::string left = word.substr(0, slash);
  const std::string right = word.substr(slash + 1);
  if (left.empty() || right.empty() || right.find('/') != std::string::npos)
    refuse("`" + word + "` is not the name of a pod", std::string(kForms));
  read_pair(question, left, right);
}

}  // namespace

OutputForms pending_forms() {
  OutputForms offered = table_forms();
  offered.forms.push_back(
      {"patch", {}, "the YAML of a pod's fixes, its comments say where it goes"});
  offered.jq = "kubectl gpu why-pending -A -o json | jq -r '.items[] | [.name, .code] | @tsv'";
  return offered;
}

PendingQuestion pending_question(const WhyPendingFlags& flags,
                                 const std::string& default_namespace) {
  PendingQuestion question;
  const bool names_something = !flags.words.empty() || !flags.files.empty();
  if (names_something && flags.all_namespaces)
    refuse("`-A` asks for all pods that wait, and cannot be joined with a name or a file",
           "leave one of them out");
  if (!flags.words.empty() && !flags.files.empty())
    refuse("`-f` and a name cannot be joined", "leave one of them out");
  if (!flags.words.empty()) read_words_of(question, flags.words);
  const std::string given = flags.global.connection.ns.value_or(question.ns);
  if (question.is_namespace_given && given != question.ns) mean_kind(question, given);
  question.format = format_of(flags.global, pending_forms());
  if (!question.format && !names_something)
    refuse("`-o patch` prints the patches of one pod, owner or file", std::string(kForms));
  if (!flags.files.empty()) {
    question.about = PendingQuestion::About::file;
    question.files = flags.files;
  }
  if (question.ns.empty() && !flags.all_namespaces) {
    question.is_namespace_given = flags.global.connection.ns.has_value();
    question.ns = flags.global.connection.ns.value_or(default_namespace);
  }
  return question;
}

}  // namespace gpu::cmd
