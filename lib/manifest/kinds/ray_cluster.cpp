#include "base/error.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/ray.hpp"

namespace gpu::manifest {
namespace {

Documents make_ray_cluster(GenRequest& request) {
  if (!request.options.command.empty())
    throw Error(ErrorKind::usage, "a raycluster runs nothing of its own",
                "leave out what follows --, or use a rayjob: gen rayjob NAME -- python x.py");
  Tree cluster = object_of("ray.io/v1", "RayCluster",
                           metadata_of(request, request.options.name, queued_labels(request)));
  cluster.set("spec", ray_cluster_spec(request, {}));
  if (!request.options.is_cpu_only)
    request.note(
        "the workers hold their GPUs until the raycluster is deleted; a rayjob lets go of them "
        "when it ends");
  return {std::move(cluster)};
}

}  // namespace

const GenKind kRayClusterKind = {
    .word = "raycluster",
    .kind = "RayCluster",
    .group = "ray.io",
    .summary = "a Ray cluster to work on: a head, and workers with GPUs",
    .example = "--nodes 2 --gpus 1 --gpu-model L4",
    .install = "KubeRay",
    .name = {.form = NameForm::dns_1035,
             .most = 53,
             .why = "KubeRay names Services and pods after it"},
    .options =
        kPodOptions | OptionSet{Option::nodes, Option::dra, Option::queue, Option::ray_version},
    .make = make_ray_cluster,
    .meanings = {{"--gpus", "GPUs of each worker; default 1"},
                 {"--nodes", "workers; default 1"},
                 {"--cpu", "CPUs of each worker; default: its share of the node"},
                 {"--memory", "memory of each worker; default: its share of the node"}},
};

}  // namespace gpu::manifest
