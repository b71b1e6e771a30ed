#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace kinds_jobset_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kJobOfSet = "spec.replicatedJobs[0].template.spec.";
const std::string kPodOfSet = kJobOfSet + "template.spec.";

std::string of_set(const Generated& made, std::string_view path) {
  return text_at(made.documents.back(), path);
}

GenOptions set_options() {
  GenOptions options = options_named("train");
  options.nodes = 2;
  options.gpus = 8;
  options.command = {"torchrun", "train.py"};
  return options;
}

}  // namespace

TEST_CASE("One failure restarts the whole JobSet, as often as --retries says") {
  const Generated two = made("jobset", set_options());
  CHECK(of_set(two, "apiVersion") == "jobset.x-k8s.io/v1alpha2");
  CHECK(of_set(two, "spec.failurePolicy.maxRestarts") == "3");
  CHECK(of_set(two, kJobOfSet + "backoffLimit") == "0");
  CHECK(of_set(two, kPodOfSet + "restartPolicy") == "Never");
  GenOptions options = set_options();
  options.retries = 0;
  CHECK(of_set(made("jobset", options), "spec.failurePolicy.maxRestarts") == "0");
}

TEST_CASE("A drain or preemption does not use up the restarts of a JobSet") {
  const Generated two = made("jobset", set_options());
  CHECK(of_set(two, "spec.failurePolicy.rules") ==
        "[{name: disruption, action: RestartJobSetAndIgnoreMaxRestarts, onJobFailureReasons: "
        "[PodFailurePolicy]}]");
  CHECK(of_set(two, kJobOfSet + "podFailurePolicy.rules") ==
        "[{action: FailJob, onPodConditions: [{type: DisruptionTarget, status: \"True\"}]}]");
}

TEST_CASE("The deadline of a JobSet ends it: a restart would begin the time anew") {
  GenOptions options = set_options();
  options.deadline_seconds = 7200;
  const Generated two = made("jobset", options);
  CHECK(of_set(two, kJobOfSet + "activeDeadlineSeconds") == "7200");
  CHECK(of_set(two, "spec.failurePolicy.rules[0]") ==
        "{name: deadline, action: FailJobSet, onJobFailureReasons: [DeadlineExceeded]}");
  CHECK(of_set(two, "spec.failurePolicy.rules[1].name") == "disruption");
}

TEST_CASE("Ranks of a JobSet meet at its first pod") {
  const Generated two = made("jobset", set_options());
  CHECK(of_set(two, kPodOfSet + "containers[0].command") ==
        "[torchrun, --nnodes=2, --nproc-per-node=8, --node-rank=$(JOB_COMPLETION_INDEX), "
        "--master-addr=train-node-0-0.train, --master-port=29500, train.py]");
  CHECK(of_set(two, kJobOfSet + "completionMode") == "Indexed");
  CHECK(of_set(two, kJobOfSet + "completions") == "2");
  CHECK(of_set(two, kJobOfSet + "parallelism") == "2");
  CHECK(of_set(two, "spec.network") ==
        "{enableDNSHostnames: true, publishNotReadyAddresses: true}");
  GenOptions options = set_options();
  options.command = {"python", "train.py"};
  CHECK(of_set(made("jobset", options), kPodOfSet + "containers[0].env")
            .find("{name: MASTER_ADDR, value: train-node-0-0.train}") != std::string::npos);
}

TEST_CASE("A shell script of a JobSet finds where its ranks meet in its environment") {
  GenOptions options = set_options();
  options.command = {};
  options.script = Script{"train.sh", "true\n"};
  const Generated two = made("jobset", options);
  CHECK(of_set(two, kPodOfSet + "containers[0].command") == "[bash, /scripts/train.sh]");
  CHECK(of_set(two, kPodOfSet + "containers[0].env").find("MASTER_ADDR") != std::string::npos);
  options.script = Script{"train.py", "print(1)\n"};
  CHECK(of_set(made("jobset", options), kPodOfSet + "containers[0].env").find("MASTER_ADDR") ==
        std::string::npos);
}

TEST_CASE("A JobSet of one node has no rendezvous") {
  GenOptions options = set_options();
  options.nodes = {};
  const Generated one = made("jobset", options);
  CHECK(of_set(one, kPodOfSet + "containers[0].command") ==
        "[torchrun, --standalone, --nnodes=1, --nproc-per-node=8, train.py]");
  CHECK(of_set(one, kPodOfSet + "affinity") == "-");
}

TEST_CASE("Pods of a JobSet run on nodes of their own") {
  CHECK(of_set(made("jobset", set_options()),
               kPodOfSet +
                   "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]."
                   "labelSelector.matchLabels") == "{jobset.sigs.k8s.io/jobset-name: train}");
}

TEST_CASE("Several nodes of a JobSet need something that starts the ranks") {
  GenOptions options = set_options();
  options.command = {};
  CHECK(refusal("jobset", options) == "--nodes needs a command that starts the ranks");
}

TEST_CASE("Names of JobSets leave room for NAME-node-0-INDEX-HASH, which its webhook looks at") {
  GenOptions options = set_options();
  options.name = "7b";
  CHECK(refusal("jobset", options).find("begins with a letter") != std::string::npos);
  options.name = std::string(47, 'a');
  CHECK(refusal("jobset", options).find("NAME-node-0-INDEX-HASH") != std::string::npos);
  options.name = std::string(46, 'a');
  CHECK(refusal("jobset", options).empty());
}

TEST_CASE("The queue of a JobSet is on the JobSet, and it is read back as it was written") {
  GenOptions options = set_options();
  options.queue = "gpu";
  options.deadline_seconds = 60;
  const Generated queued = made("jobset", options);
  CHECK(of_set(queued, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(of_set(queued, kJobOfSet + "template.metadata.labels.kueue.x-k8s.io/queue-name") == "-");
  CHECK(is_read_back(queued.documents));
}

}  // namespace kinds_jobset_test
