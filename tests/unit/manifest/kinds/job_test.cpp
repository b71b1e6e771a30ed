#include <catch2/catch.hpp>
#include <string>

#include "manifest/kinds/made.hpp"

namespace kinds_job_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kPod = "spec.template.spec.";
const std::string kContainer = kPod + "containers[0].";

std::string job_at(const GenOptions& options, std::string_view path,
                   const ClusterFacts& facts = {}) {
  return text_at(made("job", options, facts).documents.back(), path);
}

GenOptions job_options() {
  GenOptions options = options_named("train");
  options.command = {"train.py", "--epochs", "3"};
  return options;
}

GenOptions on_nodes(std::int64_t nodes, std::int64_t gpus = 8) {
  GenOptions options = job_options();
  options.nodes = nodes;
  options.gpus = gpus;
  return options;
}

GenOptions with_script(std::string name) {
  GenOptions options;
  options.name = "train";
  options.script = Script{.name = std::move(name), .text = "pass\n"};
  return options;
}

}  // namespace

TEST_CASE("A Job on one node is one pod without a Service") {
  const Generated one = made("job", job_options());
  REQUIRE(one.documents.size() == 1);
  CHECK(text_at(one.documents[0], "apiVersion") == "batch/v1");
  CHECK(text_at(one.documents[0], "kind") == "Job");
  CHECK(text_at(one.documents[0], "metadata.name") == "train");
  for (const char* const field : {"spec.completionMode", "spec.completions", "spec.parallelism",
                                  "spec.template.spec.subdomain", "spec.template.spec.affinity",
                                  "spec.template.spec.containers[0].ports"})
    CHECK(text_at(one.documents[0], field) == "-");
  CHECK(one.notes.empty());
  CHECK(is_read_back(one.documents));
}

TEST_CASE("A Job on several nodes is indexed, with one completion for each pod that runs") {
  for (const std::int64_t nodes : {2, 4}) {
    const GenOptions options = on_nodes(nodes);
    CHECK(job_at(options, "spec.completionMode") == "Indexed");
    CHECK(job_at(options, "spec.completions") == std::to_string(nodes));
    CHECK(job_at(options, "spec.parallelism") == std::to_string(nodes));
  }
  CHECK(is_read_back(made("job", on_nodes(2)).documents));
}

TEST_CASE("Ranks find each other by a headless Service that is called as their subdomain") {
  const Generated two = made("job", on_nodes(2));
  REQUIRE(two.documents.size() == 2);
  const Tree& service = two.documents[0];
  CHECK(text_at(service, "apiVersion") == "v1");
  CHECK(text_at(service, "kind") == "Service");
  CHECK(text_at(service, "metadata.name") == "train-nodes");
  CHECK(text_at(two.documents[1], kPod + "subdomain") == "train-nodes");
  CHECK(text_at(service, "spec.clusterIP") == "None");
  CHECK(text_at(service, "spec.publishNotReadyAddresses") == "true");
  CHECK(text_at(service, "spec.selector") == "{batch.kubernetes.io/job-name: train}");
  CHECK(text_at(service, "spec.ports") == "[{name: rdzv, port: 29500}]");
  CHECK(text_at(two.documents[1], kContainer + "ports") == "[{name: rdzv, containerPort: 29500}]");
}

TEST_CASE("No two ranks of a Job run on one node") {
  const std::string rule = "podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  const std::string apart =
      "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: "
      "{batch.kubernetes.io/job-name: train}}}]";
  GenOptions options = on_nodes(2);
  CHECK(job_at(options, kPod + "affinity." + rule) == apart);
  options.gpu_models = {"H100"};
  CHECK(job_at(options, kPod + "affinity." + rule) == apart);
  CHECK(job_at(options, kPod + "affinity.nodeAffinity") != "-");
}

TEST_CASE("A Job may fail three times, for each of its nodes") {
  CHECK(job_at(job_options(), "spec.backoffLimit") == "3");
  CHECK(job_at(on_nodes(2), "spec.backoffLimit") == "6");
  GenOptions options = on_nodes(4);
  options.retries = 2;
  CHECK(job_at(options, "spec.backoffLimit") == "8");
  options.retries = 0;
  CHECK(job_at(options, "spec.backoffLimit") == "0");
  CHECK(comments_on(made("job", on_nodes(2)), "3 for each of the 2 nodes"));
  CHECK_FALSE(comments_on(made("job", job_options()), "for each of the"));
}

TEST_CASE("A Job is deleted a day after it ended, and runs as long as it takes") {
  GenOptions options = job_options();
  CHECK(job_at(options, "spec.ttlSecondsAfterFinished") == "86400");
  CHECK(job_at(options, "spec.activeDeadlineSeconds") == "-");
  options.ttl_seconds = 60;
  options.deadline_seconds = 7200;
  CHECK(job_at(options, "spec.ttlSecondsAfterFinished") == "60");
  CHECK(job_at(options, "spec.activeDeadlineSeconds") == "7200");
}

TEST_CASE("A disruption of a Job's pod is no failure, and a mistake in its command ends it") {
  CHECK(job_at(job_options(), "spec.podFailurePolicy.rules[0]") ==
        "{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: \"True\"}]}");
  CHECK(job_at(job_options(), "spec.podFailurePolicy.rules[1]") ==
        "{action: FailJob, onExitCodes: {containerName: train, operator: In, values: [2, 126, "
        "127]}}");
  // The API server takes the policy with these alone.
  CHECK(job_at(job_options(), kContainer + "name") == "train");
  CHECK(job_at(job_options(), kPod + "restartPolicy") == "Never");
  CHECK(job_at(job_options(), "spec.podReplacementPolicy") == "Failed");
}

TEST_CASE("A Job's pod has five minutes for a checkpoint, and autoscalers leave it alone") {
  CHECK(job_at(job_options(), kPod + "terminationGracePeriodSeconds") == "300");
  CHECK(job_at(job_options(), "spec.template.metadata") ==
        "{labels: {app.kubernetes.io/name: train}, annotations: "
        "{cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\", karpenter.sh/do-not-disrupt: "
        "\"true\"}}");
}

TEST_CASE("One process needs no torchrun") {
  CHECK(job_at(job_options(), kContainer + "command") == "[python, train.py, --epochs, \"3\"]");
  GenOptions options = job_options();
  options.is_cpu_only = true;
  CHECK(job_at(options, kContainer + "command") == "[python, train.py, --epochs, \"3\"]");
}

TEST_CASE("torchrun starts one process for each GPU of a node") {
  GenOptions options = job_options();
  options.gpus = 4;
  CHECK(job_at(options, kContainer + "command") ==
        "[torchrun, --standalone, --nnodes=1, --nproc-per-node=4, train.py, --epochs, \"3\"]");
}

TEST_CASE("Ranks of several nodes meet at the first pod, by its name in the Service") {
  CHECK(job_at(on_nodes(2, 1), kContainer + "command") ==
        "[torchrun, --nnodes=2, --nproc-per-node=1, --node-rank=$(JOB_COMPLETION_INDEX), "
        "--master-addr=train-0.train-nodes, --master-port=29500, train.py, --epochs, \"3\"]");
}

TEST_CASE("A torchrun of one's own keeps its flags, and gets those that it lacks") {
  GenOptions options = on_nodes(2, 4);
  options.command = {"torchrun", "--nproc_per_node=2", "--master-port=1", "a.py"};
  CHECK(job_at(options, kContainer + "command") ==
        "[torchrun, --nnodes=2, --node-rank=$(JOB_COMPLETION_INDEX), "
        "--master-addr=train-0.train-nodes, --nproc_per_node=2, --master-port=1, a.py]");
}

TEST_CASE("Other commands run as they are, and read the ranks from the environment") {
  GenOptions options = on_nodes(2, 4);
  options.command = {"bash", "-c", "go"};
  CHECK(job_at(options, kContainer + "command") == "[bash, -c, go]");
  CHECK(job_at(options, kContainer + "env") ==
        "[{name: PYTHONUNBUFFERED, value: \"1\"}, {name: NCCL_DEBUG, value: WARN}, "
        "{name: MASTER_ADDR, value: train-0.train-nodes}, {name: MASTER_PORT, value: \"29500\"}, "
        "{name: NNODES, value: \"2\"}]");
}

TEST_CASE("Under torchrun several nodes are told of NCCL alone, and never an interface") {
  const std::string nccl =
      "[{name: PYTHONUNBUFFERED, value: \"1\"}, {name: NCCL_DEBUG, value: WARN}]";
  GenOptions options = on_nodes(2);
  CHECK(job_at(options, kContainer + "env") == nccl);
  options.command = {"torchrun", "a.py"};
  CHECK(job_at(options, kContainer + "env") == nccl);
  options = with_script("train.py");
  options.nodes = 2;
  CHECK(job_at(options, kContainer + "env") == nccl);
  options = with_script("train.sh");
  options.nodes = 2;
  CHECK(job_at(options, kContainer + "env").find("MASTER_ADDR") != std::string::npos);
  CHECK(job_at(options, kContainer + "env").find("NCCL_SOCKET_IFNAME") == std::string::npos);
}

TEST_CASE("One node is told nothing of NCCL") {
  CHECK(job_at(job_options(), kContainer + "env") == "[{name: PYTHONUNBUFFERED, value: \"1\"}]");
}

TEST_CASE("A script runs from a ConfigMap, in PyTorch's image unless another is given") {
  GenOptions options = with_script("train.py");
  options.command = {"--epochs", "3"};
  const Generated job = made("job", options);
  REQUIRE(job.documents.size() == 2);
  CHECK(text_at(job.documents[0], "kind") == "ConfigMap");
  CHECK(text_at(job.documents[1], kContainer + "command") ==
        "[python, /scripts/train.py, --epochs, \"3\"]");
  CHECK(text_at(job.documents[1], kContainer + "image").starts_with("pytorch/pytorch:"));
  options.image = "mine:1";
  CHECK(job_at(options, kContainer + "image") == "mine:1");
  CHECK(job_at(with_script("train.sh"), kContainer + "command") == "[bash, /scripts/train.sh]");
  options.nodes = 2;
  const Documents three = made("job", options).documents;
  REQUIRE(three.size() == 3);
  CHECK(text_at(three[0], "kind") == "ConfigMap");
  CHECK(text_at(three[1], "kind") == "Service");
  CHECK(text_at(three[2], "kind") == "Job");
}

TEST_CASE("Without a script a Job needs an image, and on several nodes a command") {
  GenOptions options = job_options();
  options.image = "";
  CHECK(refusal("job", options) == "--image is missing");
  options = options_named("train");
  CHECK(job_at(options, kContainer + "command") == "-");
  options.nodes = 2;
  CHECK(refusal("job", options) == "--nodes needs a command that starts the ranks");
  options.nodes = 1;
  CHECK(refusal("job", options).empty());
}

TEST_CASE("A Job on several nodes says what a lost pod does, and names what is served here") {
  CHECK(says(made("job", on_nodes(2)), "JobSet, TrainJob or LeaderWorkerSet restart all"));
  ClusterFacts facts;
  facts.served = {"JobSet.jobset.x-k8s.io/v1alpha2"};
  CHECK(says(made("job", on_nodes(2), facts), "`gen jobset` restarts all of them"));
  facts.served = {"Job.batch/v1"};
  CHECK(says(made("job", on_nodes(2), facts), "TrainJob or LeaderWorkerSet"));
  CHECK(made("job", on_nodes(1)).notes.empty());
}

TEST_CASE("A Job's name has 63 characters, and fewer where its pods and Service need them") {
  GenOptions options = job_options();
  const auto refused = [&](std::size_t size, std::int64_t nodes) {
    options.name = std::string(size, 'a');
    options.nodes = nodes;
    return !refusal("job", options).empty();
  };
  CHECK_FALSE(refused(63, 1));
  CHECK(refused(64, 1));
  // NAME-nodes.
  CHECK_FALSE(refused(57, 2));
  CHECK(refused(58, 2));
}

TEST_CASE("With several nodes a Job's name begins with a letter, since its Service's has to") {
  GenOptions options = job_options();
  options.name = "7b";
  CHECK(refusal("job", options).empty());
  options.nodes = 2;
  CHECK(refusal("job", options).find("has to begin with a letter") != std::string::npos);
}

TEST_CASE("The queue of a Job is its own label, and never that of its pods") {
  GenOptions options = job_options();
  options.queue = "gpu";
  CHECK(job_at(options, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(job_at(options, "spec.template.metadata.labels") == "{app.kubernetes.io/name: train}");
}

TEST_CASE("A Job gets its GPUs by a claim with --dra, also with ranks kept apart") {
  GenOptions options = on_nodes(2);
  options.uses_dra = true;
  const Documents documents = made("job", options).documents;
  REQUIRE(documents.size() == 3);
  CHECK(text_at(documents[0], "kind") == "ResourceClaimTemplate");
  CHECK(text_at(documents[2], kPod + "resourceClaims[0].resourceClaimTemplateName") == "train-gpu");
  CHECK(text_at(documents[2], kPod + "affinity.podAntiAffinity") != "-");
}

}  // namespace kinds_job_test
