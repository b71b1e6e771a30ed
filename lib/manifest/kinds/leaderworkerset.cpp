#include <fmt/format.h>

#include "base/error.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/kinds/serving.hpp"
#include "manifest/kinds/storage.hpp"
#include "manifest/kinds/torchrun.hpp"

namespace gpu::manifest {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kVllmImage = "vllm/vllm-openai:v0.20.0";
constexpr int kVllmPort = 8000;
constexpr std::string_view kCache = "/models";

enum class Member { leader, worker };

std::int64_t size_of(const GenOptions& options) { return options.nodes.value_or(2); }

std::string group_claim(const GenOptions& options) { return options.name + "-models"; }

/// vLLM on several nodes by itself: its image has no Ray since 0.19 (kubernetes-sigs/lws#835).
Words vllm_command(const GenOptions& options, Member member) {
  Words words = {"vllm",
                 "serve",
                 options.model,
                 "--served-model-name=" + options.name,
                 fmt::format("--port={}", kVllmPort),
                 fmt::format("--tensor-parallel-size={}", processes_of(options)),
                 fmt::format("--pipeline-parallel-size={}", size_of(options)),
                 "--nnodes=$(LWS_GROUP_SIZE)",
                 "--node-rank=$(LWS_WORKER_INDEX)",
                 "--master-addr=$(LWS_LEADER_ADDRESS)"};
  if (member == Member::worker) words.emplace_back("--headless");
  return words;
}

PodShape member_shape(const GenRequest& request, Member member) {
  const GenOptions& options = request.options;
  PodShape shape;
  shape.container = member == Member::leader ? "leader" : "worker";
  shape.usual_image = kVllmImage;
  shape.workload = Workload::inference;
  shape.grace_seconds = 120;
  shape.injects_services = false;
  shape.labels = app_labels(request);
  shape.command = options.command.empty() ? vllm_command(options, member) : options.command;
  shape.env = nccl_env(size_of(options));
  shape.env.push(Tree::map({{"name", "HF_HOME"}, {"value", kCache}}));
  shape.env.push(hf_token(options));
  shape.mounts = Tree::list({Tree::map({{"name", "models"}, {"mountPath", kCache}})});
  shape.volumes =
      Tree::list({Tree::map({{"name", "models"},
                             {"persistentVolumeClaim",
                              Tree::map({{"claimName", group_claim(options)}}).on_one_line()}})});
  if (member == Member::worker) return shape;
  constexpr int kStartupMinutes = 60;
  shape.ports = Tree::list({Tree::map({{"name", "http"}, {"containerPort", kVllmPort}})});
  shape.probes = server_probes(
      {.ready = "/v1/models", .alive = "/health", .startup_minutes = kStartupMinutes});
  return shape;
}

Tree group_rollout() {
  return Tree::map(
      {{"type", "RollingUpdate"},
       {"rollingUpdateConfiguration",
        Tree::map({{"maxUnavailable", 1}, {"maxSurge", 0}}).on_one_line(),
        {"a surge would wait for the GPUs of a whole group to spare",
         "A surge first starts a new group. Where no GPUs are free for it, the update never ends.",
         "defilantech/LLMKube#192"}}});
}

Tree group_template(const GenRequest& request, const PodParts& leader, const PodParts& worker) {
  return Tree::map(
      {{"size", size_of(request.options), {"pods of a group; the leader is one of them", "", ""}},
       {"restartPolicy",
        "RecreateGroupOnPodRestart",
        {"", "A pod that is restarted alone cannot join the others of its group.", ""}},
       {"leaderTemplate", leader.pod_template()},
       {"workerTemplate", worker.pod_template()}});
}

/// The controller makes a headless Service of the set's own name.
Tree leader_service(const GenRequest& request) {
  const GenOptions& options = request.options;
  Tree service = object_of("v1", "Service",
                           metadata_of(request, options.name + "-leader", app_labels(request)));
  service.set(
      "spec",
      Tree::map({{"selector", Tree::map({{"leaderworkerset.sigs.k8s.io/name", options.name},
                                         {"leaderworkerset.sigs.k8s.io/worker-index",
                                          "0",
                                          {"leaders alone answer requests", "", ""}}})},
                 {"ports", Tree::list({Tree::map(
                               {{"name", "http"}, {"port", 80}, {"targetPort", "http"}})})}}));
  return service;
}

void check_group(const GenOptions& options) {
  if (options.model.empty() && options.command.empty())
    throw Error(ErrorKind::usage, "a leaderworkerset needs --model, or a command after --",
                "for example --model deepseek-ai/DeepSeek-R1 --nodes 2 --gpus 8");
  if (size_of(options) < 2)
    throw Error(ErrorKind::usage, "a leaderworkerset is for one model on several nodes",
                "use --nodes 2 or more, or gen deployment for a model on one node");
}

Documents make_leaderworkerset(GenRequest& request) {
  const GenOptions& options = request.options;
  check_group(options);
  const PodParts worker(request, member_shape(request, Member::worker));
  // The leader asks for the same, and what is to be said of that is said once.
  GenRequest again{.options = options, .facts = request.facts, .notes = {}};
  const PodParts leader(again, member_shape(request, Member::leader));
  Tree set = object_of("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
                       metadata_of(request, options.name, queued_labels(request)));
  set.set("spec", Tree::map({{"replicas", options.replicas.value_or(1), {"groups", "", ""}},
                             {"startupPolicy", "LeaderCreated"},
                             {"rolloutStrategy", group_rollout()},
                             {"leaderWorkerTemplate", group_template(request, leader, worker)}}));
  if (!options.command.empty())
    request.note(
        "the command runs in every pod of a group, and the leader has to answer /health and "
        "/v1/models at port 8000");
  return {
      claim_of(request, {.name = group_claim(options),
                         .access_mode = "ReadWriteMany",
                         .usual_size = "1Ti",
                         .why = {"read by every pod of a group, on several nodes",
                                 "A claim that is ReadWriteOnce cannot be mounted on two nodes.",
                                 "vllm-project/production-stack#107"}}),
      std::move(set), leader_service(request)};
}

}  // namespace

const GenKind kLeaderWorkerSetKind = {
    .word = "leaderworkerset",
    .kind = "LeaderWorkerSet",
    .group = "leaderworkerset.x-k8s.io",
    .summary = "one model served by vLLM over several nodes, with its Service",
    .example = "--model deepseek-ai/DeepSeek-R1 --nodes 2 --gpus 8 --gpu-model H200",
    .install = "LeaderWorkerSet",
    .name = {.form = NameForm::dns_1035,
             .most = 48,
             .why = "the StatefulSets of its groups label their pods NAME-GROUP-HASH"},
    .options = kPodOptions | OptionSet{Option::model, Option::nodes, Option::replicas, Option::dra,
                                       Option::queue, Option::storage},
    .make = make_leaderworkerset,
};

}  // namespace gpu::manifest
