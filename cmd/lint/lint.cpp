#include "cmd/lint/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/lint/cluster.hpp"
#include "cmd/lint/files.hpp"
#include "cmd/lint/view.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/kustomize.hpp"
#include "cmd/shell/output_forms.hpp"
#include "kube/process/signals.hpp"
#include "lint/text/fix.hpp"
#include "lint/text/lint.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

/// The flags of `lint`, as typed.
struct LintFlags {
  GlobalFlags global;
  std::vector<std::string> words;
  std::vector<std::string> kustomize;
  std::string explain;
  std::string most = "warning";
  bool fix = false;
  bool asks_cluster = false;  ///< --from asks one, too
};

constexpr std::array<std::string_view, 4> kSeverities = {"none", "advice", "warning", "error"};

const OutputForms& lint_forms() {
  static const OutputForms kForms{
      .forms = {{.name = "json", .format = report::Format::json},
                {.name = "yaml", .format = report::Format::yaml},
                {.name = "csv", .format = report::Format::csv},
                {.name = "sarif", .format = {}},
                {.name = "github", .format = {}}},
      .jq = "kubectl gpu lint train.yaml -o json | jq -r '.items[].rule'"};
  return kForms;
}

std::vector<std::string_view> rule_ids() {
  std::vector<std::string_view> ids;
  for (const lint::Rule* rule : lint::rules()) ids.push_back(rule->id);
  return ids;
}

void add_lint_flags(FlagSet& flags, LintFlags& to) {
  flags.words(&to.words).file();
  flags.list("-k,--kustomize FOLDER", to.kustomize)
      .in(FlagGroup::what)
      .file()
      .help("check what `kubectl kustomize` prints for this folder");
  flags.value("--explain RULE", &to.explain)
      .in(FlagGroup::what)
      .completes([](const Typing&) {
        Candidates ids;
        for (const std::string_view id : rule_ids()) ids.push_back({std::string(id)});
        return ids;
      })
      .help("explain a rule");
  flags.toggle("--against-cluster", &to.asks_cluster)
      .in(FlagGroup::what)
      .help("also check the manifests against the cluster or --from, as why-pending -f does");
  flags.toggle("--fix", &to.fix)
      .in(FlagGroup::output)
      .help("print the file with the mistakes fixed that need no decision; comments stay");
  flags.value("--max-severity LEVEL", &to.most)
      .in(FlagGroup::output)
      .choices(kSeverities)
      .help("exit with 1 if a finding is worse: none, advice, warning (the default), or error");
  add_format_flags(flags, to.global, lint_forms());
  add_screen_flags(flags, to.global);
  add_connection_flags(flags, to.global);
  flags.at("--namespace")
      .help("namespace of objects without one; the default is that of the context");
}

int explain_rule(const std::string& id, Env& env) {
  if (const lint::Rule* const rule = lint::rule_named(id)) {
    env.out << fmt::format("{}: {}\n\n{}\n\nSource: {}\n", lint::name_of(rule->severity),
                           rule->summary, rule->reason, rule->source);
    return 0;
  }
  const std::vector<std::string_view> ids = rule_ids();
  if (id.empty() || id.starts_with('-'))
    throw Error(ErrorKind::usage, "`--explain` needs a rule", "rules are " + joined(ids));
  const auto nearest = nearest_name(id, ids);
  throw Error(
      ErrorKind::usage, fmt::format("there is no rule `{}`", sanitize(id)),
      nearest ? fmt::format("a similar one is `{}`", *nearest) : "rules are " + joined(ids));
}

/// How bad a finding may be without failing: 0 for none, 3 for an error.
int most_of(const std::string& typed) {
  for (std::size_t i = 0; i < kSeverities.size(); ++i)
    if (kSeverities[i] == typed) return static_cast<int>(i);
  throw Error(ErrorKind::usage, fmt::format("`--max-severity` cannot be `{}`", sanitize(typed)),
              "it is one of " + joined(kSeverities));
}

int weight_of(lint::Severity severity) {
  switch (severity) {
    case lint::Severity::advice:
      return 1;
    case lint::Severity::warning:
      return 2;
    case lint::Severity::error:
      return 3;
  }
  return 0;
}

LintTexts texts_of(const LintFlags& flags, const Env& env) {
  if (flags.words.empty() && flags.kustomize.empty())
    throw Error(ErrorKind::usage, "`lint` needs a file",
                fmt::format("for example\n      {} lint train.yaml", env.program));
  LintTexts texts = read_texts(flags.words);
  for (const std::string& folder : flags.kustomize)
    texts.texts.push_back(
        {.name = folder, .text = kustomized(folder, env.environment, "kubectl gpu lint -")});
  return texts;
}

/// What is no manifest has no findings where nobody said that it is one.
LintAnswer answer_of(const LintTexts& texts) {
  LintAnswer answer;
  for (const LintText& each : texts.texts) {
    kube::throw_if_interrupted();
    lint::FileFindings found = lint::lint_text(each.text);
    if (found.objects == 0 && (!each.is_named || found.findings.empty())) {
      if (each.is_named) answer.others.push_back(each.name);
      continue;
    }
    ++answer.files;
    answer.objects += found.objects;
    for (lint::PlacedFinding& placed : found.findings)
      answer.findings.push_back({.file = each.name, .placed = std::move(placed)});
  }
  return answer;
}

bool has_worse(const LintAnswer& answer, int most) {
  for (const FileFinding& each : answer.findings)
    if (weight_of(each.placed.finding.rule->severity) > most) return true;
  return false;
}

void print_findings(const LintAnswer& answer, const LintFlags& flags, std::ostream& to,
                    const report::Style& style, Env& env) {
  bool is_first = true;
  for (const FileFinding& each : answer.findings) {
    if (!is_first) to << '\n';
    to << diagnostic_text(each, style);
    is_first = false;
  }
  to.flush();
  if (!flags.fix) env.err << (is_first ? "" : "\n") << summary_text(answer) << '\n';
}

void say_what_was_left_out(const LintTexts& texts, const LintAnswer& answer,
                           const report::Style& style, Env& env) {
  for (const std::string& chart : texts.charts)
    env.err << report::render_note(
        fmt::format("the templates of the Helm chart {} are not checked: lint what `helm template` "
                    "prints",
                    chart),
        style);
  for (const std::string& name : answer.others)
    env.err << report::render_note(name + " holds no Kubernetes object", style);
}

/// Adds what the cluster says, in the order of the files and of the places in them.
void add_cluster(const LintTexts& texts, const LintFlags& flags, LintAnswer& answer, Env& env) {
  ClusterFindings found = ask_cluster(texts, answer, flags.global, env);
  answer.asked_cluster = true;
  const report::Style style = err_style(flags.global, env);
  std::vector<report::Note> gaps;
  for (const Gap& gap : found.gaps) gaps.push_back({gap.what, gap.why, gap.help});
  env.err << report::render_gaps(gaps, style);
  for (const std::string& each : found.not_checked)
    env.err << report::render_note("not checked on the cluster: " + each, style);
  std::vector<FileFinding>& all = answer.findings;
  std::move(found.findings.begin(), found.findings.end(), std::back_inserter(all));
  const auto rank = [&](const FileFinding& it) {
    const auto at = std::find_if(texts.texts.begin(), texts.texts.end(),
                                 [&](const LintText& each) { return each.name == it.file; });
    return std::tuple(at - texts.texts.begin(), it.placed.line, it.placed.column);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const FileFinding& a, const FileFinding& b) { return rank(a) < rank(b); });
}

/// What the rules find, and the cluster where it was asked for.
LintAnswer checked(const LintTexts& texts, const LintFlags& flags, Env& env) {
  LintAnswer answer = answer_of(texts);
  if (flags.asks_cluster || flags.global.from) add_cluster(texts, flags, answer, env);
  return answer;
}

/// The text goes to stdout, and the findings that are left to stderr.
int print_fixed(const LintFlags& flags, const LintTexts& texts, Env& env) {
  if (texts.texts.size() != 1)
    throw Error(ErrorKind::usage,
                fmt::format("`--fix` prints one file, and these are {}", texts.texts.size()),
                "give one file at a time");
  const LintText& before = texts.texts.front();
  const lint::FixedText fixed = lint::fixed_text(before.text);
  env.out << fixed.text;
  env.out.flush();
  const LintAnswer left =
      checked({.texts = {{.name = before.name, .text = fixed.text}}, .charts = {}}, flags, env);
  const report::Style style = err_style(flags.global, env);
  env.err << fmt::format("fixed {}\n", counted(static_cast<std::int64_t>(fixed.mended), "finding"));
  if (!fixed.refused.empty())
    env.err << report::render_note(
        "not fixed, because the text around it is not in a form that can be edited safely: " +
            joined(fixed.refused),
        style);
  if (!left.findings.empty()) env.err << '\n';
  print_findings(left, flags, env.err, style, env);
  return has_worse(left, most_of(flags.most)) ? 1 : 0;
}

int run_lint(LintFlags& flags, Env& env) {
  const std::optional<report::Format> format = format_of(flags.global, lint_forms());
  const int most = most_of(flags.most);
  const LintTexts texts = texts_of(flags, env);
  if (flags.fix && !flags.global.output.empty())
    throw Error(ErrorKind::usage, "`--fix` prints the file, so `-o` has no use with it",
                "leave one of them out");
  if (flags.fix) return print_fixed(flags, texts, env);
  const LintAnswer answer = checked(texts, flags, env);
  say_what_was_left_out(texts, answer, err_style(flags.global, env), env);
  const report::Style style = out_style(flags.global, env);
  if (!format) {
    const bool is_sarif = flags.global.output == "sarif";
    env.out << (is_sarif ? sarif_text(answer, KUBECTL_GPU_VERSION) : github_text(answer));
  } else if (*format == report::Format::text) {
    print_findings(answer, flags, env.out, style, env);
  } else {
    env.out << report::render(findings_report(answer), *format, style);
  }
  env.out.flush();
  return has_worse(answer, most) ? 1 : 0;
}

BoundCommand bind_lint(FlagSet& flags, Commands /*all*/) {
  auto typed = std::make_shared<LintFlags>();
  add_lint_flags(flags, *typed);
  return {.run = [typed, &flags](Env& env) {
    if (flags.was_given("--explain")) return explain_rule(typed->explain, env);
    return run_lint(*typed, env);
  }};
}

}  // namespace

const Command kLint = {
    .info =
        {
            .name = "lint",
            .usage = "lint FILE...",
            .summary = "Find mistakes in manifests of GPU workloads before they are applied",
            .examples = "lint train.yaml\n"
                        "lint manifests/  # all .yaml, .yml and .json files below it\n"
                        "lint - < rendered.yaml  # the output of `helm template`\n"
                        "lint -k overlays/prod  # what kubectl kustomize prints\n"
                        "lint --against-cluster train.yaml  # and would its pods start there?\n"
                        "lint --fix train.yaml > fixed.yaml  # comments stay\n"
                        "lint manifests/ -o sarif > lint.sarif  # for code scanning\n"
                        "lint --explain shm-missing  # what a rule means",
        },
    .bind = bind_lint,
    .answers = [] { return std::vector{finding_form()}; },
};

}  // namespace gpu::cmd
