#include "base/error.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/ray.hpp"

namespace gpu::manifest {
namespace {

constexpr std::int64_t kRayRetries = 3;
constexpr std::int64_t kRayTtl = 300;

/// What the driver runs, on the head.
std::vector<std::string> driver_of(const GenRequest& request) {
  const GenOptions& options = request.options;
  std::vector<std::string> words = options.command;
  if (options.script) words.insert(words.begin(), script_path(request));
  if (words.empty())
    throw Error(ErrorKind::usage, "a rayjob needs something to run",
                "a command: -- python train.py, or a script: --script train.py");
  if (words.front().ends_with(".py"))
    words.insert(words.begin(), "python");
  else if (options.script)
    words.insert(words.begin(), "bash");
  return words;
}

Tree ray_job_spec(GenRequest& request) {
  const GenOptions& options = request.options;
  const std::int64_t ttl = options.ttl_seconds.value_or(kRayTtl);
  Tree spec = Tree::map({{"entrypoint", shell_line(driver_of(request))}});
  spec.set("shutdownAfterJobFinishes", true,
           {"else the cluster stays, and holds its GPUs",
            "KubeRay keeps the cluster of a job that ended unless the manifest says otherwise.",
            "michelangelo-ai/michelangelo#1396, ray-project/kuberay#4033"});
  spec.set("ttlSecondsAfterFinished", ttl,
           {"the cluster holds the GPUs for this time after the job ended",
            "The cluster is deleted after this time, not at the job's end: it is there for who "
            "wants to read logs.",
            ""});
  if (options.deadline_seconds) spec.set("activeDeadlineSeconds", *options.deadline_seconds);
  spec.set("backoffLimit", options.retries.value_or(kRayRetries),
           {"", "Each retry has a new cluster.", ""});
  spec.set("rayClusterSpec", ray_cluster_spec(request, {}));
  constexpr std::int64_t kLong = 3600;
  if (ttl > kLong && !options.is_cpu_only)
    request.note("the cluster keeps its GPUs for --ttl after the job ended");
  return spec;
}

Documents make_ray_job(GenRequest& request) {
  Tree job = object_of("ray.io/v1", "RayJob",
                       metadata_of(request, request.options.name, queued_labels(request)));
  job.set("spec", ray_job_spec(request));
  return {std::move(job)};
}

}  // namespace

const GenKind kRayJobKind = {
    .word = "rayjob",
    .kind = "RayJob",
    .group = "ray.io",
    .summary = "a script on a Ray cluster that is created for it and deleted after it",
    .example = "--nodes 2 --gpus 4 --gpu-model H100 --script train.py",
    .install = "KubeRay",
    .name = {.form = NameForm::dns_1035, .most = 47, .why = "KubeRay names its cluster after it"},
    .options = kPodOptions | OptionSet{Option::script, Option::nodes, Option::dra, Option::queue,
                                       Option::deadline, Option::retries, Option::ttl,
                                       Option::ray_version},
    .make = make_ray_job,
    .meanings = {{"--gpus", "GPUs of each worker; default 1"},
                 {"--nodes", "workers; default 1"},
                 {"--cpu", "CPUs of each worker; default: its share of the node"},
                 {"--memory", "memory of each worker; default: its share of the node"},
                 {"--ttl",
                  "how long its cluster, with its GPUs, is kept once it ended; default 5m"}},
};

}  // namespace gpu::manifest
