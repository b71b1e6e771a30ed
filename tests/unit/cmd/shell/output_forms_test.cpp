#include "cmd/shell/output_forms.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace shell_output_forms_test {

using namespace gpu;
using namespace gpu::cmd;

namespace {

GlobalFlags typed(std::string output) { return {.output = std::move(output)}; }

/// The forms of a table, and one that the command prints itself.
OutputForms with_patch() {
  OutputForms offered = table_forms();
  offered.forms.push_back({"patch", {}, "YAML"});
  return offered;
}

std::string help_for(const std::string& output, const OutputForms& offered) {
  try {
    static_cast<void>(format_of(typed(output), offered));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.help();
  }
  return "it is a form";
}

}  // namespace

TEST_CASE("without -o an answer is text") {
  CHECK(format_of(typed("")) == report::Format::text);
  CHECK(format_of(typed("yaml")) == report::Format::yaml);
}

TEST_CASE("a form that the command prints itself is none of a table") {
  CHECK(format_of(typed("patch"), with_patch()) == std::nullopt);
  CHECK(format_of(typed("json"), with_patch()) == report::Format::json);
  CHECK_THROWS_AS(format_of(typed("patch")), Error);
}

TEST_CASE("who types a form that is not offered is told those that are") {
  CHECK(help_for("jsom", with_patch()) ==
        "a similar one is `json`; forms are wide, json, yaml, csv, name, and patch");
  CHECK(help_for("jsonpath={.items}", table_forms()).find("jq") != std::string::npos);
}

TEST_CASE("help and Tab name the same forms") {
  FlagSet flags;
  GlobalFlags global;
  add_format_flags(flags, global, with_patch());
  const Flag& flag = flags.at("-o");
  CHECK(flag.description() == "output form: wide, json, yaml, csv, name, or patch; patch YAML");
  CHECK(std::get<std::vector<std::string_view>>(flag.values()).size() == 6);
}

}  // namespace shell_output_forms_test
