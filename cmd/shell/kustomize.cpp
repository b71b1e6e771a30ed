#include "cmd/shell/kustomize.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kube/process/process.hpp"

namespace gpu::cmd {
namespace {

/// The first line that kubectl prints of what failed: "error: ...", or what newer ones log,
/// `E1201 12:09:28.766703 27888 run.go:72] "command failed" err="..."`.
std::string_view reason_in(std::string_view errors) {
  constexpr std::string_view kLogged = "\"command failed\" err=\"";
  std::string_view line = errors.substr(0, errors.find('\n'));
  if (const std::size_t logged = line.find(kLogged); logged != std::string_view::npos) {
    line.remove_prefix(logged + kLogged.size());
    if (line.ends_with('"')) line.remove_suffix(1);
  }
  return line;
}

}  // namespace

std::string kustomized(const std::string& folder, const Environment& environment,
                       const std::string& otherwise) {
  const auto kubectl = kube::program_in_path("kubectl", environment);
  if (!kubectl)
    throw Error(ErrorKind::usage, "`-k` needs kubectl, which is not on PATH",
                "kustomize build " + shell_quoted(folder) + " | " + otherwise);
  kube::ProcessRequest request{.program = *kubectl,
                               .arguments = {"kustomize", folder},
                               .environment = environment.all(),
                               .output_limit = std::size_t{4} << 20,
                               .errors = kube::ChildErrors::collected};
  kube::ProcessResult result = kube::run_process(request);
  if (result.too_much_output)
    throw Error(ErrorKind::usage, folder + ": kubectl kustomize prints more than 4 MB");
  if (result.start_error != 0 || result.exit_code != 0)
    throw Error(ErrorKind::usage, "kubectl kustomize " + folder + " failed",
                sanitize(reason_in(result.errors)));
  return std::move(result.output);
}

}  // namespace gpu::cmd
