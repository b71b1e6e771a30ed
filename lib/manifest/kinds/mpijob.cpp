#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/kubeflow_job.hpp"
#include "manifest/kinds/plain_command.hpp"
#include "manifest/kinds/spread.hpp"
#include "manifest/kinds/torchrun.hpp"

namespace gpu::manifest {
namespace {

using Words = std::vector<std::string>;

bool starts_ranks_itself(const GenOptions& options) {
  return !options.script && !options.command.front().ends_with(".py");
}

/// A script is run by mpirun on all slots. Ranks come over ssh, so mpirun has to hand them their
/// environment.
Words under_mpirun(const GenRequest& request) {
  const GenOptions& options = request.options;
  Words words = {"mpirun",   "--allow-run-as-root",
                 "-np",      std::to_string(nodes_of(options) * processes_of(options)),
                 "-bind-to", "none",
                 "-map-by",  "slot",
                 "-x",       "PYTHONUNBUFFERED=1"};
  if (nodes_of(options) > 1) words.insert(words.end(), {"-x", "NCCL_DEBUG=WARN"});
  for (const EnvVariable& each : options.env) words.insert(words.end(), {"-x", each.name});
  const Words program = plain_command(request);
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

Words launcher_command(GenRequest& request) {
  const GenOptions& options = request.options;
  if (options.command.empty() && !options.script)
    throw Error(ErrorKind::usage, "an mpijob needs a command that starts its ranks",
                "for example -- mpirun -np 16 python train.py, or --script train.py");
  if (!starts_ranks_itself(options)) return under_mpirun(request);
  const bool hands_on =
      std::find(options.command.begin(), options.command.end(), "-x") != options.command.end();
  if (!options.env.empty() && !hands_on)
    request.note("ranks are started over ssh and see only variables that mpirun hands on: -x NAME");
  return options.command;
}

PodShape mpi_shape(const GenRequest& request) {
  PodShape shape;
  // sshd changes to the user of a session, which without its capabilities it cannot do
  // (kubeflow/mpi-operator#642).
  shape.privileges = Privileges::of_image;
  shape.workload = Workload::training;
  shape.grace_seconds = 300;
  shape.labels = app_labels(request);
  shape.annotations = stay_annotations();
  return shape;
}

PodShape launcher_shape(GenRequest& request) {
  PodShape shape = mpi_shape(request);
  shape.container = "launcher";
  shape.gpus = Gpus::none;
  shape.command = launcher_command(request);
  return shape;
}

/// Without a command the operator starts sshd.
PodShape worker_shape(const GenRequest& request) {
  PodShape shape = mpi_shape(request);
  shape.container = "worker";
  return shape;
}

Tree launcher_replica(const PodParts& launcher) {
  return Tree::map({{"replicas", 1},
                    {"restartPolicy",
                     "OnFailure",
                     {"starts mpirun again, and with it all ranks",
                      "The ranks are children of mpirun, so a restart of the launcher restarts all "
                      "of them together, at most backoffLimit times.",
                      ""}},
                    {"template", launcher.pod_template()}});
}

Tree worker_replicas(const GenOptions& options, const PodParts& worker) {
  Tree made = worker.pod_template();
  if (nodes_of(options) > 1)
    keep_apart(*made.find("spec"), Tree::map({{"training.kubeflow.org/job-name", options.name},
                                              {"training.kubeflow.org/job-role", "worker"}}));
  return Tree::map(
      {{"replicas", nodes_of(options)}, {"restartPolicy", "Never"}, {"template", std::move(made)}});
}

/// The training operator serves an older MPIJob under the same name.
void warn_of_version(GenRequest& request) {
  const auto& served = request.facts.served;
  if (!served) return;
  const auto has = [&](std::string_view kind) {
    return std::find(served->begin(), served->end(), kind) != served->end();
  };
  if (has("MPIJob.kubeflow.org/v1") && !has("MPIJob.kubeflow.org/v2beta1"))
    request.warn("this cluster serves MPIJob in version v1 alone, which has other fields",
                 "install mpi-operator instead of training-operator's MPIJob");
}

Documents make_mpijob(GenRequest& request) {
  const GenOptions& options = request.options;
  const PodParts launcher(request, launcher_shape(request));
  const PodParts worker(request, worker_shape(request));
  const Tree policy = run_policy(
      options, {"workers run sshd, and would hold their GPUs when the launcher has ended", "", ""},
      {.backoff_limit = options.retries.value_or(3), .why = {}});
  Tree job = object_of("kubeflow.org/v2beta1", "MPIJob",
                       metadata_of(request, options.name, queued_labels(request)));
  job.set("spec", Tree::map({{"slotsPerWorker", processes_of(options)},
                             {"launcherCreationPolicy",
                              "WaitForWorkersReady",
                              {"",
                               "A launcher that starts first fails until sshd answers on all "
                               "workers, and each time uses up backoffLimit.",
                               ""}},
                             {"sshAuthMountPath",
                              "/root/.ssh",
                              {"for an image whose user is mpiuser: /home/mpiuser/.ssh",
                               "The operator mounts the keys of the ranks there, and ssh reads "
                               "them in the home of the image's user.",
                               ""}},
                             {"runPolicy", policy},
                             {"mpiReplicaSpecs",
                              Tree::map({{"Launcher", launcher_replica(launcher)},
                                         {"Worker",
                                          worker_replicas(options, worker),
                                          {"runs sshd, which the image has to have",
                                           "Without a command the operator starts /usr/sbin/sshd "
                                           "-De in the workers, and mpirun starts the ranks there.",
                                           ""}}})}}));
  warn_of_version(request);
  return {std::move(job)};
}

}  // namespace

const GenKind kMPIJobKind = {
    .word = "mpijob",
    .kind = "MPIJob",
    .group = "kubeflow.org",
    .summary = "training under mpirun by Kubeflow's mpi-operator, as Horovod and DeepSpeed do",
    .example =
        "--image ghcr.io/acme/horovod:1.0 --nodes 2 --gpus 8 -- mpirun -np 16 python "
        "train.py",
    .install = "Kubeflow's mpi-operator",
    .name = {.form = NameForm::dns_1035,
             .most = 52,
             .why = "its pods are called NAME-worker-INDEX"},
    .options = kPodOptions | OptionSet{Option::script, Option::nodes, Option::dra, Option::queue,
                                       Option::deadline, Option::retries, Option::ttl},
    .make = make_mpijob,
};

}  // namespace gpu::manifest
