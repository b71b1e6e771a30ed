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
#include "cmd/why_pending/path_words.hpp"
#include "cmd/why_pending/question.hpp"
#include "cmd/why_pending/reason_pages.hpp"
#include "cmd/why_pending/screen.hpp"
#include "cmd/why_pending/view.hpp"
#include "diagnose/answer/code.hpp"
#include "diagnose/explain/fold.hpp"
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
    const bool is_named = !to.words.empty() || to.manifests.is_given();
    return is_named ? Candidates{} : waiting_names(to.global, typing.env);
  });
  flags.toggle("-A,--all-namespaces", &to.all_namespaces)
      .in(FlagGroup::what)
      .help("explain the waiting pods of all namespaces, which is the default without a name");
  add_manifest_flags(flags, to.manifests, "explain");
  flags.value("--explain CODE", &to.explain)
      .in(FlagGroup::what)
      .choices(code_names())
      .help("explain a reason code");
  flags.toggle("--all", &to.all)
      .in(FlagGroup::output)
      .help("print all fixes and notes, and the scheduler's message");
  flags.toggle("--nodes", &to.all_nodes)
      .in(FlagGroup::output)
      .help("show every node, not only the nearest");
  flags.toggle("--no-fold", &to.no_fold)
      .in(FlagGroup::output)
      .help("print one row per pod instead of one row per owner");
}

void add_why_pending_flags(FlagSet& flags, WhyPendingFlags& to) {
  add_own_flags(flags, to);
  add_metrics_flags(flags, to.metrics);
  add_format_flags(flags, to.global, pending_forms());
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
  flags.at("--namespace")
      .in(FlagGroup::what)
      .help("namespace of the pod or owner; the default is that of the context");
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

kube::Needs needs_of(const std::vector<PendingQuestion>& questions, const PlannedObjects& planned,
                     const WhyPendingFlags& flags, const Env& env) {
  const PendingQuestion& first = questions.front();
  kube::Needs needs = kube::scheduling_needs();
  if (!planned.pods.empty()) needs.kinds = needs.kinds | kPlanningKinds;
  needs.owners = true;
  needs.keep = [](const Pod&) { return true; };
  needs.may_lack_nodes = true;
  needs.waiting_pods = true;
  needs.refused_owners = first.about == PendingQuestion::About::all && first.ns.empty();
  kube::add_planned(needs, planned.pods);
  for (const PendingQuestion& each : questions)
    if (each.kind != nullptr)
      needs.workloads.push_back({.kind = each.kind, .ns = each.ns, .name = each.name});
  // Which holders are idle matters where fixes are shown.
  if (first.about != PendingQuestion::About::all)
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
    const bool is_none_anywhere = question_.ns.empty() && sees_all();
    if (!report.empty_text.empty() && is_none_anywhere) report.empty_text += " in any namespace";
    const bool is_on_terminal = out_.width.has_value() && format == report::Format::text;
    if (is_on_terminal && !answers.empty()) env_.out << waiting_text(all) << scope_text() << "\n\n";
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

  [[nodiscard]] bool sees_all() const { return snapshot_.pod_coverage == Coverage::whole; }

  /// " in all namespaces": people forget which ones a command is about.
  [[nodiscard]] std::string scope_text() const {
    if (!question_.ns.empty()) return " in namespace " + sanitize(question_.ns);
    return sees_all() ? " in all namespaces" : " in the namespaces that could be read";
  }

  const WhyPendingFlags& flags_;
  const PendingQuestion& question_;
  const Snapshot& snapshot_;
  Env& env_;
  report::Style out_;
  report::Style err_;
  report::Names names_;
};

void print_errors(const std::vector<Error>& errors, const GlobalFlags& flags, Env& env) {
  const report::Style style = err_style(flags, env);
  for (const Error& error : errors)
    env.err << report::render_error(headline(error), error.help(), style);
}

/// What is wrong in a manifest is said before the cluster is asked.
Manifests manifests_of(const PendingQuestion& question, const WhyPendingFlags& flags, Env& env) {
  if (question.about != PendingQuestion::About::file) return {};
  Manifests read = read_manifests(flags.manifests, question.ns.empty() ? "default" : question.ns,
                                  "kubectl gpu why-pending -f -", env);
  plan::take_found(read.planned);
  if (read.planned.pods.empty()) refuse_without_pods(flags.manifests, read);
  print_faults(read, flags.global, env);
  return read;
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

/// Answers, and says `-f` where the one name that nothing is called is that of a file.
PendingAnswers answers_of(const std::vector<PendingQuestion>& questions, const Manifests& manifests,
                          const WhyPendingFlags& flags, const Snapshot& snapshot, const Env& env) {
  try {
    return pending_answers(questions, manifests.planned, snapshot, snapshot.taken_at);
  } catch (const Error& error) {
    const bool is_file = flags.words.size() == 1 && is_existing_path(flags.words.front());
    if (!is_file || error.kind() != ErrorKind::usage) throw;
    throw Error(error.kind(), error.message(),
                fmt::format("a file is explained with -f\n      {} why-pending -f {}", env.program,
                            shell_quoted(flags.words.front())));
  }
}

int why_pending(WhyPendingFlags& flags, Env& env) {
  // What is mistaken in flags is found before the cluster is asked.
  static_cast<void>(format_of(flags.global, pending_forms()));
  take_path_words(flags);
  const std::vector<PendingQuestion> questions =
      pending_questions(flags, default_namespace(flags.global, env));
  const PendingQuestion& first = questions.front();
  Manifests manifests = manifests_of(first, flags, env);
  const bool has_nothing = manifests.planned.pods.empty() && !manifests.errors.empty();
  if (has_nothing) return exit_code(ErrorKind::usage);
  // Whoever may not read all pods may read those of the namespace that is asked about.
  if (!first.ns.empty()) flags.global.connection.ns = first.ns;
  Snapshot snapshot =
      read_snapshot(flags.global, needs_of(questions, manifests.planned, flags, env), env);
  // A change belongs into the Deployment; `top` shows what was read.
  kube::infer_deployments(snapshot);
  plan::add_planned(manifests.planned, snapshot);
  snapshot.taken_at = clock_of(flags.global, snapshot.taken_at, env);
  check_sight_of_pods(first, snapshot);
  PendingAnswers answers = answers_of(questions, manifests, flags, snapshot, env);
  const bool is_blocked = is_any_blocked(answers.explanations);
  const std::vector<Error> errors = std::move(answers.errors);
  Printer(flags, first, snapshot, env).print(std::move(answers));
  print_errors(errors, flags.global, env);
  // As with kubectl, what is missing fails the whole: 0 or 1 would say that all was answered.
  if (!errors.empty() || !manifests.errors.empty()) return exit_code(ErrorKind::usage);
  return is_blocked ? 1 : 0;
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
            .usage = "why-pending [[NAMESPACE/]POD... | TYPE/NAME... | -f FILE]",
            .summary = "Say why a pod waits for its GPUs, and what would let it start",
            .examples = "why-pending  # everything that waits\n"
                        "why-pending train-0 train-1 -n ml\n"
                        "why-pending job/train -n ml  # all its pods\n"
                        "why-pending -f train.yaml  # would its pods start?\n"
                        "why-pending train-0 -o patch  # print the best fix as a YAML patch\n"
                        "why-pending --explain gpus-scattered  # what a reason code means\n"
                        "why-pending ml/train-0 --from cluster.json.gz  # from a snapshot",
        },
    .bind = bind_why_pending,
    .answers = [] { return std::vector{pending_form()}; },
};

}  // namespace gpu::cmd
