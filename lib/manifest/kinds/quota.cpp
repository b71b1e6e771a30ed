#include <utility>

#include "manifest/fit/pod.hpp"
#include "manifest/kinds/amounts.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

/// What counts devices of claims, by class.
constexpr std::string_view kDraKey = "gpu.nvidia.com.deviceclass.resource.k8s.io/devices";

Tree hard_of(GenRequest& request) {
  const GenOptions& options = request.options;
  Tree hard;
  if (options.uses_dra && options.gpus && options.mig.empty()) {
    hard.set(std::string(kDraKey), std::to_string(*options.gpus));
    return hard;
  }
  Why why{.comment = "with `limits.` or no word before it, it would be accepted and never enforced",
          .reason =
              "Quotas count extended resources by their requests alone. Under another name the "
              "API server stores the quota, and pods pass it.",
          .source = "kubernetes/kubernetes: pkg/quota/v1/evaluator/core/pods.go"};
  for (const GpuAmount& each : amounts_of(request))
    hard.set("requests." + each.resource, std::to_string(each.units), std::exchange(why, {}));
  return hard;
}

Documents make_quota(GenRequest& request) {
  Tree quota = object_of("v1", "ResourceQuota", metadata_of(request, request.options.name));
  quota.set("spec", Tree::map({{"hard", hard_of(request)}}));
  if (request.options.ns.empty())
    request.note("it counts in the namespace that it is created in; --namespace names one");
  return {std::move(quota)};
}

}  // namespace

const GenKind kQuotaKind = {
    .word = "quota",
    .kind = "ResourceQuota",
    .group = "",
    .summary = "how many GPUs a namespace may have at one time",
    .example = "--namespace team-a --gpus 8",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::gpus, Option::mig, Option::shared, Option::dra},
    .make = make_quota,
    .meanings = {{"--gpus", "GPUs of all pods together"},
                 {"--mig", "PROFILE=COUNT, MIG slices of all pods together; several with commas"},
                 {"--dra", "count devices of claims instead of the resource of a device plugin"}},
};

}  // namespace gpu::manifest
