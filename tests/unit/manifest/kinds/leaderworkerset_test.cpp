#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace kinds_leaderworkerset_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kGroup = "spec.leaderWorkerTemplate.";
const std::string kLeaderPod = kGroup + "leaderTemplate.spec.";
const std::string kWorkerPod = kGroup + "workerTemplate.spec.";

/// The claim, the set and the Service of its leaders.
std::string of_group(const Generated& made, std::string_view path) {
  REQUIRE(made.documents.size() == 3);
  return text_at(made.documents[1], path);
}

GenOptions group_options() {
  GenOptions options;
  options.name = "deepseek";
  options.model = "deepseek-ai/DeepSeek-R1";
  options.nodes = 2;
  options.gpus = 8;
  return options;
}

}  // namespace

TEST_CASE("A group of a LeaderWorkerSet has as many pods as nodes, and is made again as one") {
  GenOptions options = group_options();
  const Generated two = made("leaderworkerset", options);
  CHECK(of_group(two, "apiVersion") == "leaderworkerset.x-k8s.io/v1");
  CHECK(of_group(two, "spec.replicas") == "1");
  CHECK(of_group(two, kGroup + "size") == "2");
  CHECK(of_group(two, kGroup + "restartPolicy") == "RecreateGroupOnPodRestart");
  CHECK(of_group(two, kLeaderPod + "restartPolicy") == "-");
  options.nodes = 4;
  options.replicas = 3;
  CHECK(of_group(made("leaderworkerset", options), kGroup + "size") == "4");
  CHECK(of_group(made("leaderworkerset", options), "spec.replicas") == "3");
  options.nodes = {};
  CHECK(of_group(made("leaderworkerset", options), kGroup + "size") == "2");
}

TEST_CASE("An update of a LeaderWorkerSet needs no GPUs to spare") {
  CHECK(of_group(made("leaderworkerset", group_options()), "spec.rolloutStrategy") ==
        "{type: RollingUpdate, rollingUpdateConfiguration: {maxUnavailable: 1, maxSurge: 0}}");
}

TEST_CASE("Services of the namespace set no variables in pods of a LeaderWorkerSet") {
  const Generated two = made("leaderworkerset", group_options());
  CHECK(of_group(two, kLeaderPod + "enableServiceLinks") == "false");
  CHECK(of_group(two, kWorkerPod + "enableServiceLinks") == "false");
}

TEST_CASE("The leader of a LeaderWorkerSet has an hour to load, and workers have no probes") {
  const Generated two = made("leaderworkerset", group_options());
  CHECK(of_group(two, kLeaderPod + "containers[0].startupProbe") ==
        "{httpGet: {path: /v1/models, port: http}, periodSeconds: 10, failureThreshold: 360}");
  CHECK(of_group(two, kLeaderPod + "containers[0].ports[0]") ==
        "{name: http, containerPort: 8000}");
  CHECK(of_group(two, kWorkerPod + "containers[0].startupProbe") == "-");
  CHECK(of_group(two, kWorkerPod + "containers[0].livenessProbe") == "-");
}

TEST_CASE("vLLM spreads a model by tensors in a node and by layers over nodes, without Ray") {
  const Generated two = made("leaderworkerset", group_options());
  const std::string leader = of_group(two, kLeaderPod + "containers[0].command");
  const std::string worker = of_group(two, kWorkerPod + "containers[0].command");
  for (const std::string& command : {leader, worker}) {
    CHECK(command.starts_with("[vllm, serve, deepseek-ai/DeepSeek-R1, "));
    for (const char* const word :
         {"--tensor-parallel-size=8", "--pipeline-parallel-size=2", "--nnodes=$(LWS_GROUP_SIZE)",
          "--node-rank=$(LWS_WORKER_INDEX)", "--master-addr=$(LWS_LEADER_ADDRESS)"})
      CHECK(command.find(word) != std::string::npos);
  }
  CHECK(leader.find("--headless") == std::string::npos);
  CHECK(worker.find("--headless") != std::string::npos);
  CHECK(of_group(two, kLeaderPod + "containers[0].env[0]") == "{name: NCCL_DEBUG, value: WARN}");
}

TEST_CASE("Leader and workers of a LeaderWorkerSet ask for the same, and notes are said once") {
  GenOptions options = group_options();
  options.uses_dra = true;
  const Generated dra = made("leaderworkerset", options);
  REQUIRE(dra.documents.size() == 4);
  CHECK(text_at(dra.documents[0], "kind") == "ResourceClaimTemplate");
  const Generated two = made("leaderworkerset", group_options());
  CHECK(of_group(two, kLeaderPod + "containers[0].resources") ==
        of_group(two, kWorkerPod + "containers[0].resources"));
  ClusterFacts facts;
  facts.is_known = true;
  CHECK(made("leaderworkerset", group_options(), facts).notes.size() == 1);
}

TEST_CASE("The Service of a LeaderWorkerSet selects leaders alone") {
  const Generated two = made("leaderworkerset", group_options());
  const Tree& service = two.documents[2];
  CHECK(text_at(service, "kind") == "Service");
  CHECK(text_at(service, "metadata.name") == "deepseek-leader");
  CHECK(text_at(service, "spec.selector") ==
        "{leaderworkerset.sigs.k8s.io/name: deepseek, "
        "leaderworkerset.sigs.k8s.io/worker-index: \"0\"}");
  CHECK(text_at(service, "spec.ports[0].targetPort") == "http");
}

TEST_CASE("All pods of a group read the model from one claim") {
  GenOptions options = group_options();
  options.storage_class = "nfs";
  const Generated two = made("leaderworkerset", options);
  CHECK(text_at(two.documents[0], "metadata.name") == "deepseek-models");
  CHECK(text_at(two.documents[0], "spec.accessModes") == "[ReadWriteMany]");
  CHECK(text_at(two.documents[0], "spec.storageClassName") == "nfs");
  for (const std::string& pod : {kLeaderPod, kWorkerPod})
    CHECK(of_group(two, pod + "volumes").find("deepseek-models") != std::string::npos);
}

TEST_CASE("A command of one's own runs in every pod of a group") {
  GenOptions options = group_options();
  options.model = "";
  options.image = "lmsysorg/sglang:v0.5.3";
  options.command = {"python3", "-m", "sglang.launch_server", "--node-rank=$(LWS_WORKER_INDEX)"};
  const Generated two = made("leaderworkerset", options);
  CHECK(of_group(two, kLeaderPod + "containers[0].command") ==
        of_group(two, kWorkerPod + "containers[0].command"));
  CHECK(says(two, "the leader has to answer /health"));
}

TEST_CASE("A LeaderWorkerSet is for several nodes, and needs a model") {
  GenOptions options = group_options();
  options.nodes = 1;
  CHECK(refusal("leaderworkerset", options) ==
        "a leaderworkerset is for one model on several nodes");
  options = group_options();
  options.model = "";
  CHECK(refusal("leaderworkerset", options) ==
        "a leaderworkerset needs --model, or a command after --");
}

TEST_CASE("Names of LeaderWorkerSets begin with a letter and leave room for NAME-GROUP-HASH") {
  GenOptions options = group_options();
  options.name = "7b-model";
  CHECK(refusal("leaderworkerset", options).find("begins with a letter") != std::string::npos);
  options.name = std::string(49, 'a');
  CHECK(refusal("leaderworkerset", options).find("NAME-GROUP-HASH") != std::string::npos);
}

TEST_CASE("The queue of a LeaderWorkerSet is its own, and it is read back as it was written") {
  GenOptions options = group_options();
  options.queue = "gpu";
  const Generated queued = made("leaderworkerset", options);
  CHECK(of_group(queued, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(of_group(queued, kGroup + "leaderTemplate.metadata.labels.kueue.x-k8s.io/queue-name") ==
        "-");
  CHECK(is_read_back(queued.documents));
}

}  // namespace kinds_leaderworkerset_test
