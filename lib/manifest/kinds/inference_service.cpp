#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "manifest/fit/api_words.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/serving.hpp"

namespace gpu::manifest {
namespace {

/// A model format, and the runtime of KServe that serves it.
struct ModelFormat {
  std::string_view word;
  std::string_view name;       ///< modelFormat.name; letter case counts
  std::string_view readiness;  ///< path at port 8080; empty: whether the port is open
  Shm shm;
};

constexpr std::array<ModelFormat, 5> kFormats = {{
    {"huggingface", "huggingface", "/v2/health/live", Shm::of_controller},
    // KServe's Hugging Face runtime has vLLM inside; a runtime called vLLM exists from 0.20 alone.
    {"vllm", "huggingface", "/v2/health/live", Shm::of_controller},
    {"tensorflow", "tensorflow", "", Shm::ours},
    {"pytorch", "pytorch", "", Shm::ours},
    {"triton", "triton", "/v2/health/ready", Shm::ours},
}};
constexpr std::string_view kCustom = "custom";

/// What KServe 0.15 and later can download.
constexpr std::array<std::string_view, 11> kSchemes = {
    "gs://",    "s3://",   "pvc://",  "hf://",   "oci://",     "oci+native://",
    "https://", "http://", "file://", "hdfs://", "webhdfs://",
};

const ModelFormat& format_of(const GenOptions& options) {
  std::string_view word = options.preset;
  if (word.empty()) word = "huggingface";
  std::vector<std::string_view> words;
  for (const ModelFormat& each : kFormats) {
    if (each.word == word) return each;
    words.push_back(each.word);
  }
  words.push_back(kCustom);
  throw Error(ErrorKind::usage, fmt::format("there is no preset `{}`", sanitize(word)),
              "presets are " + joined(words));
}

void check_uri(GenRequest& request) {
  const std::string& uri = request.options.model;
  if (uri.empty())
    throw Error(ErrorKind::usage, "an inferenceservice needs --model",
                "for example --model hf://Qwen/Qwen2.5-7B-Instruct, or pvc://CLAIM/PATH");
  const bool is_known = std::any_of(kSchemes.begin(), kSchemes.end(), [&](std::string_view each) {
    return uri.starts_with(each) && uri.size() > each.size();
  });
  if (!is_known)
    throw Error(
        ErrorKind::usage, fmt::format("KServe cannot download `{}`", sanitize(uri)),
        "it takes " + joined(kSchemes) +
            (uri.find("://") == std::string::npos ? "; for Hugging Face hf://" + sanitize(uri)
                                                  : std::string()));
  constexpr std::string_view kClaim = "pvc://";
  if (!uri.starts_with(kClaim)) return;
  const std::string claim = uri.substr(kClaim.size(), uri.find('/', kClaim.size()) - kClaim.size());
  if (!is_dns_subdomain(claim))
    throw Error(ErrorKind::usage,
                fmt::format("`{}` cannot be the name of a PersistentVolumeClaim", claim),
                "for example --model pvc://models/llama");
  if (!request.facts.claims) return;
  const std::vector<std::string>& known = *request.facts.claims;
  if (std::find(known.begin(), known.end(), claim) != known.end()) return;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const auto nearest = nearest_name(claim, names);
  request.warn(
      fmt::format("there is no PersistentVolumeClaim `{}` for {}", sanitize(claim), sanitize(uri)),
      nearest ? fmt::format("a similar one is `{}`", *nearest) : "create it first");
}

/// KServe's webhook does not take this variable.
void check_env(const GenOptions& options) {
  for (const EnvVariable& each : options.env)
    if (each.name == "PYTHONPATH")
      throw Error(ErrorKind::usage, "KServe refuses the variable PYTHONPATH",
                  "set it in the image of your own server");
}

/// `Standard` since 0.16, which LLMInferenceService came with; the older word is taken by all.
std::string_view deployment_mode(const ClusterFacts& facts) {
  return serves(facts, "LLMInferenceService", "serving.kserve.io").value_or(false)
             ? "Standard"
             : "RawDeployment";
}

Tree startup_probe(const ModelFormat& format) {
  Tree probe =
      format.readiness.empty()
          ? Tree::map({{"tcpSocket", Tree::map({{"port", 8080}})}})
          : Tree::map({{"httpGet", Tree::map({{"path", format.readiness}, {"port", 8080}})}});
  probe.set("periodSeconds", 10);
  probe.set("failureThreshold", 180);
  return std::move(probe).on_one_line();
}

struct Replicas {
  std::int64_t least = 1;
  std::int64_t most = 1;
};

Replicas replicas_of(const GenOptions& options) {
  Replicas replicas;
  replicas.least = options.min_replicas.value_or(options.replicas.value_or(1));
  replicas.most = options.max_replicas.value_or(std::max<std::int64_t>(replicas.least, 1));
  if (replicas.least == 0)
    throw Error(ErrorKind::usage,
                "--min-replicas 0 needs Knative: in KServe's raw mode it silently becomes 1",
                "use --min-replicas 1, or scale to zero with KEDA on your own");
  if (replicas.most < replicas.least)
    throw Error(
        ErrorKind::usage,
        fmt::format("--max-replicas {} is less than the least, {}", replicas.most, replicas.least),
        "");
  return replicas;
}

Tree model_of(const GenRequest& request, const ModelFormat& format, const PodParts& pod) {
  const GenOptions& options = request.options;
  Tree model = Tree::map({{"modelFormat", Tree::map({{"name", format.name}}).on_one_line()}});
  Tree args = Tree::list();
  if (format.name == "huggingface") args.push("--model_name=" + options.name);
  if (format.name == "huggingface" && pod.accelerator().units > 1)
    args.push(fmt::format("--tensor-parallel-size={}", pod.accelerator().units));
  for (const std::string& each : options.command) args.push(each);
  model.set_unless_empty("args", args);
  model.set("storageUri", options.model);
  Tree fields = pod.container_fields();
  for (const std::string_view key : {"image", "env", "resources", "volumeMounts"})
    if (Tree* const field = fields.find(key)) {
      if (key == "image" && options.image.empty()) continue;
      if (key == "resources")
        model.set("resources", *field,
                  {"KServe would add a CPU limit of 1 and then refuse the pod without a word",
                   "Its defaults fill in limits that are missing, and a request above the limit is "
                   "an error of the Deployment that no one sees.",
                   "kserve/kserve#3947"});
      else
        model.set(std::string(key), *field);
    }
  model.set("startupProbe", startup_probe(format),
            {"30 minutes to load the model",
             "KServe's runtimes have no startup probe, and big models were killed while loading.",
             "kserve/kserve#5062"});
  return model;
}

PodShape shape_of(const GenOptions& options, Shm shm) {
  PodShape shape;
  shape.container = "kserve-container";
  shape.usual_image = "kserve/runtime:latest";
  shape.workload = Workload::inference;
  shape.cpu_limit = CpuLimit::as_requested;
  shape.shm = shm;
  if (options.model.starts_with("hf://")) shape.env = Tree::list({hf_token(options)});
  shape.command = options.command;
  return shape;
}

Tree annotations_of(const GenRequest& request, const Replicas& replicas) {
  Tree annotations =
      Tree::map({{"serving.kserve.io/deploymentMode",
                  deployment_mode(request.facts),
                  {"", "KServe's default needs Knative. RawDeployment is taken by all versions.",
                   "kserve/kserve#4701"}}});
  if (replicas.least == replicas.most)
    annotations.set("serving.kserve.io/autoscalerClass", "none",
                    {"", "A fixed number of replicas needs no HorizontalPodAutoscaler.", ""});
  return annotations;
}

/// What KServe creates in raw mode, as far as it decides where pods run.
Tree stand_in(const GenRequest& request, const PodParts& pod, std::int64_t replicas) {
  const std::string name = request.options.name + "-predictor";
  Tree made = object_of("apps/v1", "Deployment", metadata_of(request, name));
  Tree pod_template = pod.pod_template();
  pod_template.set("metadata", Tree::map({{"labels", app_labels(request)}}));
  made.set("spec", Tree::map({{"replicas", replicas},
                              {"selector", Tree::map({{"matchLabels", app_labels(request)}})},
                              {"template", std::move(pod_template)}}));
  return made;
}

Documents make_inference_service(GenRequest& request) {
  const GenOptions& options = request.options;
  const bool is_custom = options.preset == kCustom;
  if (is_custom && options.image.empty())
    throw Error(ErrorKind::usage, "--preset custom needs --image", "the image of your own server");
  if (is_custom && !options.model.empty())
    throw Error(ErrorKind::usage, "--preset custom takes no --model: your own image loads it",
                "name the model in the command behind --, or leave out --preset");
  if (!is_custom) check_uri(request);
  check_env(options);
  const Replicas replicas = replicas_of(options);
  const ModelFormat* const format = is_custom ? nullptr : &format_of(options);
  const PodParts pod(request, shape_of(options, is_custom ? Shm::ours : format->shm));
  Tree service =
      object_of("serving.kserve.io/v1beta1", "InferenceService",
                metadata_of(request, options.name, {}, annotations_of(request, replicas)));
  Tree predictor = Tree::map({{"minReplicas", replicas.least}, {"maxReplicas", replicas.most}});
  predictor.set("deploymentStrategy", update_strategy(replicas.most));
  predictor.set_all(pod.pod_fields());
  if (is_custom) {
    Tree container = Tree::map({{"name", "kserve-container"}});
    container.set_all(pod.container_fields());
    predictor.set("containers", Tree::list({container}));
  } else {
    predictor.set("model", model_of(request, *format, pod));
  }
  predictor.set_unless_empty("volumes", pod.volumes());
  service.set("spec", Tree::map({{"predictor", std::move(predictor)}}));
  request.judged_as = {stand_in(request, pod, replicas.least)};
  if (replicas.least != replicas.most)
    request.note(
        "KServe scales by CPU use, which says little of GPUs; KEDA can scale by requests "
        "that wait");
  return {std::move(service)};
}

}  // namespace

const GenKind kInferenceServiceKind = {
    .word = "inferenceservice",
    .kind = "InferenceService",
    .group = "serving.kserve.io",
    .summary = "a model served by KServe: huggingface, vllm, tensorflow, pytorch, triton, custom",
    .example = "--model hf://Qwen/Qwen2.5-7B-Instruct --gpu-model L4",
    .install = "KServe",
    .name = {.form = NameForm::dns_1035, .most = 53, .why = "its Service is called NAME-predictor"},
    .options = kPodOptions |
               OptionSet{Option::model, Option::preset, Option::replicas, Option::autoscaling},
    .make = make_inference_service,
};

}  // namespace gpu::manifest
