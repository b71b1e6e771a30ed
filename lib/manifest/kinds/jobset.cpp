#include <fmt/format.h>

#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/spread.hpp"
#include "manifest/kinds/torchrun.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kReplicatedJob = "node";

PodShape jobset_shape(const GenRequest& request) {
  const GenOptions& options = request.options;
  const Ranks ranks{
      .nodes = nodes_of(options),
      .processes = processes_of(options),
      // Not NAME-node-0-0.NAME-node, as old documentation has it (kubernetes-sigs/jobset#603).
      .master = fmt::format("{0}-{1}-0-0.{0}", options.name, kReplicatedJob)};
  PodShape shape;
  shape.container = "train";
  if (options.script) shape.usual_image = kPyTorchImage;
  shape.workload = Workload::training;
  shape.restart_policy = "Never";
  shape.grace_seconds = 300;
  shape.labels = app_labels(request);
  shape.annotations = stay_annotations();
  shape.command = training_command(request, ranks);
  shape.env = training_env(request, ranks);
  if (ranks.nodes > 1)
    shape.ports = Tree::list({Tree::map({{"name", "rdzv"}, {"containerPort", kRendezvousPort}})});
  return shape;
}

Tree failure_rule(std::string_view name, std::string_view action, std::string_view reason) {
  return Tree::map({{"name", name},
                    {"action", action},
                    {"onJobFailureReasons", Tree::texts({std::string(reason)}).on_one_line()}});
}

Tree restarts_of_set(const GenOptions& options) {
  Tree rules = Tree::list();
  if (options.deadline_seconds)
    rules.push(
        failure_rule("deadline", "FailJobSet", "DeadlineExceeded"),
        {"a restart would have the whole time again",
         "activeDeadlineSeconds is the Job's, and a Job that is created again starts again.", ""});
  rules.push(failure_rule("disruption", "RestartJobSetAndIgnoreMaxRestarts", "PodFailurePolicy"),
             {"a drain or a preemption does not use up maxRestarts",
              "The Job below fails with this reason where the cluster took a pod away, and with "
              "another where the program failed.",
              "kubernetes-sigs/jobset#601"});
  return Tree::map(
      {{"maxRestarts",
        options.retries.value_or(3),
        {"one failure restarts all pods together",
         "A rank that is restarted alone cannot join the others, which hang until NCCL "
         "times out.",
         "kubeflow/trainer#2000"}},
       {"rules", std::move(rules)}});
}

Tree disruption_policy() {
  return Tree::map(
      {{"rules", Tree::list({Tree::map(
                     {{"action", "FailJob"},
                      {"onPodConditions", Tree::list({Tree::map({{"type", "DisruptionTarget"},
                                                                 {"status", "True"}})})}})})}});
}

Tree job_of_set(const GenOptions& options, const PodParts& pod) {
  const std::int64_t nodes = nodes_of(options);
  Tree spec =
      Tree::map({{"completionMode", "Indexed"},
                 {"completions", nodes},
                 {"parallelism", nodes},
                 {"backoffLimit",
                  0,
                  {"the JobSet restarts all pods; a Job would replace one alone", "", ""}}});
  if (options.deadline_seconds) spec.set("activeDeadlineSeconds", *options.deadline_seconds);
  spec.set("podFailurePolicy", disruption_policy());
  Tree made = pod.pod_template();
  if (nodes > 1)
    keep_apart(*made.find("spec"), Tree::map({{"jobset.sigs.k8s.io/jobset-name", options.name}}));
  spec.set("template", std::move(made));
  return spec;
}

Documents make_jobset(GenRequest& request) {
  const GenOptions& options = request.options;
  const PodParts pod(request, jobset_shape(request));
  Tree set = object_of("jobset.x-k8s.io/v1alpha2", "JobSet",
                       metadata_of(request, options.name, queued_labels(request)));
  set.set("spec",
          Tree::map({{"ttlSecondsAfterFinished",
                      options.ttl_seconds.value_or(86400),
                      {"", "The JobSet and its pods are deleted a day after it ended.", ""}},
                     {"failurePolicy", restarts_of_set(options)},
                     {"network",
                      Tree::map({{"enableDNSHostnames", true}, {"publishNotReadyAddresses", true}})
                          .on_one_line(),
                      {"", "Ranks look each other up before they are ready.",
                       "pytorch/pytorch#73682, kubernetes-sigs/jobset#504"}},
                     {"replicatedJobs",
                      Tree::list({Tree::map(
                          {{"name", kReplicatedJob},
                           {"replicas", 1},
                           {"template", Tree::map({{"spec", job_of_set(options, pod)}})}})})}}));
  return {std::move(set)};
}

}  // namespace

const GenKind kJobSetKind = {
    .word = "jobset",
    .kind = "JobSet",
    .group = "jobset.x-k8s.io",
    .summary = "training on several nodes, all of which restart together",
    .example = "--image ghcr.io/acme/train:1.4 --nodes 2 --gpus 8 -- torchrun train.py",
    .install = "JobSet",
    .name = {.form = NameForm::dns_1035,
             .most = 46,
             .why = "its pods are called NAME-node-0-INDEX-HASH"},
    .options = kPodOptions | OptionSet{Option::script, Option::nodes, Option::dra, Option::queue,
                                       Option::deadline, Option::retries, Option::ttl},
    .make = make_jobset,
};

}  // namespace gpu::manifest
