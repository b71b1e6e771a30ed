#include <catch2/catch.hpp>

#include "report/fixture.hpp"
#include "report/mockups.hpp"
#include "report/render.hpp"

namespace report_diagnostics_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

TEST_CASE("hints are their mock-up") {
  CHECK(render_hints(top_nodes(), terminal(100)) == mockup::kHints);
}

TEST_CASE("hints are at most three, and for terminals only") {
  Report report = top_nodes();
  report.hints.push_back({"a fourth", "kubectl gpu cost"});
  CHECK(render_hints(report, terminal(100)) == mockup::kHints);
  CHECK(render_hints(report, piped()).empty());
  CHECK(render_hints(Report(), terminal(100)).empty());
}

TEST_CASE("where there is no room a command has its own line") {
  CHECK(render_hints(top_nodes(), terminal(84)) ==
        "\n6 allocated GPUs on gpu-a3 are idle now\n  kubectl gpu top pods --node gpu-a3\n"
        "4 pods wait for 15 GPUs\n  kubectl gpu why-pending -A\n"
        "No metrics from gpu-a4: dcgm-exporter is not ready\n  kubectl gpu doctor metrics\n");
  CHECK(render_hints(top_nodes(), terminal(88)) == mockup::kHints);
  CHECK(render_hints(top_nodes(), terminal(87)) != mockup::kHints);
}

TEST_CASE("a hint without a command leaves no space behind it") {
  Report report;
  report.hints = {{"all is well", ""}, {"a longer \x1b text", "kubectl"}};
  CHECK(render_hints(report, terminal(80)) == "\nall is well\na longer \\x1b text    kubectl\n");
}

TEST_CASE("gaps say what, why, and what to do") {
  const std::vector<Note> gaps = {
      {"no utilization: no dcgm-exporter found in any namespace",
       "UTIL, MEMORY, and POWER are `-`; what is allocated and free is complete",
       "kubectl gpu doctor metrics"},
      {"b\nc", "", ""}};
  CHECK(render_gaps(gaps, piped()) ==
        "warning: no utilization: no dcgm-exporter found in any namespace; UTIL, MEMORY, and POWER "
        "are `-`; what is allocated and free is complete (kubectl gpu doctor metrics)\n"
        "warning: b\\nc\n");
  CHECK(render_gaps({{"a", "b", "c"}}, colored(80)) ==
        "\x1b[1;33mwarning\x1b[0m: a\n\x1b[1;2mnote\x1b[0m: b\n\x1b[1;36mhelp\x1b[0m: c\n");
  CHECK(render_gaps({}, terminal(80)).empty());
}

TEST_CASE("an error and its help") {
  const std::string headline =
      "error: cannot reach cluster `prod-eu`: no answer from 10.20.0.1:6443 within 10s";
  const std::string help =
      "is the VPN up? or choose another context\n  kubectl config get-contexts";
  CHECK(render_error(headline, help, piped()) ==
        headline +
            "\nhelp: is the VPN up? or choose another context\n"
            "      kubectl config get-contexts\n");
  CHECK(render_error("error: a: b", "", colored(80)) == "\x1b[1;31merror\x1b[0m: a: b\n");
  CHECK(render_error("Error from server (Forbidden): no", "", colored(80)) ==
        "\x1b[1;31mError from server (Forbidden)\x1b[0m: no\n");
  CHECK(render_error("The connection to the server 10.0.0.1:6443 was refused", "", colored(80)) ==
        "The connection to the server 10.0.0.1:6443 was refused\n");
}

TEST_CASE("prose wraps at words under its first one, commands never") {
  CHECK(render_gaps({{"one two three four", "five six seven", "kubectl gpu doctor metrics"}},
                    terminal(18)) ==
        "warning: one two\n         three\n         four\n"
        "note: five six\n      seven\n"
        "help: kubectl gpu doctor metrics\n");
  CHECK(render_error("error: x", "say this instead now\n kubectl get pods --all-namespaces",
                     terminal(20)) ==
        "error: x\nhelp: say this\n      instead now\n      kubectl get pods --all-namespaces\n");
}

TEST_CASE("a file among the commands keeps its indentation") {
  CHECK(render_error("error: x", "add\n  spec:\n    a: 1\n\n  b: 2", piped()) ==
        "error: x\nhelp: add\n      spec:\n        a: 1\n\n      b: 2\n");
}

TEST_CASE("what comes from the cluster is cleaned on stderr too") {
  CHECK(render_error("error: \x1b[2J\nx", "\x1b\n \u202e", piped()) ==
        "error: \\x1b[2J\\nx\nhelp: \\x1b\n      \\u202e\n");
  CHECK(render_warning("a\nb\x1b", piped()) == "warning: a\\nb\\x1b\n");
  CHECK(render_warning("a", colored(80)) == "\x1b[1;33mwarning\x1b[0m: a\n");
}

}  // namespace report_diagnostics_test
