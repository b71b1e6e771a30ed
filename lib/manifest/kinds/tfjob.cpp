#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/kubeflow_job.hpp"
#include "manifest/kinds/plain_command.hpp"
#include "manifest/kinds/spread.hpp"
#include "manifest/kinds/torchrun.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kTensorFlowImage = "tensorflow/tensorflow:2.19.0-gpu";

Tree tensorflow_env(const GenOptions& options) {
  Tree env = Tree::list({Tree::map({{"name", "PYTHONUNBUFFERED"}, {"value", "1"}})});
  if (options.is_shared)
    env.push(Tree::map({{"name", "TF_FORCE_GPU_ALLOW_GROWTH"}, {"value", "true"}}),
             {"TensorFlow would take all memory of the card, which others share",
              "By default TensorFlow takes nearly all memory of a GPU when it starts.", ""});
  const Tree nccl = nccl_env(nodes_of(options));
  for (const Tree::Item& each : std::get<Tree::List>(nccl.value())) env.push(each.value, each.why);
  return env;
}

PodShape tensorflow_shape(const GenRequest& request) {
  const GenOptions& options = request.options;
  PodShape shape;
  // The operator's webhook wants one of this name.
  shape.container = "tensorflow";
  if (options.script) shape.usual_image = kTensorFlowImage;
  shape.workload = Workload::training;
  shape.grace_seconds = 300;
  shape.labels = app_labels(request);
  shape.annotations = stay_annotations();
  shape.command = plain_command(request);
  shape.env = tensorflow_env(options);
  return shape;
}

Documents make_tfjob(GenRequest& request) {
  const GenOptions& options = request.options;
  const std::int64_t nodes = nodes_of(options);
  const PodParts pod(request, tensorflow_shape(request));
  Tree made = pod.pod_template();
  if (nodes > 1) keep_apart(*made.find("spec"), job_name_label(options));
  Tree spec = Tree::map({{"runPolicy", run_policy_v1(options)}});
  if (nodes > 1)
    spec.set("successPolicy", "AllWorkers",
             {"by default the others are ended once worker 0 is through",
              "Without a chief the job counts as done when worker 0 ended well, and "
              "cleanPodPolicy then deletes the workers that still run.",
              "kubeflow/trainer#751"});
  spec.set("tfReplicaSpecs", Tree::map({{"Worker",
                                         replicas_v1(nodes, std::move(made)),
                                         {"",
                                          "MultiWorkerMirroredStrategy needs no parameter server "
                                          "and no chief: the operator tells each worker of the "
                                          "others in TF_CONFIG.",
                                          ""}}}));
  Tree job = object_of("kubeflow.org/v1", "TFJob",
                       metadata_of(request, options.name, queued_labels(request)));
  job.set("spec", std::move(spec));
  note_queue(request, "TFJob");
  return {std::move(job)};
}

}  // namespace

const GenKind kTFJobKind = {
    .word = "tfjob",
    .kind = "TFJob",
    .group = "kubeflow.org",
    .summary = "TensorFlow training by Kubeflow's training-operator v1, on one node or several",
    .example = "--image ghcr.io/acme/train-tf:1.0 --nodes 2 --gpus 4 -- python train.py",
    .install = "Kubeflow's training-operator 1.9",
    .name = {.form = NameForm::dns_1035,
             .most = 52,
             .why = "its pods are called NAME-worker-INDEX"},
    .options = kPodOptions | OptionSet{Option::script, Option::nodes, Option::dra, Option::queue,
                                       Option::deadline, Option::ttl},
    .make = make_tfjob,
};

}  // namespace gpu::manifest
