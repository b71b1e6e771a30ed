#include "cmd/top/question.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "cmd/shell/output_forms.hpp"
#include "model/holdings/holding.hpp"
#include "model/snapshot/waiting_claims.hpp"
#include "usage/rows/named_rows.hpp"

namespace gpu::cmd {
namespace {

Shape shape_of(const TopFlags& flags) {
  if (flags.summary) return Shape::summary;
  return flags.tree ? Shape::tree : Shape::table;
}

void refuse(std::string_view what, std::string_view why) {
  throw Error(ErrorKind::usage, fmt::format("`{}` {}", what, why));
}

void check(const TopQuestion& question, const TopFlags& flags) {
  if (flags.tree && flags.summary) refuse("--summary", "has no tree: leave out one of the two");
  if (flags.tree && !question.view.takes("--tree"))
    refuse("--tree", "is a form of `top nodes`: pods are below the nodes whose GPUs they hold");
  const bool has_labels = question.view.takes("--label-columns");
  if (!question.label_columns.empty() && (!has_labels || question.shape != Shape::table))
    refuse("-L", "is for the tables of `top nodes` and `top pods`");
  if (question.idle && (!question.view.takes("--idle") || question.shape == Shape::summary))
    refuse("--idle", "is for the rows of `top pods`");
  if (flags.summary && question.format == report::Format::name)
    refuse("--summary", "has no names: leave out `-o name`");
  if (flags.summary && !question.sort_by.empty())
    refuse("--summary", "has no rows to sort: leave out `--sort-by`");
}

/// Names alone tell nothing of use, unless it chooses or sorts them; which GPU is which is told by
/// telemetry.
kube::MetricsNeeds metrics_of(const TopQuestion& question, const TopFlags& flags, const Env& env) {
  kube::MetricsNeeds needs = metrics_needs(flags.metrics, origin_of(flags.global), env.environment);
  const bool shows_none = question.format == report::Format::name &&
                          question.view.about != About::devices && question.sort_by.empty() &&
                          !question.idle;
  if (shows_none) needs.choice = kube::MetricsChoice::none;
  return needs;
}

/// The node in NODE/INDEX.
std::string node_in(const std::string& name) { return name.substr(0, name.find('/')); }

std::vector<std::string> chosen_nodes(const TopQuestion& question, const TopFlags& flags) {
  std::vector<std::string> nodes = words_in(flags.nodes);
  const auto add = [&](const std::string& node) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  };
  if (question.view.rows_are == RowsAre::nodes)
    for (const std::string& name : question.names) add(name);
  const bool names_choose =
      question.view.rows_are == RowsAre::devices && nodes.empty() &&
      std::none_of(question.names.begin(), question.names.end(), usage::may_be_uuid);
  if (names_choose)
    for (const std::string& name : question.names) add(node_in(name));
  return nodes;
}

/// Whether an owner's name is shown.
bool needs_owners(const TopQuestion& question) {
  const bool has_owner_column =
      question.view.rows_are == RowsAre::pods &&
      (question.reader == Reader::machine || question.format == report::Format::wide);
  return question.shape != Shape::summary && (question.folds || has_owner_column);
}

bool needs_pods(const TopQuestion& question) {
  if (question.shape == Shape::summary) return false;
  if (question.shape == Shape::tree) return true;
  return question.view.about != About::nodes;
}

/// Who holds a device decides what its use says: of whom it is, and whether anybody requested it.
bool needs_holders(const TopQuestion& question) {
  return question.metrics.choice != kube::MetricsChoice::none;
}

}  // namespace

TopQuestion question_of(const TopFlags& flags, const Env& env) {
  const TopWords words = top_words(flags.words, env.program);
  TopQuestion question{.view = *words.view,
                       .shape = shape_of(flags),
                       .format = format_of(flags.global),
                       .names = words.names,
                       .is_view_guessed = words.is_view_guessed,
                       .selector = flags.selector,
                       .model = flags.model,
                       .resource = flags.resource,
                       .sort_by = flags.free && flags.sort_by.empty() ? "free" : flags.sort_by,
                       .label_columns = words_in(flags.label_columns)};
  question.reader = reader_of(question.format, flags.global, env);
  question.idle = idle_of(flags.metrics);
  question.metrics = metrics_of(question, flags, env);
  err_style(flags.global, env);  // finds a mistake in its flags before the cluster is asked
  question.nodes = chosen_nodes(question, flags);
  const LabelSelector selector = LabelSelector::parse(flags.selector);
  if (question.view.about == About::pods) question.pod_selector = selector;
  if (!flags.all_namespaces) question.ns = flags.global.connection.ns.value_or("");
  const bool lists_pods = question.view.rows_are == RowsAre::pods || question.shape == Shape::tree;
  question.folds = lists_pods && !flags.no_fold && question.reader == Reader::people &&
                   question.format == report::Format::text;
  check(question, flags);
  return question;
}

kube::Needs needs_of(const TopQuestion& question) {
  kube::Needs needs;
  needs.node_names = question.nodes;
  if (question.view.about != About::pods) needs.node_selector = question.selector;
  // Of the sums of nodes, rows of one namespace's pods need nothing.
  const bool is_of_namespace = question.view.about != About::nodes;
  if (is_of_namespace && question.shape == Shape::table) {
    needs.only_namespace = question.ns;
    needs.may_lack_nodes = true;
  }
  const bool has_waiting = question.reader == Reader::people ||
                           question.format == report::Format::json ||
                           question.format == report::Format::yaml;
  needs.waiting_pods = has_waiting;
  if (has_waiting) needs.keep = may_wait_for_claims;
  needs.owners = needs_owners(question);
  if (needs_pods(question) || needs_holders(question)) needs.keep = is_gpu_pod;
  needs.metrics = question.metrics;
  return needs;
}

}  // namespace gpu::cmd
