#include "manifest/kinds/serving.hpp"

#include <fmt/format.h>

#include <string>

namespace gpu::manifest {
namespace {

Tree http_probe(std::string_view path, int period_seconds, int failures) {
  return Tree::map({{"httpGet", Tree::map({{"path", path}, {"port", "http"}})},
                    {"periodSeconds", period_seconds},
                    {"failureThreshold", failures}})
      .on_one_line();
}

}  // namespace

Tree server_probes(const ServerHealth& health) {
  constexpr int kPeriodSeconds = 10;
  return Tree::map(
      {{"startupProbe",
        http_probe(health.ready, kPeriodSeconds, health.startup_minutes * 60 / kPeriodSeconds),
        {fmt::format("{} minutes to load the model", health.startup_minutes),
         "An initialDelaySeconds either kills a big model while it loads or delays a small one; a "
         "startup probe waits as long as it takes, up to its limit.",
         "kserve/kserve#5062"}},
       {"readinessProbe", http_probe(health.ready, 5, 3)},
       {"livenessProbe", http_probe(health.alive, kPeriodSeconds, 6)},
       {"lifecycle",
        Tree::map({{"preStop",
                    Tree::map({{"exec", Tree::map({{"command", Tree::texts({"sleep", "10"})}})}})}})
            .on_one_line(),
        {"", "Requests still arrive for a few seconds after the pod is removed from the Service.",
         ""}}});
}

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
