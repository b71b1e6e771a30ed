#include "manifest/schema/set_field.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "manifest/tree/yaml.hpp"

namespace schema_set_field_test {

using namespace gpu;
using namespace gpu::manifest;

namespace {

Documents job_and_service() {
  return {Tree::map({{"apiVersion", "v1"}, {"kind", "Service"}, {"spec", Tree()}}),
          Tree::map({{"apiVersion", "batch/v1"},
                     {"kind", "Job"},
                     {"spec", Tree::map({{"backoffLimit", 3}})}})};
}

/// The Job after `value` was set at `path`, without its head.
std::string with(std::string_view path, const std::string& value) {
  Documents documents = job_and_service();
  set_field(documents, "Job", path, value);
  const std::string yaml = yaml_of({documents[1]});
  return yaml.substr(yaml.find("kind: Job\n") + 10);
}

std::string refusal(std::string_view path, const std::string& value) {
  Documents documents = job_and_service();
  try {
    set_field(documents, "Job", path, value);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.message() + "; " + error.help();
  }
  return "none";
}

}  // namespace

TEST_CASE("a field is replaced, or created with all above it", "[manifest]") {
  CHECK(with("spec.backoffLimit", "7") == "spec:\n  backoffLimit: 7\n");
  CHECK(with("spec.template.spec.hostNetwork", "true") ==
        "spec:\n  backoffLimit: 3\n  template:\n    spec:\n      hostNetwork: true\n");
  CHECK(with("spec.template.spec.containers[0].image", "a:1") ==
        "spec:\n  backoffLimit: 3\n  template:\n    spec:\n      containers:\n"
        "      - {image: a:1}\n");
}

TEST_CASE("a value is of the type that the field has", "[manifest]") {
  const std::string start = "spec:\n  backoffLimit: 3\n  template:\n    spec:\n      ";
  CHECK(with("spec.template.spec.nodeName", "012") == start + "nodeName: \"012\"\n");
  CHECK(with("spec.template.spec.priority", "12") == start + "priority: 12\n");
  CHECK(with("spec.template.spec.overhead.cpu", "2") == start + "overhead:\n        cpu: 2\n");
  CHECK(with("spec.template.spec.overhead.memory", "2Gi") ==
        start + "overhead:\n        memory: 2Gi\n");
  CHECK(with("spec.template.spec.nodeSelector", "{a: \"1\"}") ==
        start + "nodeSelector: {a: \"1\"}\n");
  CHECK(with("spec.template.spec.tolerations", "[{key: a, operator: Exists}]") ==
        start + "tolerations:\n      - {key: a, operator: Exists}\n");
}

TEST_CASE("names with dots are quoted or escaped", "[manifest]") {
  const std::string expected =
      "spec:\n  backoffLimit: 3\nmetadata:\n  labels:\n    a.b/c: \"on\"\n";
  CHECK(with("metadata.labels[\"a.b/c\"]", "on") == expected);
  CHECK(with("metadata.labels.a\\.b/c", "on") == expected);
}

TEST_CASE("null takes a field away", "[manifest]") {
  CHECK(with("spec.backoffLimit", "null") == "spec: {}\n");
  CHECK(with("spec.completions", "null") == "spec:\n  backoffLimit: 3\n");
}

TEST_CASE("a kind before the path names another object", "[manifest]") {
  Documents documents = job_and_service();
  set_field(documents, "Job", "service/spec.type", "NodePort");
  CHECK(yaml_of({documents[0]}) == "apiVersion: v1\nkind: Service\nspec:\n  type: NodePort\n");
  CHECK(refusal("configmap/data.a", "b") ==
        "--set: the manifest has no object of kind `configmap`; there are service, job");
}

TEST_CASE("a field that the kind does not have is refused with the nearest", "[manifest]") {
  CHECK(refusal("spec.backofLimit", "1") ==
        "--set spec.backofLimit: there is no field `backofLimit`; a similar one is `backoffLimit`");
  CHECK(refusal("spec.template.spec.containers[0].resources.limit.cpu", "1")
            .find("there is no field `limit`; a similar one is `limits`") != std::string::npos);
  CHECK(refusal("spec.template.spec.tolerations", "[{keys: a}]").find("`keys`") !=
        std::string::npos);
}

TEST_CASE("a value of another type is refused", "[manifest]") {
  CHECK(refusal("spec.backoffLimit", "x") ==
        "--set spec.backoffLimit: `x` is not a whole number; ");
  CHECK(refusal("spec.suspend", "yes") == "--set spec.suspend: `yes` is not true or false; ");
  CHECK(refusal("spec.template", "x") == "--set spec.template: `x` is not an object; ");
  CHECK(refusal("spec.template.spec.containers", "{a: 1}").find("is not a list") !=
        std::string::npos);
  CHECK(refusal("spec[0]", "1").find("[0] stands where there is an object") != std::string::npos);
  CHECK(refusal("spec.backoffLimit.x", "1").find("x stands where there is a whole number") !=
        std::string::npos);
}

TEST_CASE("what is no path, or no place in a list, is refused", "[manifest]") {
  for (const std::string path : {"", ".", "spec.", "spec..x", "spec[", "spec[x]", "spec[-1]"})
    CHECK(refusal(path, "1").find("is no path") != std::string::npos);
  CHECK(refusal("spec.template.spec.containers[1].image", "a").find("the list has 0 items") !=
        std::string::npos);
}

}  // namespace schema_set_field_test
