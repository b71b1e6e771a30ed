#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "lint/rules/rules.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::lint {
namespace {

constexpr std::string_view kServiceCrd =
    "https://github.com/kserve/kserve/blob/v0.20.0/config/crd/full/"
    "serving.kserve.io_inferenceservices.yaml";
constexpr std::string_view kWebhook =
    "https://github.com/kserve/kserve/blob/master/pkg/apis/serving/v1beta1/"
    "inference_service_validation.go";
constexpr auto kRules = std::to_array<Rule>({
    {"kserve-scale-to-zero-raw", Severity::error, "a server in Standard mode cannot scale to zero",
     "KServe raises minReplicas from 0 to 1 without a word, and the GPU stays taken. Scale to zero "
     "needs the Knative mode, or KEDA by the annotation serving.kserve.io/autoscalerClass. The "
     "annotation serving.kserve.io/stop pauses a server.",
     "https://github.com/kserve/kserve/issues/3514"},
    {"kserve-gpu-at-pod-level", Severity::error, "GPUs are requested by the predictor as a whole",
     "predictor.resources is the field of the pod, and GPUs cannot be requested there: the pod is "
     "refused. The model requests GPUs, in predictor.model.resources.",
     kServiceCrd},
    {"kserve-gpu-limit-missing", Severity::error, "the model requests GPUs without a limit",
     "The API server refuses the pod: GPUs cannot be overcommitted. KServe also reads the limits "
     "alone, and takes the image without CUDA where they have no GPU.",
     "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus"},
    {"kserve-model-format-unknown", Severity::warning,
     "no runtime that comes with KServe serves the model format",
     "KServe accepts the name, and the service is never ready: NoSupportingRuntime. The letter "
     "case of the name counts. A ServingRuntime of your own may serve it: name it under runtime.",
     "https://github.com/kserve/kserve/issues/2372"},
    {"kserve-replicas-reversed", Severity::error, "minReplicas is above maxReplicas",
     "KServe's webhook refuses the service.", kWebhook},
    {"kserve-deployment-mode-unknown", Severity::error, "there is no such deployment mode",
     "KServe passes over the annotation, and takes the mode of its configuration.",
     "https://github.com/kserve/kserve/issues/3514"},
    {"kserve-several-models", Severity::error, "a predictor has several implementations",
     "KServe's webhook refuses it: a predictor has model, or containers, or one of the older keys.",
     kWebhook},
    {"kserve-model-named", Severity::error, "the model has a name of its own",
     "KServe's webhook refuses the field name under model.", kWebhook},
    {"kserve-storage-twice", Severity::error, "the model is to be read from two fields",
     "KServe's webhook refuses storageUri and storageUris side by side.", kWebhook},
    {"kserve-env-blocked", Severity::error, "KServe refuses a variable",
     "KServe's webhook refuses the variable PYTHONPATH. Set it in the image.", kWebhook},
    {"kserve-scale-metric", Severity::error, "there is no such metric to scale by",
     "The API server refuses it.", kServiceCrd},
    {"kserve-strategy-in-knative", Severity::error,
     "a deployment strategy is set in the Knative mode",
     "KServe refuses the service: Knative has no such strategy.", kServiceCrd},
    {"kserve-multi-node", Severity::error, "KServe refuses a server over several nodes",
     "With workerSpec, KServe's webhook requires a model at pvc:// or oci://, the autoscaler class "
     "none, and one container of workers.",
     kWebhook},
});

enum RuleAt : std::size_t {
  kScaleToZero,
  kPodLevel,
  kLimitMissing,
  kFormatUnknown,
  kReplicasReversed,
  kModeUnknown,
  kSeveralModels,
  kModelNamed,
  kStorageTwice,
  kEnvBlocked,
  kScaleMetric,
  kStrategyInKnative,
  kMultiNode,
};

using Names = std::span<const std::string_view>;

constexpr auto kFormats = std::to_array<std::string_view>(
    {"huggingface", "vLLM", "pytorch", "tensorflow", "triton", "tensorrt", "onnx", "sklearn",
     "xgboost", "lightgbm", "mlflow", "paddle", "pmml", "autogluon", "openvino"});
constexpr auto kModes = std::to_array<std::string_view>(
    {"Standard", "Knative", "RawDeployment", "Serverless", "ModelMesh"});
constexpr auto kMetrics = std::to_array<std::string_view>({"cpu", "memory", "concurrency", "rps"});
constexpr auto kImplementations = std::to_array<std::string_view>(
    {"model", "containers", "sklearn", "xgboost", "tensorflow", "pytorch", "triton", "onnx",
     "huggingface", "pmml", "lightgbm", "paddle"});

bool has(Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The name that was meant: the same in another letter case, else the nearest; may be empty.
std::string_view meant(Names names, std::string_view written) {
  for (const std::string_view each : names)
    if (equal_ignoring_case(each, written)) return each;
  return nearest_name(written, names).value_or(std::string_view());
}

/// Reports a name that is none of `names`, with the one that was meant.
void add_unknown(const Rule& rule, const Pointer& at, std::string message, Names names,
                 std::string_view written, Findings& findings) {
  const std::string_view near = meant(names, written);
  if (near.empty())
    findings.add(rule, at, std::move(message), fmt::format("write one of {}", joined(names)));
  else
    findings.add(rule, at, std::move(message), fmt::format("write {}", near),
                 Edit{Edit::Kind::set, at, std::string(near)});
}

std::optional<std::int64_t> whole_at(const json& object, const char* pointer) {
  const json& value = value_at(object, Pointer(pointer));
  if (!value.is_number_integer()) return std::nullopt;
  return value.get<std::int64_t>();
}

class Service {
 public:
  Service(const ObjectSubject& object, Findings& findings)
      : object_(object),
        findings_(findings),
        predictor_(object.value("/spec/predictor")),
        mode_(annotation("deploymentMode")),
        class_(annotation("autoscalerClass")) {}

  void check() {
    check_mode();
    if (!predictor_.is_object()) return;
    check_replicas();
    check_metric();
    check_resources();
    check_implementations();
    check_storage();
    check_workers();
    for (const std::string_view each : kImplementations)
      if (each != "containers") check_model(std::string(each));
    const json& containers = value_at(predictor_, Pointer("/containers"));
    for (std::size_t i = 0; containers.is_array() && i < containers.size(); ++i)
      check_env(containers[i], at() / "containers" / i);
  }

 private:
  [[nodiscard]] static Pointer annotation_pointer(const char* name) {
    return Pointer("/metadata/annotations") / (std::string("serving.kserve.io/") + name);
  }
  [[nodiscard]] std::string annotation(const char* name) const {
    const json& found = value_at(object_.object, annotation_pointer(name));
    return found.is_string() ? found.get<std::string>() : std::string();
  }
  [[nodiscard]] Pointer at() const { return object_.in_document("/spec/predictor"); }
  [[nodiscard]] bool is_standard() const { return mode_ == "Standard" || mode_ == "RawDeployment"; }
  [[nodiscard]] bool is_knative() const { return mode_ == "Knative" || mode_ == "Serverless"; }

  void check_mode() {
    if (mode_.empty() || has(kModes, mode_)) return;
    add_unknown(kRules[kModeUnknown], object_.at / annotation_pointer("deploymentMode"),
                fmt::format("there is no deployment mode {}", mode_), kModes, mode_, findings_);
  }

  void check_replicas() {
    const auto least = whole_at(predictor_, "/minReplicas");
    const auto most = whole_at(predictor_, "/maxReplicas");
    if (least == 0 && is_standard() && (class_.empty() || class_ == "hpa"))
      findings_.add(kRules[kScaleToZero], at() / "minReplicas",
                    fmt::format("minReplicas is 0, and KServe makes it 1 in {} mode", mode_),
                    "write minReplicas: 1, or the annotation serving.kserve.io/autoscalerClass: "
                    "keda");
    // 0 is no limit. Left out, minReplicas is 1.
    if (most.value_or(0) > 0 && least.value_or(1) > *most)
      findings_.add(kRules[kReplicasReversed], at() / "maxReplicas",
                    fmt::format("minReplicas is {}, above maxReplicas of {}", *least, *most),
                    fmt::format("write maxReplicas: {} or more", *least));
  }

  void check_metric() {
    if (const std::string_view metric = text_at(predictor_, "/scaleMetric");
        !metric.empty() && !has(kMetrics, metric))
      add_unknown(kRules[kScaleMetric], at() / "scaleMetric",
                  fmt::format("there is no scaleMetric {}", metric), kMetrics,
                  metric == "qps" ? std::string_view("rps") : metric, findings_);
    if (is_knative() && predictor_.contains("deploymentStrategy"))
      findings_.add(kRules[kStrategyInKnative], at() / "deploymentStrategy",
                    fmt::format("deploymentStrategy is set in {} mode", mode_),
                    "leave out deploymentStrategy",
                    Edit{Edit::Kind::remove, at() / "deploymentStrategy", {}});
  }

  void check_resources() {
    // A predictor with containers is a template of pods, and is checked as one.
    if (value_at(predictor_, Pointer("/containers")).is_array()) return;
    for (const char* const which : {"limits", "requests"}) {
      const json& amounts = value_at(predictor_, Pointer("/resources") / which);
      if (!amounts.is_object()) continue;
      for (const auto& [name, amount] : amounts.items())
        if (gpu_resource(name))
          findings_.add(kRules[kPodLevel], at() / "resources" / which / name,
                        fmt::format("{} is requested by the predictor as a whole", name),
                        "move it to predictor.model.resources.limits");
    }
  }

  /// Whether a container is the server itself.
  [[nodiscard]] bool has_server() const {
    const json& containers = value_at(predictor_, Pointer("/containers"));
    return containers.is_array() &&
           std::any_of(containers.begin(), containers.end(), [](const json& each) {
             return text_at(each, "/name") == "kserve-container";
           });
  }

  void check_implementations() {
    std::vector<std::string> found;
    for (const std::string_view each : kImplementations)
      if (predictor_.contains(std::string(each))) found.emplace_back(each);
    // A transformer may stand beside the model.
    if (found.size() > 1 && !has_server()) std::erase(found, "containers");
    if (found.size() > 1)
      findings_.add(kRules[kSeveralModels], at(),
                    fmt::format("the predictor has {}", joined(found, " and ")),
                    "keep one of them");
  }

  void check_storage() {
    const std::string_view uri = text_at(predictor_, "/model/storageUri");
    if (!uri.empty() && predictor_.contains("storageUris"))
      findings_.add(kRules[kStorageTwice], at() / "storageUris",
                    fmt::format("storageUris is set beside model.storageUri, {}", uri),
                    "keep one of them");
  }

  void check_workers() {
    if (!value_at(predictor_, Pointer("/workerSpec")).is_object()) return;
    const json& model = value_at(predictor_, Pointer("/model"));
    if (model.is_object()) {
      const std::string_view uri = text_at(model, "/storageUri");
      if (!uri.starts_with("pvc://") && !uri.starts_with("oci://"))
        findings_.add(kRules[kMultiNode], at() / "model" / "storageUri",
                      uri.empty() ? std::string("a server over several nodes has no storageUri")
                                  : fmt::format("several nodes cannot read the model from {}", uri),
                      "write pvc://CLAIM/PATH or oci://IMAGE");
      const Pointer where = object_.at / annotation_pointer("autoscalerClass");
      if (class_ != "none")
        findings_.add(kRules[kMultiNode], where,
                      class_.empty() ? std::string("a server over several nodes can be scaled")
                                     : fmt::format("the autoscaler class is {}", class_),
                      "write the annotation serving.kserve.io/autoscalerClass: none",
                      Edit{Edit::Kind::set, where, "none"});
    }
    const json& workers = value_at(predictor_, Pointer("/workerSpec/containers"));
    if (workers.is_array() && workers.size() > 1)
      findings_.add(kRules[kMultiNode], at() / "workerSpec" / "containers",
                    fmt::format("workerSpec has {} containers", workers.size()),
                    "write one container");
  }

  void check_model(const std::string& key) {
    const json& model = value_at(predictor_, Pointer() / key);
    if (!model.is_object()) return;
    const Pointer where = at() / key;
    if (model.contains("name"))
      findings_.add(kRules[kModelNamed], where / "name", fmt::format("{} has a name", key),
                    "leave out the name", Edit{Edit::Kind::remove, where / "name", {}});
    if (key == "model") check_format(model, where);
    check_env(model, where);
    check_limits(model, where);
  }

  void check_format(const json& model, const Pointer& where) {
    const std::string_view format = text_at(model, "/modelFormat/name");
    if (format.empty() || has(kFormats, format) || !text_at(model, "/runtime").empty()) return;
    add_unknown(kRules[kFormatUnknown], where / "modelFormat" / "name",
                fmt::format("no runtime that comes with KServe serves the format {}", format),
                kFormats, format, findings_);
  }

  void check_env(const json& container, const Pointer& where) {
    const json& variables = value_at(container, Pointer("/env"));
    for (std::size_t i = 0; variables.is_array() && i < variables.size(); ++i)
      if (text_at(variables[i], "/name") == "PYTHONPATH")
        findings_.add(kRules[kEnvBlocked], where / "env" / i,
                      "KServe refuses the variable PYTHONPATH", "set it in the image",
                      Edit{Edit::Kind::remove, where / "env" / i, {}});
  }

  void check_limits(const json& model, const Pointer& where) {
    const json& requests = value_at(model, Pointer("/resources/requests"));
    const json& limits = value_at(model, Pointer("/resources/limits"));
    if (!requests.is_object()) return;
    for (const auto& [name, amount] : requests.items()) {
      const auto quantity = Quantity::parse(written(amount));
      if (!gpu_resource(name) || !quantity || *quantity <= Quantity{}) continue;
      if (limits.is_object() && limits.contains(name)) continue;
      findings_.add(kRules[kLimitMissing], where / "resources" / "limits",
                    fmt::format("{} is requested without a limit", name),
                    fmt::format("add {}: {} to limits", name, written(amount)),
                    Edit{Edit::Kind::set, where / "resources" / "limits" / name, amount});
    }
  }

  const ObjectSubject& object_;
  Findings& findings_;
  const json& predictor_;
  std::string mode_, class_;
};

}  // namespace

std::span<const Rule> serving_rules() { return kRules; }

void check_serving(const ObjectSubject& object, Findings& findings) {
  if (object.is("InferenceService", "serving.kserve.io")) Service(object, findings).check();
}

}  // namespace gpu::lint
