#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "input/files/collect_from_files.hpp"
#include "kube/collect/collect.hpp"
#include "kube/folder.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::input::files_collect_from_files_test {

using Catch::Contains;
using gpu::test::Folder;
using nlohmann::json;

using namespace gpu::kube;
namespace {

json object(const std::string& api_version, const std::string& kind, const std::string& ns,
            const std::string& name) {
  json result = {{"apiVersion", api_version},
                 {"kind", kind},
                 {"metadata", {{"name", name}, {"uid", "uid-" + name}}}};
  if (!ns.empty()) result["metadata"]["namespace"] = ns;
  return result;
}

void control(json& owned, const std::string& kind, const std::string& name,
             const std::string& api_version) {
  owned["metadata"]["ownerReferences"] = {{{"kind", kind},
                                           {"name", name},
                                           {"uid", "uid-" + name},
                                           {"apiVersion", api_version},
                                           {"controller", true}}};
}

json node(const std::string& name, const std::string& gpus) {
  json result = object("v1", "Node", "", name);
  result["metadata"]["labels"] = {{"nvidia.com/gpu.present", "true"},
                                  {"nvidia.com/gpu.count", "4"}};
  if (!gpus.empty())
    result["status"]["capacity"] = result["status"]["allocatable"] = {{"nvidia.com/gpu", gpus}};
  return result;
}

json pod(const std::string& ns, const std::string& name, const std::string& node_name) {
  json result = object("v1", "Pod", ns, name);
  result["spec"] =
      json::parse(R"({"containers": [{"resources": {"requests": {"nvidia.com/gpu": "1"}}}]})");
  result["spec"]["nodeName"] = node_name;
  result["status"]["phase"] = node_name.empty() ? "Pending" : "Running";
  return result;
}

json slice(const std::string& version, const std::string& name, const std::string& driver) {
  json result = object("resource.k8s.io/" + version, "ResourceSlice", "", name);
  result["spec"] = json::parse(R"({"nodeName": "a", "devices": [{"name": "gpu-0"}]})");
  result["spec"]["driver"] = driver;
  return result;
}

json claim(const std::string& ns, const std::string& name) {
  return object("resource.k8s.io/v1", "ResourceClaim", ns, name);
}

Snapshot read(const std::vector<json>& items, const Needs& needs) {
  const Folder folder;
  const json list = {{"kind", "List"}, {"apiVersion", "v1"}, {"items", items}};
  return collect_from_files(folder.write("cluster.json", list.dump()), needs);
}

Needs keep_all() {
  Needs needs;
  needs.keep = [](const Pod&) { return true; };
  needs.waiting_pods = true;
  return needs;
}

const json kSystemPod = pod("kube-system", "dns", "a");

}  // namespace

TEST_CASE("devices of DRA are read from files of every version, each object once") {
  const std::string version = GENERATE("v1", "v1beta2", "v1beta1");
  const Snapshot snapshot =
      read({node("a", ""), kSystemPod, slice(version, "s2", "gpu.nvidia.com"),
            slice(version, "s1", "gpu.nvidia.com"), slice(version, "s1", "gpu.nvidia.com"),
            slice(version, "nic", "nic.example.com"), claim("ml", "c"), claim("ml", "c"),
            claim("kube-system", "c"), object("resource.k8s.io/v1", "DeviceClass", "", "gpu")},
           keep_all());
  REQUIRE(snapshot.slices.size() == 2);
  CHECK(snapshot.slices[0].name == "s1");
  REQUIRE(snapshot.claims.size() == 2);
  CHECK(snapshot.claims[0].ns == "kube-system");
  CHECK(snapshot.device_classes.size() == 1);
  CHECK(snapshot.slice_coverage == Coverage::whole);
  CHECK(snapshot.claim_coverage == Coverage::whole);
}

TEST_CASE("finished pods of files are kept, and not counted") {
  json done = pod("ml", "done", "a");
  done["status"]["phase"] = "Succeeded";
  const Snapshot snapshot =
      read({node("a", "4"), kSystemPod, pod("ml", "runs", "a"), done}, keep_all());
  REQUIRE(snapshot.pods.size() == 3);
  CHECK(snapshot.pods[1].phase == "Succeeded");
  REQUIRE(sums_of(snapshot, "a") != nullptr);
  CHECK(sums_of(snapshot, "a")->pods == 2);
}

TEST_CASE("Jobs of files are read whole, and owners are climbed through them") {
  json job = object("batch/v1", "Job", "ml", "train");
  job["spec"]["parallelism"] = 3;
  control(job, "CronJob", "nightly", "batch/v1");
  json owned = pod("ml", "train-x", "a");
  control(owned, "Job", "train", "batch/v1");
  Needs needs = keep_all();
  needs.owners = true;
  needs.kinds = kCostKinds;
  const Snapshot snapshot = read({node("a", "4"), kSystemPod, owned, job}, needs);
  REQUIRE(snapshot.scheduling.jobs.size() == 1);
  CHECK(snapshot.scheduling.jobs[0].parallelism == 3);
  CHECK(coverage_of(snapshot.scheduling, "jobs") == Coverage::whole);
  CHECK(top_owner(snapshot.pods[1], snapshot).name == "nightly");
}

TEST_CASE("an object without a name is a damaged file") {
  const json nameless = GENERATE(node("", "8"), pod("ml", "", "a"),
                                 slice("v1", "", "gpu.nvidia.com"), claim("ml", ""));
  CHECK_THROWS_WITH(
      read({node("a", "8"), nameless}, keep_all()),
      Contains("at item 2") && Contains(nameless["kind"].get<std::string>() + ": metadata.name"));
}

TEST_CASE("a file without devices says nothing of DRA only where that matters") {
  CHECK(read({node("a", "8"), kSystemPod}, keep_all()).slice_coverage == Coverage::whole);
  const Snapshot lacking = read({node("a", ""), kSystemPod}, keep_all());
  CHECK(lacking.slice_coverage == Coverage::none);
  CHECK(lacking.claim_coverage == Coverage::none);
}

TEST_CASE(
    "of claims, slices and classes a file may hold one kind, and says nothing of the others") {
  json waits = pod("ml", "waits", "");
  waits["spec"]["resourceClaims"] = {{{"name", "gpu"}, {"resourceClaimName", "c"}}};
  const json device_class = object("resource.k8s.io/v1", "DeviceClass", "", "gpu");
  const Snapshot claims = read({node("a", "8"), kSystemPod, waits, claim("ml", "c")}, keep_all());
  CHECK(claims.claim_coverage == Coverage::whole);
  CHECK(claims.slice_coverage == Coverage::none);
  const Snapshot slices =
      read({node("a", "8"), kSystemPod, waits, slice("v1", "s", "gpu.nvidia.com"), device_class},
           keep_all());
  CHECK(slices.claim_coverage == Coverage::none);
  CHECK(slices.slice_coverage == Coverage::whole);
  // Nor do claims and a class tell that slices were asked for.
  CHECK(read({node("a", "8"), kSystemPod, waits, claim("ml", "c"), device_class}, keep_all())
            .slice_coverage == Coverage::none);
  CHECK(read({node("a", "8"), kSystemPod, device_class}, keep_all()).slice_coverage ==
        Coverage::none);
}

TEST_CASE("of one namespace, other pods and claims of a file are left out") {
  Needs needs = keep_all();
  needs.only_namespace = "ml";
  const Snapshot snapshot =
      read({node("a", "8"), kSystemPod, pod("ml", "x", "a"), pod("ml", "waits", ""),
            slice("v1", "s", "gpu.nvidia.com"), claim("ml", "c"), claim("other", "c")},
           needs);
  CHECK(snapshot.pods.size() == 2);
  CHECK(snapshot.claims.size() == 1);
  CHECK(snapshot.pod_coverage == Coverage::partial);
  CHECK(snapshot.claim_coverage == Coverage::partial);
  CHECK(snapshot.node_coverage == Coverage::whole);
  REQUIRE(snapshot.waiting);
  CHECK(snapshot.waiting->pods == 1);
  CHECK(snapshot.gaps.empty());
}

TEST_CASE("a file of one namespace answers for that one") {
  Needs needs = keep_all();
  const std::vector<json> items = {node("a", "8"), pod("ml", "x", "a")};
  CHECK(read(items, needs).gaps.size() == 1);
  needs.only_namespace = "ml";
  CHECK(read(items, needs).gaps.empty());
  needs.only_namespace = "other";
  const Snapshot other = read(items, needs);
  CHECK(other.gaps.size() == 1);
  CHECK_FALSE(other.waiting);
}

TEST_CASE("an answer about pods needs no nodes in a file") {
  Needs needs = keep_all();
  needs.may_lack_nodes = true;
  needs.node_names = {"a"};
  const Snapshot snapshot = read({pod("ml", "x", "a"), pod("kube-system", "y", "b")}, needs);
  CHECK(snapshot.node_coverage == Coverage::none);
  CHECK(snapshot.pods.size() == 2);
  CHECK_THAT(snapshot.gaps.at(0).what, Contains("models and sharing of GPUs are unknown"));
  CHECK_THROWS_WITH(read({}, needs), Contains("holds no nodes"));
}

TEST_CASE("pods of one namespace need no nodes in a file") {
  Needs needs = keep_all();
  CHECK_THROWS_WITH(read({pod("ml", "x", "a")}, needs), Contains("holds no nodes"));
  needs.only_namespace = "ml";
  const Snapshot snapshot = read({pod("ml", "x", "a")}, needs);
  CHECK(snapshot.node_coverage == Coverage::none);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps[0].what, Contains("no nodes in"));
}

TEST_CASE("owners are read from objects of every workload kind, and from metadata") {
  json x = pod("ml", "x", "a");
  control(x, "ReplicaSet", "rs", "apps/v1");
  json set = object("apps/v1", "ReplicaSet", "ml", "rs");
  control(set, "Deployment", "web", "apps/v1");
  json web = object("meta.k8s.io/v1", "PartialObjectMetadata", "ml", "web");
  control(web, "InferenceService", "model", "serving.kserve.io/v1beta1");
  const std::vector<json> items = {node("a", "8"),
                                   kSystemPod,
                                   x,
                                   set,
                                   web,
                                   object("apps/v1", "ReplicaSet", "ml", "of-nobody"),
                                   object("v1", "Secret", "ml", "secret")};
  Needs needs = keep_all();
  CHECK(read(items, needs).controllers.empty());
  needs.owners = true;
  const Snapshot snapshot = read(items, needs);
  CHECK(snapshot.controllers.size() == 2);
  const auto found = std::find_if(snapshot.pods.begin(), snapshot.pods.end(),
                                  [](const Pod& each) { return each.name == "x"; });
  REQUIRE(found != snapshot.pods.end());
  CHECK(top_owner(*found, snapshot).name == "model");
}

TEST_CASE("a pod that is not kept still leads to its owners") {
  json worker = pod("ml", "worker", "a");
  control(worker, "Pod", "leader", "v1");
  json leader = pod("ml", "leader", "a");
  control(leader, "SparkApplication", "app", "sparkoperator.k8s.io/v1beta2");
  Needs needs;
  needs.keep = [](const Pod& each) { return each.name == "worker"; };
  needs.owners = true;
  const Snapshot snapshot = read({node("a", "8"), kSystemPod, worker, leader}, needs);
  REQUIRE(snapshot.pods.size() == 1);
  CHECK(top_owner(snapshot.pods[0], snapshot).name == "app");
}

TEST_CASE("an owner whose name is no text is refused, and the place is named") {
  json job = object("batch/v1", "Job", "ml", "train");
  job["metadata"]["name"] = 7;
  job["spec"] = {{"parallelism", 2}};
  Needs needs = keep_all();
  needs.kinds_of_all_pods = needs.owners = true;
  needs.kinds = {ObjectKind::event};
  CHECK_THROWS_WITH(read({node("a", "8"), kSystemPod, job}, needs),
                    Contains("(at item 3): object: metadata.name: expected a string, got number"));
}

}  // namespace gpu::input::files_collect_from_files_test
