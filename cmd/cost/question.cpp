#include "cmd/cost/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "cmd/shell/output_forms.hpp"
#include "model/holdings/holding.hpp"

namespace gpu::cmd {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& help) {
  throw Error(ErrorKind::usage, message, help);
}

/// What --by takes: views of those who hold GPUs, and labels.
const CostView& view_by(const std::string& by) {
  if (by.starts_with("label=")) return kCostLabels;
  if (by == "owner" || by == "owners") return kCostOwners;
  if (const CostView* view = cost_view_named(by)) return *view;
  std::vector<std::string_view> words = cost_view_names();
  words.insert(words.end(), {"owners", "label=KEY"});
  const auto nearest = nearest_name(by, words);
  refuse(fmt::format("`--by {}`: there is no such grouping", sanitize(by)),
         nearest ? fmt::format("a similar one is `{}`", *nearest)
                 : "it is one of " + listed(words, "or"));
}

/// `job/train`, or null for words that name no owner.
const WorkloadKind* kind_in(const std::string& word) {
  const std::size_t slash = word.find('/');
  return slash == std::string::npos ? nullptr : workload_kind_named(word.substr(0, slash));
}

const CostView& view_typed(const std::string& word, const CostFlags& flags, const Env& env) {
  if (const CostView* view = cost_view_named(word)) return *view;
  if (kind_in(word) != nullptr) return kCostPods;
  const std::vector<std::string_view> names = cost_view_names();
  const auto nearest = nearest_name(word, names);
  const std::string help = nearest ? fmt::format("a similar one is `{}`", *nearest)
                                   : "views are " + listed(names, "and");
  refuse(
      fmt::format("`{0} cost {1}`: there is no view `{1}`", env.program, sanitize(word)),
      fmt::format("{0}; a namespace: {1} cost pods -n NAME; an owner: {1} cost job/NAME{2}; GPUs: "
                  "{1} cost models",
                  help, env.program, flags.global.connection.ns ? "" : " -n NAMESPACE"));
}

const CostView& view_of(const CostFlags& flags, const Env& env) {
  if (!flags.by.empty() && !flags.words.empty())
    refuse("`--by` and a view cannot be joined", "leave one of them out");
  if (!flags.by.empty()) return view_by(flags.by);
  return flags.words.empty() ? *kCostViews.front() : view_typed(flags.words.front(), flags, env);
}

void read_names(CostQuestion& question, const CostFlags& flags) {
  if (flags.words.empty()) return;
  const std::string& first = flags.words.front();
  question.kind = kind_in(first);
  if (question.kind == nullptr) {
    question.names.assign(flags.words.begin() + 1, flags.words.end());
    return;
  }
  if (flags.words.size() > 1)
    refuse(fmt::format("`{}` is one owner", sanitize(first)), "name one owner at a time");
  question.names = {first.substr(first.find('/') + 1)};
  if (question.names.front().empty())
    refuse(fmt::format("`{}` has no name", sanitize(first)), "an owner is TYPE/NAME: job/train");
}

/// Throws Error{usage} for a word that is none of `choices`.
void check_choice(std::string_view flag, const std::string& typed,
                  std::span<const std::string_view> choices) {
  if (std::find(choices.begin(), choices.end(), typed) != choices.end()) return;
  const auto nearest = nearest_name(typed, choices);
  refuse(
      fmt::format("`{} {}`: there is no such way", flag, sanitize(typed)),
      nearest ? fmt::format("a similar one is `{}`", *nearest) : "it is " + listed(choices, "or"));
}

cost::ChargeRules charge_rules(const CostFlags& flags) {
  check_choice("--split", flags.split, kSplits);
  check_choice("--mig-by", flags.mig_by, kMigBy);
  const bool by_ratio = flags.split == "opencost";
  if (by_ratio && flags.whole_node)
    refuse("`--whole-node` and `--split opencost` cannot be joined", "leave one of them out");
  cost::ChargeRules rules;
  if (by_ratio) rules.by = cost::ChargeBy::opencost;
  if (flags.whole_node) rules.by = cost::ChargeBy::whole_node;
  if (flags.mig_by == "larger") rules.mig_by = cost::MigBy::larger;
  return rules;
}

void check(const CostQuestion& question) {
  const bool chooses_pods = !question.pod_selector.empty() || !question.ns.empty();
  if (question.view.of == CostOf::supply && !question.pod_selector.empty())
    refuse(fmt::format("`-l` chooses among pods, and `cost {}` shows nodes", question.view.name),
           "leave it out, or choose by --node or --model");
  if (question.view.of == CostOf::supply && chooses_pods)
    refuse(fmt::format("`-n` chooses among pods, and `cost {}` shows nodes", question.view.name),
           "leave it out: a node costs the same whoever holds its GPUs");
}

/// Pods that are gone are read of a cluster's Prometheus, and once.
void check_since(const CostQuestion& question, const CostFlags& flags) {
  if (!question.metrics.since || question.view.of == CostOf::supply) return;
  if (flags.global.from)
    refuse("`--since` counts pods that are gone, and their history is in no file or snapshot",
           "query the cluster, or leave it out: what is listed has its totals without it");
  if (flags.watch)
    refuse("`--since` counts pods that are gone, and `-w` does not ask again which are",
           "leave out one of the two");
}

}  // namespace

bool CostQuestion::counts_past() const {
  return view.past == Past::counted || kind != nullptr ||
         (view.of == CostOf::demand && metrics.since);
}

bool CostQuestion::chooses_rows() const {
  return !names.empty() || !nodes.empty() || !model.empty() || !pod_selector.empty() || !ns.empty();
}

CostQuestion cost_question(const CostFlags& flags, const Env& env) {
  CostQuestion question{.view = view_of(flags, env),
                        .nodes = words_in(flags.nodes),
                        .model = flags.model,
                        .pod_selector = LabelSelector::parse(flags.selector),
                        .charge = charge_rules(flags),
                        .format = format_of(flags.global),
                        .sort_by = flags.sort_by};
  constexpr std::string_view kLabel = "label=";
  if (flags.by.starts_with(kLabel)) question.label = flags.by.substr(kLabel.size());
  if (&question.view == &kCostLabels && question.label.empty())
    refuse("`--by label=` needs the key of a label", "for example --by label=team");
  read_names(question, flags);
  question.reader = reader_of(question.format, flags.global, env);
  if (!flags.all_namespaces) question.ns = flags.global.connection.ns.value_or("");
  question.metrics = metrics_needs(flags.metrics, origin_of(flags.global), env.environment);
  const bool names_gone = question.metrics.since && question.view.of == CostOf::demand;
  if (question.format == report::Format::name && question.sort_by.empty() && !names_gone)
    question.metrics.choice = kube::MetricsChoice::none;
  err_style(flags.global, env);  // finds a mistake in its flags before the cluster is asked
  check(question);
  check_since(question, flags);
  return question;
}

kube::Needs needs_of(const CostQuestion& question) {
  kube::Needs needs;
  needs.ns = question.ns;
  needs.owners = true;
  needs.metrics = question.metrics;
  needs.metrics.history = question.view.of == CostOf::demand && question.metrics.since;
  needs.keep = is_gpu_pod;
  if (!question.counts_past()) return needs;
  needs.kinds = kCostKinds;
  needs.finished_pods = true;
  needs.waiting_pods = true;  // a Job counts them, too
  needs.keep = has_had_gpus;
  return needs;
}

}  // namespace gpu::cmd
