#include "manifest/read/manifest.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/split.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::manifest::read_manifest_test {

using Catch::Contains;

namespace {

PlannedObjects read(const std::string& text) { return read_manifest(text, "x.yaml", "ml"); }

std::string problem_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? error.message() : "another kind";
  }
  return "no error";
}

std::vector<std::string> names_of(const PlannedObjects& manifest) {
  std::vector<std::string> names;
  for (const PlannedPod& each : manifest.pods) names.push_back(each.pod.ns + "/" + each.pod.name);
  return names;
}

using Names = std::vector<std::string>;

const std::string kPodSpec = R"({"containers": [{"name": "c", "resources": {"limits":
  {"nvidia.com/gpu": 2}}}], "nodeSelector": {"a": "b"}})";
const std::string kTemplate = R"({"metadata": {"labels": {"app": "x"}}, "spec": )" + kPodSpec + "}";

/// The spec of a kind of workload_kinds(), with T for a template of pods and S for a pod's spec;
/// empty for a kind whose manifest does not say what its pods are made of.
const std::map<std::string, std::string, std::less<>> kSpecs = {
    {"Pod", "S"},
    {"ReplicationController", R"({"template": T})"},
    {"Deployment", R"({"template": T})"},
    {"ReplicaSet", R"({"template": T})"},
    {"StatefulSet", R"({"template": T})"},
    {"DaemonSet", R"({"template": T})"},
    {"batch/Job", R"({"template": T})"},
    {"CronJob", R"({"jobTemplate": {"spec": {"template": T}}})"},
    {"JobSet", R"({"replicatedJobs": [{"name": "w", "template": {"spec": {"template": T}}}]})"},
    {"LeaderWorkerSet", R"({"leaderWorkerTemplate": {"leaderTemplate": T, "workerTemplate": T}})"},
    {"PyTorchJob", R"({"pytorchReplicaSpecs": {"Master": {"template": T}}})"},
    {"TFJob", R"({"tfReplicaSpecs": {"Worker": {"template": T}}})"},
    {"MPIJob", R"({"mpiReplicaSpecs": {"Launcher": {"template": T}, "Worker": {"template": T}}})"},
    {"XGBoostJob", R"({"xgbReplicaSpecs": {"Master": {"template": T}}})"},
    {"PaddleJob", R"({"paddleReplicaSpecs": {"Worker": {"template": T}}})"},
    {"JAXJob", R"({"jaxReplicaSpecs": {"Worker": {"template": T}}})"},
    {"MXJob", R"({"mxReplicaSpecs": {"Worker": {"template": T}}})"},
    {"Trial", R"({"runSpec": {"kind": "Job", "spec": {"template": T}}})"},
    {"Experiment", R"({"trialTemplate": {"trialSpec": {"kind": "Job", "spec": {"template": T}}}})"},
    {"Notebook", R"({"template": T})"},
    {"TrainJob", ""},
    {"RayCluster",
     R"({"headGroupSpec": {"template": T}, "workerGroupSpecs": [{"replicas": 1, "template": T}]})"},
    {"RayJob", R"({"rayClusterSpec": {"headGroupSpec": {"template": T}}})"},
    {"RayService",
     R"({"rayClusterConfig": {"workerGroupSpecs": [{"replicas": 1, "template": T}]}})"},
    {"InferenceService", R"({"predictor": S})"},
    {"LLMInferenceService", R"({"template": S})"},
    {"serving.knative.dev/Service", R"({"template": T})"},
    {"Configuration", R"({"template": T})"},
    {"Revision", "S"},
    {"batch.volcano.sh/Job", R"({"tasks": [{"name": "w", "template": T}]})"},
    {"Workflow", ""},
    {"CronWorkflow", ""},
    {"Rollout", R"({"template": T})"},
    {"SparkApplication", ""},
    {"ScheduledSparkApplication", ""},
    {"TaskRun", ""},
    {"PipelineRun", ""},
    {"DaskWorkerGroup", R"({"worker": {"spec": S}})"},
    {"DaskCluster", R"({"worker": {"spec": S}, "scheduler": {"spec": S}})"},
    {"DaskJob", R"({"job": {"spec": S}, "cluster": {"spec": {"worker": {"spec": S}}}})"},
    {"FlyteWorkflow", ""},
    {"PodClique", R"({"podSpec": S})"},
    {"PodCliqueScalingGroup", ""},
    {"PodCliqueSet", R"({"template": {"cliques": [{"name": "w", "spec": {"podSpec": S}}]}})"},
};

std::string filled(const std::string& pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool stands_alone = i == 0 || (pattern[i - 1] == ' ' || pattern[i - 1] == '[');
    if (pattern[i] == 'T' && stands_alone)
      text += kTemplate;
    else if (pattern[i] == 'S' && stands_alone)
      text += kPodSpec;
    else
      text += pattern[i];
  }
  return text;
}

std::string object_of(const WorkloadKind& kind, const std::string& spec) {
  const std::string version(split(kind.versions, ' ').front());
  const std::string api = kind.group.empty() ? version : std::string(kind.group) + "/" + version;
  return R"({"apiVersion": ")" + api + R"(", "kind": ")" + std::string(kind.kind) +
         R"(", "metadata": {"name": "train"}, "spec": )" + spec + "}";
}

const std::string& spec_of(const WorkloadKind& kind) {
  const auto exact = kSpecs.find(std::string(kind.group) + "/" + std::string(kind.kind));
  return exact != kSpecs.end() ? exact->second : kSpecs.at(std::string(kind.kind));
}

const std::string kJob =
    "apiVersion: batch/v1\n"
    "kind: Job\n"
    "metadata: {name: train}\n"
    "spec:\n"
    "  template:\n"
    "    spec:\n"
    "      containers:\n"
    "      - name: c\n"
    "        resources:\n"
    "          limits:\n"
    "            nvidia.com/gpu: 4\n";

const std::string kService =
    "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80}]}\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("a number of JSON that is too large is a mistake of the file") {
  CHECK(problem_of("\n {\"kind\": \"Pod\", \"spec\": 3e3000}") ==
        "x.yaml: line 2, column 2: this value has a number that is too large");
}

TEST_CASE("the pods of every kind that makes pods are found") {
  for (const WorkloadKind& kind : workload_kinds()) {
    INFO(kind.group << "/" << kind.kind);
    const std::string& pattern = spec_of(kind);
    const PlannedObjects manifest = read(object_of(kind, pattern.empty() ? "{}" : filled(pattern)));
    CHECK(manifest.pods.empty() == pattern.empty());
    CHECK(manifest.unknown.size() == (pattern.empty() ? 1U : 0U));
    for (const PlannedPod& made : manifest.pods) {
      const Pod& pod = made.pod;
      CHECK(made.count == 1);
      CHECK(pod.ns + "/" + pod.name == "ml/train");
      CHECK(pod.containers.at(0).limits.contains("nvidia.com/gpu"));
      CHECK(value_of(pod.node_selector, "a") == "b");
      if (kind.kind != "Pod") CHECK(pod.owners.at(0).kind == kind.kind);
    }
  }
}

TEST_CASE("what a TrainJob changes in the pods of its runtime are no pods") {
  for (const std::string patches :
       {R"("runtimePatches": [{"manager": "m", "trainingRuntimeSpec": {"template": {"spec": {
            "replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"spec": {
              "containers": [{"name": "node"}]}}}}}]}}}}])",
        R"("podTemplateOverrides": [{"spec": {"containers": [{"name": "node"}]}}])"}) {
    const PlannedObjects planned =
        read_manifest(R"({"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob",
            "metadata": {"name": "train"}, "spec": {)" +
                          patches + "}}",
                      "f", "ml");
    CHECK(planned.pods.empty());
    CHECK(planned.unknown.size() == 1);
  }
}

TEST_CASE("of several templates each says where it stands") {
  const auto pods = read_manifest(R"({"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
      "metadata": {"name": "train"}, "spec": {"pytorchReplicaSpecs": {
        "Master": {"template": {"spec": {"containers": [{"name": "m"}]}}},
        "Worker": {"template": {"spec": {"containers": [{"name": "w"}]}}}}}})",
                                  "f", "ml")
                        .pods;
  REQUIRE(pods.size() == 2);
  CHECK(pods[0].template_at == "spec.pytorchReplicaSpecs.Master.template");
  CHECK(pods[1].template_at == "spec.pytorchReplicaSpecs.Worker.template");
  const auto one = read_manifest(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
      "spec": {"containers": [{"name": "m"}]}})",
                                 "f", "ml")
                       .pods;
  CHECK(one.at(0).template_at.empty());
}

TEST_CASE("a wrong field is named with its place, in every kind, in YAML and in JSON") {
  for (const WorkloadKind& kind : workload_kinds()) {
    const std::string& pattern = spec_of(kind);
    if (pattern.empty()) continue;
    INFO(kind.group << "/" << kind.kind);
    const std::string text = replaced(object_of(kind, filled(pattern)), R"({"nvidia.com/gpu": 2})",
                                      "{\n\t\"nvidia.com/gpu\":\n\"two\"}");
    const std::string problem = problem_of(text);
    CHECK_THAT(problem, Contains("x.yaml: line ") && Contains(", column 1: spec") &&
                            Contains(".containers[0].resources.limits: nvidia.com/gpu is \"two\""));
  }
}

TEST_CASE("documents, Lists and other kinds between them") {
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: other}\n"
      "spec: {containers: [{name: c}]}\n";
  CHECK(names_of(read(kService + "---\n" + kJob + "--- # next\n" + pod + "---\n")) ==
        Names{"ml/train", "other/p"});
  const std::string list =
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Service, metadata: {name: s}}\n"
      "- {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}\n";
  CHECK(names_of(read(list)) == Names{"ml/p"});
  CHECK(names_of(read(replaced(replaced(list, "kind: List", "kind: PodList"),
                               "- {apiVersion: v1, kind: Service, metadata: {name: s}}\n", ""))) ==
        Names{"ml/p"});
  // Two JSON values after each other, as jq writes them.
  const std::string one =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{}]}})";
  CHECK(names_of(read(one + "\n" + one + "\n---\n" + one)).size() == 3);
}

TEST_CASE("how many pods a template makes at one time is read from around it") {
  const auto counts_of = [](const std::string& kind, const std::string& spec) {
    std::vector<std::int64_t> counts;
    for (const PlannedPod& each : read(object_of(*workload_kind_named(kind), filled(spec))).pods)
      counts.push_back(each.count);
    return counts;
  };
  using Counts = std::vector<std::int64_t>;
  CHECK(counts_of("Deployment", R"({"replicas": 4, "template": T})") == Counts{4});
  CHECK(counts_of("Deployment", R"({"replicas": 0, "template": T})") == Counts{0});
  CHECK_THROWS_WITH(counts_of("Deployment", R"({"replicas": -4, "template": T})"),
                    Contains("line 1, column 101: spec.replicas: Invalid value: -4"));
  CHECK_THROWS_WITH(counts_of("Deployment", R"({"replicas": "4", "template": T})"),
                    Contains("spec.replicas: expected a whole number"));
  CHECK(counts_of("Job", R"({"completions": 8, "template": T})") == Counts{1});
  CHECK(counts_of("Job", R"({"parallelism": 8, "template": T})") == Counts{8});
  CHECK(counts_of("Job", R"({"parallelism": 8, "completions": 3, "template": T})") == Counts{3});
  CHECK(counts_of("Job", R"({"parallelism": 0, "template": T})") == Counts{0});
  CHECK(counts_of("JobSet", R"({"replicatedJobs": [{"replicas": 2, "template": {"spec": )"
                            R"({"parallelism": 3, "template": T}}}]})") == Counts{6});
  CHECK(counts_of("PyTorchJob",
                  R"({"pytorchReplicaSpecs": {"Master": {"replicas": 1, "template": )"
                  R"(T}, "Worker": {"replicas": 7, "template": T}}})") == Counts{1, 7});
  CHECK(counts_of("LeaderWorkerSet",
                  R"({"replicas": 2, "leaderWorkerTemplate": {"size": 4, "leaderTemplate": )"
                  R"(T, "workerTemplate": T}})") == Counts{2, 6});
  CHECK(counts_of("LeaderWorkerSet", R"({"leaderWorkerTemplate": {"size": 4, "workerTemplate": )"
                                     R"(T}})") == Counts{4});
  CHECK(counts_of("InferenceService", R"({"predictor": {"minReplicas": 5, "model": 0, )"
                                      R"("containers": [{"name": "c"}]}})") == Counts{5});
  CHECK(counts_of("RayCluster", R"({"workerGroupSpecs": [{"minReplicas": 2, "template": T},
            {"replicas": 1, "minReplicas": 3, "template": T},
            {"replicas": 9, "maxReplicas": 4, "template": T}]})") == Counts{2, 3, 4});
  CHECK(counts_of("ksvc", R"({"template": {"metadata": {"annotations":
            {"autoscaling.knative.dev/min-scale": "3"}}, "spec": S}})") == Counts{3});
  CHECK(counts_of("ksvc", R"({"template": {"metadata": {"annotations":
            {"autoscaling.knative.dev/min-scale": "0"}}, "spec": S}})") == Counts{1});
  CHECK_THROWS_WITH(counts_of("Deployment", R"({"replicas": 18446744073709551615, "template": T})"),
                    Contains("is more than the field holds"));
  CHECK(counts_of("JobSet",
                  R"({"replicatedJobs": [{"replicas": 2147483647, "template": {"spec": )"
                  R"({"parallelism": 2147483647, "template": T}}}]})") == Counts{4'000'000'000});
}

TEST_CASE("claims that stand beside pods are read, with where they are") {
  const PlannedObjects manifest = read(R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: other}
spec: {storageClassName: fast}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: s}
spec:
  template: {spec: {containers: [{name: c}], volumes: [{name: v, ephemeral: {}}]}}
  volumeClaimTemplates: [{metadata: {name: data}}]
)");
  REQUIRE(manifest.claim_templates.size() == 1);
  CHECK(manifest.claim_templates[0].ns == manifest.pods.at(0).pod.ns);
  CHECK(manifest.claim_templates[0].requests.at(0).device_class == "gpu.nvidia.com");
  REQUIRE(manifest.volume_claims.size() == 1);
  CHECK(manifest.volume_claims[0].ns == "other");
  CHECK(manifest.pods[0].pod.volumes.empty());
  CHECK(manifest.pods[0].not_checked ==
        std::vector<std::string>{"the ephemeral volumes that are made for it"});
  REQUIRE(manifest.pods[0].volume_claims.size() == 1);
  CHECK(manifest.pods[0].volume_claims[0].name == "data");
}

TEST_CASE("a StatefulSet may start at another number") {
  const PlannedObjects manifest = read(R"(
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: s}
spec: {ordinals: {start: 3}, template: {spec: {containers: [{name: c}]}}, volumeClaimTemplates:
  [{metadata: {name: data}, spec: {storageClassName: fast}}]}
)");
  CHECK(manifest.pods.at(0).first_ordinal == 3);
  CHECK(manifest.pods.at(0).volume_claims.at(0).storage_class == "fast");
}

TEST_CASE("Namespaces of the same files are known") {
  const PlannedObjects manifest = read(R"(
apiVersion: v1
kind: Namespace
metadata: {name: new, labels: {team: red}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: new}
spec: {containers: [{name: c}]}
)");
  CHECK(manifest.namespaces == std::vector<Namespace>{{"new", {{"team", "red"}}}});
}

TEST_CASE("an autoscaler beside a Deployment is named: it says how many pods there are") {
  const PlannedObjects manifest = read(R"(
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {minReplicas: 4}
)");
  CHECK(manifest.beside == Names{"horizontalpodautoscaler/web"});
  CHECK(manifest.priority_classes.empty());
  CHECK(manifest.namespaces.empty());
}

TEST_CASE("a name that the API server does not take is a mistake") {
  const auto mistake = [](const std::string& metadata, const std::string& kind = "Pod") {
    const std::string pod =
        R"({"restartPolicy": "Never", "containers": [{"name": "c", "image": "x"}]})";
    const std::string spec =
        kind == "Pod" ? pod : R"({"jobTemplate": {"spec": {"template": {"spec": )" + pod + "}}}}";
    const PlannedObjects manifest = read(
        R"({"apiVersion": ")" + std::string(kind == "Pod" ? "v1" : "batch/v1") + R"(", "kind": ")" +
        kind + R"(", "metadata": )" + metadata + R"(, "spec": )" + spec + "}");
    const auto& found = manifest.pods.at(0).mistake;
    return found && found->message.starts_with("metadata.") ? found->message : std::string();
  };
  CHECK_THAT(
      mistake(R"({"name": "P_6"})"),
      Contains("metadata.name: Invalid value: \"P_6\": a lowercase RFC 1123 subdomain must"));
  CHECK_FALSE(mistake(R"({"name": "a..b"})").empty());
  CHECK_FALSE(mistake(R"({"name": "a-"})").empty());
  CHECK_FALSE(mistake(R"({"name": ".a"})").empty());
  CHECK(mistake(R"({"name": "a.b-1"})").empty());
  CHECK(mistake(R"({"generateName": "a-"})").empty());
  CHECK_FALSE(mistake(R"({"generateName": "A-"})").empty());
  CHECK(mistake(R"({"name": ")" + std::string(253, 'a') + "\"}").empty());
  CHECK(mistake(R"({"name": ")" + std::string(254, 'a') + "\"}").ends_with("than 253 bytes"));
  CHECK(mistake(R"({"name": ")" + std::string(53, 'a') + "\"}", "CronJob")
            .ends_with("must be no more than 52 characters"));
}

TEST_CASE("what says that an object makes no pods is named") {
  const auto none = [](const std::string& kind, const std::string& spec) {
    return read(object_of(*workload_kind_named(kind), filled(spec))).pods.at(0).none_because;
  };
  CHECK(none("Deployment", R"({"replicas": 0, "template": T})") == "replicas is 0");
  CHECK(none("Job", R"({"parallelism": 0, "completions": 4, "template": T})") ==
        "parallelism is 0");
  CHECK(none("Job", R"({"parallelism": 2, "completions": 0, "template": T})") ==
        "completions is 0");
  CHECK(
      none("InferenceService", R"({"predictor": {"minReplicas": 0, "containers": [{}]}})").empty());
  CHECK(none("RayCluster", R"({"workerGroupSpecs": [{"template": T}]})") == "replicas is not set");
  CHECK(none("Deployment", R"({"replicas": 1, "template": T})").empty());
}

TEST_CASE("Kueue's label is read where it stands") {
  const auto queue_in = [](const std::string& text) { return read(text).pods.at(0).queue; };
  const std::string labels = R"("labels": {"kueue.x-k8s.io/queue-name": "q"})";
  const std::string containers = R"("containers": [{"name": "c"}])";
  CHECK(queue_in(R"({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "t", )" +
                 labels + R"(}, "spec": {"template": {"spec": {)" + containers + "}}}}") == "q");
  CHECK(queue_in(R"({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "t"}, "spec":
            {"jobTemplate": {"metadata": {)" +
                 labels + R"(}, "spec": {"template": {"spec": {)" + containers + "}}}}}}") == "q");
  CHECK(queue_in(R"({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "t"},
            "spec": {"template": {"metadata": {)" +
                 labels + R"(}, "spec": {)" + containers + "}}}}") == "q");
  CHECK(queue_in(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "t"}, "spec": {)" +
                 containers + "}}")
            .empty());
}

TEST_CASE("a kind that is not known, and holds pods with GPUs, is named") {
  const auto holders = [](const std::string& kind, const std::string& resource) {
    return read(
               "apiVersion: workload.codeflare.dev/v1beta2\nkind: " + kind +
               "\nmetadata: {name: w}\nspec: {components: [{template: {kind: Job, spec: {template: "
               "{spec: {containers: [{name: c, resources: {limits: {" +
               resource + ": 1}}}]}}}}}]}\n")
        .holders;
  };
  CHECK(holders("AppWrapper", "nvidia.com/gpu") == Names{"appwrapper/w"});
  CHECK(holders("AppWrapper", "cpu").empty());
  CHECK(holders("ClusterTrainingRuntime", "nvidia.com/gpu").empty());
}

TEST_CASE("a kind of another group that is called Pod controls what it describes") {
  const PlannedObjects planned = read(
      "apiVersion: example.com/v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, "
      "resources: {limits: {nvidia.com/gpu: 1}}}]}\n");
  CHECK(planned.pods.empty());
  REQUIRE(planned.found.size() == 1);
  REQUIRE(planned.found.front().pod.owners.size() == 1);
  CHECK(planned.found.front().pod.owners.front().api_version == "example.com/v1");
}

TEST_CASE("kinds that only hold a template make no pods") {
  for (const char* head :
       {"apiVersion: v1\nkind: PodTemplate\nmetadata: {name: t}\ntemplate: ",
        "apiVersion: serving.kserve.io/v1alpha1\nkind: ServingRuntime\nmetadata: {name: t}\nspec: ",
        "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\nmetadata: {name: t}\nspec: "
        "{podSets: [{}]}\nx: "})
    CHECK(read(head + kTemplate).pods.empty());
  CHECK(names_of(read("apiVersion: apps.kruise.io/v1alpha1\nkind: CloneSet\nmetadata: {name: "
                      "t}\nspec: {template: " +
                      kTemplate + "}")) == Names{"ml/t"});
}

TEST_CASE("line ends, byte order marks, anchors and directives are taken") {
  CHECK(names_of(read(replaced(kService + "---\n" + kJob, "\n", "\r\n"))) == Names{"ml/train"});
  CHECK(names_of(read("\xef\xbb\xbf" + kJob)) == Names{"ml/train"});
  CHECK(names_of(read("%YAML 1.2\n---\n" + kJob)) == Names{"ml/train"});
  const std::string anchored =
      replaced(replaced(kJob, "limits:", "limits: &amounts"), "nvidia.com/gpu: 4\n",
               "nvidia.com/gpu: 4\n          requests: *amounts\n");
  CHECK(read(anchored).pods.at(0).pod.containers.at(0).requests.contains("nvidia.com/gpu"));
  for (const char* nothing : {"", "---\n", "---\n---\n# only words\n", "\n\n", "null\n"})
    CHECK(read(nothing).pods.empty());
}

TEST_CASE("what is wrong is told by line and column of the whole text") {
  CHECK(problem_of(replaced(kJob, "gpu: 4", "gpu: 4x")) ==
        "x.yaml: line 11, column 29: spec.template.spec.containers[0].resources.limits: "
        "nvidia.com/gpu is \"4x\", which is not a quantity");
  CHECK_THAT(problem_of(kService + "---\n" + replaced(kJob, "gpu: 4", "gpu: [4]")),
             Contains("x.yaml: line 16, column 13: spec.template"));
  CHECK_THAT(problem_of(replaced(kJob, "      - name: c", "      - name: 5")),
             Contains("line 8, column 15: spec.template.spec.containers[0].name: "));
  CHECK_THAT(problem_of(kService + "---\nkind: Job\nspec: [1, 2\n"), Contains("x.yaml: line "));
  CHECK_THAT(problem_of(replaced(kJob, "    spec:\n", "\tspec:\n")),
             Contains("line 6, column ") && Contains("a tab cannot indent"));
  CHECK_THAT(problem_of("a: b\n"), Contains("line 1, column 1: not a Kubernetes object"));
  CHECK_THAT(problem_of("- a\n"), Contains("not a Kubernetes object"));
  CHECK_THAT(problem_of(R"({"kind": "Pod", "metadata": {"name": "p"},)"),
             Contains("x.yaml: line 1, column 43: not JSON: "));
  CHECK_THAT(
      problem_of(
          "{\n\t\"kind\": \"Pod\", \"apiVersion\": \"v1\",\n\t\"metadata\": {\"name\": 7}\n}"),
      Contains("spec.containers: required") || Contains("metadata.name: expected text"));
  CHECK_THAT(problem_of("{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"a\": [\"\\\"]}\", {}],\n "
                        "\"metadata\": {\"name\":\n\t7},"
                        "\"spec\": {\"containers\": [{}]}}"),
             Contains("x.yaml: line 3, column 2: metadata.name: expected text, got 7"));
  CHECK_THAT(problem_of(std::string("\x7f\x45LF\x00\x01", 6)), Contains("line 1, column 1: "));
  CHECK_THAT(problem_of(std::string((4U << 20U) + 1, '#')), Contains("x.yaml: more than 4 MB"));
  CHECK_THAT(problem_of(std::string(100000, '[')), Contains("x.yaml: line "));
  CHECK_THAT(problem_of("{\"a\":" + std::string(100000, '[')), Contains("100 levels"));
}

TEST_CASE("pods without containers and objects without names are refused") {
  CHECK(problem_of("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {}\n") ==
        "x.yaml: line 4, column 7: spec.containers: required, a list of containers");
  CHECK_THAT(problem_of(replaced(kJob, "containers:", "container:")),
             Contains("line 5, column 3: spec.template.spec.containers: required"));
  CHECK_THAT(problem_of(replaced(kJob, "{name: train}", "{}")),
             Contains("line 3, column 11: metadata.name: required"));
  CHECK_THAT(problem_of(replaced(kJob, "{name: train}", "{name: 12}")),
             Contains("line 3, column 18: metadata.name: expected text, got 12"));
  CHECK(names_of(read(replaced(kJob, "{name: train}", "{generateName: train-}"))) ==
        Names{"ml/train-"});
}

TEST_CASE("a place late in a long list is found in time") {
  std::string text = R"({"kind": "List", "items": [)";
  for (int i = 0; i < 90000; ++i) text += R"({"kind": "ConfigMap", "apiVersion": "v1"}, )";
  CHECK_THAT(problem_of(text + "{}]}"),
             Contains("line 1, column 3870028: not a Kubernetes object"));
}

TEST_CASE("many empty documents take no more memory than the text") {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "---\n";
  CHECK(read(text + kJob).pods.size() == 1);
}

}  // namespace gpu::manifest::read_manifest_test
