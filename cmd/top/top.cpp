#include "cmd/top/top.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/metrics_flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/top/answer.hpp"
#include "cmd/top/name_completion.hpp"
#include "cmd/top/no_such_row.hpp"
#include "cmd/top/question.hpp"
#include "cmd/top/sort.hpp"
#include "cmd/top/top_flags.hpp"
#include "cmd/top/top_report.hpp"
#include "cmd/top/view.hpp"
#include "cmd/top/watched.hpp"
#include "cmd/watch/watch.hpp"

namespace gpu::cmd {

namespace {

CandidatesOrFiles views_or_rows(const TopFlags& flags, const Typing& typing) {
  if (flags.words.empty()) return candidates_of(view_names());
  const ViewSpec* view = view_named(flags.words.front());
  return view == nullptr ? Candidates{} : view->completes(flags, typing);
}

Candidates sort_columns(const TopFlags& flags) {
  const ViewSpec* view = flags.words.empty() ? kViews.front() : view_named(flags.words.front());
  return view == nullptr ? Candidates{} : candidates_of(sort_words(columns_of(*view)));
}

/// What chooses among rows.
void add_filter_flags(FlagSet& flags, TopFlags& to) {
  flags.words(&to.words).completes(
      [&to](const Typing& typing) { return views_or_rows(to, typing); });
  flags.value("-l,--selector SELECTOR", &to.selector)
      .in(FlagGroup::filter)
      .help("filter by node labels, or pod labels for `top pods`");
  flags.list("--node NODE", to.nodes)
      .in(FlagGroup::filter)
      .help("show only these nodes, such as gpu-a1,gpu-a2")
      .completes([&to](const Typing& typing) { return node_names(to, typing.env); });
  flags.value("--model MODEL", &to.model)
      .in(FlagGroup::filter)
      .help("show only this model, such as H100 or A100-80G")
      .completes([&to](const Typing& typing) { return model_names(to, typing.env); });
  flags.value("--resource NAME", &to.resource)
      .in(FlagGroup::filter)
      .help("show only this resource, such as nvidia.com/gpu");
  flags.toggle("-A,--all-namespaces", &to.all_namespaces)
      .in(FlagGroup::filter)
      .help("show all namespaces, even with -n");
}

/// How rows are laid out.
void add_shape_flags(FlagSet& flags, TopFlags& to) {
  const auto toggle = [&](std::string_view names, bool& target, const char* text) {
    flags.toggle(names, &target).in(FlagGroup::output).help(text);
  };
  flags.value("--sort-by COLUMN", &to.sort_by)
      .in(FlagGroup::output)
      .help("sort by a column: free, util, memory, idle, ...")
      .completes([&to](const Typing&) { return sort_columns(to); });
  toggle("--no-fold", to.no_fold, "print one row per pod instead of one row per owner");
  toggle("--tree", to.tree, "show the pods that hold GPUs below each node");
  toggle("--summary", to.summary, "print only totals");
  toggle("-w,--watch", to.watch, "watch for changes; in a pipe, print new and changed rows only");
  flags.toggle("--free", &to.free);
  flags.list("-L,--label-columns KEY", to.label_columns)
      .in(FlagGroup::output)
      .help("labels to show as columns");
}

void add_top_flags(FlagSet& flags, TopFlags& to) {
  add_filter_flags(flags, to);
  add_shape_flags(flags, to);
  add_metrics_flags(flags, to.metrics);
  add_idle_flag(flags, to.metrics);
  add_format_flags(flags, to.global);
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
}

/// The help of the view that was typed, with the flags that mean something there; of all where none
/// was. Throws Error{usage} for a word that is no view.
std::string top_help(FlagSet& flags, const TopFlags& typed, std::string_view program) {
  if (typed.words.empty()) {
    const std::string usage = fmt::format("top [{}] [NAME...]", joined(view_names(), "|"));
    CommandInfo of_all = kTop.info;
    of_all.usage = usage;
    return help_text(of_all, flags.all(), program) +
           fmt::format("For one view: {} top gpus --help\n", program);
  }
  const ViewSpec& view = view_typed(typed.words.front(), program);
  for (const std::string_view flag : view.flags_without) flags.at(flag).in(FlagGroup::hidden);
  flags.at("--selector")
      .help(view.about == About::pods ? "filter by pod labels" : "filter by node labels");
  flags.at("--sort-by").help(std::string(view.sort_help));
  return help_text(view.help, flags.all(), program);
}

/// A column to sort by that the view does not have is found before the cluster is asked.
void check_before_asking(const TopQuestion& question) {
  if (question.sort_by.empty()) return;
  const Snapshot nothing;
  TopQuestion unfiltered = question;
  unfiltered.names.clear();
  top_report(answer_to(unfiltered, nothing, std::nullopt));
}

/// -n chooses among pods; rows about nodes need all of these for what is free.
void say_what_namespace_does(const TopQuestion& question, const report::Style& style, Env& env) {
  if (question.ns.empty() || question.view.about != About::nodes) return;
  env.err << report::render_gaps(
      {{.what = fmt::format("`-n {}` leaves nothing out here", question.ns),
        .why = "what is allocated and free on nodes counts the pods of all namespaces",
        .help = fmt::format("for what one namespace holds\n      {} top pods -n {}", env.program,
                            shell_quoted(question.ns))}},
      style);
}

void print(report::Report report, const TopFlags& flags, const TopQuestion& question, Env& env) {
  const report::Style out = out_style(flags.global, env);
  const report::Style err = err_style(flags.global, env);
  const bool shows_hints = question.reader == Reader::people && err.width.has_value();
  if (shows_hints) take_hints_from_gaps(report);
  env.out << report::render(report, question.format, out);
  env.out.flush();
  if (!env.out.good()) return;  // run() finds out whether that is an error
  if (!report.empty_text.empty()) env.err << report::render_warning(report.empty_text, err);
  env.err << report::render_gaps(report.gaps, err);
  say_what_namespace_does(question, err, env);
  if (shows_hints) env.err << report::render_hints(report, err);
}

/// No rows would look like "none".
[[noreturn]] void refuse_to_answer(const TopAnswer& answer, const report::Style& style, Env& env) {
  env.err << report::render_gaps(top_report(answer).gaps, style);
  throw Error(ErrorKind::data, answer.empty_text, answer.unanswered->help);
}

/// What tells which view has a row that is no node.
std::optional<Snapshot> names_seen(const TopFlags& flags, const Env& env) {
  try {
    kube::Needs needs{.may_lack_nodes = true, .waiting_pods = true};
    needs.pod_lists = kube::PodLists::all;
    needs.keep = [](const Pod&) { return true; };
    return read_snapshot(flags.global, std::move(needs), env);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// A name without a view may be that of a pod, or a slip of a view's: no node is found then.
Snapshot read_rows(const TopQuestion& question, const TopFlags& flags, const Env& env) {
  try {
    return read_snapshot(flags.global, needs_of(question), env);
  } catch (const Error& error) {
    if (!question.is_view_guessed || error.kind() != ErrorKind::usage) throw;
    const std::optional<Snapshot> seen = names_seen(flags, env);
    if (!seen) throw;
    for (const std::string& name : question.names)
      if (std::none_of(seen->nodes.begin(), seen->nodes.end(),
                       [&](const Node& node) { return node.name == name; }))
        throw no_such_row(name, *seen, env.program);
    throw;
  }
}

report::Report watched_report(const TopQuestion& question, const Snapshot& snapshot,
                              const GlobalFlags& flags, const Env& env) {
  const std::optional<Time> now = clock_of(flags, snapshot.taken_at, env);
  report::Report report = top_report(answer_to(question, snapshot, now));
  if (question.reader == Reader::people) take_hints_from_gaps(report);
  return report;
}

int run_top(const TopFlags& flags, Env& env) {
  if (flags.watch) check_watch_flags(flags.global);
  const TopQuestion question = question_of(flags, env);
  check_before_asking(question);
  if (flags.watch) {
    const std::vector<TopQuestion> questions = watched_questions(question, flags, env);
    const auto report_of = [&](const TopQuestion& one, const Snapshot& snapshot) {
      return watched_report(one, snapshot, flags.global, env);
    };
    return watch(watched_views(questions, question, report_of), flags.global, env);
  }
  const Snapshot snapshot = read_rows(question, flags, env);
  const TopAnswer answer =
      answer_to(question, snapshot, clock_of(flags.global, snapshot.taken_at, env));
  if (answer.unanswered) refuse_to_answer(answer, err_style(flags.global, env), env);
  print(top_report(answer), flags, question, env);
  return 0;
}

std::vector<report::AnswerForm> forms_of_views() {
  std::vector<report::AnswerForm> forms;
  for (const ViewSpec* view : kViews) forms.push_back(form_of(*view));
  return forms;
}

BoundCommand bind_top(FlagSet& flags, Commands /*all*/) {
  auto typed = std::make_shared<TopFlags>();
  add_top_flags(flags, *typed);
  return {
      .run = [typed](Env& env) { return run_top(*typed, env); },
      .help = [typed](FlagSet& all_flags,
                      std::string_view program) { return top_help(all_flags, *typed, program); }};
}

}  // namespace

const Command kTop = {
    .info =
        {
            .name = "top",
            .usage = "top [VIEW] [NAME...]",
            .summary = "Show who holds and uses the GPUs: allocated, free, unavailable and why, "
                       "live use",
            .examples = "top\n"
                        "top gpu-a1 gpu-a2 -o wide  # nodes by name\n"
                        "top nodes --tree  # nodes, and the pods that hold their GPUs\n"
                        "top pods -n research\n"
                        "top pods --idle 1h  # pods that leave their GPUs idle\n"
                        "top --from cluster.json  # kubectl get nodes,pods -A -o json",
        },
    .bind = bind_top,
    .answers = forms_of_views,
};

}  // namespace gpu::cmd
