#include "cmd/top/top.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cmd/shell/app.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/parse.hpp"
#include "cmd/top/answer.hpp"
#include "cmd/top/help.hpp"
#include "cmd/top/idle_hints.hpp"
#include "cmd/top/question.hpp"
#include "cmd/top/view.hpp"
#include "cmd/watch/watch.hpp"

namespace gpu::cmd {

const CommandInfo kTop = {
    .name = "top",
    .usage = "top [nodes|gpus|pods|namespaces|models] [NAME...]",
    .summary = "Show who holds and uses the GPUs: allocated, free, unavailable and why, live use",
    .examples =
        "top\n"
        "top nodes gpu-a1 gpu-a2 -o wide\n"
        "top nodes --tree  # below each node the pods that hold its GPUs\n"
        "top gpus gpu-a2 gpu-m1/0\n"
        "top pods -n research --no-fold\n"
        "top pods -l app=notebook --sort-by age\n"
        "top pods --idle 1h  # under 5 % used for so long; Prometheus tells\n"
        "top namespaces --model H100\n"
        "top models --summary\n"
        "top -l pool=training --sort-by free -o json\n"
        "top pods -w  # until q; ? tells the other keys\n"
        "top --from cluster.json  # made by: kubectl get nodes,pods -A -o json",
};

void add_top_flags(CLI::App& app, TopFlags& flags) {
  const auto value = [&](const char* names, auto& target, const char* text, const char* group) {
    app.add_option(names, target, text)->take_last()->group(group);
  };
  const auto list = [&](const char* names, auto& target, const char* text, const char* group) {
    app.add_option(names, target, text)
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
  };
  app.add_option("words", flags.words);
  value("-l,--selector", flags.selector, "labels of nodes; of pods with pods and namespaces",
        "Filter");
  list("--node", flags.nodes, "only these nodes: gpu-a1,gpu-a2", "Filter");
  value("--model", flags.model, "only this model: H100, A100-1g.10gb, part of a name", "Filter");
  value("--resource", flags.resource, "only this resource: nvidia.com/gpu, mig-1g.10gb", "Filter");
  app.add_flag("-A,--all-namespaces", flags.all_namespaces, "all namespaces, whatever -n says")
      ->group("Filter");
  value("--sort-by", flags.sort_by, "a column: free, allocated, util, memory, power, idle, ...",
        "Output");
  app.add_flag("--no-fold", flags.no_fold, "a row for each pod, not for each owner")
      ->group("Output");
  app.add_flag("--tree", flags.tree, "nodes, below each the pods that hold its GPUs")
      ->group("Output");
  app.add_flag("--summary", flags.summary, "totals only")->group("Output");
  app.add_flag("-w,--watch", flags.watch,
               "show changes as they come; piped, rows that are new or changed, not those that go")
      ->group("Output");
  list("-L,--label-columns", flags.label_columns, "labels of nodes or pods to show as columns",
       "Output");
  add_metrics_flags(app, flags.metrics);
  add_idle_flag(app, flags.metrics);
  add_output_flags(app, flags.global);
  add_connection_flags(app, flags.global);
}

namespace {

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
  const bool is_about_nodes = question.view == View::nodes || question.view == View::models;
  if (question.ns.empty() || !is_about_nodes) return;
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

WatchedView watched_view(const TopQuestion& question, const GlobalFlags& flags, const Env& env) {
  return {.name = std::string(kViews.at(static_cast<std::size_t>(question.view))),
          .needs = needs_of(question),
          .report =
              [&](const Snapshot& snapshot) {
                return top_report(
                    answer_to(question, snapshot, clock_of(flags, snapshot.taken_at, env)));
              },
          .sorted_by = question.sort_by,
          .sorting = question.shape == Shape::table ? Sorting::free : Sorting::fixed};
}

}  // namespace

int run_top(const Words& words, Env& env) {
  CLI::App app;
  TopFlags flags;
  add_top_flags(app, flags);
  read_words(app, words, kTop, env);
  if (flags.global.help) {
    env.out << top_help(app, flags, env.program);
    return 0;
  }
  if (flags.watch) check_watch_flags(flags.global);
  const TopQuestion question = question_of(flags, env);
  check_before_asking(question);
  if (flags.watch) return watch(watched_view(question, flags.global, env), flags.global, env);
  const Snapshot snapshot = read_snapshot(flags.global, needs_of(question), env);
  const TopAnswer answer =
      answer_to(question, snapshot, clock_of(flags.global, snapshot.taken_at, env));
  if (answer.unanswered) refuse_to_answer(answer, err_style(flags.global, env), env);
  print(top_report(answer), flags, question, env);
  return 0;
}

}  // namespace gpu::cmd
