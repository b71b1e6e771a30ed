#include <fmt/format.h>

#include "base/error.hpp"
#include "manifest/fit/claims.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

/// By default a template: each pod gets devices of its own, as with a device plugin's resource. A
/// claim is one allocation, which all pods that name it share.
Documents make_resource_claim(GenRequest& request) {
  const GenOptions& options = request.options;
  if (options.mig.find_first_of("=,") != std::string::npos)
    throw Error(ErrorKind::usage, "a claim has slices of one profile",
                "for example --mig 1g.10gb --gpus 2");
  const bool is_template = !options.is_claimed_once;
  Tree object =
      object_of("resource.k8s.io/v1", is_template ? "ResourceClaimTemplate" : "ResourceClaim",
                metadata_of(request, options.name));
  Tree spec = device_claim_spec(request, options.gpus.value_or(1));
  if (is_template) spec = Tree::map({{"spec", std::move(spec)}});
  object.set("spec", std::move(spec),
             {is_template ? "each pod gets a claim of its own" : "one allocation for all its pods",
              "It cannot be changed later: a new one needs a new name.", ""});
  request.note(fmt::format(
      "pods name it in spec.resourceClaims, [{{name: {}, {}: {}}}], and their container in "
      "resources.claims, [{{name: {}}}]: without the latter it gets no device",
      kClaimName, is_template ? "resourceClaimTemplateName" : "resourceClaimName", options.name,
      kClaimName));
  return {std::move(object)};
}

}  // namespace

const GenKind kResourceClaimKind = {
    .word = "resourceclaim",
    .kind = "ResourceClaimTemplate",
    .group = "resource.k8s.io",
    .summary = "GPUs by DRA, of each pod that names it; with --once, shared by all of them",
    .example = "--gpus 2 --gpu-model H100",
    .install = "Kubernetes 1.34 or later",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::gpus, Option::gpu_model, Option::mig, Option::claim_once},
    .make = make_resource_claim,
    .meanings = {{"--gpus", "devices of the claim; default 1"},
                 {"--mig", "MIG slices instead of GPUs, such as 1g.10gb"}},
};

}  // namespace gpu::manifest
