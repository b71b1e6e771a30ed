#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/spread.hpp"
#include "manifest/kinds/torchrun.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kContainer = "train";
constexpr std::int64_t kRetries = 3;

/// The name that ranks find each other by; the pods' subdomain has to be the same.
std::string service_of(const GenOptions& options) { return options.name + "-nodes"; }

Tree headless_service(const GenRequest& request) {
  Tree service = object_of("v1", "Service", metadata_of(request, service_of(request.options)));
  service.set(
      "spec",
      Tree::map(
          {{"clusterIP", "None"},
           {"publishNotReadyAddresses",
            true,
            {"ranks look each other up before they are ready",
             "Without it a name appears only once its pod is Ready, and torchrun's TCPStore takes "
             "a "
             "missing name as fatal.",
             "pytorch/pytorch#73682, kubernetes-sigs/jobset#504"}},
           {"selector", Tree::map({{"batch.kubernetes.io/job-name", request.options.name}})},
           {"ports", Tree::list({Tree::map({{"name", "rdzv"}, {"port", kRendezvousPort}})})}}));
  return service;
}

Tree failure_policy() {
  return Tree::map(
      {{"rules",
        Tree::list(
            {Tree::map({{"action", "Ignore"},
                        {"onPodConditions", Tree::list({Tree::map({{"type", "DisruptionTarget"},
                                                                   {"status", "True"}})})}}),
             Tree::map({{"action", "FailJob"},
                        {"onExitCodes",
                         Tree::map({{"containerName", kContainer},
                                    {"operator", "In"},
                                    {"values", Tree::list({Tree(2), Tree(126), Tree(127)})}})
                             .on_one_line()}})})}});
}

void add_limits(Tree& spec, const GenOptions& options) {
  const std::int64_t nodes = nodes_of(options);
  spec.set("backoffLimit", options.retries.value_or(kRetries) * nodes,
           nodes == 1 ? Why{}
                      : Why{fmt::format("{} for each of the {} nodes: all ranks fail together",
                                        options.retries.value_or(kRetries), nodes),
                            "When one rank dies the others die, too, and each counts as a failure.",
                            "kubeflow/trainer#2000"});
  if (options.deadline_seconds) spec.set("activeDeadlineSeconds", *options.deadline_seconds);
  spec.set("ttlSecondsAfterFinished", options.ttl_seconds.value_or(86400),
           {"", "The Job and its pods are deleted a day after it ended.", ""});
  spec.set("podReplacementPolicy", "Failed",
           {"", "A retry does not request GPUs that its predecessor still holds.", ""});
  spec.set(
      "podFailurePolicy", failure_policy(),
      {"a disruption is not a failure; an exit code that a retry cannot fix ends the Job",
       "Pods that a drain or a preemption stops do not use up backoffLimit. 2, 126 and 127 are "
       "a wrong argument and a program that is not there.",
       "KEP-3329"});
}

PodShape shape_of(const GenRequest& request) {
  const GenOptions& options = request.options;
  PodShape shape;
  shape.container = kContainer;
  if (options.script) shape.usual_image = kPyTorchImage;
  shape.workload = Workload::training;
  shape.restart_policy = "Never";
  shape.grace_seconds = 300;
  shape.labels = app_labels(request);
  shape.annotations = stay_annotations();
  const Ranks ranks{.nodes = nodes_of(options),
                    .processes = processes_of(options),
                    .master = options.name + "-0." + service_of(options)};
  shape.command = training_command(request, ranks);
  shape.env = training_env(request, ranks);
  if (ranks.nodes > 1)
    shape.ports = Tree::list({Tree::map({{"name", "rdzv"}, {"containerPort", kRendezvousPort}})});
  return shape;
}

void say_of_nodes(GenRequest& request) {
  if (serves(request.facts, "JobSet", "jobset.x-k8s.io").value_or(false))
    request.note(
        "a lost pod is replaced alone, and the other ranks hang until NCCL times out; JobSet is "
        "served here, and `gen jobset` restarts all of them together");
  else
    request.note(
        "a lost pod is replaced alone, and the other ranks hang until NCCL times out; JobSet, "
        "TrainJob or LeaderWorkerSet restart all of them together");
}

Documents make_job(GenRequest& request) {
  const GenOptions& options = request.options;
  const std::int64_t nodes = nodes_of(options);
  if (nodes > 1) check_rank_name(options.name, nodes);
  const PodParts pod(request, shape_of(request));
  Tree job =
      object_of("batch/v1", "Job", metadata_of(request, options.name, queued_labels(request)));
  Tree spec;
  if (nodes > 1) {
    spec.set("completionMode", "Indexed");
    spec.set("completions", nodes);
    spec.set("parallelism", nodes);
  }
  add_limits(spec, options);
  Tree made = pod.pod_template();
  if (nodes > 1) {
    Tree* const pod_spec = made.find("spec");
    Tree ordered = Tree::map({{"subdomain", service_of(options)}});
    ordered.set_all(*pod_spec);
    *pod_spec = std::move(ordered);
    keep_apart(*pod_spec, Tree::map({{"batch.kubernetes.io/job-name", options.name}}));
    say_of_nodes(request);
  }
  spec.set("template", std::move(made));
  job.set("spec", std::move(spec));
  Documents documents;
  if (nodes > 1) documents.push_back(headless_service(request));
  documents.push_back(std::move(job));
  return documents;
}

}  // namespace

const GenKind kJobKind = {
    .word = "job",
    .kind = "Job",
    .group = "batch",
    .summary = "training on one GPU, on several, or on several nodes",
    .example = "--image ghcr.io/acme/train:1.4 --gpus 4 --gpu-model H100 -- python train.py",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = kPodOptions | OptionSet{Option::script, Option::nodes, Option::dra, Option::queue,
                                       Option::deadline, Option::retries, Option::ttl},
    .make = make_job,
};

}  // namespace gpu::manifest
