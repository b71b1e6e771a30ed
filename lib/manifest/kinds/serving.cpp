#include "manifest/kinds/serving.hpp"

#include <string>

namespace gpu::manifest {

Tree update_strategy(std::int64_t replicas) {
  const Why why{.comment = "a rolling update would wait for a GPU to spare",
                .reason =
                    "A rolling update first starts a new pod. Where no GPU is free for it, the "
                    "update never ends.",
                .source = "defilantech/LLMKube#192, kserve/kserve#4618"};
  if (replicas <= 1) return Tree::map({{"type", "Recreate", why}});
  return Tree::map(
      {{"type", "RollingUpdate"},
       {"rollingUpdate", Tree::map({{"maxSurge", 0}, {"maxUnavailable", 1}}).on_one_line(), why}});
}

Tree hf_token(const GenOptions& options) {
  const std::string typed = options.hf_secret.value_or("hf-token");
  const std::size_t slash = typed.find('/');
  Tree reference =
      Tree::map({{"name", typed.substr(0, slash)},
                 {"key", slash == std::string::npos ? "token" : typed.substr(slash + 1)}});
  // A public model needs none.
  if (!options.hf_secret) reference.set("optional", true);
  return Tree::map(
      {{"name", "HF_TOKEN"},
       {"valueFrom", Tree::map({{"secretKeyRef", std::move(reference).on_one_line()}})}});
}

}  // namespace gpu::manifest
