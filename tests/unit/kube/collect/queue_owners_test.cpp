#include "kube/collect/queue_owners.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "kube/api_stub.hpp"
#include "make.hpp"
#include "model/objects/workload_end.hpp"

namespace gpu::kube::collect_queue_owners_test {

using nlohmann::json;
namespace {

using Bodies = std::map<std::string, std::string>;

constexpr auto kRayJobs = "/apis/ray.io/v1/namespaces/ml/rayjobs/";

OwnerReference ray_job(const std::string& name) {
  return {"RayJob", name, "uid-" + name, "ray.io/v1", true};
}

QueuedWorkload admitted(const OwnerReference& owner, std::int64_t pods = 1) {
  QueuedWorkload workload;
  workload.ns = "ml";
  workload.name = "workload-of-" + owner.name;
  workload.owners = {owner};
  workload.pod_sets = {{.name = "main", .count = pods}};
  workload.conditions = {{.type = "Admitted", .status = "True"}};
  return workload;
}

std::string ended(const std::string& name, const std::string& uid) {
  return json{{"apiVersion", "ray.io/v1"},
              {"kind", "RayJob"},
              {"metadata", {{"name", name}, {"namespace", "ml"}, {"uid", uid}}},
              {"status", {{"jobStatus", ""}, {"jobDeploymentStatus", "ValidationFailed"}}}}
      .dump();
}

Snapshot read(const ApiStub& stub, Snapshot snapshot) {
  const Needs needs;
  Client client = stub.client();
  CollectContext reading(client, needs, snapshot);
  read_queue_owners(reading);
  return snapshot;
}

}  // namespace

TEST_CASE("what holds quota without pods is read, and how it has ended") {
  const ApiStub stub(Bodies{{std::string(kRayJobs) + "tune", ended("tune", "uid-tune")}});
  Snapshot snapshot;
  snapshot.scheduling.workloads = {admitted(ray_job("tune"))};
  snapshot = read(stub, std::move(snapshot));
  REQUIRE(snapshot.scheduling.queue_owners.size() == 1);
  const auto end = end_of(snapshot.scheduling.queue_owners.front());
  REQUIRE(end);
  CHECK(end->has_failed);
  CHECK(snapshot.gaps.empty());
}

TEST_CASE("only owners of workloads that hold quota, and of which no pod is known, are asked for") {
  const ApiStub stub(Bodies{});
  Snapshot snapshot;
  auto& workloads = snapshot.scheduling.workloads;
  QueuedWorkload waiting = admitted(ray_job("waits"));
  waiting.conditions.front().status = "False";
  QueuedWorkload finished = admitted(ray_job("finished"));
  finished.conditions.push_back({.type = "Finished", .status = "True"});
  QueuedWorkload group = admitted(ray_job("first"));
  group.owners.push_back(ray_job("second"));
  workloads = {waiting,
               finished,
               group,
               admitted(ray_job("direct")),
               admitted(ray_job("above")),
               admitted({"Deployment", "web", "uid-web", "apps/v1", true}),
               admitted({"Thing", "t", "uid-t", "example.com/v1", true})};
  Pod direct = make::pod("a", "node-a", 1);
  direct.owners = {ray_job("direct")};
  snapshot.pods = {direct};
  snapshot.controllers["uid-of-a-ray-cluster"] = ray_job("above");
  snapshot = read(stub, std::move(snapshot));
  CHECK(stub.asked().empty());
  CHECK(snapshot.scheduling.queue_owners.empty());
}

TEST_CASE("an AppWrapper, which makes no pods itself, is asked for, too") {
  const ApiStub stub(Bodies{});
  Snapshot snapshot;
  snapshot.scheduling.workloads = {
      admitted({"AppWrapper", "wrap", "uid-wrap", "workload.codeflare.dev/v1beta2", true})};
  read(stub, std::move(snapshot));
  CHECK(stub.times("/apis/workload.codeflare.dev/v1beta2/namespaces/ml/appwrappers/wrap") == 1);
}

TEST_CASE("an object of the same name that came later is not the owner") {
  const ApiStub stub(Bodies{{std::string(kRayJobs) + "tune", ended("tune", "another")}});
  Snapshot snapshot;
  snapshot.scheduling.workloads = {admitted(ray_job("tune"))};
  CHECK(read(stub, std::move(snapshot)).scheduling.queue_owners.empty());
}

TEST_CASE("owners that may not be read, are gone or are broken leave the others as they are") {
  ApiStub stub(Bodies{{std::string(kRayJobs) + "tune", ended("tune", "uid-tune")},
                      {std::string(kRayJobs) + "broken",
                       R"({"kind":"RayJob","metadata":{"name":5},"status":"no object"})"}});
  stub.forbid(std::string(kRayJobs) + "secret", "rayjobs.ray.io");
  Snapshot snapshot;
  snapshot.scheduling.workloads = {admitted(ray_job("secret")), admitted(ray_job("gone")),
                                   admitted(ray_job("broken")), admitted(ray_job("tune"))};
  snapshot = read(stub, std::move(snapshot));
  REQUIRE(snapshot.scheduling.queue_owners.size() == 1);
  CHECK(snapshot.scheduling.queue_owners.front().name == "tune");
}

TEST_CASE("of very many those with the most pods are asked for") {
  const ApiStub stub(Bodies{});
  Snapshot snapshot;
  for (int i = 0; i < 100; ++i)
    snapshot.scheduling.workloads.push_back(admitted(ray_job("j" + std::to_string(i)), i));
  read(stub, std::move(snapshot));
  CHECK(stub.asked().size() == 32);
  CHECK(stub.times(std::string(kRayJobs) + "j99") == 1);
  CHECK(stub.times(std::string(kRayJobs) + "j0") == 0);
}

}  // namespace gpu::kube::collect_queue_owners_test
