#include "model/pools/toleration.hpp"

#include <catch2/catch.hpp>

namespace gpu::pools_toleration_test {
namespace {

const Taint kTaint{.key = "team", .value = "a", .effect = "NoSchedule"};

Unavailable life(const std::string& key, const std::string& effect = "NoSchedule") {
  return lifecycle_of(Taint{.key = key, .value = "", .effect = effect});
}

bool is_ill(const std::string& key, const std::string& value = "") {
  return is_health_taint(Taint{.key = key, .value = value, .effect = "NoSchedule"});
}

}  // namespace

TEST_CASE("a toleration covers a taint of its effect, key and value") {
  CHECK(tolerates(Toleration{.op = "Exists"}, kTaint));
  CHECK(tolerates(Toleration{.key = "team", .op = "Exists", .effect = "NoSchedule"}, kTaint));
  CHECK_FALSE(tolerates(Toleration{.key = "team", .op = "Exists", .effect = "NoExecute"}, kTaint));
  CHECK_FALSE(tolerates(Toleration{.key = "other", .op = "Exists"}, kTaint));
  CHECK(tolerates(Toleration{.key = "team", .op = "Equal", .value = "a"}, kTaint));
  CHECK(tolerates(Toleration{.key = "team", .value = "a"}, kTaint));
  CHECK_FALSE(tolerates(Toleration{.key = "team", .value = "b"}, kTaint));
  CHECK_FALSE(tolerates(Toleration{.key = "team", .op = "Gt", .value = "a"}, kTaint));
  CHECK(tolerates(
      std::vector<Toleration>{{.key = "other", .op = "Exists"}, {.key = "team", .op = "Exists"}},
      kTaint));
  CHECK_FALSE(tolerates(std::vector<Toleration>{}, kTaint));
}

TEST_CASE("NoSchedule and NoExecute keep a pod away, in the node's order") {
  Node node{.name = "n"};
  node.taints = {{.key = "c", .value = "", .effect = "NoExecute"},
                 {.key = "b", .value = "", .effect = "PreferNoSchedule"},
                 {.key = "a", .value = "", .effect = "NoSchedule"},
                 {.key = "d", .value = "", .effect = "NoSchedule"}};
  std::string keys;
  for (const Taint* taint : untolerated({{.key = "d", .op = "Exists"}}, node)) keys += taint->key;
  CHECK(keys == "ca");
}

TEST_CASE("taints of Kubernetes and of autoscalers tell what becomes of a node") {
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"})
    CHECK(life(key) == Unavailable::node_not_ready);
  CHECK(life("node.kubernetes.io/unschedulable") == Unavailable::cordoned);
  for (const char* key : {"ToBeDeletedByClusterAutoscaler", "karpenter.sh/disrupted",
                          "node.cloudprovider.kubernetes.io/shutdown"})
    CHECK(life(key) == Unavailable::node_leaving);
  for (const char* key : {"node.kubernetes.io/memory-pressure", "karpenter.sh/unregistered"})
    CHECK(life(key) == Unavailable::node_tainted);
  CHECK(life("team") == Unavailable::none);
  CHECK(life("node.kubernetes.io/not-ready", "NoExecute") == Unavailable::node_not_ready);
  CHECK(life("node.kubernetes.io/not-ready", "PreferNoSchedule") == Unavailable::none);
}

TEST_CASE("a taint of an ill or leaving node is one of health, a cordon and a team's are not") {
  CHECK(is_ill("node.kubernetes.io/not-ready"));
  CHECK(is_ill("karpenter.sh/disrupted"));
  CHECK_FALSE(is_ill("node.kubernetes.io/unschedulable"));
  CHECK(is_ill("Company/GPU-Health"));
  CHECK(is_ill("state", "Draining"));
  CHECK_FALSE(is_ill("team", "healthcare"));
  CHECK_FALSE(is_ill("team", "research"));
}

}  // namespace gpu::pools_toleration_test
