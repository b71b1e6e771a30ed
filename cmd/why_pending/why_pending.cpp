#include "cmd/why_pending/why_pending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/metrics_flags.hpp"
#include "cmd/shell/quick_snapshot.hpp"
#include "cmd/why_pending/answer.hpp"
#include "cmd/why_pending/patches.hpp"
#include "cmd/why_pending/question.hpp"
#include "cmd/why_pending/reason_pages.hpp"
#include "cmd/why_pending/screen.hpp"
#include "cmd/why_pending/view.hpp"
#include "diagnose/answer/code.hpp"
#include "diagnose/explain/fold.hpp"
#include "input/files/manifest_file.hpp"
#include "kube/collect/owners.hpp"
#include "plan/plan.hpp"

namespace gpu::cmd {

namespace {

std::vector<std::string_view> code_names() {
  std::vector<std::string_view> names;
  for (const diagnose::Code code : diagnose::codes()) names.push_back(diagnose::name_of(code));
  return names;
}

/// Pods that wait as NAMESPACE/POD, of one namespace as POD.
Candidates waiting_names(const GlobalFlags& flags, const Env& env) {
  const std::string ns = flags.connection.ns.value_or("");
  kube::Needs needs{.only_namespace = ns, .may_lack_nodes = true, .waiting_pods = true};
  needs.keep = [](const Pod& pod) { return pod.node_name.empty() && !is_finished(pod); };
  const auto snapshot = quick_snapshot(flags, std::move(needs), env);
  Candidates candidates;
  if (!snapshot) return candidates;
  for (const Pod& pod : snapshot->pods)
    if (is_object_name(pod.ns) && is_object_name(pod.name))
      candidates.push_back({ns.empty() ? pod.ns + "/" + pod.name : pod.name});
  return candidates;
}

void add_own_flags(FlagSet& flags, WhyPendingFlags& to) {
  flags.words(&to.words).completes([&to](const Typing& typing) {
    const bool is_named = !to.words.empty() || !to.files.empty();
    return is_named ? Candidates{} : waiting_names(to.global, typing.env);
  });
  flags.toggle("-A,--all-namespaces", &to.all_namespaces)
      .in(FlagGroup::what)
      .help("all pods that wait, everywhere");
  flags.list("-f,--filename", to.files)
      .in(FlagGroup::what)
      .file()
      .help(
          "a manifest of pods that are not made yet, or a folder of them; - is stdin; may be "
          "repeated");
  flags.value("--explain", &to.explain)
      .in(FlagGroup::what)
      .choices(code_names())
      .help("print what a reason code means");
  flags.toggle("--all", &to.all)
      .in(FlagGroup::output)
      .help("print every fix and note, and the scheduler's whole message");
  flags.toggle("--nodes", &to.all_nodes)
      .in(FlagGroup::output)
      .help("name every node, not only the nearest");
  flags.toggle("--no-fold", &to.no_fold)
      .in(FlagGroup::output)
      .help("a row for each pod, not for each owner");
}

void add_why_pending_flags(FlagSet& flags, WhyPendingFlags& to) {
  add_own_flags(flags, to);
  add_metrics_flags(flags, to.metrics);
  add_format_flags(flags, to.global, pending_forms());
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
  flags.at("--namespace").help("of the pod or owner; without it, the context's");
}

int print_page(const std::string& word, Env& env) {
  if (const auto code = diagnose::code_named(word)) {
    env.out << reason_page(*code);
    return 0;
  }
  const std::vector<std::string_view> names = code_names();
  // The parser takes the flag behind it for the word that is missing.
  if (word.empty() || word.starts_with('-'))
    throw Error(ErrorKind::usage, "`--explain` needs a reason code", "codes are " + joined(names));
  const auto nearest = nearest_name(word, names);
  throw Error(
      ErrorKind::usage, fmt::format("there is no reason code `{}`", word),
      nearest ? fmt::format("a similar one is `{}`", *nearest) : "codes are " + joined(names));
}

/// The context's, as with kubectl; files know of none.
std::string default_namespace(const GlobalFlags& flags, const Env& env) {
  if (flags.from) return {};
  const kube::Connection connection =
      kube::resolve_connection(flags.connection, {.environment = env.environment});
  return connection.ns.empty() ? "default" : connection.ns;
}

kube::Needs needs_of(const PendingQuestion& question, const WhyPendingFlags& flags,
                     const Env& env) {
  kube::Needs needs = kube::scheduling_needs();
  if (!question.planned.pods.empty()) needs.kinds = needs.kinds | kPlanningKinds;
  needs.owners = true;
  needs.keep = [](const Pod&) { return true; };
  needs.may_lack_nodes = true;
  needs.waiting_pods = true;
  needs.refused_owners = question.about == PendingQuestion::About::all && question.ns.empty();
  kube::add_planned(needs, question.planned.pods);
  if (question.kind != nullptr)
    needs.workload = {.kind = question.kind, .ns = question.ns, .name = question.name};
  // Which holders are idle matters where fixes are shown.
  if (question.about != PendingQuestion::About::all)
    needs.metrics = metrics_needs(flags.metrics, origin_of(flags.global), env.environment);
  return needs;
}

/// A row for each pod that an answer stands for.
std::vector<diagnose::Explanation> unfolded(std::vector<diagnose::Explanation> answers) {
  std::vector<diagnose::Explanation> rows;
  for (const diagnose::Explanation& answer : answers)
    for (const std::string& name : answer.names) {
      rows.push_back(answer);
      rows.back().name = name;
      rows.back().names = {name};
    }
  return rows;
}

/// How it is asked for by itself.
std::string word_of(const diagnose::Explanation& answer) {
  if (answer.kind == "Pod") return shell_quoted(answer.ns + "/" + answer.name);
  return fmt::format("{} -n {}", shell_quoted(lower_case(answer.kind) + "/" + answer.name),
                     shell_quoted(answer.ns));
}

report::Note note_of(const Gap& gap) { return {gap.what, gap.why, gap.help}; }

void print_gaps(const Snapshot& snapshot, const report::Style& style, Env& env) {
  std::vector<report::Note> notes;
  for (const Gap& gap : snapshot.gaps)
    if (gap.about != GapTopic::use) notes.push_back(note_of(gap));
  env.err << report::render_gaps(notes, style);
}

bool is_any_blocked(const std::vector<diagnose::Explanation>& answers) {
  return std::any_of(answers.begin(), answers.end(),
                     [](const diagnose::Explanation& answer) { return answer.is_blocked; });
}

class Printer {
 public:
  Printer(const WhyPendingFlags& flags, const PendingQuestion& question, const Snapshot& snapshot,
          Env& env)
      : flags_(flags),
        question_(question),
        snapshot_(snapshot),
        env_(env),
        out_(out_style(flags.global, env)),
        err_(err_style(flags.global, env)),
        names_(flags.all_nodes ? report::Names::all : report::Names::first) {}

  void print(PendingAnswers all) {
    std::vector<diagnose::Explanation>& answers = all.explanations;
    if (!question_.format) return print_patches(answers);
    const report::Format format = *question_.format;
    const bool is_for_people = format == report::Format::text || format == report::Format::wide;
    if (is_for_people && question_.about != PendingQuestion::About::all)
      return print_diagnostics(std::move(answers));
    const bool folds = is_for_people && out_.width.has_value() && !flags_.no_fold;
    answers = folds ? diagnose::fold_alike(std::move(answers)) : unfolded(std::move(answers));
    print_table(all, format);
  }

 private:
  void print_patches(const std::vector<diagnose::Explanation>& answers) {
    const std::string patches = patches_of(answers);
    env_.out << patches;
    env_.out.flush();
    if (!patches.empty()) return;
    const std::string what = answers.size() == 1 ? word_of(answers.front()) : "these pods";
    if (!is_any_blocked(answers))
      env_.err << fmt::format("nothing keeps {} waiting: there is nothing to patch\n", what);
    else
      env_.err << fmt::format("no fix of {} is a patch: see it without -o patch\n", what);
  }

  void print_diagnostics(std::vector<diagnose::Explanation>&& answers) {
    if (!flags_.no_fold) answers = diagnose::fold_roles(std::move(answers));
    // A pipe has no height.
    const bool is_brief = out_.width.has_value() && !flags_.all;
    const Screen screen =
        screen_of(answers, snapshot_.taken_at, is_brief ? Detail::brief : Detail::all);
    bool is_first = true;
    for (const report::Diagnostic& diagnostic : screen.answers) {
      if (!std::exchange(is_first, false)) env_.out << '\n';
      env_.out << report::render_diagnostic(diagnostic, names_, out_);
    }
    if (!screen.closing.empty()) env_.out << '\n' << report::render_advised(screen.closing, out_);
    env_.out.flush();
    print_gaps(snapshot_, err_, env_);
  }

  void print_table(const PendingAnswers& all, report::Format format) {
    const std::vector<diagnose::Explanation>& answers = all.explanations;
    std::vector<Gap> gaps;
    for (const Gap& gap : snapshot_.gaps)
      if (gap.about != GapTopic::use) gaps.push_back(gap);
    report::Report report = pending_report(all, gaps, names_);
    const bool is_on_terminal = out_.width.has_value() && format == report::Format::text;
    if (is_on_terminal && !answers.empty()) env_.out << waiting_text(all) << "\n\n";
    env_.out << report::render(report, format, out_);
    env_.out.flush();
    if (!report.empty_text.empty() && format == report::Format::text)
      env_.err << report.empty_text << '\n';
    env_.err << report::render_gaps(report.gaps, err_);
    if (!is_on_terminal || answers.empty()) return;
    report.hints.push_back(
        {.text = fmt::format("{} why-pending {} says more", env_.program, word_of(answers.front())),
         .command = {}});
    env_.err << report::render_hints(report, err_);
  }

  const WhyPendingFlags& flags_;
  const PendingQuestion& question_;
  const Snapshot& snapshot_;
  Env& env_;
  report::Style out_;
  report::Style err_;
  report::Names names_;
};

/// What is wrong in a manifest is said before the cluster is asked.
void read_manifests(PendingQuestion& question) {
  const std::string ns = question.ns.empty() ? "default" : question.ns;
  for (const std::string& path : question.files) input::add_manifests(question.planned, path, ns);
  plan::take_found(question.planned);
  if (!question.planned.pods.empty()) return;
  std::replace(question.files.begin(), question.files.end(), std::string("-"),
               std::string("stdin"));
  const std::string names = fmt::format("{}", fmt::join(question.files, ", "));
  const std::vector<std::string>& unknown = question.planned.unknown;
  if (unknown.empty())
    throw Error(ErrorKind::usage, names + " makes no pods",
                "give a Pod, or what makes pods: a Job, a Deployment");
  throw Error(ErrorKind::usage,
              fmt::format("{} does not say what the pods of {} are made of", names,
                          fmt::join(unknown, ", ")),
              "create it, and ask for it by name");
}

/// Without sight of any pod, that none waits would be a guess. Throws Error{data}.
void check_sight_of_pods(const PendingQuestion& question, const Snapshot& snapshot) {
  if (question.about != PendingQuestion::About::all) return;
  if (snapshot.pod_coverage != Coverage::none || !snapshot.pods.empty()) return;
  for (const Missing missing : {Missing::pods, Missing::pods_of_file})
    if (const Gap* const gap = gap_of(snapshot.gaps, missing))
      throw Error(ErrorKind::data, "who waits is unknown: " + gap->what + ": " + gap->why,
                  gap->help);
}

int why_pending(WhyPendingFlags& flags, Env& env) {
  // What is mistaken in flags is found before the cluster is asked.
  static_cast<void>(format_of(flags.global, pending_forms()));
  PendingQuestion question = pending_question(flags, default_namespace(flags.global, env));
  question.reads_files = flags.global.from.has_value();
  if (!question.files.empty()) read_manifests(question);
  // Whoever may not read all pods may read those of the namespace that is asked about.
  if (!question.ns.empty()) flags.global.connection.ns = question.ns;
  Snapshot snapshot = read_snapshot(flags.global, needs_of(question, flags, env), env);
  // A change belongs into the Deployment; `top` shows what was read.
  kube::infer_deployments(snapshot);
  plan::add_planned(question.planned, snapshot);
  snapshot.taken_at = clock_of(flags.global, snapshot.taken_at, env);
  check_sight_of_pods(question, snapshot);
  const PendingAnswers answers = pending_answer(question, snapshot, snapshot.taken_at);
  Printer(flags, question, snapshot, env).print(answers);
  return is_any_blocked(answers.explanations) ? 1 : 0;
}

BoundCommand bind_why_pending(FlagSet& flags, Commands /*all*/) {
  auto typed = std::make_shared<WhyPendingFlags>();
  add_why_pending_flags(flags, *typed);
  return {.run = [typed, &flags](Env& env) {
    if (flags.was_given("--explain")) return print_page(typed->explain, env);
    return why_pending(*typed, env);
  }};
}

}  // namespace

const Command kWhyPending = {
    .info =
        {
            .name = "why-pending",
            .usage = "why-pending [[NAMESPACE/]POD | TYPE/NAME | -f FILE]",
            .summary = "Say why a pod waits for its GPUs, and what would let it start",
            .examples =
                "why-pending ml/train-0\n"
                "why-pending job/train -n ml  # all its pods, also those that were never made\n"
                "why-pending -f train.yaml  # would its pods start?\n"
                "why-pending -A  # everything that waits\n"
                "why-pending train-0 -o patch  # of its best fix the patch, as YAML\n"
                "why-pending --explain gpus-scattered  # what a reason means\n"
                "why-pending ml/train-0 --from cluster.json.gz  # made by: kubectl gpu snapshot",
        },
    .bind = bind_why_pending,
    .answers = [] { return std::vector{pending_form()}; },
};

}  // namespace gpu::cmd
