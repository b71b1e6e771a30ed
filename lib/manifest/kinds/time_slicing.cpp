#include <fmt/format.h>

#include "base/error.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/amounts.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/tree/yaml.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kConfiguration = "any";

std::string sharing_text(std::int64_t replicas) {
  const Tree shared =
      Tree::map({{"renameByDefault", true},
                 {"failRequestsGreaterThanOne", true},
                 {"resources",
                  Tree::list({Tree::map({{"name", "nvidia.com/gpu"}, {"replicas", replicas}})})}});
  return yaml_of(
      {Tree::map({{"version", "v1"}, {"sharing", Tree::map({{"timeSlicing", shared}})}})});
}

Documents make_time_slicing(GenRequest& request) {
  const GenOptions& options = request.options;
  constexpr std::int64_t kMost = 1000;
  if (!options.replicas || *options.replicas < 2 || *options.replicas > kMost)
    throw Error(ErrorKind::usage,
                options.replicas ? fmt::format("a card cannot be shared by {}", *options.replicas)
                                 : "how many pods share a card is not said",
                "for example --replicas 4; it is at least 2");
  Tree map = object_of("v1", "ConfigMap", operator_metadata_of(request));
  map.set("data",
          Tree::map({{std::string(kConfiguration),
                      sharing_text(*options.replicas),
                      {"pods request nvidia.com/gpu.shared, and get no memory of their own",
                       "Under the plain name the scheduler would take a share for a whole GPU. A "
                       "pod that requests two shares would get no more than with one, so it is "
                       "refused.",
                       "NVIDIA/k8s-device-plugin: README"}}}));
  request.warn(
      "nothing reads it until the ClusterPolicy names it; then every NVIDIA card is shared, and "
      "pods "
      "that request nvidia.com/gpu find none: gen requests shares with --shared",
      "after kubectl apply",
      fmt::format("kubectl patch clusterpolicies.nvidia.com cluster-policy --type merge -p "
                  "'{{\"spec\":{{\"devicePlugin\":{{\"config\":{{\"name\":\"{}\",\"default\":"
                  "\"{}\"}}}}}}}}'",
                  options.name, kConfiguration));
  return {std::move(map)};
}

}  // namespace

const GenKind kTimeSlicingKind = {
    .word = "time-slicing",
    .kind = "ConfigMap",
    .group = "",
    .summary = "lets several pods take turns on a card: a configuration of the GPU Operator",
    .example = "--replicas 4",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::replicas},
    .make = make_time_slicing,
    .meanings = {{"--replicas", "pods that share a card: 2 or more"}},
};

}  // namespace gpu::manifest
