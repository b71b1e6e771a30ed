#include "cmd/shell/kustomize.hpp"

#include <cstddef>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kube/process/process.hpp"

namespace gpu::cmd {

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
                sanitize(result.errors.substr(0, result.errors.find('\n'))));
  return std::move(result.output);
}

}  // namespace gpu::cmd
