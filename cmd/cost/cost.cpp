#include "cmd/cost/cost.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/cost/against.hpp"
#include "cmd/cost/answer.hpp"
#include "cmd/cost/cost_report.hpp"
#include "cmd/cost/explain_price.hpp"
#include "cmd/cost/forecast.hpp"
#include "cmd/cost/forecast_report.hpp"
#include "cmd/cost/price_sources.hpp"
#include "cmd/cost/question.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/help.hpp"
#include "cmd/shell/metrics_flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/watch/watch.hpp"

namespace gpu::cmd {

namespace {

void add_filter_flags(FlagSet& flags, CostFlags& to) {
  flags.words(&to.words).completes([&to](const Typing&) {
    return to.words.empty() ? candidates_of(cost_view_names()) : Candidates{};
  });
  flags.value("--by VIEW", &to.by)
      .in(FlagGroup::what)
      .help("group by namespaces, pods, owners, nodes, models, or label=KEY of pods")
      .completes([](const Typing&) { return candidates_of(cost_view_names()); });
  flags.value("-l,--selector SELECTOR", &to.selector)
      .in(FlagGroup::filter)
      .help("filter by pod labels");
  flags.list("--node NODE", to.nodes)
      .in(FlagGroup::filter)
      .help("show only these nodes, such as gpu-a1,gpu-a2");
  flags.value("--model MODEL", &to.model)
      .in(FlagGroup::filter)
      .help("show only this model, such as H100 or A100-80G");
  flags.toggle("-A,--all-namespaces", &to.all_namespaces)
      .in(FlagGroup::filter)
      .help("show all namespaces, even with -n");
}

void add_price_flags(FlagSet& flags, CostFlags& to) {
  flags.list("--price [OF=]USD", to.prices)
      .in(FlagGroup::what)
      .help("price in USD per hour, such as 2.5 (of each GPU), H100=2.5, or node/gpu-a1=21.5");
  flags.list("--prices FILE", to.price_files)
      .in(FlagGroup::what)
      .file()
      .help("file of prices like examples/prices.yaml, or OpenCost's CSV");
  flags.value("--explain-price NODE", &to.explain_price)
      .in(FlagGroup::what)
      .help("show the price rules of a node, and which is used");
  flags.toggle("--whole-node", &to.whole_node)
      .in(FlagGroup::what)
      .help("also charge pods for the free GPUs of their node");
  flags.value("--split HOW", &to.split)
      .in(FlagGroup::what)
      .choices(kSplits)
      .help("charge GPUs with the whole node, or by OpenCost's ratio of CPU, memory and GPUs");
  flags.value("--mig-by HOW", &to.mig_by)
      .in(FlagGroup::what)
      .choices(kMigBy)
      .help("charge a MIG slice by its compute slices, or by the larger of compute and memory");
}

void add_cost_flags(FlagSet& flags, CostFlags& to) {
  add_filter_flags(flags, to);
  add_forecast_flags(flags, to.forecast);
  add_price_flags(flags, to);
  flags.list("--against SOURCE", to.against)
      .in(FlagGroup::what)
      .file()
      .help(
          "compare with OpenCost: `opencost`, its Service NS/NAME:PORT, or files of its answers to "
          "/allocation and /assets");
  flags.value("--sort-by COLUMN", &to.sort_by)
      .in(FlagGroup::output)
      .help("column to sort by: idle, total, gpus, usdPerHour");
  flags.toggle("-w,--watch", &to.watch).in(FlagGroup::output).help("watch for changes");
  add_metrics_flags(flags, to.metrics);
  flags.at("--since").help(
      "show averages and totals over this time, such as 7d, with deleted pods");
  add_format_flags(flags, to.global);
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
}

/// What is printed of an answer: nothing of it refers to what was read.
struct Printed {
  report::Report report;
  std::string prices;  ///< where prices came from; empty: nothing was priced
};

Printed printed_answer(const CostQuestion& question, const cost::PriceBook& prices,
                       const GlobalFlags& flags, Env& env) {
  const Snapshot snapshot = read_snapshot(flags, needs_of(question), env);
  CostAnswer answer(question, snapshot, prices, clock_of(flags, snapshot.taken_at, env));
  // From here on only hints to people need them, and there may be many.
  if (question.reader != Reader::people) std::vector<cost::CostLine>().swap(answer.lines);
  return {.report = cost_report(answer),
          .prices = answer.rows.empty() ? std::string() : prices_text(answer)};
}

void print(const Printed& printed, const CostQuestion& question, const GlobalFlags& flags,
           Env& env) {
  const report::Report& report = printed.report;
  const report::Style out = out_style(flags, env);
  const report::Style err = err_style(flags, env);
  env.out << report::render(report, question.format, out);
  env.out.flush();
  if (!env.out.good()) return;  // run() finds out whether that is an error
  if (!report.empty_text.empty()) env.err << report::render_warning(report.empty_text, err);
  env.err << report::render_gaps(report.gaps, err);
  if (question.reader != Reader::machine && !printed.prices.empty())
    env.err << report::render_note("prices: " + printed.prices +
                                       "; GPUs alone, no storage, network, "
                                       "licences or discounts",
                                   err);
  if (question.reader == Reader::people && err.width) env.err << report::render_hints(report, err);
}

WatchedViews watched_views(const CostQuestion& question, const cost::PriceBook& prices,
                           const GlobalFlags& flags, const Env& env) {
  WatchedView view{.name = "cost " + std::string(question.view.name),
                   .report =
                       [&](const Snapshot& snapshot) {
                         return cost_report(CostAnswer(question, snapshot, prices,
                                                       clock_of(flags, snapshot.taken_at, env)));
                       },
                   .sorted_by = question.sort_by};
  return {.needs = needs_of(question), .views = {std::move(view)}};
}

int run_cost(const CostFlags& flags, Env& env) {
  if (flags.forecast.manifests.is_given()) return forecast_cost(flags, env);
  check_without_files(flags.forecast);
  if (flags.watch) check_watch_flags(flags.global);
  const CostQuestion question = cost_question(flags, env);
  const cost::PriceBook prices = price_book(flags, env);
  if (flags.explain_price) return explain_price(*flags.explain_price, prices, flags, env);
  if (!flags.against.empty()) return cost_against(flags, question, prices, env);
  if (flags.watch)
    return watch(watched_views(question, prices, flags.global, env), flags.global, env);
  print(printed_answer(question, prices, flags.global, env), question, flags.global, env);
  return 0;
}

/// The help of the view that was typed; of all where none was.
std::string cost_help(FlagSet& flags, const CostFlags& typed, std::string_view program) {
  const CostView* view = typed.words.empty() ? nullptr : cost_view_named(typed.words.front());
  return help_text(view == nullptr ? kCost.info : view->help, flags.all(), program);
}

BoundCommand bind_cost(FlagSet& flags, Commands /*all*/) {
  auto typed = std::make_shared<CostFlags>();
  add_cost_flags(flags, *typed);
  return {.run = [typed](Env& env) { return run_cost(*typed, env); },
          .help = [typed](FlagSet& all,
                          std::string_view program) { return cost_help(all, *typed, program); }};
}

}  // namespace

const Command kCost = {
    .info =
        {
            .name = "cost",
            .usage = "cost [VIEW|TYPE/NAME|-f FILE] [NAME...]",
            .summary = "Show what GPUs cost, who pays for them, and how much of it is idle",
            .examples = "cost\n"
                        "cost pods -n research --sort-by idle\n"
                        "cost jobs  # failed and retried pods included\n"
                        "cost jobs --since 7d  # with deleted pods\n"
                        "cost job/train -n ml\n"
                        "cost nodes --prices prices.yaml\n"
                        "cost -f train.yaml --hours 8  # before it is created\n"
                        "cost -f train.yaml --hours 8 --max 500  # exit code 1 above that\n"
                        "cost --by label=team --price H100=2.5\n"
                        "cost --explain-price gpu-a1\n"
                        "cost --against opencost  # where its figures differ, and why",
        },
    .bind = bind_cost,
    .answers =
        [] {
          return std::vector{cost_form(), price_step_form(), difference_form(), forecast_form()};
        },
};

}  // namespace gpu::cmd
