#include <catch2/catch.hpp>
#include <string>

#include "manifest/kinds/made.hpp"

namespace kinds_deployment_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kPod = "spec.template.spec.";
const std::string kContainer = kPod + "containers[0].";

GenOptions server(std::string preset = {}) {
  GenOptions options;
  options.name = "llm";
  options.model = "acme/model";
  options.preset = std::move(preset);
  return options;
}

/// Claim, Deployment, Service, budget.
Documents four(const GenOptions& options) {
  Documents documents = made("deployment", options).documents;
  REQUIRE(documents.size() == 4);
  return documents;
}

std::string server_at(const GenOptions& options, std::string_view path) {
  return text_at(four(options)[1], path);
}

std::string probe(const std::string& path, int period, int failures) {
  return "{httpGet: {path: " + path + ", port: http}, periodSeconds: " + std::to_string(period) +
         ", failureThreshold: " + std::to_string(failures) + "}";
}

}  // namespace

TEST_CASE("A Deployment comes with its claim, its Service and its budget, in that order") {
  const Documents all = four(server());
  CHECK(text_at(all[0], "kind") == "PersistentVolumeClaim");
  CHECK(text_at(all[1], "apiVersion") == "apps/v1");
  CHECK(text_at(all[1], "kind") == "Deployment");
  CHECK(text_at(all[2], "kind") == "Service");
  CHECK(text_at(all[3], "apiVersion") == "policy/v1");
  CHECK(text_at(all[3], "kind") == "PodDisruptionBudget");
  for (const std::size_t named : {1, 2, 3}) CHECK(text_at(all[named], "metadata.name") == "llm");
  CHECK(is_read_back(all));
}

TEST_CASE("Deployment, Service and budget select the pods by the label that these have") {
  const Documents all = four(server());
  const std::string label = "{app.kubernetes.io/name: llm}";
  CHECK(text_at(all[1], "spec.template.metadata.labels") == label);
  CHECK(text_at(all[1], "spec.selector.matchLabels") == label);
  CHECK(text_at(all[2], "spec.selector") == label);
  CHECK(text_at(all[3], "spec.selector.matchLabels") == label);
}

TEST_CASE("The Service answers at port 80, by the name of the container's port") {
  CHECK(text_at(four(server())[2], "spec.ports") == "[{name: http, port: 80, targetPort: http}]");
  CHECK(server_at(server(), kContainer + "ports") == "[{name: http, containerPort: 8000}]");
}

TEST_CASE("The budget lets a node be drained with one replica, too") {
  const Tree budget = four(server())[3];
  CHECK(text_at(budget, "spec.maxUnavailable") == "1");
  CHECK(text_at(budget, "spec.minAvailable") == "-");
  CHECK(text_at(budget, "spec.unhealthyPodEvictionPolicy") == "AlwaysAllow");
}

TEST_CASE("An update of a Deployment needs no GPU to spare") {
  GenOptions options = server();
  CHECK(server_at(options, "spec.replicas") == "1");
  CHECK(server_at(options, "spec.strategy") == "{type: Recreate}");
  options.replicas = 2;
  CHECK(server_at(options, "spec.replicas") == "2");
  CHECK(server_at(options, "spec.strategy") ==
        "{type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}");
}

TEST_CASE("Several replicas read one claim on several nodes") {
  GenOptions options = server();
  CHECK(text_at(four(options)[0], "metadata.name") == "llm-models");
  CHECK(text_at(four(options)[0], "spec") ==
        "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 100Gi}}}");
  options.replicas = 2;
  CHECK(text_at(four(options)[0], "spec.accessModes") == "[ReadWriteMany]");
  options.storage = Quantity::parse("1Ti");
  options.storage_class = "nfs";
  CHECK(text_at(four(options)[0], "spec.storageClassName") == "nfs");
  CHECK(text_at(four(options)[0], "spec.resources.requests.storage") == "1Ti");
}

TEST_CASE("Loading a model may take half an hour, and nothing waits a fixed time for it") {
  CHECK(server_at(server(), "spec.progressDeadlineSeconds") == "2400");
  CHECK(server_at(server(), kContainer + "startupProbe") == probe("/v1/models", 10, 180));
  CHECK(server_at(server(), kContainer + "readinessProbe") == probe("/v1/models", 5, 3));
  CHECK(server_at(server(), kContainer + "livenessProbe") == probe("/health", 10, 6));
  for (const char* const preset : {"vllm", "tgi", "triton", "sglang"})
    CHECK(yaml_of(four(server(preset)), Comments::left_out).find("initialDelaySeconds") ==
          std::string::npos);
}

TEST_CASE("A server finishes its requests before it ends") {
  CHECK(server_at(server(), kPod + "terminationGracePeriodSeconds") == "120");
  CHECK(server_at(server(), kContainer + "lifecycle") ==
        "{preStop: {exec: {command: [sleep, \"10\"]}}}");
}

TEST_CASE("Services of the namespace set no variables in a server's pods") {
  CHECK(server_at(server(), kPod + "enableServiceLinks") == "false");
}

TEST_CASE("A Deployment's pods start again by themselves, which is all that its API takes") {
  CHECK(server_at(server(), kPod + "restartPolicy") == "-");
}

TEST_CASE("vLLM is the usual server, and splits the model over the GPUs of a pod") {
  GenOptions options = server();
  CHECK(server_at(options, kContainer + "name") == "vllm");
  CHECK(server_at(options, kContainer + "image").starts_with("vllm/vllm-openai:v"));
  CHECK(server_at(options, kContainer + "command") == "-");
  options.preset = "vllm";
  options.gpus = 4;
  CHECK(server_at(options, kContainer + "args") ==
        "[--model=acme/model, --served-model-name=llm, --port=8000, --tensor-parallel-size=4, "
        "--download-dir=/models]");
}

TEST_CASE("TGI splits the model over the GPUs of a pod, at its own port and cache") {
  GenOptions options = server("tgi");
  options.gpus = 2;
  CHECK(server_at(options, kContainer + "image").starts_with("ghcr.io/huggingface/"));
  CHECK(server_at(options, kContainer + "args") ==
        "[--model-id=acme/model, --port=8080, --num-shard=2]");
  CHECK(server_at(options, kContainer + "ports[0].containerPort") == "8080");
  CHECK(server_at(options, kContainer + "env[0]") == "{name: HF_HOME, value: /data}");
  CHECK(server_at(options, kContainer + "volumeMounts[1]") == "{name: models, mountPath: /data}");
  CHECK(server_at(options, kContainer + "startupProbe") == probe("/health", 10, 180));
  CHECK(server_at(options, kContainer + "livenessProbe") == probe("/health", 10, 6));
}

TEST_CASE("SGLang splits the model over the GPUs of a pod, and listens to others") {
  GenOptions options = server("sglang");
  options.gpus = 8;
  CHECK(server_at(options, kContainer + "image").starts_with("lmsysorg/sglang:v"));
  CHECK(server_at(options, kContainer + "command") == "[python3, -m, sglang.launch_server]");
  CHECK(server_at(options, kContainer + "args") ==
        "[--model-path=acme/model, --served-model-name=llm, --host=0.0.0.0, --port=30000, "
        "--tp-size=8]");
  CHECK(server_at(options, kContainer + "ports[0].containerPort") == "30000");
  CHECK(server_at(options, kContainer + "startupProbe") == probe("/health", 10, 180));
  CHECK(server_at(options, kContainer + "env[1].name") == "HF_TOKEN");
}

TEST_CASE("Triton reads a repository, by default that of the claim, and no token") {
  GenOptions options = server("triton");
  CHECK(server_at(options, kContainer + "command") == "[tritonserver]");
  CHECK(server_at(options, kContainer + "args") == "[--model-repository=acme/model]");
  options.model = "";
  CHECK(server_at(options, kContainer + "args") == "[--model-repository=/models]");
  CHECK(server_at(options, kContainer + "image").starts_with("nvcr.io/nvidia/tritonserver:"));
  CHECK(server_at(options, kContainer + "env") == "-");
  CHECK(server_at(options, kContainer + "startupProbe") == probe("/v2/health/ready", 10, 180));
  CHECK(server_at(options, kContainer + "livenessProbe") == probe("/v2/health/live", 10, 6));
  CHECK(server_at(options, kContainer + "ports[0].containerPort") == "8000");
}

TEST_CASE("The model is kept on the claim, where the server looks for it") {
  const GenOptions options = server();
  CHECK(server_at(options, kContainer + "env[0]") == "{name: HF_HOME, value: /models}");
  CHECK(server_at(options, kContainer + "volumeMounts[1]") == "{name: models, mountPath: /models}");
  CHECK(server_at(options, kPod + "volumes[1]") ==
        "{name: models, persistentVolumeClaim: {claimName: llm-models}}");
}

TEST_CASE("The token of Hugging Face is from a Secret, which has to be there only if it is named") {
  GenOptions options = server();
  CHECK(server_at(options, kContainer + "env[1]") ==
        "{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf-token, key: token, optional: "
        "true}}}");
  options.hf_secret = "mine";
  CHECK(server_at(options, kContainer + "env[1]") ==
        "{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: mine, key: token}}}");
  options.hf_secret = "mine/TOKEN";
  CHECK(server_at(options, kContainer + "env[1]") ==
        "{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: mine, key: TOKEN}}}");
}

TEST_CASE("A command of one's own takes the place of the server's, with its arguments") {
  GenOptions options = server("sglang");
  options.model = "";
  options.command = {"python", "serve.py"};
  CHECK(server_at(options, kContainer + "command") == "[python, serve.py]");
  CHECK(server_at(options, kContainer + "args") == "-");
}

TEST_CASE("A Deployment needs a model, and a preset that there is") {
  GenOptions options = server();
  options.model = "";
  CHECK(refusal("deployment", options) == "a deployment needs --model, or a command after --");
  CHECK(refusal("deployment", server("VLLM")) == "there is no preset `VLLM`");
}

TEST_CASE("A Deployment's name is that of a Service, and leaves room for -models") {
  GenOptions options = server();
  options.name = std::string(56, 'a');
  CHECK(refusal("deployment", options).empty());
  options.name = std::string(57, 'a');
  CHECK(refusal("deployment", options).find("NAME-models") != std::string::npos);
  options.name = "7b";
  CHECK(refusal("deployment", options).find("begins with a letter") != std::string::npos);
}

TEST_CASE("The queue of a Deployment is its own label") {
  GenOptions options = server();
  options.queue = "gpu";
  CHECK(server_at(options, "metadata.labels.kueue.x-k8s.io/queue-name") == "gpu");
  CHECK(server_at(options, "spec.template.metadata.labels") == "{app.kubernetes.io/name: llm}");
  CHECK(text_at(four(options)[2], "metadata.labels") == "{app.kubernetes.io/name: llm}");
}

}  // namespace kinds_deployment_test
