#include <algorithm>
#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace kinds_trainjob_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kPatch =
    "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].";
const std::string kPatchedPod = kPatch + "template.spec.template.spec.";

std::string of_train(const Generated& made, std::string_view path) {
  return text_at(made.documents.back(), path);
}

std::vector<std::string> keys_at(const Tree& tree, const std::string& path) {
  std::vector<std::string> keys;
  const Tree* const found = at(tree, path.substr(0, path.find_last_not_of('.') + 1));
  REQUIRE(found != nullptr);
  for (const Tree::Entry& each : std::get<Tree::Map>(found->value())) keys.push_back(each.key);
  return keys;
}

GenOptions train_options() {
  GenOptions options = options_named("llama");
  options.nodes = 2;
  options.gpus = 8;
  options.command = {"torchrun", "train.py"};
  return options;
}

}  // namespace

TEST_CASE("A TrainJob names its runtime: torch-distributed, or that of --runtime") {
  const Generated two = made("trainjob", train_options());
  CHECK(of_train(two, "apiVersion") == "trainer.kubeflow.org/v1alpha1");
  CHECK(of_train(two, "spec.runtimeRef.name") == "torch-distributed");
  CHECK(of_train(two, "spec.runtimeRef.kind") == "ClusterTrainingRuntime");
  GenOptions options = train_options();
  options.runtime = "deepspeed-distributed";
  CHECK(of_train(made("trainjob", options), "spec.runtimeRef.name") == "deepspeed-distributed");
}

TEST_CASE("A TrainJob says nodes and processes as numbers, and resources of a node") {
  const Generated two = made("trainjob", train_options());
  CHECK(of_train(two, "spec.trainer.numNodes") == "2");
  CHECK(of_train(two, "spec.trainer.numProcPerNode") == "8");
  CHECK(of_train(two, "spec.trainer.resourcesPerNode.limits.nvidia.com/gpu") == "8");
  CHECK(of_train(two, "spec.trainer.resourcesPerNode.requests.nvidia.com/gpu") == "8");
  CHECK(of_train(two, "spec.trainer.command") == "[torchrun, train.py]");
  GenOptions options = train_options();
  options.nodes = {};
  options.gpus = {};
  options.is_cpu_only = true;
  CHECK(of_train(made("trainjob", options), "spec.trainer.numNodes") == "1");
  CHECK(of_train(made("trainjob", options), "spec.trainer.numProcPerNode") == "1");
}

TEST_CASE("Shared memory and tolerations of a TrainJob are patches of its runtime") {
  const Generated two = made("trainjob", train_options());
  CHECK(of_train(two, "spec.runtimePatches[0].manager") == "kubectl-gpu.io/gen");
  CHECK(of_train(two, kPatch + "name") == "node");
  CHECK(of_train(two, kPatchedPod + "volumes[0].emptyDir.medium") == "Memory");
  CHECK(of_train(two, kPatchedPod + "containers[0].name") == "node");
  CHECK(of_train(two, kPatchedPod + "containers[0].volumeMounts") ==
        "[{name: shm, mountPath: /dev/shm}]");
  CHECK(of_train(two, kPatchedPod + "tolerations[0].key") == "nvidia.com/gpu");
}

TEST_CASE("A TrainJob patches only what may be patched") {
  GenOptions options = train_options();
  options.service_account = "trainer";
  options.node_selector = {{"pool", "a"}};
  options.gpu_models = {"H100"};
  options.claims = {{"data", "/data", true}};
  options.env = {{"LR", "0.1", "", ""}};
  const Generated all = made("trainjob", options);
  const Tree& job = all.documents.back();
  const std::vector<std::string> of_pod = {"serviceAccountName", "nodeSelector", "affinity",
                                           "tolerations",        "containers",   "volumes"};
  CHECK(keys_at(job, kPatchedPod) == of_pod);
  CHECK(keys_at(job, kPatchedPod + "containers[0]") ==
        std::vector<std::string>{"name", "securityContext", "volumeMounts"});
  CHECK(of_train(all, "spec.trainer.env").find("{name: LR, value: \"0.1\"}") != std::string::npos);
  GenOptions plain = train_options();
  CHECK(of_train(made("trainjob", plain), kPatchedPod + "automountServiceAccountToken") == "-");
}

TEST_CASE("What a TrainJob cannot carry is not among its options") {
  const OptionSet& options = find_gen_kind("trainjob")->options;
  for (const Option each :
       {Option::priority, Option::runtime_class, Option::dra, Option::retries, Option::ttl})
    CHECK_FALSE(options.contains(each));
  CHECK(options.contains(Option::runtime));
  CHECK_FALSE(find_gen_kind("jobset")->options.contains(Option::runtime));
}

TEST_CASE("Variables that Trainer sets itself are refused") {
  GenOptions options = train_options();
  for (const char* const name : {"PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK",
                                 "PET_MASTER_ADDR", "PET_MASTER_PORT"}) {
    options.env = {{name, "1", "", ""}};
    CHECK(refusal("trainjob", options).find(name) == 0);
  }
}

TEST_CASE("A TrainJob without an image uses that of its runtime") {
  GenOptions options = train_options();
  options.image = "";
  CHECK(of_train(made("trainjob", options), "spec.trainer.image") == "-");
  options.command = {};
  CHECK(refusal("trainjob", options) == "a trainjob needs a command, --script or --image");
  options.script = Script{"train.py", "print(1)\n"};
  const Generated scripted = made("trainjob", options);
  CHECK(text_at(scripted.documents[0], "kind") == "ConfigMap");
  CHECK(of_train(scripted, "spec.trainer.command") == "[torchrun, /scripts/train.py]");
  CHECK(of_train(scripted, kPatchedPod + "volumes[1].configMap.name") == "llama-script");
}

TEST_CASE("A script runs under torchrun where the runtime is one of PyTorch alone") {
  GenOptions options = train_options();
  options.command = {"train.py"};
  CHECK(of_train(made("trainjob", options), "spec.trainer.command") == "[torchrun, train.py]");
  options.runtime = "jax-distributed";
  CHECK(of_train(made("trainjob", options), "spec.trainer.command") == "[python, train.py]");
}

TEST_CASE("Under mpirun the launcher trains, too, and sshd keeps the capabilities of its image") {
  GenOptions options = train_options();
  options.runtime = "deepspeed-distributed";
  const Generated mpi = made("trainjob", options);
  const std::string jobs =
      "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs";
  CHECK(of_train(mpi, jobs + "[0].name") == "node");
  CHECK(of_train(mpi, jobs + "[1].name") == "launcher");
  CHECK(of_train(mpi, jobs + "[1].template") == of_train(mpi, jobs + "[0].template"));
  CHECK(of_train(mpi, kPatchedPod + "containers[0].securityContext") == "-");
  const Generated torch = made("trainjob", train_options());
  CHECK(of_train(torch, jobs + "[1]") == "-");
  CHECK(of_train(torch, kPatchedPod + "containers[0].securityContext.allowPrivilegeEscalation") ==
        "false");
}

TEST_CASE("Whether a TrainJob would start is judged by the JobSet that Trainer makes of it") {
  GenOptions options = train_options();
  options.queue = "gpu";
  options.ns = "team-a";
  const Generated two = made("trainjob", options);
  REQUIRE(two.judged_as.size() == 1);
  const Tree& set = two.judged_as.front();
  const std::string pod = "spec.replicatedJobs[0].template.spec.template.spec.";
  CHECK(text_at(set, "kind") == "JobSet");
  CHECK(text_at(set, "metadata.name") == "llama");
  CHECK(text_at(set, "metadata.namespace") == "team-a");
  CHECK(text_at(set, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(text_at(set, "spec.replicatedJobs[0].template.spec.parallelism") == "2");
  CHECK(text_at(set, pod + "containers[0].resources.limits.nvidia.com/gpu") == "8");
  CHECK(text_at(set, pod + "affinity") == of_train(two, kPatchedPod + "affinity"));
  CHECK(text_at(set, pod + "tolerations") == of_train(two, kPatchedPod + "tolerations"));
}

TEST_CASE("Names of TrainJobs leave room for the pods of their JobSet") {
  GenOptions options = train_options();
  options.name = "7b";
  CHECK(refusal("trainjob", options).find("begins with a letter") != std::string::npos);
  options.name = std::string(45, 'a');
  CHECK(refusal("trainjob", options).find("NAME-launcher-0-0-HASH") != std::string::npos);
}

TEST_CASE("A TrainJob is read back as it was written") {
  GenOptions options = train_options();
  options.queue = "gpu";
  options.deadline_seconds = 60;
  CHECK(of_train(made("trainjob", options), "spec.activeDeadlineSeconds") == "60");
  CHECK(is_read_back(made("trainjob", options).documents));
}

}  // namespace kinds_trainjob_test
