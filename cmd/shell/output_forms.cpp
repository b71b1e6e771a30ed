#include "cmd/shell/output_forms.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"

namespace gpu::cmd {
namespace {

std::vector<std::string_view> names_of(const OutputForms& offered) {
  std::vector<std::string_view> names;
  names.reserve(offered.forms.size());
  for (const OutputForm& form : offered.forms) names.push_back(form.name);
  return names;
}

/// "output form: wide, json, or patch; patch prints a patch".
std::string help_of(const OutputForms& offered) {
  std::string help = "output form: " + listed(names_of(offered), "or");
  for (const OutputForm& form : offered.forms)
    if (!form.says.empty()) help += fmt::format("; {} {}", form.name, form.says);
  return help;
}

Error no_such_form(const std::string& typed, const OutputForms& offered) {
  for (const std::string_view other : {"jsonpath", "custom-columns", "go-template"})
    if (typed.starts_with(other))
      return {ErrorKind::usage, "`-o " + std::string(other) + "` is not offered",
              "jq does the same with the JSON form\n      " + std::string(offered.jq)};
  std::string help = "forms are " + listed(names_of(offered), "and");
  if (const auto nearest = nearest_name(typed, names_of(offered)))
    help = "a similar one is `" + std::string(*nearest) + "`; " + help;
  return {ErrorKind::usage, "there is no output form `" + typed + "`", help};
}

}  // namespace

const OutputForms& table_forms() {
  static const OutputForms forms = {
      .forms = {{"wide", report::Format::wide},
                {"json", report::Format::json},
                {"yaml", report::Format::yaml},
                {"csv", report::Format::csv},
                {"name", report::Format::name}},
      .jq = "kubectl gpu top -o json | jq -r '.items[] | [.name, .free] | @tsv'"};
  return forms;
}

void add_format_flags(FlagSet& flags, GlobalFlags& to, const OutputForms& offered) {
  flags.value("-o,--output FORM", &to.output)
      .in(FlagGroup::output)
      .choices(names_of(offered))
      .help(help_of(offered));
  flags.toggle("--no-headers", &to.no_headers)
      .in(FlagGroup::common)
      .help("do not print the heading line");
}

std::optional<report::Format> format_of(const GlobalFlags& flags, const OutputForms& offered) {
  if (flags.output.empty()) return report::Format::text;
  for (const OutputForm& form : offered.forms)
    if (form.name == flags.output) return form.format;
  throw no_such_form(flags.output, offered);
}

report::Format format_of(const GlobalFlags& flags) {
  return format_of(flags, table_forms()).value_or(report::Format::text);
}

}  // namespace gpu::cmd
