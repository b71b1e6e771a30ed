#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/serving.hpp"
#include "manifest/kinds/storage.hpp"

namespace gpu::manifest {
namespace {

using Words = std::vector<std::string>;

/// What a server is started with.
struct Serving {
  std::string model;
  std::string name;
  std::int64_t gpus = 1;
};

/// An inference server.
struct ServerPreset {
  std::string_view word;
  std::string_view image;
  int port;
  std::string_view alive;  ///< answers while the process works
  std::string_view ready;  ///< answers once the model is loaded
  std::string_view cache;  ///< where it keeps models
  Words command;
  Words (*args)(const Serving& serving);
};

const std::array<ServerPreset, 4>& presets() {
  static const std::array<ServerPreset, 4> all = {{
      {"vllm",
       "vllm/vllm-openai:v0.20.0",
       8000,
       "/health",
       "/v1/models",
       "/models",
       {},
       [](const Serving& to) -> Words {
         return {"--model=" + to.model, "--served-model-name=" + to.name, "--port=8000",
                 fmt::format("--tensor-parallel-size={}", to.gpus), "--download-dir=/models"};
       }},
      {"tgi",
       "ghcr.io/huggingface/text-generation-inference:3.3.4",
       8080,
       "/health",
       "/health",
       "/data",
       {},
       [](const Serving& to) -> Words {
         return {"--model-id=" + to.model, "--port=8080", fmt::format("--num-shard={}", to.gpus)};
       }},
      {"triton",
       "nvcr.io/nvidia/tritonserver:25.08-py3",
       8000,
       "/v2/health/live",
       "/v2/health/ready",
       "/models",
       {"tritonserver"},
       [](const Serving& to) -> Words {
         return {"--model-repository=" + (to.model.empty() ? "/models" : to.model)};
       }},
      {"sglang",
       "lmsysorg/sglang:v0.5.3",
       30000,
       "/health",
       "/health",
       "/models",
       {"python3", "-m", "sglang.launch_server"},
       [](const Serving& to) -> Words {
         return {"--model-path=" + to.model, "--served-model-name=" + to.name, "--host=0.0.0.0",
                 "--port=30000", fmt::format("--tp-size={}", to.gpus)};
       }},
  }};
  return all;
}

const ServerPreset& preset_of(const GenOptions& options) {
  const std::string word = options.preset.empty() ? "vllm" : options.preset;
  std::vector<std::string_view> words;
  for (const ServerPreset& each : presets()) {
    if (each.word == word) return each;
    words.push_back(each.word);
  }
  throw Error(ErrorKind::usage, fmt::format("there is no preset `{}`", sanitize(word)),
              "presets are " + joined(words));
}

std::string models_claim(const GenOptions& options) { return options.name + "-models"; }

PodShape shape_of(const GenRequest& request, const ServerPreset& server) {
  const GenOptions& options = request.options;
  PodShape shape;
  shape.container = server.word;
  shape.workload = Workload::inference;
  shape.grace_seconds = 120;
  shape.injects_services = false;
  shape.usual_image = server.image;
  shape.labels = app_labels(request);
  shape.command = server.command;
  if (options.command.empty())
    shape.args = server.args({options.model, options.name, options.gpus.value_or(1)});
  else
    shape.command = options.command;
  shape.ports = Tree::list({Tree::map({{"name", "http"}, {"containerPort", server.port}})});
  if (server.word != "triton")
    shape.env =
        Tree::list({Tree::map({{"name", "HF_HOME"}, {"value", server.cache}}), hf_token(options)});
  shape.probes = server_probes({.ready = server.ready, .alive = server.alive});
  shape.mounts = Tree::list({Tree::map({{"name", "models"}, {"mountPath", server.cache}})});
  shape.volumes =
      Tree::list({Tree::map({{"name", "models"},
                             {"persistentVolumeClaim",
                              Tree::map({{"claimName", models_claim(options)}}).on_one_line()}})});
  return shape;
}

Tree deployment_of(const GenRequest& request, const PodParts& pod, std::int64_t replicas) {
  const GenOptions& options = request.options;
  Tree deployment = object_of("apps/v1", "Deployment",
                              metadata_of(request, options.name, queued_labels(request)));
  deployment.set(
      "spec",
      Tree::map({{"replicas", replicas},
                 {"progressDeadlineSeconds",
                  2400,
                  {"longer than loading the model takes",
                   "After the default of 10 minutes the Deployment counts as failed, while the "
                   "model is still being loaded.",
                   ""}},
                 {"strategy", update_strategy(replicas)},
                 {"selector", Tree::map({{"matchLabels", app_labels(request)}})},
                 {"template", pod.pod_template()}}));
  return deployment;
}

Tree service_of(const GenRequest& request) {
  Tree service =
      object_of("v1", "Service", metadata_of(request, request.options.name, app_labels(request)));
  service.set(
      "spec",
      Tree::map({{"selector", app_labels(request)},
                 {"ports", Tree::list({Tree::map(
                               {{"name", "http"}, {"port", 80}, {"targetPort", "http"}})})}}));
  return service;
}

Tree budget_of(const GenRequest& request) {
  Tree budget =
      object_of("policy/v1", "PodDisruptionBudget", metadata_of(request, request.options.name));
  budget.set(
      "spec",
      Tree::map({{"maxUnavailable",
                  1,
                  {"", "minAvailable: 1 beside one replica would block every drain of its node.",
                   "helm/charts#7127"}},
                 {"unhealthyPodEvictionPolicy", "AlwaysAllow"},
                 {"selector", Tree::map({{"matchLabels", app_labels(request)}})}}));
  return budget;
}

Documents make_deployment(GenRequest& request) {
  const GenOptions& options = request.options;
  const ServerPreset& server = preset_of(options);
  if (options.model.empty() && options.command.empty() && server.word != "triton")
    throw Error(ErrorKind::usage, "a deployment needs --model, or a command after --",
                "for example --model Qwen/Qwen2.5-7B-Instruct");
  const std::int64_t replicas = options.replicas.value_or(1);
  const PodParts pod(request, shape_of(request, server));
  const bool is_shared = replicas > 1;
  return {
      claim_of(request, {.name = models_claim(options),
                         .access_mode = is_shared ? "ReadWriteMany" : "ReadWriteOnce",
                         .usual_size = "100Gi",
                         .why = {is_shared ? "read by every replica, on several nodes"
                                           : "keeps the model when the pod is replaced",
                                 "A claim that is ReadWriteOnce cannot be mounted on two nodes.",
                                 "vllm-project/production-stack#107"}}),
      deployment_of(request, pod, replicas), service_of(request), budget_of(request)};
}

}  // namespace

const GenKind kDeploymentKind = {
    .word = "deployment",
    .kind = "Deployment",
    .group = "apps",
    .summary = "an inference server with its Service: vllm, tgi, triton, sglang",
    .example = "--preset vllm --model Qwen/Qwen2.5-7B-Instruct --gpu-model L4",
    .install = "",
    .name = {.form = NameForm::dns_1035, .most = 56, .why = "its claim is called NAME-models"},
    .options = kPodOptions | OptionSet{Option::model, Option::preset, Option::dra, Option::replicas,
                                       Option::queue, Option::storage},
    .make = make_deployment,
};

}  // namespace gpu::manifest
