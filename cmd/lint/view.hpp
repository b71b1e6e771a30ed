#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lint/text/lint.hpp"
#include "report/render.hpp"
#include "report/report.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// A finding and the file that it is in.
struct FileFinding {
  std::string file;
  lint::PlacedFinding placed;
};

/// What was looked at, and what was found.
struct LintAnswer {
  std::vector<FileFinding> findings;  ///< by file as named, then by place
  std::size_t files = 0;
  std::size_t objects = 0;
  bool asked_cluster = false;
  std::vector<std::string> others;  ///< named files that hold no object of Kubernetes

  [[nodiscard]] std::size_t count(lint::Severity severity) const;
};

/// `error[gpu-limit-missing]: ...` with its place, its path and its fix.
std::string diagnostic_text(const FileFinding& finding, const report::Style& style);
/// "2 errors, 1 warning in 3 files"; "no finding in 3 files".
std::string summary_text(const LintAnswer& answer);

/// For json, yaml, csv.
report::Report findings_report(const LintAnswer& answer);
/// How machines read it: FindingList.
report::AnswerForm finding_form();

/// SARIF 2.1.0, as GitHub and others read it. `version` is ours.
std::string sarif_text(const LintAnswer& answer, std::string_view version);
/// Workflow commands of GitHub Actions, a line each: "::error file=...".
std::string github_text(const LintAnswer& answer);

}  // namespace gpu::cmd
