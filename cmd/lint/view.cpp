#include "cmd/lint/view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "report/columns.hpp"
#include "report/diagnostic.hpp"

namespace gpu::cmd {
namespace {

using lint::Severity;
using report::Cell;
using report::Type;

std::string place_of(const FileFinding& it) {
  const std::string path = lint::path_text(it.placed.finding.at);
  std::string place = fmt::format("{}:{}:{}", it.file, it.placed.line, it.placed.column);
  return path.empty() ? place : place + ", " + path;
}

const report::Fields<FileFinding>& fields() {
  static const report::Fields<FileFinding> kFields = {
      {{"file", Type::text(), "as it was named; stdin for -"},
       [](const FileFinding& it) { return Cell(valid_utf8(it.file)); }},
      {{"document", Type::count(1), "of the file, counted from 1"},
       [](const FileFinding& it) { return Cell(static_cast<std::int64_t>(it.placed.document)); }},
      {{"line", Type::count(1), "of the file, counted from 1"},
       [](const FileFinding& it) { return Cell(static_cast<std::int64_t>(it.placed.line)); }},
      {{"column", Type::count(1), "in bytes, counted from 1"},
       [](const FileFinding& it) { return Cell(static_cast<std::int64_t>(it.placed.column)); }},
      {{"path", Type::any_text(), "the field in its document; empty: the document"},
       [](const FileFinding& it) { return Cell(lint::path_text(it.placed.finding.at)); }},
      {{"rule", Type::text(), "lint --explain RULE says what it means"},
       [](const FileFinding& it) { return Cell(std::string(it.placed.finding.rule->id)); }},
      {{"severity", Type::text(), "error, warning, advice"},
       [](const FileFinding& it) {
         return Cell(std::string(lint::name_of(it.placed.finding.rule->severity)));
       }},
      {{"message", Type::text(), "what is wrong there"},
       [](const FileFinding& it) { return Cell(it.placed.finding.message); }},
      {{"fix", Type::any_text(), "what to write; empty where that depends"},
       [](const FileFinding& it) { return Cell(it.placed.finding.fix); }},
  };
  return kFields;
}

const report::Fields<LintAnswer>& summary_fields() {
  const auto count_of = [](Severity severity) {
    return [severity](const LintAnswer& it) {
      return Cell(static_cast<std::int64_t>(it.count(severity)));
    };
  };
  static const report::Fields<LintAnswer> kFields = {
      {{"cluster", Type::flag(), "whether the findings include those of a cluster or --from"},
       [](const LintAnswer& it) { return Cell(it.asked_cluster); }},
      {{"files", Type::count(), "that were read"},
       [](const LintAnswer& it) { return Cell(static_cast<std::int64_t>(it.files)); }},
      {{"objects", Type::count(), "of Kubernetes in them"},
       [](const LintAnswer& it) { return Cell(static_cast<std::int64_t>(it.objects)); }},
      {{"errors", Type::count(), "findings of that severity"}, count_of(Severity::error)},
      {{"warnings", Type::count(), "findings of that severity"}, count_of(Severity::warning)},
      {{"advices", Type::count(), "findings of that severity"}, count_of(Severity::advice)},
  };
  return kFields;
}

}  // namespace

std::size_t LintAnswer::count(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(
      findings.begin(), findings.end(),
      [&](const FileFinding& each) { return each.placed.finding.rule->severity == severity; }));
}

std::string diagnostic_text(const FileFinding& finding, const report::Style& style) {
  const lint::Finding& it = finding.placed.finding;
  report::Diagnostic diagnostic;
  diagnostic.severity = std::string(lint::name_of(it.rule->severity));
  diagnostic.code = std::string(it.rule->id);
  diagnostic.headline = it.message;
  diagnostic.place = place_of(finding);
  if (!it.fix.empty()) diagnostic.advised.push_back({.label = "help", .text = it.fix});
  return report::render_diagnostic(diagnostic, report::Names::first, style);
}

std::string summary_text(const LintAnswer& answer) {
  std::vector<std::string> parts;
  const auto add = [&](Severity severity, std::string_view one, std::string_view many) {
    if (const auto number = answer.count(severity); number > 0)
      parts.push_back(counted(static_cast<std::int64_t>(number), one, many));
  };
  add(Severity::error, "error", "errors");
  add(Severity::warning, "warning", "warnings");
  add(Severity::advice, "advice", "pieces of advice");
  std::string files = counted(static_cast<std::int64_t>(answer.files), "file");
  if (!answer.asked_cluster)
    files += "; nothing was checked against a cluster: use --against-cluster";
  if (parts.empty()) return "no finding in " + files;
  return joined(parts) + " in " + files;
}

report::Report findings_report(const LintAnswer& answer) {
  report::Columns<FileFinding> columns;
  columns.machine(fields());
  report::Report report{.kind = "FindingList"};
  report.table = columns.table(answer.findings);
  report.machine_summary = summary_fields().record(answer);
  return report;
}

report::AnswerForm finding_form() {
  return {.kind = "FindingList",
          .command = "lint",
          .item = "A mistake in a manifest.",
          .fields = fields().declared(),
          .summary = summary_fields().declared(),
          .summary_says = "What was looked at, and how much was found."};
}

}  // namespace gpu::cmd
