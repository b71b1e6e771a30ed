#include "cmd/version/version.hpp"

#include <fmt/format.h>

#include <ostream>

#include "cmd/shell/flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/shell/platform.hpp"
#include "cmd/version/build_info.hpp"
#include "cmd/version/version_text.hpp"

namespace gpu::cmd {
namespace {

const OutputForms& version_forms() {
  static const OutputForms kForms{.forms = {{.name = "json", .format = report::Format::json},
                                            {.name = "yaml", .format = report::Format::yaml}},
                                  .jq = "kubectl gpu version -o json | jq -r .version"};
  return kForms;
}

void add_version_flags(FlagSet& flags, GlobalFlags& to) {
  add_format_flags(flags, to, version_forms());
  add_unused_connection_flags(flags, to);
}

int run_version(GlobalFlags& flags, Env& env) {
  switch (format_of(flags, version_forms()).value_or(report::Format::text)) {
    case report::Format::json:
      env.out << version_json(kThisBuild, platform_name());
      break;
    case report::Format::yaml:
      env.out << version_yaml(kThisBuild, platform_name());
      break;
    default:
      env.out << fmt::format("kubectl-gpu v{}\n", kThisBuild.version);
  }
  return 0;
}

}  // namespace

const Command kVersion = {
    .info = {.name = "version",
             .usage = "version",
             .summary = "Print the version of kubectl-gpu",
             .examples =
                 "version\n"
                 "version -o json  # with commit, build date and tested Kubernetes versions"},
    .bind = bound<GlobalFlags, add_version_flags, run_version>,
};

}  // namespace gpu::cmd
