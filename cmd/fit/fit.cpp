#include "cmd/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/cost/price_sources.hpp"
#include "cmd/fit/question.hpp"
#include "cmd/fit/room_view.hpp"
#include "cmd/fit/text.hpp"
#include "cmd/fit/view.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/shell/reader.hpp"
#include "kube/read/needs.hpp"
#include "plan/fit/answer.hpp"
#include "plan/moves/room.hpp"
#include "plan/plan.hpp"
#include "report/render.hpp"
#include "report/wrap.hpp"

namespace gpu::cmd {

namespace {

void add_pod_flags(FlagSet& flags, FitFlags& to) {
  add_manifest_flags(flags, to.manifests, "place");
  flags.value("--gpus N", &to.gpus).in(FlagGroup::what).help("GPUs of each pod");
  flags.value("--model MODEL", &to.model)
      .in(FlagGroup::what)
      .help("GPU model, such as H100 or A100-80G");
  flags.value("--cpu CPUS", &to.cpu)
      .in(FlagGroup::what)
      .help("CPU of each pod; the default is its share of a node");
  flags.value("--memory SIZE", &to.memory)
      .in(FlagGroup::what)
      .help("memory of each pod, such as 32Gi");
  flags.value("--replicas N", &to.replicas)
      .in(FlagGroup::what)
      .help("number of pods; the default is 1");
  flags.value("--make-room N", &to.make_room)
      .in(FlagGroup::what)
      .help("show which pods to move to free this number of GPUs on one node");
  flags.value("--priority-class NAME", &to.priority_class)
      .in(FlagGroup::what)
      .help("PriorityClass of the pods");
  flags.list("--price [OF=]USD", to.prices)
      .in(FlagGroup::what)
      .help("price in USD per hour, such as 2.5 (of each GPU) or H100=2.5");
  flags.list("--prices FILE", to.price_files)
      .in(FlagGroup::what)
      .file()
      .help("file of prices like examples/prices.yaml");
}

void add_fit_flags(FlagSet& flags, FitFlags& to) {
  add_pod_flags(flags, to);
  add_format_flags(flags, to.global);
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
  flags.at("--namespace").help("namespace of the pods; the default is that of the context");
}

kube::Needs needs_of(const FitQuestion& question, const PlannedObjects& planned) {
  kube::Needs needs = kube::scheduling_needs();
  needs.kinds = needs.kinds | kPlanningKinds | kFittingKinds;
  if (question.makes_room) needs.kinds = needs.kinds | kMovingKinds | kCostKinds;
  needs.keep = [](const Pod&) { return true; };
  needs.owners = true;
  kube::add_planned(needs, planned.pods);
  return needs;
}

cost::PriceBook prices_of(const FitFlags& flags, const Env& env) {
  CostFlags typed;
  typed.prices = flags.prices;
  typed.price_files = flags.price_files;
  return price_book(typed, env);
}

/// Nobody can say where pods start in a cluster whose nodes or pods are not seen. Throws
/// Error{data}.
void check_sight(const Snapshot& snapshot) {
  if (snapshot.node_coverage != Coverage::none && snapshot.pod_coverage != Coverage::none) return;
  for (const Gap& gap : snapshot.gaps)
    throw Error(ErrorKind::data, "whether it fits is unknown: " + gap.what + ": " + gap.why,
                gap.help);
  throw Error(ErrorKind::data, "whether it fits is unknown: no nodes or pods were read");
}

/// A DaemonSet's pods are one for each node: there is no number of them that fits. Throws
/// Error{usage}.
void check_kinds(const PlannedObjects& planned) {
  const bool is_any_else =
      std::any_of(planned.pods.begin(), planned.pods.end(), [](const PlannedPod& each) {
        return each.pod.owners.empty() || each.pod.owners.front().kind != "DaemonSet";
      });
  if (!is_any_else)
    throw Error(ErrorKind::usage, "a DaemonSet makes a pod for each node: there is nothing to fit",
                "ask `why-pending -f FILE` on which nodes its pods start");
}

std::vector<std::string> all_facts(const plan::FitAnswer& answer,
                                   const std::vector<std::string>& notes) {
  std::vector<std::string> facts = fit_facts(answer);
  facts.insert(facts.end(), notes.begin(), notes.end());
  return facts;
}

std::string not_checked_text(const plan::FitAnswer& answer) {
  std::vector<std::string> all = answer.not_checked;
  for (const plan::FitRow& row : answer.rows)
    for (const std::string& each : row.not_checked)
      if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
  return all.empty() ? std::string() : "not checked: " + joined(all, "; ");
}

/// People see all on one screen; a pipe gets the table, and the rest goes beside it.
void print(const plan::FitAnswer& answer, const std::vector<std::string>& notes,
           const report::Report& report, const FitFlags& flags, Env& env) {
  const report::Format format = format_of(flags.global);
  const report::Style out = out_style(flags.global, env);
  const report::Style err = err_style(flags.global, env);
  const Reader reader = reader_of(format, flags.global, env);
  const bool is_screen = reader == Reader::people;
  if (is_screen) env.out << sanitize(fit_headline(answer)) << "\n\n";
  env.out << report::render(report, format, out);
  if (is_screen) {
    env.out << '\n';
    for (const std::string& fact : all_facts(answer, notes))
      env.out << report::render_note(fact, out);
  }
  env.out.flush();
  env.err << report::render_gaps(report.gaps, err);
  if (reader == Reader::machine) return;
  if (!is_screen) {
    env.err << report::render_note(fit_headline(answer), err);
    for (const std::string& fact : all_facts(answer, notes))
      env.err << report::render_note(fact, err);
  }
  if (const std::string text = not_checked_text(answer); !text.empty())
    env.err << report::render_note(text, err);
}

/// Sentences for people: beside the table where that goes into a pipe.
struct Spoken {
  std::string headline;
  std::string text;  ///< below it; empty: the table is
  std::vector<std::string> facts;
};

void print_room(const Spoken& spoken, const report::Report& report, const FitFlags& flags,
                Env& env) {
  const report::Format format = format_of(flags.global);
  const report::Style out = out_style(flags.global, env);
  const report::Style err = err_style(flags.global, env);
  const Reader reader = reader_of(format, flags.global, env);
  if (reader != Reader::people) {
    env.out << report::render(report, format, out);
  } else {
    env.out << sanitize(spoken.headline) << '\n';
    if (!spoken.text.empty()) env.out << '\n' << spoken.text;
    if (!spoken.facts.empty()) env.out << '\n';
    for (const std::string& fact : spoken.facts) env.out << report::render_note(fact, out);
  }
  env.out.flush();
  env.err << report::render_gaps(report.gaps, err);
  if (reader != Reader::pipe) return;
  env.err << report::render_note(spoken.headline, err);
  for (const std::string& fact : spoken.facts) env.err << report::render_note(fact, err);
}

/// The one pod that the room is for, as the API server and its controller would complete it.
int run_make_room(const FitQuestion& question, PlannedObjects planned, Snapshot snapshot,
                  const std::vector<std::string>& notes, const FitFlags& flags, Env& env) {
  const std::optional<Time> now = snapshot.taken_at;
  const std::vector<Gap> gaps = snapshot.gaps;
  plan::add_planned(planned, snapshot);
  const plan::RoomAnswer answer = plan::make_room(snapshot, planned.pods.front().pod);
  const std::vector<RoomStep> steps =
      answer.plan ? room_steps(*answer.plan) : std::vector<RoomStep>();
  const std::string model =
      question.options.gpu_models.empty() ? "" : question.options.gpu_models.front();
  Spoken spoken{.headline = room_headline(answer, question.gpus, sanitize(model)),
                .text = room_text(answer, now, out_style(flags.global, env)),
                .facts = room_facts(answer)};
  spoken.facts.insert(spoken.facts.end(), notes.begin(), notes.end());
  if (answer.free_now.empty())
    spoken.facts.push_back("not checked: " + joined(answer.not_checked, "; "));
  print_room(spoken, room_report(answer, steps, now, gaps), flags, env);
  return answer.plan || !answer.free_now.empty() ? 0 : 1;
}

int run_fit(const FitFlags& flags, Env& env) {
  static_cast<void>(format_of(flags.global));
  const FitQuestion question = fit_question(flags, env);
  const cost::PriceBook prices = prices_of(flags, env);
  std::vector<std::string> notes;
  const bool has_files = question.manifests.is_given();
  Manifests manifests = has_files ? asked_manifests(question, env) : Manifests();
  print_faults(manifests, flags.global, env);
  const int failed = manifests.errors.empty() ? 0 : exit_code(ErrorKind::usage);
  if (has_files && manifests.planned.pods.empty()) return failed;
  const PlannedObjects first =
      has_files ? std::move(manifests.planned) : asked_pods(question, nullptr, notes);
  notes.clear();
  check_kinds(first);
  Snapshot snapshot = read_snapshot(flags.global, needs_of(question, first), env);
  check_sight(snapshot);
  snapshot.taken_at = clock_of(flags.global, snapshot.taken_at, env);
  PlannedObjects planned = has_files ? first : asked_pods(question, &snapshot, notes);
  if (question.makes_room)
    return run_make_room(question, std::move(planned), std::move(snapshot), notes, flags, env);
  const std::vector<Gap> gaps = snapshot.gaps;
  const std::optional<Time> now = snapshot.taken_at;
  const plan::FitAnswer answer =
      plan::fit_answer(std::move(planned), std::move(snapshot), {.prices = prices, .now = now});
  print(answer, notes, fit_report(answer, gaps), flags, env);
  // As with kubectl, a bad file fails the whole: 0 or 1 would say that all were placed.
  if (failed != 0) return failed;
  return answer.all_start() ? 0 : 1;
}

BoundCommand bind_fit(FlagSet& flags, Commands /*all*/) {
  auto typed = std::make_shared<FitFlags>();
  add_fit_flags(flags, *typed);
  return {.run = [typed](Env& env) { return run_fit(*typed, env); }};
}

}  // namespace

const Command kFit = {
    .info =
        {
            .name = "fit",
            .usage = "fit -f FILE | --gpus N",
            .summary = "Say what would start now and where, and which nodes are missing",
            .examples = "fit -f train.yaml\n"
                        "fit --gpus 2 --model H100 --memory 32Gi --replicas 10\n"
                        "fit --make-room 4 --model H100  # which pods to move, and how\n"
                        "fit -f train.yaml --from cluster.json.gz",
        },
    .bind = bind_fit,
    .answers =
        [] {
          return std::vector{fit_form(), room_form()};
        },
};

}  // namespace gpu::cmd
