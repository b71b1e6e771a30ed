#include "kube/collect/owners.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "kube/api_stub.hpp"
#include "make.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::kube::collect_owners_test {

using Catch::Contains;
using nlohmann::json;
namespace {

using Bodies = std::map<std::string, std::string>;

std::string apps(const std::string& ns, const std::string& rest) {
  return "/apis/apps/v1/namespaces/" + ns + rest;
}

OwnerReference controller(const std::string& kind, const std::string& name,
                          const std::string& api_version) {
  return {kind, name, "uid-" + name, api_version, true};
}

Pod controlled(const std::string& name, const OwnerReference& owner, const std::string& ns = "ml") {
  Pod pod = make::pod(name, "node-a", 1);
  pod.ns = ns;
  pod.uid = "uid-" + name;
  pod.owners = {owner};
  return pod;
}

/// A PartialObjectMetadata; without a kind it has no controller.
json metadata(const std::string& name, const std::string& kind = {}, const std::string& owner = {},
              const std::string& api_version = {}) {
  json object = {{"kind", "PartialObjectMetadata"},
                 {"metadata", {{"name", name}, {"uid", "uid-" + name}}}};
  if (!kind.empty())
    object["metadata"]["ownerReferences"] = {{{"kind", kind},
                                              {"name", owner},
                                              {"uid", "uid-" + owner},
                                              {"apiVersion", api_version},
                                              {"controller", true}}};
  return object;
}

std::string metadata_list(const std::vector<json>& items) {
  return json{{"kind", "PartialObjectMetadataList"}, {"items", items}}.dump();
}

Snapshot walked(const ApiStub& stub, std::vector<Pod> pods, const Needs& needs = {}) {
  Snapshot snapshot;
  snapshot.pods = std::move(pods);
  Client client = stub.client();
  CollectContext reading(client, needs, snapshot);
  read_owners(reading);
  return snapshot;
}

std::string top(const Snapshot& snapshot, std::size_t pod = 0) {
  const Owner owner = top_owner(snapshot.pods.at(pod), snapshot);
  return owner.kind + "/" + owner.name;
}

}  // namespace

TEST_CASE("the climb ends at an object that nothing controls") {
  const ApiStub stub(Bodies{{apps("ml", "/replicasets/web-5d"),
                             metadata("web-5d", "Deployment", "web", "apps/v1").dump()},
                            {apps("ml", "/deployments/web"), metadata("web").dump()}});
  const Snapshot snapshot =
      walked(stub, {controlled("x", controller("ReplicaSet", "web-5d", "apps/v1")),
                    controlled("y", controller("ReplicaSet", "web-5d", "apps/v1"))});
  CHECK(top(snapshot) == "Deployment/web");
  CHECK(snapshot.controllers.at("uid-web") == std::nullopt);
  CHECK(snapshot.gaps.empty());
  const auto asked = stub.asked();
  REQUIRE(asked.size() == 2);
  for (const ApiStub::ResourceRequest& each : asked)
    CHECK(each.accept == "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
}

TEST_CASE("kinds that nothing controls, and unknown ones, are not asked for") {
  const ApiStub stub(Bodies{});
  const Snapshot snapshot = walked(
      stub, {controlled("a", controller("CronJob", "c", "batch/v1")),
             controlled("b", controller("Thing", "t", "example.com/v1")),
             controlled("c", controller("Node", "node-a", "v1")), make::pod("d", "node-a", 1)});
  CHECK(stub.asked().empty());
  CHECK(snapshot.controllers.empty());
  CHECK(top(snapshot, 1) == "Thing/t");
}

TEST_CASE("many objects of a kind are listed by namespace, of many namespaces at once") {
  const auto pods_in = [](int namespaces) {
    std::vector<Pod> pods;
    for (int i = 0; i < 20; ++i) {
      const std::string number = std::to_string(i);
      pods.push_back(controlled("p" + number, controller("ReplicaSet", "rs" + number, "apps/v1"),
                                "ns" + std::to_string(i % namespaces)));
    }
    return pods;
  };
  std::vector<json> sets;
  for (int i = 0; i < 20; ++i)
    sets.push_back(metadata("rs" + std::to_string(i), "Rollout", "r", "argoproj.io/v1alpha1"));
  sets.push_back(metadata("of-nobody-we-know"));
  Bodies served = {{"/apis/apps/v1/replicasets", metadata_list(sets)}};
  for (int i = 0; i < 8; ++i)
    served[apps("ns" + std::to_string(i), "/replicasets")] = metadata_list(sets);
  const ApiStub stub(served);
  SECTION("8 namespaces") {
    const Snapshot snapshot = walked(stub, pods_in(8));
    CHECK(top(snapshot, 19) == "Rollout/r");
    CHECK(stub.asked().size() == 8);
    CHECK(stub.asked().front().accept ==
          "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
    CHECK(snapshot.controllers.size() == 20);
  }
  SECTION("9 namespaces") {
    const Snapshot snapshot = walked(stub, pods_in(9));
    CHECK(top(snapshot, 19) == "Rollout/r");
    CHECK(stub.asked().size() == 1);
  }
}

TEST_CASE("an object that is gone ends the climb without a word") {
  ApiStub stub(Bodies{});
  stub.fail(apps("ml", "/replicasets/web-5d"), "404 Not Found",
            R"({"kind":"Status","status":"Failure","reason":"NotFound","code":404,
                "message":"replicasets.apps \"web-5d\" not found"})");
  const Snapshot snapshot =
      walked(stub, {controlled("x", controller("ReplicaSet", "web-5d", "apps/v1"))});
  CHECK(top(snapshot) == "ReplicaSet/web-5d");
  CHECK(snapshot.gaps.empty());
  CHECK(stub.asked().size() == 1);
}

TEST_CASE("an object of the same name that is another one says nothing") {
  json other = metadata("web-5d", "Deployment", "web", "apps/v1");
  other["metadata"]["uid"] = "uid-of-a-later-one";
  const ApiStub stub(Bodies{{apps("ml", "/replicasets/web-5d"), other.dump()}});
  CHECK(walked(stub, {controlled("x", controller("ReplicaSet", "web-5d", "apps/v1"))})
            .controllers.empty());
}

TEST_CASE("older versions of an API are tried where the newest is not served") {
  const ApiStub stub(
      Bodies{{"/apis/kubeflow.org/v1/namespaces/ml/mpijobs/train", metadata("train").dump()}});
  const Snapshot snapshot =
      walked(stub, {controlled("x", controller("MPIJob", "train", "kubeflow.org/v1"))});
  CHECK(snapshot.controllers.contains("uid-train"));
  CHECK(stub.times("/apis/kubeflow.org/v2beta1/namespaces/ml/mpijobs/train") == 1);
  const ApiStub none(Bodies{});
  CHECK(walked(none, {controlled("x", controller("MPIJob", "train", "kubeflow.org/v1"))})
            .gaps.empty());
  CHECK(none.asked().size() == 2);
}

TEST_CASE("a kind that may not be read is one gap that names it") {
  ApiStub stub(Bodies{
      {apps("ml", "/statefulsets/s"), metadata("s", "Notebook", "n", "kubeflow.org/v1").dump()}});
  for (const char* name : {"a", "b"})
    stub.forbid(apps("ml", std::string("/replicasets/") + name), "replicasets");
  const Snapshot snapshot =
      walked(stub, {controlled("x", controller("ReplicaSet", "a", "apps/v1")),
                    controlled("y", controller("ReplicaSet", "b", "apps/v1")),
                    controlled("z", controller("StatefulSet", "s", "apps/v1"))});
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps[0].what, Contains("replicasets.apps"));
  CHECK_THAT(snapshot.gaps[0].why, Contains("replicasets is forbidden"));
  CHECK(top(snapshot, 0) == "ReplicaSet/a");
  CHECK(top(snapshot, 2) == "Notebook/n");
}

TEST_CASE("kinds that may not be read are one gap, and one role") {
  ApiStub stub(Bodies{});
  const auto refuse = [&](const std::string& path, const std::string& resource,
                          const std::string& ns) {
    stub.fail(path, "403 Forbidden",
              R"({"kind":"Status","code":403,"reason":"Forbidden","message":")" + resource +
                  R"( is forbidden: User \"jo\" cannot get resource \")" + resource +
                  R"(\" in API group \"apps\" in the namespace \")" + ns + R"(\""})");
  };
  refuse(apps("ml", "/replicasets/a"), "replicasets", "ml");
  refuse(apps("ml", "/statefulsets/b"), "statefulsets", "ml");
  refuse(apps("web", "/statefulsets/c"), "statefulsets", "web");
  std::vector<Pod> pods = {controlled("x", controller("ReplicaSet", "a", "apps/v1")),
                           controlled("y", controller("StatefulSet", "b", "apps/v1"))};
  const Snapshot one = walked(stub, pods);
  REQUIRE(one.gaps.size() == 1);
  CHECK_THAT(one.gaps[0].what, Contains("replicasets.apps") && Contains("statefulsets.apps"));
  CHECK_THAT(one.gaps[0].help, Contains("kubectl create role kubectl-gpu-owners -n ml "
                                        "--verb=get,list --resource=") &&
                                   Contains("replicasets.apps") && Contains("statefulsets.apps"));
  pods.push_back(controlled("z", controller("StatefulSet", "c", "apps/v1"), "web"));
  const Snapshot two = walked(stub, pods);
  REQUIRE(two.gaps.size() == 1);
  CHECK_THAT(two.gaps[0].help,
             Contains("kubectl create clusterrole kubectl-gpu-owners --verb=get,list") &&
                 !Contains(" -n "));
}

TEST_CASE("a broken conversion of one kind is a gap, not the end") {
  ApiStub stub(Bodies{});
  stub.fail("/apis/ray.io/v1/namespaces/ml/rayclusters/r", "500 Internal Server Error",
            R"({"kind":"Status","code":500,"message":"conversion webhook failed"})");
  const Snapshot snapshot =
      walked(stub, {controlled("x", controller("RayCluster", "r", "ray.io/v1"))});
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps[0].why, Contains("conversion webhook failed"));
}

TEST_CASE("a pod that controls others is not asked for when it was kept") {
  const Pod leader = controlled("lws-0", controller("StatefulSet", "lws", "apps/v1"));
  // The set of the workers has the name of the leading pod, and another uid.
  OwnerReference workers = controller("StatefulSet", "lws-0", "apps/v1");
  workers.uid = "uid-workers";
  json set = metadata("lws-0", "Pod", "lws-0", "v1");
  set["metadata"]["uid"] = "uid-workers";
  const ApiStub served(
      Bodies{{apps("ml", "/statefulsets/lws-0"), set.dump()},
             {apps("ml", "/statefulsets/lws"),
              metadata("lws", "LeaderWorkerSet", "lws-top", "leaderworkerset.x-k8s.io/v1").dump()},
             {"/apis/leaderworkerset.x-k8s.io/v1/namespaces/ml/leaderworkersets/lws-top",
              metadata("lws-top").dump()},
             {"/api/v1/namespaces/ml/pods/lws-0",
              metadata("lws-0", "StatefulSet", "lws", "apps/v1").dump()}});
  const Snapshot kept = walked(served, {controlled("lws-0-1", workers), leader});
  CHECK(top(kept, 0) == "LeaderWorkerSet/lws-top");
  CHECK(served.times("/api/v1/namespaces/ml/pods/lws-0") == 0);
  CHECK(top(walked(served, {controlled("lws-0-1", workers)})) == "LeaderWorkerSet/lws-top");
  CHECK(served.times("/api/v1/namespaces/ml/pods/lws-0") == 1);
}

TEST_CASE("owners that own each other are asked for once") {
  const ApiStub stub(
      Bodies{{apps("ml", "/replicasets/a"), metadata("a", "Deployment", "b", "apps/v1").dump()},
             {apps("ml", "/deployments/b"), metadata("b", "ReplicaSet", "a", "apps/v1").dump()}});
  walked(stub, {controlled("x", controller("ReplicaSet", "a", "apps/v1"))});
  CHECK(stub.asked().size() == 2);
}

TEST_CASE("what is told of an owner has its own kind") {
  const ApiStub stub(Bodies{{apps("ml", "/replicasets/a"), metadata("a").dump()}});
  Needs needs;
  json told;
  needs.on_object = [&](const json& object, std::string_view version, std::string_view kind) {
    told = object;
    CHECK(version == "apps/v1");
    CHECK(kind == "ReplicaSet");
  };
  walked(stub, {controlled("x", controller("ReplicaSet", "a", "apps/v1"))}, needs);
  CHECK(told["kind"] == "ReplicaSet");
  CHECK(told["apiVersion"] == "apps/v1");
  CHECK(told["metadata"]["uid"] == "uid-a");
}

TEST_CASE("of owners in a file, those stay that the climb would have read") {
  Snapshot snapshot;
  snapshot.pods = {controlled("x", controller("ReplicaSet", "a", "apps/v1"))};
  snapshot.controllers = {{"uid-a", controller("CronJob", "c", "batch/v1")},
                          {"uid-c", controller("Thing", "t", "example.com/v1")},
                          {"uid-other", std::nullopt}};
  keep_owners_of_pods(snapshot);
  CHECK(snapshot.controllers.size() == 1);
  CHECK(top(snapshot) == "CronJob/c");
}

TEST_CASE("a ReplicaSet that was not read is named after its Deployment and the pods' hash") {
  Snapshot snapshot;
  Pod pod = controlled("x", controller("ReplicaSet", "web-api-5d4f", "apps/v1"));
  pod.labels.set("pod-template-hash", "5d4f");
  snapshot.pods = {pod};
  infer_deployments(snapshot);
  CHECK(top(snapshot) == "Deployment/web-api");
  snapshot.controllers = {{"uid-web-api-5d4f", controller("Rollout", "r", "argoproj.io/v1alpha1")}};
  infer_deployments(snapshot);
  CHECK(top(snapshot) == "Rollout/r");
  snapshot.controllers.clear();
  snapshot.pods.front().labels.set("pod-template-hash", "77");
  infer_deployments(snapshot);
  CHECK(top(snapshot) == "ReplicaSet/web-api-5d4f");
}

}  // namespace gpu::kube::collect_owners_test
