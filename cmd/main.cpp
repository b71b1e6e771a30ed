#include <span>
#include <string>
#include <vector>

#include "cmd/app.hpp"
#include "cmd/shell/env.hpp"
#include "kube/process/signals.hpp"
#include "kube/process/standard_streams.hpp"

int main(int argc, char** argv) {
  gpu::kube::open_standard_streams();
  gpu::kube::install_signal_handlers();
  const std::span<char*> all(argv, static_cast<std::size_t>(argc));
  gpu::cmd::Env env = gpu::cmd::Env::of_process(all.empty() ? nullptr : all.front());
  const std::vector<std::string> words(all.begin() + (all.empty() ? 0 : 1), all.end());
  return gpu::cmd::run(words, env);
}
