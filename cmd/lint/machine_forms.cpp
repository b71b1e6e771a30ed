#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "cmd/lint/view.hpp"

namespace gpu::cmd {
namespace {

using lint::Severity;
using nlohmann::ordered_json;

std::string_view sarif_level(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::advice:
      return "note";
  }
  return "none";
}

std::string_view github_command(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::advice:
      return "notice";
  }
  return "notice";
}

std::string sentence(const lint::Finding& it) {
  std::string text = valid_utf8(it.message);
  if (!it.fix.empty()) text += ". Fix: " + valid_utf8(it.fix);
  return text + ".";
}

ordered_json sarif_rule(const lint::Rule& rule) {
  return {{"id", rule.id},
          {"shortDescription", {{"text", rule.summary}}},
          {"fullDescription", {{"text", rule.reason}}},
          {"helpUri", rule.source},
          {"defaultConfiguration", {{"level", sarif_level(rule.severity)}}}};
}

/// A path is part of a URI there: what may not stand in one is escaped.
std::string uri_of(std::string_view path) {
  static constexpr std::string_view kPlain = "-._~/!$&'()*+,;=:@";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= 'a' && byte <= 'z') || kPlain.find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  while (uri.starts_with("./")) uri.erase(0, 2);
  return uri;
}

ordered_json sarif_result(const FileFinding& it) {
  const lint::Finding& finding = it.placed.finding;
  const ordered_json place = {
      {"physicalLocation",
       {{"artifactLocation", {{"uri", uri_of(it.file)}}},
        {"region", {{"startLine", it.placed.line}, {"startColumn", it.placed.column}}}}},
      {"logicalLocations",
       ordered_json::array({{{"fullyQualifiedName", valid_utf8(lint::path_text(finding.at))}}})}};
  return {{"ruleId", finding.rule->id},
          {"level", sarif_level(finding.rule->severity)},
          {"message", {{"text", sentence(finding)}}},
          {"locations", ordered_json::array({place})}};
}

/// The escapes of GitHub's workflow commands: of a message, and of a property besides.
enum class Within { message, property };
std::string escaped(std::string_view text, Within within) {
  std::string result;
  for (const char c : sanitize(text)) {
    const bool is_mark = c == '%' || c == '\r' || c == '\n' ||
                         (within == Within::property && (c == ':' || c == ','));
    result += is_mark ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return result;
}

}  // namespace

std::string sarif_text(const LintAnswer& answer, std::string_view version) {
  std::set<std::string_view> seen;
  ordered_json rules = ordered_json::array();
  ordered_json results = ordered_json::array();
  for (const FileFinding& each : answer.findings) {
    const lint::Rule& rule = *each.placed.finding.rule;
    if (seen.insert(rule.id).second) rules.push_back(sarif_rule(rule));
    results.push_back(sarif_result(each));
  }
  const ordered_json driver = {{"name", "kubectl-gpu"}, {"version", version}, {"rules", rules}};
  const ordered_json run = {
      {"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
  const ordered_json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", ordered_json::array({run})}};
  return log.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string github_text(const LintAnswer& answer) {
  std::string text;
  for (const FileFinding& each : answer.findings) {
    const lint::Finding& it = each.placed.finding;
    text +=
        fmt::format("::{} file={},line={},col={},title={}::{}\n", github_command(it.rule->severity),
                    escaped(each.file, Within::property), each.placed.line, each.placed.column,
                    it.rule->id, escaped(sentence(it), Within::message));
  }
  return text;
}

}  // namespace gpu::cmd
