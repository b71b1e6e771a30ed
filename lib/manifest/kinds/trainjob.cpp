#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/plain_command.hpp"
#include "manifest/kinds/spread.hpp"
#include "manifest/kinds/torchrun.hpp"

namespace gpu::manifest {
namespace {

/// What Trainer's runtimes call the replicated job and the container that train.
constexpr std::string_view kNode = "node";
constexpr std::string_view kLauncherNode = "launcher";

/// What a patch may say of a pod since Trainer 2.2; anything else of it is an unknown field there.
/// 2.3 has terminationGracePeriodSeconds, too.
constexpr std::array<std::string_view, 4> kPatchedOfPod = {"serviceAccountName", "nodeSelector",
                                                           "affinity", "tolerations"};
/// Env may not be patched for the container that trains: it is the trainer's.
constexpr std::array<std::string_view, 2> kPatchedOfContainer = {"securityContext", "volumeMounts"};

std::string runtime_of(const GenOptions& options) {
  return options.runtime.empty() ? "torch-distributed" : options.runtime;
}

Ranks trainer_ranks(const GenOptions& options) {
  return {.nodes = nodes_of(options),
          .processes = processes_of(options),
          .master = {},
          .rendezvous = Rendezvous::of_controller};
}

void check_trainer(const GenOptions& options) {
  for (const EnvVariable& each : options.env)
    if (each.name.starts_with("PET_"))
      throw Error(ErrorKind::usage,
                  fmt::format("{} cannot be given: Kubeflow Trainer sets it itself, and refuses a "
                              "TrainJob that has it",
                              sanitize(each.name)),
                  "leave it out: --nodes and --gpus say how many ranks there are");
  if (options.command.empty() && !options.script && options.image.empty())
    throw Error(ErrorKind::usage, "a trainjob needs a command, --script or --image",
                "for example -- torchrun train.py, or --script train.py");
}

PodShape trainer_shape(const GenRequest& request) {
  const GenOptions& options = request.options;
  const bool is_torch = runtime_of(options).starts_with("torch");
  PodShape shape;
  shape.container = kNode;
  // Runtimes that use mpirun start sshd, which needs the capabilities of its image.
  if (!is_torch) shape.privileges = Privileges::of_image;
  shape.usual_image = kPyTorchImage;
  shape.workload = Workload::training;
  shape.grace_seconds = 300;
  shape.labels = app_labels(request);
  shape.annotations = stay_annotations();
  shape.command =
      is_torch ? training_command(request, trainer_ranks(options)) : plain_command(request);
  shape.env = training_env(request, trainer_ranks(options));
  return shape;
}

template <std::size_t N>
Tree only(const Tree& fields, const std::array<std::string_view, N>& keys) {
  Tree kept;
  for (const Tree::Entry& each : std::get<Tree::Map>(fields.value()))
    if (std::find(keys.begin(), keys.end(), each.key) != keys.end())
      kept.set(each.key, each.value, each.why);
  return kept;
}

/// The pods as the runtime makes them, with all that the TrainJob says of them.
Tree trainer_template(const GenOptions& options, const PodParts& pod) {
  Tree made = pod.pod_template();
  if (nodes_of(options) > 1)
    keep_apart(*made.find("spec"), Tree::map({{"jobset.sigs.k8s.io/jobset-name", options.name}}));
  return made;
}

Tree trainer_of(const GenOptions& options, const PodParts& pod) {
  const Tree fields = pod.container_fields();
  Tree trainer;
  // Without --image the runtime's own is used.
  if (!options.image.empty()) trainer.set("image", options.image);
  trainer.set("numNodes", nodes_of(options));
  trainer.set(
      "numProcPerNode", processes_of(options),
      {"one process for each GPU", "Trainer hands it to torchrun as PET_NPROC_PER_NODE.", ""});
  for (const Tree::Entry& each : std::get<Tree::Map>(fields.value())) {
    if (each.key == "command" || each.key == "env") trainer.set(each.key, each.value, each.why);
    if (each.key == "resources") trainer.set("resourcesPerNode", each.value, each.why);
  }
  return trainer;
}

Tree patched_template(const GenOptions& options, const PodParts& pod) {
  const Tree made = trainer_template(options, pod);
  Tree spec = only(*made.find("spec"), kPatchedOfPod);
  Tree container = Tree::map({{"name", kNode}});
  container.set_all(only(pod.container_fields(), kPatchedOfContainer));
  spec.set("containers", Tree::list({container}));
  spec.set_unless_empty("volumes", pod.volumes());
  Tree patched;
  patched.set("metadata", *made.find("metadata"));
  patched.set("spec", std::move(spec));
  return patched;
}

Tree replicated_job(std::string_view name, Tree job_spec) {
  return Tree::map({{"name", name}, {"template", Tree::map({{"spec", std::move(job_spec)}})}});
}

/// Replicated jobs whose pods train: in Trainer's runtimes for mpirun the launcher is one of the
/// nodes.
std::vector<std::string_view> training_jobs(const GenOptions& options) {
  const std::string runtime = runtime_of(options);
  const bool is_mpi = runtime.starts_with("deepspeed") || runtime.starts_with("mlx");
  return is_mpi ? std::vector{kNode, kLauncherNode} : std::vector{kNode};
}

Tree runtime_patch(const GenOptions& options, const PodParts& pod) {
  Tree jobs = Tree::list();
  for (const std::string_view name : training_jobs(options))
    jobs.push(replicated_job(name, Tree::map({{"template", patched_template(options, pod)}})));
  Tree spec = Tree::map({{"replicatedJobs", std::move(jobs)}});
  return Tree::map(
      {{"manager", "kubectl-gpu.io/gen"},
       {"trainingRuntimeSpec", Tree::map({{"template", Tree::map({{"spec", std::move(spec)}})}})}});
}

/// The JobSet that Trainer makes of it, as far as it decides where pods run.
Tree jobset_made(const GenRequest& request, const PodParts& pod) {
  const GenOptions& options = request.options;
  const std::int64_t nodes = nodes_of(options);
  Tree made = trainer_template(options, pod);
  Tree ordered = Tree::map({{"restartPolicy", "Never"}});
  ordered.set_all(*made.find("spec"));
  made.set("spec", std::move(ordered));
  Tree set = object_of("jobset.x-k8s.io/v1alpha2", "JobSet",
                       metadata_of(request, options.name, queued_labels(request)));
  Tree job = replicated_job(kNode, Tree::map({{"completionMode", "Indexed"},
                                              {"completions", nodes},
                                              {"parallelism", nodes},
                                              {"template", std::move(made)}}));
  set.set("spec", Tree::map({{"replicatedJobs", Tree::list({job})}}));
  return set;
}

Documents make_trainjob(GenRequest& request) {
  const GenOptions& options = request.options;
  check_trainer(options);
  const PodParts pod(request, trainer_shape(request));
  Tree spec = Tree::map({{"runtimeRef", Tree::map({{"apiGroup", "trainer.kubeflow.org"},
                                                   {"kind", "ClusterTrainingRuntime"},
                                                   {"name", runtime_of(options)}})}});
  if (options.deadline_seconds) spec.set("activeDeadlineSeconds", *options.deadline_seconds);
  spec.set("trainer", trainer_of(options, pod));
  spec.set("runtimePatches", Tree::list({runtime_patch(options, pod)}),
           {"what the runtime does not say of its pods; needs Trainer 2.2 or later",
            "A TrainJob has no pod template: shared memory, tolerations and volumes are patches "
            "of its runtime. Trainer 2.1 called the field podTemplateOverrides.",
            ""});
  Tree job = object_of("trainer.kubeflow.org/v1alpha1", "TrainJob",
                       metadata_of(request, options.name, queued_labels(request)));
  job.set("spec", std::move(spec));
  request.judged_as = {jobset_made(request, pod)};
  return {std::move(job)};
}

}  // namespace

const GenKind kTrainJobKind = {
    .word = "trainjob",
    .kind = "TrainJob",
    .group = "trainer.kubeflow.org",
    .summary = "training by Kubeflow Trainer 2.2 or later, on one node or several",
    .example = "--image ghcr.io/acme/train:1.4 --nodes 2 --gpus 8 -- torchrun train.py",
    .install = "Kubeflow Trainer 2.2 or later",
    .name = {.form = NameForm::dns_1035,
             .most = 44,
             .why = "its pods may be called NAME-launcher-0-0-HASH"},
    .options = {Option::image, Option::command, Option::script, Option::env, Option::gpus,
                Option::nodes, Option::mig, Option::gpu_model, Option::shared, Option::cpu_only,
                Option::size, Option::shm, Option::place, Option::spot, Option::volumes,
                Option::service_account, Option::queue, Option::deadline, Option::runtime},
    .make = make_trainjob,
};

}  // namespace gpu::manifest
