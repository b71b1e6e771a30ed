#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/kubeflow_job.hpp"
#include "manifest/kinds/spread.hpp"
#include "manifest/kinds/torchrun.hpp"

namespace gpu::manifest {
namespace {

PodShape pytorch_shape(const GenRequest& request) {
  const GenOptions& options = request.options;
  const Ranks ranks{.nodes = nodes_of(options),
                    .processes = processes_of(options),
                    .master = {},
                    .rendezvous = Rendezvous::of_controller};
  PodShape shape;
  // The operator's webhook wants one of this name.
  shape.container = "pytorch";
  if (options.script) shape.usual_image = kPyTorchImage;
  shape.workload = Workload::training;
  shape.grace_seconds = 300;
  shape.labels = app_labels(request);
  shape.annotations = stay_annotations();
  shape.command = training_command(request, ranks);
  // The operator sets PYTHONUNBUFFERED itself.
  shape.env = nccl_env(ranks.nodes);
  return shape;
}

Tree pytorch_replicas(const GenOptions& options, const PodParts& pod) {
  const std::int64_t nodes = nodes_of(options);
  Tree made = pod.pod_template();
  if (nodes > 1) keep_apart(*made.find("spec"), job_name_label(options));
  Tree replicas = Tree::map({{"Master", replicas_v1(1, made)}});
  if (nodes > 1) replicas.set("Worker", replicas_v1(nodes - 1, made));
  return replicas;
}

Documents make_pytorchjob(GenRequest& request) {
  const GenOptions& options = request.options;
  const PodParts pod(request, pytorch_shape(request));
  Tree job = object_of("kubeflow.org/v1", "PyTorchJob",
                       metadata_of(request, options.name, queued_labels(request)));
  job.set("spec", Tree::map({{"nprocPerNode",
                              std::to_string(processes_of(options)),
                              {"torchrun reads it as PET_NPROC_PER_NODE",
                               "The operator sets PET_NNODES, PET_NPROC_PER_NODE, PET_NODE_RANK, "
                               "PET_MASTER_ADDR and PET_MASTER_PORT, so torchrun needs no flags. "
                               "The field is a text.",
                               ""}},
                             {"runPolicy", run_policy_v1(options)},
                             {"pytorchReplicaSpecs", pytorch_replicas(options, pod)}}));
  request.note(
      "PyTorchJob is a kind of training-operator v1, which is legacy; TrainJob follows it: gen "
      "trainjob");
  note_queue(request, "PyTorchJob");
  return {std::move(job)};
}

}  // namespace

const GenKind kPyTorchJobKind = {
    .word = "pytorchjob",
    .kind = "PyTorchJob",
    .group = "kubeflow.org",
    .summary = "PyTorch training by Kubeflow's training-operator v1, on one node or several",
    .example = "--image ghcr.io/acme/train:1.4 --nodes 2 --gpus 8 -- torchrun train.py",
    .install = "Kubeflow's training-operator 1.9",
    .name = {.form = NameForm::dns_1035,
             .most = 52,
             .why = "its pods are called NAME-worker-INDEX"},
    .options = kPodOptions | OptionSet{Option::script, Option::nodes, Option::dra, Option::queue,
                                       Option::deadline, Option::ttl},
    .make = make_pytorchjob,
};

}  // namespace gpu::manifest
