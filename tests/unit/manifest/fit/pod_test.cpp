#include "manifest/fit/pod.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"
#include "manifest/kinds/made.hpp"

namespace fit_pod_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

struct Parts {
  Tree spec;
  Documents before;
};

Parts parts(const GenOptions& options, PodShape shape = {}) {
  const ClusterFacts facts;
  GenRequest request{.options = options, .facts = facts, .notes = {}};
  const PodParts pod(request, std::move(shape));
  return {pod.spec(), request.before};
}

std::string spec_at(const GenOptions& options, std::string_view path, PodShape shape = {}) {
  return text_at(parts(options, std::move(shape)).spec, path);
}

Tree metadata_with(const GenOptions& options, Tree labels = {}, Tree annotations = {}) {
  const ClusterFacts facts;
  const GenRequest request{.options = options, .facts = facts, .notes = {}};
  return metadata_of(request, "it", std::move(labels), std::move(annotations));
}

const std::string kContainer = "containers[0].";

}  // namespace

TEST_CASE("GPUs and memory stand in requests and limits alike, and CPUs have no limit") {
  GenOptions options = options_named("train");
  options.gpus = 2;
  CHECK(spec_at(options, kContainer + "resources") ==
        "{requests: {cpu: \"16\", memory: 128Gi, nvidia.com/gpu: 2}, "
        "limits: {memory: 128Gi, nvidia.com/gpu: 2}}");
}

TEST_CASE("CPUs are limited for controllers that need it") {
  CHECK(spec_at(options_named("train"), kContainer + "resources.limits",
                {.cpu_limit = CpuLimit::as_requested}) ==
        "{cpu: \"8\", memory: 64Gi, nvidia.com/gpu: 1}");
}

TEST_CASE("A claim for devices is in place of the resource, never beside it") {
  GenOptions options = options_named("train");
  options.uses_dra = true;
  options.gpus = 2;
  const Parts dra = parts(options);
  CHECK(text_at(dra.spec, kContainer + "resources") ==
        "{requests: {cpu: \"16\", memory: 128Gi}, limits: {memory: 128Gi}, claims: [{name: gpu}]}");
  CHECK(text_at(dra.spec, "resourceClaims") ==
        "[{name: gpu, resourceClaimTemplateName: train-gpu}]");
  REQUIRE(dra.before.size() == 1);
  CHECK(text_at(dra.before[0], "spec.spec.devices.requests[0].exactly.count") == "2");
  options.gpus.reset();
  options.is_cpu_only = true;
  CHECK(parts(options).before.empty());
  CHECK(spec_at(options, "resourceClaims") == "-");
}

TEST_CASE("A pod without GPUs has the sizes of its shape, and no placement of GPU pods") {
  GenOptions options = options_named("head");
  options.gpus = 4;
  options.gpu_models = {"H100"};
  options.uses_dra = true;
  const Parts none = parts(options, {.gpus = Gpus::none, .cpu = "500m", .memory = "1Gi"});
  CHECK(text_at(none.spec, kContainer + "resources") ==
        "{requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 1Gi}}");
  CHECK(text_at(none.spec, "tolerations") == "-");
  CHECK(text_at(none.spec, "affinity") == "-");
  CHECK(text_at(none.spec, "volumes") == "-");
  CHECK(none.before.empty());
  CHECK(spec_at(options, "volumes[0].emptyDir.sizeLimit",
                {.gpus = Gpus::none, .shm_size = "256Mi"}) == "256Mi");
}

TEST_CASE("/dev/shm is a volume in memory, mounted there, unless a controller mounts one") {
  const GenOptions options = options_named("train");
  const Tree spec = parts(options).spec;
  CHECK(text_at(spec, "volumes") == "[{name: shm, emptyDir: {medium: Memory, sizeLimit: 16Gi}}]");
  CHECK(text_at(spec, kContainer + "volumeMounts") == "[{name: shm, mountPath: /dev/shm}]");
  const Tree theirs = parts(options, {.shm = Shm::of_controller}).spec;
  CHECK(text_at(theirs, "volumes") == "-");
  CHECK(text_at(theirs, kContainer + "volumeMounts") == "-");
}

TEST_CASE("An image is needed where the kind has no usual one, and a given one counts") {
  GenOptions options = options_named("train");
  CHECK(spec_at(options, kContainer + "image", {.usual_image = "usual:1"}) ==
        "ghcr.io/acme/train:1.4");
  options.image = "";
  CHECK(spec_at(options, kContainer + "image", {.usual_image = "usual:1"}) == "usual:1");
  CHECK_THROWS_WITH(parts(options), "--image is missing");
}

TEST_CASE("Variables are values or keys of Secrets, behind those of the kind") {
  GenOptions options = options_named("train");
  options.env = {{.name = "A", .value = "1", .secret = {}, .key = {}},
                 {.name = "B", .value = {}, .secret = "s", .key = "k"}};
  CHECK(spec_at(options, kContainer + "env",
                {.env = Tree::list({Tree::map({{"name", "OURS"}, {"value", "x"}})})}) ==
        "[{name: OURS, value: x}, {name: A, value: \"1\"}, "
        "{name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}]");
  CHECK(spec_at(options_named("train"), kContainer + "env") == "-");
}

TEST_CASE("A variable stands once: the last one given, in place of that of the kind") {
  GenOptions options = options_named("train");
  options.env = {{.name = "A", .value = "1", .secret = {}, .key = {}},
                 {.name = "OURS", .value = {}, .secret = "s", .key = "k"},
                 {.name = "A", .value = "2", .secret = {}, .key = {}}};
  CHECK(spec_at(options, kContainer + "env",
                {.env = Tree::list({Tree::map({{"name", "OURS"}, {"value", "x"}}),
                                    Tree::map({{"name", "B"}, {"value", "z"}})})}) ==
        "[{name: OURS, valueFrom: {secretKeyRef: {name: s, key: k}}}, {name: B, value: z}, "
        "{name: A, value: \"2\"}]");
}

TEST_CASE("A script is in a ConfigMap of its own, once, and mounted where it is run") {
  GenOptions options = options_named("train");
  options.script = Script{.name = "train.py", .text = "print(1)\n"};
  const Parts made = parts(options);
  REQUIRE(made.before.size() == 1);
  CHECK(text_at(made.before[0], "kind") == "ConfigMap");
  CHECK(text_at(made.before[0], "apiVersion") == "v1");
  CHECK(text_at(made.before[0], "metadata.name") == "train-script");
  CHECK(std::get<std::string>(at(made.before[0], "data.train.py")->value()) == "print(1)\n");
  CHECK(text_at(made.spec, "volumes[1]") == "{name: script, configMap: {name: train-script}}");
  CHECK(text_at(made.spec, kContainer + "volumeMounts[1]") ==
        "{name: script, mountPath: /scripts}");
  const Parts launcher = parts(options, {.gpus = Gpus::none});
  CHECK(launcher.before.empty());
  CHECK(text_at(launcher.spec, "volumes[0].configMap.name") == "train-script");
  const ClusterFacts facts;
  const GenRequest request{.options = options, .facts = facts, .notes = {}};
  CHECK(script_path(request) == "/scripts/train.py");
}

TEST_CASE("A claim is one volume however often it is mounted, and called by its place") {
  GenOptions options = options_named("train");
  options.claims = {{.claim = "my.data", .path = "/a", .is_read_only = true},
                    {.claim = "out", .path = "/out"},
                    {.claim = "my.data", .path = "/b"}};
  const Tree spec = parts(options, {.shm = Shm::of_controller}).spec;
  CHECK(text_at(spec, "volumes") ==
        "[{name: claim-1, persistentVolumeClaim: {claimName: my.data}}, "
        "{name: claim-2, persistentVolumeClaim: {claimName: out}}]");
  CHECK(text_at(spec, kContainer + "volumeMounts") ==
        "[{name: claim-1, mountPath: /a, readOnly: true}, {name: claim-2, mountPath: /out}, "
        "{name: claim-1, mountPath: /b}]");
}

TEST_CASE("Mounts and volumes of the kind stand between those of memory and of the person") {
  GenOptions options = options_named("train");
  options.claims = {{.claim = "data", .path = "/data"}};
  const Tree spec =
      parts(options, {.mounts = Tree::list({Tree::map({{"name", "w"}, {"mountPath", "/w"}})}),
                      .volumes = Tree::list({Tree::map({{"name", "w"}})})})
          .spec;
  CHECK(text_at(spec, "volumes[0].name") == "shm");
  CHECK(text_at(spec, "volumes[1].name") == "w");
  CHECK(text_at(spec, "volumes[2].name") == "claim-1");
  CHECK(text_at(spec, kContainer + "volumeMounts[1]") == "{name: w, mountPath: /w}");
  CHECK(text_at(spec, kContainer + "volumeMounts[2].name") == "claim-1");
}

TEST_CASE("A claim is not mounted where the kind mounts something of its own") {
  GenOptions options = options_named("train");
  options.claims = {{.claim = "data", .path = "/data"}, {.claim = "more", .path = "/w"}};
  const auto shape = [](const char* path) {
    return PodShape{.mounts = Tree::list({Tree::map({{"name", "w"}, {"mountPath", path}})})};
  };
  CHECK_NOTHROW(parts(options, shape("/models")));
  CHECK_THROWS_WITH(parts(options, shape("/w")), "two volumes cannot be at /w");
}

TEST_CASE("A pod has no token of the API server unless it runs as an account of its own") {
  GenOptions options = options_named("train");
  CHECK(spec_at(options, "automountServiceAccountToken") == "false");
  CHECK(spec_at(options, "serviceAccountName") == "-");
  options.service_account = "trainer";
  CHECK(spec_at(options, "automountServiceAccountToken") == "-");
  CHECK(spec_at(options, "serviceAccountName") == "trainer");
}

TEST_CASE("Classes are written only where they were given") {
  GenOptions options = options_named("train");
  CHECK(spec_at(options, "priorityClassName") == "-");
  CHECK(spec_at(options, "runtimeClassName") == "-");
  options.priority_class = "high";
  options.runtime_class = "nvidia";
  CHECK(spec_at(options, "priorityClassName") == "high");
  CHECK(spec_at(options, "runtimeClassName") == "nvidia");
}

TEST_CASE("Restart policy, grace and variables of Services are written as the kind wants") {
  const GenOptions options = options_named("train");
  CHECK(spec_at(options, "restartPolicy") == "-");
  CHECK(spec_at(options, "terminationGracePeriodSeconds") == "-");
  CHECK(spec_at(options, "enableServiceLinks") == "-");
  const Tree spec =
      parts(options, {.restart_policy = "Never", .grace_seconds = 300, .injects_services = false})
          .spec;
  CHECK(text_at(spec, "restartPolicy") == "Never");
  CHECK(text_at(spec, "terminationGracePeriodSeconds") == "300");
  CHECK(text_at(spec, "enableServiceLinks") == "false");
}

TEST_CASE("A container gives up its privileges, unless its image needs them") {
  const GenOptions options = options_named("train");
  CHECK(spec_at(options, kContainer + "securityContext") ==
        "{allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}");
  CHECK(spec_at(options, kContainer + "securityContext", {.privileges = Privileges::of_image}) ==
        "-");
}

TEST_CASE("Where a pod may run is written into its spec") {
  GenOptions options = options_named("train");
  options.node_selector = {{"pool", "a"}};
  options.gpu_models = {"L4"};
  const Tree spec = parts(options).spec;
  CHECK(text_at(spec, "nodeSelector") == "{pool: a}");
  CHECK(text_at(spec, "affinity") != "-");
  CHECK(text_at(spec, "tolerations[0].key") == "nvidia.com/gpu");
  CHECK(spec_at(options_named("train"), "nodeSelector") == "-");
  CHECK(spec_at(options_named("train"), "affinity") == "-");
}

TEST_CASE("Command, arguments, ports and probes of the kind stand in its container") {
  const Tree spec =
      parts(options_named("it"),
            {.container = "server",
             .command = {"run"},
             .args = {"--fast"},
             .ports = Tree::list({Tree::map({{"name", "http"}, {"containerPort", 80}})}),
             .probes = Tree::map({{"livenessProbe", "x"}})})
          .spec;
  CHECK(text_at(spec, kContainer + "name") == "server");
  CHECK(text_at(spec, kContainer + "command") == "[run]");
  CHECK(text_at(spec, kContainer + "args") == "[--fast]");
  CHECK(text_at(spec, kContainer + "ports[0].containerPort") == "80");
  CHECK(text_at(spec, kContainer + "livenessProbe") == "x");
  const Tree bare = parts(options_named("it")).spec;
  for (const char* const field : {"command", "args", "ports"})
    CHECK(text_at(bare, kContainer + field) == "-");
}

TEST_CASE("A pod template has metadata only where the kind gives labels or annotations") {
  const GenOptions options = options_named("it");
  const ClusterFacts facts;
  GenRequest request{.options = options, .facts = facts, .notes = {}};
  const Tree bare = PodParts(request, {}).pod_template();
  CHECK(text_at(bare, "metadata") == "-");
  CHECK(text_at(bare, "spec.containers[0].name") == "main");
  const Tree labelled =
      PodParts(request, {.labels = app_labels(request), .annotations = Tree::map({{"a", "b"}})})
          .pod_template();
  CHECK(text_at(labelled, "metadata") ==
        "{labels: {app.kubernetes.io/name: it}, annotations: {a: b}}");
}

TEST_CASE("Metadata has a namespace only where one was given, and labels behind those kept") {
  GenOptions options = options_named("it");
  CHECK(one_line_of(metadata_with(options)) == "{name: it}");
  options.ns = "ml";
  options.labels = {{"team", "a"}};
  options.annotations = {{"why", "b"}};
  CHECK(one_line_of(metadata_with(options, Tree::map({{"app", "x"}}), Tree::map({{"c", "d"}}))) ==
        "{name: it, namespace: ml, labels: {app: x, team: a}, annotations: {c: d, why: b}}");
}

TEST_CASE("The queue is a label of the object, where one was given") {
  GenOptions options = options_named("it");
  const ClusterFacts facts;
  const GenRequest request{.options = options, .facts = facts, .notes = {}};
  CHECK(one_line_of(queued_labels(request)) == "{app.kubernetes.io/name: it}");
  options.queue = "gpu";
  CHECK(one_line_of(queued_labels(request)) ==
        "{app.kubernetes.io/name: it, kueue.x-k8s.io/queue-name: gpu}");
}

}  // namespace fit_pod_test
