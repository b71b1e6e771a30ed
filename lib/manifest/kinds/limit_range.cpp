#include "manifest/fit/pod.hpp"
#include "manifest/kinds/amounts.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

Tree container_limit(GenRequest& request) {
  Tree most;
  Tree none;
  for (const GpuAmount& each : amounts_of(request)) {
    most.set(each.resource, std::to_string(each.units));
    none.set(each.resource, "0");
  }
  return Tree::map(
      {{"type", "Container"},
       {"max", std::move(most)},
       {"default",
        std::move(none),
        {"without it, every container would get as many GPUs as `max`",
         "A LimitRange gives a container that has no limit of its own the default, and the default "
         "follows from max where it is not written: sidecars would hold GPUs.",
         "kubernetes/kubernetes: SetDefaults_LimitRangeItem"}}});
}

Documents make_limit_range(GenRequest& request) {
  Tree range = object_of("v1", "LimitRange", metadata_of(request, request.options.name));
  range.set("spec", Tree::map({{"limits", Tree::list({container_limit(request)})}}));
  return {std::move(range)};
}

}  // namespace

const GenKind kLimitRangeKind = {
    .word = "limitrange",
    .kind = "LimitRange",
    .group = "",
    .summary = "how many GPUs a container in a namespace may request",
    .example = "--namespace team-a --gpus 4",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::gpus, Option::mig, Option::shared},
    .make = make_limit_range,
    .meanings = {{"--gpus", "GPUs of a container at most"},
                 {"--mig",
                  "PROFILE=COUNT, MIG slices of a container at most; several with commas"}},
};

}  // namespace gpu::manifest
