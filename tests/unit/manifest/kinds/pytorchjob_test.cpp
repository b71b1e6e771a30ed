#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace kinds_pytorchjob_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const char* const kMaster = "spec.pytorchReplicaSpecs.Master";
const char* const kWorker = "spec.pytorchReplicaSpecs.Worker";

std::string of(const Generated& made, std::string_view path) {
  return text_at(made.documents.back(), path);
}

std::string under(const char* replicas, std::string_view path) {
  return std::string(replicas) + "." + std::string(path);
}

GenOptions two_nodes() {
  GenOptions options = options_named("train");
  options.nodes = 2;
  options.gpus = 8;
  options.command = {"torchrun", "train.py"};
  return options;
}

}  // namespace

TEST_CASE("A PyTorchJob has one Master, and Workers for the other nodes") {
  const Generated two = made("pytorchjob", two_nodes());
  CHECK(of(two, "apiVersion") == "kubeflow.org/v1");
  CHECK(of(two, "kind") == "PyTorchJob");
  CHECK(of(two, under(kMaster, "replicas")) == "1");
  CHECK(of(two, under(kWorker, "replicas")) == "1");
  GenOptions options = two_nodes();
  options.nodes = 5;
  CHECK(of(made("pytorchjob", options), under(kWorker, "replicas")) == "4");
}

TEST_CASE("A PyTorchJob of one node is a Master alone") {
  GenOptions options = two_nodes();
  options.nodes = {};
  const Generated one = made("pytorchjob", options);
  CHECK(of(one, under(kMaster, "replicas")) == "1");
  CHECK(of(one, kWorker) == "-");
  CHECK(of(one, under(kMaster, "template.spec.affinity")) == "-");
  CHECK(of(one, under(kMaster, "template.spec.containers[0].env")) == "-");
}

TEST_CASE("The container of a PyTorchJob is called pytorch, as its webhook wants it") {
  const Generated two = made("pytorchjob", two_nodes());
  CHECK(of(two, under(kMaster, "template.spec.containers[0].name")) == "pytorch");
  CHECK(of(two, under(kWorker, "template.spec.containers[0].name")) == "pytorch");
}

TEST_CASE("torchrun in a PyTorchJob has no rendezvous flags: the operator sets PET variables") {
  const Generated two = made("pytorchjob", two_nodes());
  CHECK(of(two, under(kMaster, "template.spec.containers[0].command")) == "[torchrun, train.py]");
  CHECK(of(two, under(kWorker, "template.spec.containers[0].command")) == "[torchrun, train.py]");
  CHECK(of(two, under(kMaster, "template.spec.containers[0].env")) ==
        "[{name: NCCL_DEBUG, value: WARN}]");
  GenOptions options = two_nodes();
  options.command = {"train.py", "--epochs", "3"};
  CHECK(of(made("pytorchjob", options), under(kMaster, "template.spec.containers[0].command")) ==
        "[torchrun, train.py, --epochs, \"3\"]");
  options.command = {"accelerate", "launch", "train.py"};
  CHECK(of(made("pytorchjob", options), under(kMaster, "template.spec.containers[0].command")) ==
        "[accelerate, launch, train.py]");
  options.command = {};
  CHECK(of(made("pytorchjob", options), under(kMaster, "template.spec.containers[0].command")) ==
        "-");
}

TEST_CASE("A script of a PyTorchJob is mounted in all its pods, from one ConfigMap") {
  GenOptions options = two_nodes();
  options.image = "";
  options.command = {"--epochs", "3"};
  options.script = Script{"train.py", "print(1)\n"};
  const Generated two = made("pytorchjob", options);
  REQUIRE(two.documents.size() == 2);
  CHECK(text_at(two.documents[0], "kind") == "ConfigMap");
  CHECK(of(two, under(kWorker, "template.spec.containers[0].command")) ==
        "[torchrun, /scripts/train.py, --epochs, \"3\"]");
  CHECK(of(two, under(kWorker, "template.spec.containers[0].image")).starts_with("pytorch/"));
}

TEST_CASE("nprocPerNode of a PyTorchJob is a text: the GPUs of a pod") {
  const Generated two = made("pytorchjob", two_nodes());
  CHECK(of(two, "spec.nprocPerNode") == "\"8\"");
  GenOptions options = two_nodes();
  options.gpus = {};
  options.is_cpu_only = true;
  CHECK(of(made("pytorchjob", options), "spec.nprocPerNode") == "\"1\"");
}

TEST_CASE("A PyTorchJob fails once: OnFailure would restart a rank for ever") {
  const Generated two = made("pytorchjob", two_nodes());
  CHECK(of(two, under(kMaster, "restartPolicy")) == "Never");
  CHECK(of(two, under(kWorker, "restartPolicy")) == "Never");
  CHECK(of(two, under(kMaster, "template.spec.restartPolicy")) == "-");
  CHECK(of(two, "spec.runPolicy.backoffLimit") == "0");
  CHECK(comments_on(two, "OnFailure restarts one rank alone, for ever"));
  CHECK(comments_on(two, "restartPolicy is Never, so no failure is retried"));
  CHECK_FALSE(find_gen_kind("pytorchjob")->options.contains(Option::retries));
}

TEST_CASE("What runs on when a PyTorchJob ends is deleted") {
  GenOptions options = two_nodes();
  options.deadline_seconds = 3600;
  options.ttl_seconds = 60;
  const Generated two = made("pytorchjob", options);
  CHECK(of(two, "spec.runPolicy.cleanPodPolicy") == "Running");
  CHECK(of(two, "spec.runPolicy.ttlSecondsAfterFinished") == "60");
  CHECK(of(two, "spec.runPolicy.activeDeadlineSeconds") == "3600");
}

TEST_CASE("Pods of a PyTorchJob run on nodes of their own, with shared memory and tolerations") {
  const Generated two = made("pytorchjob", two_nodes());
  for (const char* const replicas : {kMaster, kWorker}) {
    CHECK(of(two, under(replicas,
                        "template.spec.affinity.podAntiAffinity."
                        "requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector."
                        "matchLabels")) == "{training.kubeflow.org/job-name: train}");
    CHECK(of(two, under(replicas, "template.spec.volumes[0].emptyDir.medium")) == "Memory");
    CHECK(of(two, under(replicas, "template.spec.containers[0].resources.limits.nvidia.com/gpu")) ==
          "8");
    CHECK(of(two, under(replicas, "template.spec.tolerations[0].key")) == "nvidia.com/gpu");
  }
}

TEST_CASE("A PyTorchJob carries priority, runtime class and service account") {
  GenOptions options = two_nodes();
  options.priority_class = "high";
  options.runtime_class = "nvidia";
  options.service_account = "trainer";
  const Generated two = made("pytorchjob", options);
  CHECK(of(two, under(kWorker, "template.spec.priorityClassName")) == "high");
  CHECK(of(two, under(kWorker, "template.spec.runtimeClassName")) == "nvidia");
  CHECK(of(two, under(kWorker, "template.spec.serviceAccountName")) == "trainer");
}

TEST_CASE("gen says once that PyTorchJob is legacy, and what Kueue needs for it") {
  GenOptions options = two_nodes();
  CHECK(says(made("pytorchjob", options), "TrainJob follows it"));
  CHECK_FALSE(says(made("pytorchjob", options), "Kueue"));
  options.queue = "gpu";
  const Generated queued = made("pytorchjob", options);
  CHECK(says(queued, "Kueue leaves PyTorchJobs alone"));
  CHECK(of(queued, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(of(queued, under(kMaster, "template.metadata.labels.kueue.x-k8s.io/queue-name")) == "-");
}

TEST_CASE("Names of PyTorchJobs begin with a letter and leave room for NAME-worker-INDEX") {
  GenOptions options = two_nodes();
  options.name = "7b";
  CHECK(refusal("pytorchjob", options).find("begins with a letter") != std::string::npos);
  options.name = std::string(53, 'a');
  CHECK(refusal("pytorchjob", options).find("NAME-worker-INDEX") != std::string::npos);
  options.name = std::string(52, 'a');
  CHECK(refusal("pytorchjob", options).empty());
  options = two_nodes();
  options.image = "";
  CHECK(refusal("pytorchjob", options) == "--image is missing");
}

TEST_CASE("A PyTorchJob is read back as it was written") {
  GenOptions options = two_nodes();
  options.queue = "gpu";
  options.claims = {{"data", "/data", true}};
  CHECK(is_read_back(made("pytorchjob", options).documents));
}

}  // namespace kinds_pytorchjob_test
