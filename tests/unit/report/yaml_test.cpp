#include <catch2/catch.hpp>

#include "report/fixture.hpp"
#include "report/render.hpp"

namespace report_yaml_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

namespace {

std::string yaml(const Report& report) { return render(report, Format::yaml, piped()); }

// How `text` stands in an answer.
std::string scalar(std::string text) {
  const std::string out = yaml(one_column(left("t", "", kMachine), {Cell(std::move(text))}));
  const std::size_t start = out.find("- t: ") + 5;
  return out.substr(start, out.find("\nsummary", start) - start);
}

}  // namespace

TEST_CASE("an answer in YAML, line by line") {
  Report report = one_column(left("name", "NODE", kAll), {"gpu-a1", "1g.10gb"});
  report.kind = "NodeUsageList";
  report.table.columns.push_back(left("sharing", "", kMachine));
  report.table.columns.push_back(left("pods", "", kMachine));
  report.table.columns.push_back(left("utilization", "", kMachine));
  report.table.rows[0].emplace_back(
      Record{{"strategy", "mps"}, {"replicas", 4}, {"on", Record{{"x", List{1}}}}});
  report.table.rows[0].emplace_back(List{
      Record{{"namespace", "ml"}, {"containers", List{"a", "no"}}}, List{1, List{}}, Record{}});
  report.table.rows[0].emplace_back(Ratio{.5});
  report.table.rows[1].insert(report.table.rows[1].end(), {Record{}, List{}, Cell()});
  report.machine_summary = {{"free", 6}};
  report.gaps = {{"no utilization: none", "", "kubectl gpu doctor metrics"}};
  CHECK(yaml(report) == R"(apiVersion: kubectl-gpu/v1
kind: NodeUsageList
items:
- name: gpu-a1
  sharing:
    strategy: mps
    replicas: 4
    "on":
      x:
      - 1
  pods:
  - namespace: ml
    containers:
    - a
    - "no"
  - - 1
    - []
  - {}
  utilization: 0.5
- name: "1g.10gb"
  sharing: {}
  pods: []
  utilization: null
summary:
  free: 6
gaps:
- what: "no utilization: none"
  why: ""
  help: kubectl gpu doctor metrics
)");
}

TEST_CASE("an empty answer in YAML has all its keys") {
  CHECK(yaml({.kind = "CostList"}) ==
        "apiVersion: kubectl-gpu/v1\nkind: CostList\nitems: []\nsummary: {}\ngaps: []\n");
}

TEST_CASE("texts that some reader takes for something else are quoted") {
  for (const std::string text :
       {"",           "yes",  "No",   "ON",    "off",      "y",    "N",     "true", "False",
        "null",       "NULL", "~",    "1",     "-1",       "+1",   "1.5",   ".5",   "1e3",
        "0x1f",       "0o7",  "0b1",  "1_000", "12:30:45", ".inf", "-.INF", ".nan", "NaN",
        "2026-11-01", " a",   "a ",   "- a",   "? a",      ": a",  "a: b",  "a:",   "a #b",
        "#a",         "&a",   "*a",   "!a",    "|",        ">",    "%a",    "@a",   "`a",
        "[a]",        "{a}",  "a, b", "'a'",   "---",      "...",  "<<",    "="}) {
    INFO(text);
    CHECK(scalar(text) == '"' + text + '"');
  }
}

TEST_CASE("texts that nobody can take for anything else are plain") {
  for (const std::string text :
       {"gpu-a1", "H100-80G", "kubectl-gpu/v1", "ml/llama-pretrain-0", "nvidia.com/gpu",
        "kubectl gpu doctor metrics", "e3", "nothing", "yesterday", "x86_64"}) {
    INFO(text);
    CHECK(scalar(text) == text);
  }
}

TEST_CASE("escapes of double quotes") {
  CHECK(scalar("a\"b\\c") == R"("a\"b\\c")");
  CHECK(scalar("a\nb\tc") == R"("a\nb\tc")");
  CHECK(scalar("\x1b[2J\x7f") == R"("\x1B[2J\x7F")");
  CHECK(scalar(std::string(1, '\0')) == R"("\x00")");
  CHECK(scalar("\u0085\u009b") == R"("\x85\x9B")");
  CHECK(scalar("\u202e\u2028\ufeff") == R"("\u202E\u2028\uFEFF")");
  CHECK(scalar("\uffff") == R"("\uFFFF")");
  CHECK(scalar("\U000e0041") == R"("\U000E0041")");
  CHECK(scalar("图 é 😀") == "\"图 é 😀\"");
  CHECK(scalar("\xff") == R"("\uFFFD")");
}

}  // namespace report_yaml_test
