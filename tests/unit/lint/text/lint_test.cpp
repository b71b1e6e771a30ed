#include "lint/text/lint.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

namespace gpu::lint::text_lint_test {
namespace {

/// "LINE rule" of each finding.
std::string found(std::string_view text) {
  std::string all;
  for (const PlacedFinding& each : lint_text(text).findings)
    all += (all.empty() ? "" : ", ") + std::to_string(each.line) + " " +
           std::string(each.finding.rule->id);
  return all;
}

std::string pod(const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  tolerations: [{operator: "
         "Exists}]\n" +
         spec;
}

std::string container(const std::string& fields) {
  return pod("  containers:\n  - name: main\n    image: x:1\n" + fields);
}

std::string limits(const std::string& amounts) {
  return container("    resources: {limits: {memory: 1Gi, " + amounts + "}}\n");
}

}  // namespace

TEST_CASE("each rule has a name of its own, a reason and a source") {
  std::set<std::string_view> ids;
  for (const Rule* rule : rules()) {
    CHECK(ids.insert(rule->id).second);
    CHECK(rule->source.starts_with("https://"));
    CHECK(rule->reason.ends_with("."));
    CHECK_FALSE(rule->summary.ends_with("."));
    CHECK(rule_named(rule->id) == rule);
  }
  CHECK(rule_named("no-such-rule") == nullptr);
}

TEST_CASE("GPUs are whole, above 0, and called as device plugins call them") {
  CHECK(found(limits("nvidia.com/gpu: 1")).empty());
  CHECK(found(limits("nvidia.com/gpu: \"1.0\"")).empty());
  CHECK(found(limits("nvidia.com/gpu: 1000m")).empty());
  CHECK(found(limits("nvidia.com/gpu: 0")).empty());
  CHECK(found(limits("nvidia.com/gpu: 500m")) == "9 gpu-not-integer");
  CHECK(found(limits("nvidia.com/gpu: -1")) == "9 gpu-negative");
  CHECK(found(limits("nvidia.com/GPU: 1")) == "9 gpu-name-unknown");
  CHECK(found(limits("gpu: 1")) == "9 gpu-name-unknown");
  CHECK(found(limits("cpu: 1GB")) == "9 quantity-invalid");
}

TEST_CASE("findings stand where their fields are, also in items of Lists and later documents") {
  const std::string list =
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ResourceQuota\n"
      "  metadata: {name: q}\n  spec:\n    hard:\n      nvidia.com/gpu: 4\n";
  CHECK(found(list) == "9 quota-gpu-not-enforced");
  CHECK(found(limits("nvidia.com/gpu: 1") + "---\n" + list) == "19 quota-gpu-not-enforced");
}

TEST_CASE("what the kind's schema lacks is said once, by the rule that knows most") {
  CHECK(found(container("    imagePullPolice: Always\n")) == "9 field-unknown");
  CHECK(found(container("    env: [{name: A, value: 1}]\n")) == "9 env-value-not-text");
}

TEST_CASE("a key that stands twice loses what stands first") {
  CHECK(found(container("    image: y:1\n")) == "9 key-twice");
}

TEST_CASE("YAML of others has no findings, and no objects") {
  for (const char* const text : {"", "services: {web: {image: nginx}}", "- a\n- b", "42",
                                 "apiVersion: kubectl-gpu/v1\nkind: PriceList"}) {
    CHECK(found(text).empty());
    CHECK(lint_text(text).objects == 0);
  }
  CHECK(found("apiVersion: v1\nmetadata: {}") == "1 kind-missing");
}

TEST_CASE("what runs over several pods, serves a node, or may be newer is no error") {
  const std::string gpu = "    resources: {limits: {memory: 1Gi, nvidia.com/gpu: 4}}\n";
  CHECK(found(container(gpu + "    args: [--tensor-parallel-size=8]\n")) ==
        "10 tensor-parallel-above-gpus");
  CHECK(found(container(gpu + "    args: [--tp-size, \"8\", --nnodes, \"2\"]\n")).empty());
  CHECK(found(container(gpu + "    command: [torchrun, --nproc-per-node=8]\n"
                              "    volumeMounts: [{name: shm, mountPath: /dev/shm}]\n") +
              "  volumes: [{name: shm, hostPath: {path: /dev/shm}}]\n") ==
        "10 processes-above-gpus");
  CHECK(found("apiVersion: batch.volcano.sh/v1alpha1\nkind: CronJob\nmetadata: {name: a}").empty());
  CHECK(found("apiVersion: scheduling.k8s.io/v1alpha9\nkind: Workload\nmetadata: {name: a}") ==
        "1 kind-unknown-here");
  CHECK(found("apiVersion: v1\nkind: Config\nclusters: []").empty());
}

TEST_CASE("what is no YAML is one finding") {
  CHECK(found("a: [") == "1 not-yaml");
  CHECK(found(std::string((std::size_t{4} << 20U) + 1, ' ')) == "1 file-too-large");
}

TEST_CASE("fields of any type are no reason to fail") {
  for (const char* const value : {"1", "[]", "{}", "null", "true", "a", "[1, [2], {a: b}]"}) {
    for (const char* const field :
         {"containers", "tolerations", "nodeSelector", "affinity", "volumes", "resources"})
      static_cast<void>(found(pod("  " + std::string(field) + ": " + value + "\n")));
    static_cast<void>(found("apiVersion: v1\nkind: Pod\nmetadata: " + std::string(value) +
                            "\nspec: " + value + "\n"));
  }
}

}  // namespace gpu::lint::text_lint_test
