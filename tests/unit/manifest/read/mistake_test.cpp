#include "manifest/read/mistake.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace gpu::manifest::read_mistake_test {

using namespace gpu::decode;
namespace {

using nlohmann::json;

FieldsOpinion opinion_on(const std::string& text) {
  const json object = json::parse(text);
  const std::string kind = object.at("kind");
  const std::string version = kind == "Pod" ? "v1" : kind == "Job" ? "batch/v1" : "apps/v1";
  return opinion_on_fields(object, {kind, object.value("apiVersion", version)},
                           pod_templates(object).at(0));
}

std::string refusal_of(const std::string& text) {
  const FieldsOpinion opinion = opinion_on(text);
  return opinion.mistake ? opinion.mistake->message + "; " + opinion.mistake->advice : "none";
}

std::string pod(const std::string& spec) { return R"({"kind": "Pod", "spec": )" + spec + "}"; }

std::string with_container(const std::string& more) {
  return pod(R"({"containers": [{"name": "c", "image": "x", )" + more + "}]}");
}

std::string made_by(const std::string& kind, const std::string& spec_start,
                    const std::string& labels = "{}") {
  return R"({"kind": ")" + kind + R"(", "spec": {)" + spec_start +
         R"("template": {"metadata": {"labels": )" + labels +
         R"(}, "spec": {"containers": [{"name": "c", "image": "x"}]}}}})";
}

}  // namespace

TEST_CASE("fields that do not exist are refused, with what was meant") {
  CHECK(refusal_of(with_container(R"("resources": {"limits": {"nvidia.com/gpu": 1}})")) == "none");
  CHECK(refusal_of(with_container(R"("resources": {"nvidia.com/gpu": 1})")) ==
        "strict decoding error: unknown field \"spec.containers[0].resources.nvidia.com/gpu\"; "
        "put nvidia.com/gpu under spec.containers[0].resources.limits");
  CHECK(refusal_of(with_container(R"("resources": {"limit": {"nvidia.com/gpu": 1}})")) ==
        "strict decoding error: unknown field \"spec.containers[0].resources.limit\"; write "
        "spec.containers[0].resources.limits");
  CHECK(refusal_of(pod(R"({"tolerationes": [], "containers": [{"name": "c", "image": "x",
                           "imagePullPolice": "Always"}]})")) ==
        "strict decoding error: unknown field \"spec.tolerationes\", unknown field "
        "\"spec.containers[0].imagePullPolice\"; write spec.tolerations");
  CHECK(refusal_of(pod(R"({"tolerations": [{"key": "a", "operater": "Exists"}],
                           "containers": [{"name": "c", "image": "x"}]})")) ==
        "strict decoding error: unknown field \"spec.tolerations[0].operater\"; write "
        "spec.tolerations[0].operator");
  CHECK(refusal_of(made_by("Deployment", R"("selector": {}, "replica": 2, )")) ==
        "strict decoding error: unknown field \"spec.replica\"; write spec.replicas");
}

TEST_CASE("a field that is near no other may be newer than what is known") {
  const FieldsOpinion opinion =
      opinion_on(pod(R"({"quantumPolicy": 1, "containers": [{"name": "c", "image": "x"}]})"));
  CHECK_FALSE(opinion.mistake);
  CHECK(opinion.not_checked ==
        std::vector<std::string>{"the field spec.quantumPolicy, which is not known here"});
}

TEST_CASE("kinds of others are not looked at, whatever they are called") {
  CHECK(refusal_of(R"({"kind": "Job", "apiVersion": "batch.volcano.sh/v1alpha1", "spec": {
    "tasks": [{"template": {"spec": {"containers": [{"name": "c"}]}}}]}})") == "none");
  const FieldsOpinion opinion = opinion_on(
      R"({"kind": "InferenceService", "apiVersion": "serving.kserve.io/v1beta1", "spec": {"predictor": {"minReplicas": 1,
          "containers": [{"name": "c"}]}}})");
  CHECK_FALSE(opinion.mistake);
  CHECK(opinion.not_checked.empty());
}

TEST_CASE("what a container needs is required") {
  CHECK(refusal_of(pod(R"({"containers": [{"name": "c"}]})")) ==
        "spec.containers[0].image: Required value; set spec.containers[0].image");
  CHECK(refusal_of(pod(R"({"initContainers": [{"image": "x"}],
                           "containers": [{"name": "c"}]})")) ==
        "spec.initContainers[0].name: Required value; set spec.initContainers[0].name");
  CHECK(refusal_of(with_container(R"("volumeMounts": [{"name": "data", "mountPath": "/d"}])")) ==
        "spec.containers[0].volumeMounts[0].name: Not found: \"data\"; add a volume data to "
        "spec.volumes, or mount another");
  CHECK(refusal_of(pod(R"({"volumes": [{"name": "data"}], "containers": [{"name": "c",
        "image": "x", "volumeMounts": [{"name": "data", "mountPath": "/d"}]}]})")) == "none");
}

TEST_CASE("volumes of a StatefulSet's own are there") {
  CHECK(refusal_of(R"({"kind": "StatefulSet", "spec": {"selector": {"matchLabels": {"a": "b"}},
    "volumeClaimTemplates": [{"metadata": {"name": "data"}}],
    "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c",
    "image": "x", "volumeMounts": [{"name": "data", "mountPath": "/d"}]}]}}}})") == "none");
}

TEST_CASE("a Job's pods may not always restart") {
  const std::string advice =
      "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"; "
      "set spec.template.spec.restartPolicy to Never or OnFailure";
  CHECK(refusal_of(made_by("Job", "")) == advice);
  CHECK(refusal_of(R"({"kind": "Job", "spec": {"template": {"spec": {"restartPolicy": "Always",
        "containers": [{"name": "c", "image": "x"}]}}}})") == advice);
  CHECK(refusal_of(R"({"kind": "Job", "spec": {"template": {"spec": {"restartPolicy": "Never",
        "containers": [{"name": "c", "image": "x"}]}}}})") == "none");
}

TEST_CASE("pods of what keeps them running always restart") {
  CHECK(refusal_of(R"({"kind": "Deployment", "spec": {"selector": {}, "template": {"spec": {
    "restartPolicy": "Never", "containers": [{"name": "c", "image": "x"}]}}}})") ==
        "spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values: "
        "\"Always\"; leave out spec.template.spec.restartPolicy");
}

TEST_CASE("a selector has to match its template") {
  const std::string selector = R"("selector": {"matchLabels": {"app": "web"}}, )";
  CHECK(refusal_of(made_by("Deployment", selector, R"({"app": "web", "b": "c"})")) == "none");
  CHECK(
      refusal_of(made_by("Deployment", selector, R"({"app": "wbe"})")) ==
      "spec.template.metadata.labels: Invalid value: {\"app\":\"wbe\"}: `selector` does not match "
      "template `labels`; set the labels of the template to those of spec.selector");
  CHECK(refusal_of(made_by("DaemonSet", "")) ==
        "spec.selector: Required value; set spec.selector.matchLabels to the labels of the "
        "template");
}

}  // namespace gpu::manifest::read_mistake_test
