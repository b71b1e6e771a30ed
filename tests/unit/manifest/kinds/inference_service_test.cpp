#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"
#include "manifest/kinds/made.hpp"

namespace kinds_inference_service_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kModel = "spec.predictor.model.";

GenOptions llama(std::string preset = {}) {
  GenOptions options;
  options.name = "llama";
  options.model = "hf://acme/model";
  options.preset = std::move(preset);
  return options;
}

GenOptions custom() {
  GenOptions options = options_named("llama");
  options.preset = "custom";
  return options;
}

std::string service_at(const GenOptions& options, std::string_view path,
                       const ClusterFacts& facts = {}) {
  const Documents documents = made("inferenceservice", options, facts).documents;
  REQUIRE(documents.size() == 1);
  return text_at(documents[0], path);
}

std::string uri_refused(const std::string& uri) {
  GenOptions options = llama();
  options.model = uri;
  return refusal("inferenceservice", options);
}

}  // namespace

TEST_CASE("An InferenceService has one model, whose format is that of its preset") {
  CHECK(service_at(llama(), "apiVersion") == "serving.kserve.io/v1beta1");
  CHECK(service_at(llama(), "kind") == "InferenceService");
  for (const auto& [preset, format] : {std::pair<std::string, std::string>{"", "huggingface"},
                                       {"huggingface", "huggingface"},
                                       {"vllm", "huggingface"},
                                       {"tensorflow", "tensorflow"},
                                       {"pytorch", "pytorch"},
                                       {"triton", "triton"}})
    CHECK(service_at(llama(preset), kModel + "modelFormat") == "{name: " + format + "}");
  CHECK(service_at(llama(), kModel + "storageUri") == "hf://acme/model");
  CHECK(service_at(llama(), "spec.predictor.containers") == "-");
  // The webhook refuses a name there.
  CHECK(service_at(llama(), kModel + "name") == "-");
  CHECK(is_read_back(made("inferenceservice", llama()).documents));
}

TEST_CASE("Only Hugging Face's runtime takes the model's name and the number of its GPUs") {
  GenOptions options = llama();
  CHECK(service_at(options, kModel + "args") == "[--model_name=llama]");
  options.gpus = 2;
  options.command = {"--max-model-len=8192"};
  CHECK(service_at(options, kModel + "args") ==
        "[--model_name=llama, --tensor-parallel-size=2, --max-model-len=8192]");
  options.preset = "triton";
  CHECK(service_at(options, kModel + "args") == "[--max-model-len=8192]");
  options.command.clear();
  CHECK(service_at(options, kModel + "args") == "-");
}

TEST_CASE("CPUs of an InferenceService are always limited, since KServe would limit them to 1") {
  for (const GenOptions& options : {llama(), llama("triton")})
    CHECK(service_at(options, kModel + "resources") ==
          "{requests: {cpu: \"4\", memory: 16Gi, nvidia.com/gpu: 1}, "
          "limits: {cpu: \"4\", memory: 16Gi, nvidia.com/gpu: 1}}");
  CHECK(service_at(custom(), "spec.predictor.containers[0].resources.limits.cpu") == "\"4\"");
}

TEST_CASE("How KServe deploys is always said, in the word that this version takes") {
  const std::string mode = "metadata.annotations.serving.kserve.io/deploymentMode";
  CHECK(service_at(llama(), mode) == "RawDeployment");
  CHECK(service_at(custom(), mode) == "RawDeployment");
  ClusterFacts facts;
  facts.served = {"InferenceService.serving.kserve.io/v1beta1"};
  CHECK(service_at(llama(), mode, facts) == "RawDeployment");
  facts.served->push_back("LLMInferenceService.serving.kserve.io/v1alpha1");
  CHECK(service_at(llama(), mode, facts) == "Standard");
}

TEST_CASE("The runtime of Hugging Face mounts /dev/shm itself, and would refuse a second one") {
  for (const char* const preset : {"huggingface", "vllm"}) {
    CHECK(service_at(llama(preset), "spec.predictor.volumes") == "-");
    CHECK(service_at(llama(preset), kModel + "volumeMounts") == "-");
  }
  for (const char* const preset : {"tensorflow", "pytorch", "triton"}) {
    CHECK(service_at(llama(preset), "spec.predictor.volumes[0].name") == "shm");
    CHECK(service_at(llama(preset), kModel + "volumeMounts[0].mountPath") == "/dev/shm");
  }
  CHECK(service_at(custom(), "spec.predictor.volumes[0].name") == "shm");
}

TEST_CASE("The image of a runtime is KServe's, unless one is given") {
  GenOptions options = llama();
  CHECK(service_at(options, kModel + "image") == "-");
  options.image = "mine:1";
  CHECK(service_at(options, kModel + "image") == "mine:1");
}

TEST_CASE("A model may take half an hour to load, asked for at the runtime's own path") {
  const std::string rest = ", periodSeconds: 10, failureThreshold: 180}";
  CHECK(service_at(llama(), kModel + "startupProbe") ==
        "{httpGet: {path: /v2/health/live, port: 8080}" + rest);
  CHECK(service_at(llama("vllm"), kModel + "startupProbe") ==
        "{httpGet: {path: /v2/health/live, port: 8080}" + rest);
  CHECK(service_at(llama("triton"), kModel + "startupProbe") ==
        "{httpGet: {path: /v2/health/ready, port: 8080}" + rest);
  for (const char* const preset : {"tensorflow", "pytorch"})
    CHECK(service_at(llama(preset), kModel + "startupProbe") == "{tcpSocket: {port: 8080}" + rest);
}

TEST_CASE("Only a model of Hugging Face gets its token") {
  GenOptions options = llama();
  CHECK(service_at(options, kModel + "env[0].valueFrom.secretKeyRef") ==
        "{name: hf-token, key: token, optional: true}");
  options.hf_secret = "mine/KEY";
  CHECK(service_at(options, kModel + "env[0].valueFrom.secretKeyRef") == "{name: mine, key: KEY}");
  options.model = "s3://bucket/model";
  CHECK(service_at(options, kModel + "env") == "-");
}

TEST_CASE("A fixed number of replicas has no autoscaler") {
  const std::string scaler = "metadata.annotations.serving.kserve.io/autoscalerClass";
  GenOptions options = llama();
  CHECK(service_at(options, "spec.predictor.minReplicas") == "1");
  CHECK(service_at(options, "spec.predictor.maxReplicas") == "1");
  CHECK(service_at(options, scaler) == "none");
  options.replicas = 3;
  CHECK(service_at(options, "spec.predictor.minReplicas") == "3");
  CHECK(service_at(options, "spec.predictor.maxReplicas") == "3");
  CHECK(service_at(options, scaler) == "none");
  CHECK(made("inferenceservice", options).notes.empty());
  options.max_replicas = 5;
  CHECK(service_at(options, "spec.predictor.minReplicas") == "3");
  CHECK(service_at(options, "spec.predictor.maxReplicas") == "5");
  CHECK(service_at(options, scaler) == "-");
  CHECK(says(made("inferenceservice", options), "KServe scales by CPU use"));
  options.min_replicas = 2;
  CHECK(service_at(options, "spec.predictor.minReplicas") == "2");
}

TEST_CASE("No replicas at all are refused, and so is a most that is less than the least") {
  GenOptions options = llama();
  options.min_replicas = 0;
  CHECK(refusal("inferenceservice", options) ==
        "--min-replicas 0 needs Knative: in KServe's raw mode it silently becomes 1");
  options.min_replicas = 3;
  options.max_replicas = 2;
  CHECK(refusal("inferenceservice", options) == "--max-replicas 2 is less than the least, 3");
  options.max_replicas = 3;
  CHECK(refusal("inferenceservice", options).empty());
}

TEST_CASE("An update of an InferenceService needs no GPU to spare") {
  GenOptions options = llama();
  CHECK(service_at(options, "spec.predictor.deploymentStrategy") == "{type: Recreate}");
  options.max_replicas = 2;
  CHECK(service_at(options, "spec.predictor.deploymentStrategy.rollingUpdate") ==
        "{maxSurge: 0, maxUnavailable: 1}");
}

TEST_CASE("A server of one's own is a container, and needs its image") {
  GenOptions options = custom();
  options.command = {"serve"};
  CHECK(service_at(options, "spec.predictor.model") == "-");
  CHECK(service_at(options, "spec.predictor.containers[0].name") == "kserve-container");
  CHECK(service_at(options, "spec.predictor.containers[0].image") == "ghcr.io/acme/train:1.4");
  CHECK(service_at(options, "spec.predictor.containers[0].command") == "[serve]");
  options.image = "";
  CHECK(refusal("inferenceservice", options) == "--preset custom needs --image");
}

TEST_CASE("A preset that there is not is refused, whatever its letters' case") {
  CHECK(refusal("inferenceservice", llama("vLLM")) == "there is no preset `vLLM`");
}

TEST_CASE("A model comes from where KServe can download, and from nowhere else") {
  for (const char* const scheme : {"gs://", "s3://", "pvc://", "hf://", "oci://", "oci+native://",
                                   "https://", "http://", "file://", "hdfs://", "webhdfs://"}) {
    CHECK(uri_refused(std::string(scheme) + "a").empty());
    CHECK(uri_refused(scheme) == "KServe cannot download `" + std::string(scheme) + "`");
  }
  for (const char* const bad : {"ftp://a", "acme/model", "HF://a", "x hf://a"})
    CHECK(uri_refused(bad) == "KServe cannot download `" + std::string(bad) + "`");
  CHECK(uri_refused("") == "an inferenceservice needs --model");
}

TEST_CASE("Where a model has no scheme the one of Hugging Face is proposed") {
  const auto help = [](const std::string& uri) {
    GenOptions options = llama();
    options.model = uri;
    try {
      made("inferenceservice", options);
    } catch (const Error& error) {
      return error.help();
    }
    return std::string();
  };
  CHECK(help("acme/model").ends_with("for Hugging Face hf://acme/model"));
  CHECK(help("ftp://a").find("Hugging Face") == std::string::npos);
}

TEST_CASE("A claim that the namespace does not have is warned of, with a similar one") {
  GenOptions options = llama();
  options.model = "pvc://modls/llama/8b";
  ClusterFacts facts;
  CHECK(made("inferenceservice", options, facts).notes.empty());
  facts.claims = {"models"};
  const std::vector<GenNote> notes = made("inferenceservice", options, facts).notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].level == GenNote::Level::warning);
  CHECK(notes[0].text == "there is no PersistentVolumeClaim `modls` for pvc://modls/llama/8b");
  CHECK(notes[0].help == "a similar one is `models`");
  facts.claims = std::vector<std::string>{};
  CHECK(made("inferenceservice", options, facts).notes.at(0).help == "create it first");
  facts.claims = {"modls"};
  CHECK(made("inferenceservice", options, facts).notes.empty());
  options.model = "pvc://modls";
  CHECK(made("inferenceservice", options, facts).notes.empty());
  options.model = "hf://other/model";
  CHECK(made("inferenceservice", options, facts).notes.empty());
}

TEST_CASE("A model's claim has the name of a claim, whether or not the cluster is known") {
  for (const char* const bad : {"pvc://A B", "pvc:///path", "pvc://my_claim/8b"})
    CHECK(uri_refused(bad).find("cannot be the name of a PersistentVolumeClaim") !=
          std::string::npos);
  CHECK(uri_refused("pvc://my.claim/8b").empty());
}

TEST_CASE("The variable that KServe's webhook refuses is refused at once") {
  for (GenOptions options : {llama(), custom()}) {
    options.env = {{.name = "PYTHONPATH", .value = "/x", .secret = {}, .key = {}}};
    CHECK(refusal("inferenceservice", options) == "KServe refuses the variable PYTHONPATH");
    options.env[0].name = "PYTHONPATH2";
    CHECK(refusal("inferenceservice", options).empty());
  }
}

TEST_CASE("What KServe creates is judged by its own Deployment") {
  GenOptions options = llama();
  options.replicas = 2;
  const Documents judged = made("inferenceservice", options).judged_as;
  REQUIRE(judged.size() == 1);
  CHECK(text_at(judged[0], "apiVersion") == "apps/v1");
  CHECK(text_at(judged[0], "kind") == "Deployment");
  CHECK(text_at(judged[0], "metadata.name") == "llama-predictor");
  CHECK(text_at(judged[0], "spec.replicas") == "2");
  CHECK(text_at(judged[0], "spec.selector.matchLabels") ==
        text_at(judged[0], "spec.template.metadata.labels"));
  CHECK(text_at(judged[0], "spec.template.spec.containers[0].resources.limits.nvidia.com/gpu") ==
        "1");
}

TEST_CASE("An InferenceService's name is that of a Service, and leaves room for -predictor") {
  GenOptions options = llama();
  options.name = std::string(53, 'a');
  CHECK(refusal("inferenceservice", options).empty());
  options.name = std::string(54, 'a');
  CHECK(refusal("inferenceservice", options).find("NAME-predictor") != std::string::npos);
  options.name = "7b";
  CHECK(refusal("inferenceservice", options).find("begins with a letter") != std::string::npos);
}

TEST_CASE("Volumes and places of an InferenceService are those of its predictor") {
  GenOptions options = llama();
  options.claims = {{.claim = "data", .path = "/data"}};
  options.node_selector = {{"pool", "a"}};
  CHECK(service_at(options, "spec.predictor.volumes[0].persistentVolumeClaim.claimName") == "data");
  CHECK(service_at(options, kModel + "volumeMounts[0].mountPath") == "/data");
  CHECK(service_at(options, "spec.predictor.nodeSelector") == "{pool: a}");
  CHECK(service_at(options, "spec.predictor.tolerations[0].key") == "nvidia.com/gpu");
}

}  // namespace kinds_inference_service_test
