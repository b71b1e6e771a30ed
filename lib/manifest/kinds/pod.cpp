#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kCheckImage = "nvidia/cuda:12.6.3-base-ubuntu22.04";

/// Without an image and a command, nvidia-smi: does a pod get a GPU here, and does its driver work?
bool is_check(const GenOptions& options) {
  return options.image.empty() && options.command.empty();
}

PodShape single_pod(const GenRequest& request) {
  const GenOptions& options = request.options;
  PodShape shape;
  shape.usual_image = kCheckImage;
  shape.restart_policy = "Never";
  shape.command = options.command;
  if (is_check(options)) {
    shape.workload = Workload::check;
    shape.command = {"nvidia-smi"};
  }
  return shape;
}

Documents make_pod(GenRequest& request) {
  const PodParts parts(request, single_pod(request));
  Tree pod =
      object_of("v1", "Pod", metadata_of(request, request.options.name, queued_labels(request)));
  pod.set("spec", parts.spec());
  return {std::move(pod)};
}

}  // namespace

const GenKind kPodKind = {
    .word = "pod",
    .kind = "Pod",
    .group = "",
    .summary = "one pod; by default it runs nvidia-smi, and shows whether GPUs work",
    .example = "--gpu-model H100",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = kPodOptions | OptionSet{Option::dra, Option::queue},
    .make = make_pod,
};

}  // namespace gpu::manifest
