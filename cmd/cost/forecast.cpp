#include "cmd/cost/forecast.hpp"

#include <fmt/format.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/cost/forecast_gaps.hpp"
#include "cmd/cost/forecast_notes.hpp"
#include "cmd/cost/forecast_question.hpp"
#include "cmd/cost/forecast_report.hpp"
#include "cmd/cost/price_sources.hpp"
#include "cost/forecast/autoscaling.hpp"
#include "cost/forecast/forecast.hpp"
#include "cost/ledger/ledger.hpp"
#include "cost/rows/line.hpp"
#include "model/holdings/holding.hpp"
#include "report/render.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::cmd {
namespace {

using cost::ObjectForecast;

/// Nodes and what Karpenter may create; pods that hold GPUs, for what an object costs now; claims'
/// templates, where pods name some.
kube::Needs forecast_needs(const ForecastQuestion& question, const GlobalFlags& flags) {
  kube::Needs needs;
  needs.ns = flags.connection.ns.value_or("");
  needs.owners = true;
  needs.kinds = kForecastKinds;
  needs.may_lack_nodes = true;
  needs.keep = is_gpu_pod;
  for (const PlannedPod& each : question.planned.pods) needs.planned_pods.push_back(each.pod);
  return needs;
}

/// Pods that are not seen are missed by nobody: they say only what exists already.
bool matters(const Gap& gap) {
  return gap.about != GapTopic::use && gap.missing != Missing::pods &&
         gap.missing != Missing::pods_of_file;
}

/// An empty snapshot where no cluster is to be asked, or none can be seen.
Snapshot look_at(const ForecastQuestion& question, const CostFlags& flags, std::vector<Gap>& gaps,
                 Env& env) {
  if (flags.forecast.is_offline) return {};
  try {
    Snapshot snapshot = read_snapshot(flags.global, forecast_needs(question, flags.global), env);
    for (const Gap& gap : snapshot.gaps)
      if (matters(gap)) gaps.push_back(gap);
    return snapshot;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || flags.global.from) throw;
    gaps.push_back({.what = "the cluster cannot be seen, so prices are by what the manifest names",
                    .why = error.message(),
                    .help = "use --offline to ask none"});
    return {};
  }
}

std::string name_of_object(const ObjectForecast& object) {
  return fmt::format("{} {}", object.kind, sanitize(object.name));
}

constexpr std::size_t kNamesInError = 4;

[[noreturn]] void refuse_max(const std::string& because, const std::string& help) {
  throw Error(ErrorKind::usage, "`--max` cannot be answered: " + because, help);
}

/// Nobody knows what these cost.
void check_contents(const ForecastAnswer& answer) {
  if (const auto unpriced = unpriced_objects(answer); !unpriced.empty())
    refuse_max(fmt::format("what pods {} has is not known",
                           sanitize(few_and_rest(unpriced, kNamesInError))),
               "price it by itself, or leave it out of the file");
  const auto lacking = cost::autoscalers_without_target(answer.question.planned);
  if (!lacking.empty())
    refuse_max(fmt::format("what {} scales is not in the files",
                           sanitize(few_and_rest(lacking, kNamesInError))),
               "give its file, too, or leave the autoscaler out");
}

/// Whether nothing is left out of the sums.
bool is_all_known(const ForecastAnswer& answer) {
  return unpriced_objects(answer).empty() &&
         cost::autoscalers_without_target(answer.question.planned).empty();
}

/// --max cannot be held against what may cost any amount.
void check_bounds(const std::vector<ObjectForecast>& objects) {
  for (const ObjectForecast& object : objects) {
    if (!object.has_gpus() || object.cost.bound()) continue;
    const std::string name = name_of_object(object);
    for (const cost::PodForecast& pod : object.pods)
      if (!pod.gpus.empty() && !cost::pods_at_most(pod.bounds))
        refuse_max(fmt::format("nothing that is known limits how many pods {} may grow to: {}",
                               name, sanitize(pod.bounds.growth->by)),
                   "set a limit in the manifest");
    if (object.cost.bound_by() == cost::BoundBy::nothing)
      throw Error(ErrorKind::usage,
                  fmt::format("`--max` needs `--hours N`, or a deadline in the manifest: {} has no "
                              "end that is known",
                              name));
    refuse_max("nothing that is known bounds the retries of " + name,
               "set a deadline, or a backoffLimit where the kind has one");
  }
}

/// The exit code of --max, and what it is for. Throws Error{usage} where a price is missing.
int judge(const ForecastAnswer& answer, const report::Style& style, Env& env) {
  if (!answer.question.most) return 0;
  const std::optional<Money> bound = answer.sum.bound ? answer.sum.bound->high : std::nullopt;
  if (!bound) {
    std::vector<std::string> unpriced;
    for (const ObjectForecast& object : answer.objects)
      if (!object.cost.hour.is_known()) unpriced.push_back(name_of_object(object));
    refuse_max(fmt::format("what {} costs is not known", few_and_rest(unpriced, kNamesInError)),
               "give its price with --price or --prices");
  }
  const bool is_above = *bound > *answer.question.most;
  const std::string text = fmt::format("it may cost ${}, {} --max {}", money_text({bound, bound}),
                                       is_above ? "which is above" : "within",
                                       money_text({answer.question.most, answer.question.most}));
  if (is_above)
    env.err << report::render_warning(text, style);
  else if (answer.question.reader != Reader::machine)
    env.err << report::render_note(text, style);
  return is_above ? 1 : 0;
}

void print_forecast(const ForecastAnswer& answer, const CostFlags& flags, Env& env) {
  const report::Report report = forecast_report(answer);
  const report::Style err = err_style(flags.global, env);
  env.out << report::render(report, answer.question.format, out_style(flags.global, env));
  env.out.flush();
  if (!env.out.good()) return;  // run() finds out whether that is an error
  env.err << report::render_gaps(report.gaps, err);
  if (answer.question.reader == Reader::machine) return;
  for (const std::string& note : forecast_notes(answer)) env.err << report::render_note(note, err);
}

}  // namespace

void add_forecast_flags(FlagSet& flags, ForecastFlags& to) {
  add_manifest_flags(flags, to.manifests, "price");
  flags.value("--hours TIME", &to.run_for)
      .in(FlagGroup::what)
      .help("with -f, time that each pod runs, such as 8 or 2d");
  flags.value("--max USD", &to.most)
      .in(FlagGroup::what)
      .help("with -f, exit with 1 if it can cost more");
  flags.toggle("--offline", &to.is_offline)
      .in(FlagGroup::input)
      .help("with -f, do not read a cluster; the manifest decides the prices");
}

void check_without_files(const ForecastFlags& flags) {
  check_manifest_flags(flags.manifests);
  const auto reject_flag = [](std::string_view name) {
    throw Error(ErrorKind::usage, fmt::format("`{}` is about a manifest", name),
                "give one with -f FILE");
  };
  if (flags.run_for) reject_flag("--hours");
  if (flags.most) reject_flag("--max");
  if (flags.is_offline) reject_flag("--offline");
}

int forecast_cost(const CostFlags& flags, Env& env) {
  Manifests manifests;
  const ForecastQuestion question = forecast_question(flags, manifests, env);
  print_faults(manifests, flags.global, env);
  const int failed = manifests.errors.empty() ? 0 : exit_code(ErrorKind::usage);
  if (failed != 0 && question.is_empty()) return failed;
  const cost::PriceBook prices = price_book(flags, env);
  ForecastAnswer answer{.question = question};
  const Snapshot snapshot = look_at(question, flags, answer.gaps, env);
  answer.has_cluster = snapshot.node_coverage != Coverage::none;
  const std::optional<Time> now = clock_of(flags.global, snapshot.taken_at, env);
  const usage::Inventory inventory(snapshot, now);
  const cost::Ledger ledger(inventory, prices, {.mig_by = question.rules.mig_by});
  const std::vector<cost::CostLine> lines = cost::cost_lines(ledger, snapshot, now);
  answer.objects =
      cost::forecast(question.planned, {snapshot, ledger, prices, lines}, question.rules);
  answer.sum = cost::sum_of(answer.objects);
  if (!is_all_known(answer)) answer.sum.bound.reset();
  answer.gaps.insert(answer.gaps.end(), prices.gaps().begin(), prices.gaps().end());
  for (Gap& gap : forecast_gaps(answer.objects, now)) answer.gaps.push_back(std::move(gap));
  if (question.most) check_contents(answer);
  if (question.most) check_bounds(answer.objects);
  print_forecast(answer, flags, env);
  // As with kubectl, a bad file fails the whole: its pods are not in the sums.
  if (failed != 0 && question.most)
    refuse_max("not all files could be read", "correct them, or leave them out");
  if (failed != 0) return failed;
  return judge(answer, err_style(flags.global, env), env);
}

}  // namespace gpu::cmd
