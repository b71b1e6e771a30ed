#include "lint/text/fix.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace gpu::lint::text_fix_test {
namespace {

std::string pod(const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n" + spec;
}

const std::string kTolerated = "  tolerations: [{operator: Exists}]\n";

std::string fixed(const std::string& spec) {
  return fixed_text(pod(kTolerated + spec)).text.substr(pod(kTolerated).size());
}

}  // namespace

TEST_CASE("a limit is added to a map in braces and to one in lines, and comments stay") {
  CHECK(fixed("  containers:\n  - name: a\n    image: x:1\n    resources:\n"
              "      requests: {nvidia.com/gpu: 2}  # two\n      limits: {memory: 1Gi}\n") ==
        "  containers:\n  - name: a\n    image: x:1\n    resources:\n"
        "      requests: {nvidia.com/gpu: 2}  # two\n"
        "      limits: {nvidia.com/gpu: 2, memory: 1Gi}\n");
  CHECK(fixed("  containers:\n  - name: a\n    image: x:1\n    resources:\n"
              "      requests:\n        nvidia.com/gpu: 2\n      limits:\n"
              "        # of the node\n        memory: 1Gi\n") ==
        "  containers:\n  - name: a\n    image: x:1\n    resources:\n"
        "      requests:\n        nvidia.com/gpu: 2\n      limits:\n"
        "        # of the node\n        nvidia.com/gpu: 2\n        memory: 1Gi\n");
}

TEST_CASE("a list is begun, and grows in its own form") {
  const std::string containers =
      "  containers: [{name: a, image: \"x:1\", resources: {limits: {memory: 1Gi, nvidia.com/gpu: "
      "1}}}]\n";
  const std::string wanted = "{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}";
  CHECK(fixed_text(pod(containers)).text == pod("  tolerations: [" + wanted + "]\n" + containers));
  CHECK(fixed_text(pod("  tolerations:\n  - {key: a, operator: Exists}\n" + containers)).text ==
        pod("  tolerations:\n  - " + wanted + "\n  - {key: a, operator: Exists}\n" + containers));
}

TEST_CASE("a scalar is quoted as it is written") {
  CHECK(fixed("  containers:\n  - name: a\n    image: x:1\n    env: [{name: B, value: yes}]\n") ==
        "  containers:\n  - name: a\n    image: x:1\n    env: [{name: B, value: \"yes\"}]\n");
  CHECK(fixed("  containers:\n  - name: a\n    image: x:1\n    env:\n    - name: B\n"
              "      value: 010 # octal\n") ==
        "  containers:\n  - name: a\n    image: x:1\n    env:\n    - name: B\n"
        "      value: \"010\" # octal\n");
}

TEST_CASE("a quoted scalar is replaced as a whole") {
  const std::string start =
      "  containers:\n  - name: a\n    image: x:1\n  volumes:\n  - name: v\n    emptyDir: ";
  CHECK(fixed(start + "{medium: \"memory\", sizeLimit: 1Gi}\n") ==
        start + "{medium: Memory, sizeLimit: 1Gi}\n");
  CHECK(fixed(start + "{medium: 'memory'}  # it's memory\n") ==
        start + "{medium: Memory}  # it's memory\n");
}

TEST_CASE("a key is renamed, and its value stays") {
  CHECK(fixed("  containers:\n  - name: a\n    image: x:1\n    resources:\n"
              "      limits: {nvidia.com/gpus: 1, memory: 1Gi}\n") ==
        "  containers:\n  - name: a\n    image: x:1\n    resources:\n"
        "      limits: {nvidia.com/gpu: 1, memory: 1Gi}\n");
}

TEST_CASE("an item is taken away with its lines, and one in braces with its comma") {
  const std::string start =
      "  containers:\n  - name: a\n    image: x:1\n    resources: {limits: {memory: 1Gi, "
      "nvidia.com/gpu: 1}}\n";
  CHECK(fixed(start + "    env:\n    - name: NVIDIA_VISIBLE_DEVICES  # why\n      value: all\n"
                      "      # of B\n    - name: B\n      value: c\n") ==
        start + "    env:\n      # of B\n    - name: B\n      value: c\n");
  CHECK(fixed(start +
              "    env: [{name: B, value: c}, {name: NVIDIA_VISIBLE_DEVICES, value: all}]\n") ==
        start + "    env: [{name: B, value: c}]\n");
}

TEST_CASE("lines end as the others of the file do") {
  CHECK(fixed("  containers:\r\n  - name: a\r\n    image: x:1\r\n    resources:\r\n"
              "      requests: {nvidia.com/gpu: 1}\r\n      limits:\r\n        memory: 1Gi\r\n") ==
        "  containers:\r\n  - name: a\r\n    image: x:1\r\n    resources:\r\n"
        "      requests: {nvidia.com/gpu: 1}\r\n      limits:\r\n        nvidia.com/gpu: 1\r\n"
        "        memory: 1Gi\r\n");
}

TEST_CASE("a map that is missing above the field is written, too") {
  const std::string start = pod(kTolerated + "  containers:\n  - name: a\n    image: x:1\n");
  CHECK(fixed_text(start + "    resources:\n      requests: {nvidia.com/gpu: 1}\n").text ==
        start +
            "    resources:\n      limits: {nvidia.com/gpu: 1}\n"
            "      requests: {nvidia.com/gpu: 1}\n");
}

TEST_CASE("what cannot be written without changing more stays as it is") {
  // The anchor's value is used elsewhere, too.
  const std::string text = pod(kTolerated +
                               "  containers:\n  - &a\n    name: a\n    image: x:1\n    resources: "
                               "&r {requests: {nvidia.com/gpu: 1}, limits: {memory: 1Gi}}\n"
                               "  - name: b\n    image: x:1\n    resources: *r\n");
  const FixedText fixed = fixed_text(text);
  CHECK(fixed.text == text);
  CHECK(fixed.mended == 0);
  CHECK(fixed.refused == std::vector<std::string>{"gpu-limit-missing"});
}

TEST_CASE("JSON and what is no YAML stay as they are") {
  for (const std::string text : {"{\"apiVersion\": \"v1\"}", "a: [", "", "\t"})
    CHECK(fixed_text(text).text == text);
}

}  // namespace gpu::lint::text_fix_test
