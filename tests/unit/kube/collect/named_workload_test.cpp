#include "kube/collect/named_workload.hpp"
#include "input/files/collect_from_files.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kube/api_stub.hpp"
#include "kube/folder.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::kube::collect_named_workload_test {

using Catch::Contains;
using nlohmann::json;

using namespace gpu::input;
namespace {

using Bodies = std::map<std::string, std::string>;

const std::string kJobs = "/apis/batch/v1/namespaces/ml/jobs";

json object(const std::string& kind, const std::string& name) {
  return {{"kind", kind},
          {"metadata", {{"name", name}, {"namespace", "ml"}, {"uid", "u"}}},
          {"spec", {{"suspend", true}}}};
}

std::string names(const std::vector<std::string>& all, const std::string& ns = "ml") {
  json items = json::array();
  for (const std::string& name : all)
    items.push_back({{"metadata", {{"name", name}, {"namespace", ns}}}});
  return json{{"kind", "PartialObjectMetadataList"}, {"items", items}}.dump();
}

/// What an API server says of an object that it does not have.
void lose(ApiStub& stub, const std::string& path, const std::string& name) {
  stub.fail(path, "404 Not Found",
            json{{"kind", "Status"},
                 {"apiVersion", "v1"},
                 {"code", 404},
                 {"reason", "NotFound"},
                 {"message", "jobs.batch \"" + name + "\" not found"}}
                .dump());
}

Snapshot asked_for(const ApiStub& stub, const std::string& kind, const std::string& name) {
  Needs needs;
  needs.workloads = {{.kind = workload_kind_named(kind), .ns = "ml", .name = name}};
  Snapshot snapshot;
  Client client = stub.client();
  CollectContext reading(client, needs, snapshot);
  read_named_workload(reading);
  return snapshot;
}

std::string refusal_of(const ApiStub& stub, const std::string& kind, const std::string& name) {
  try {
    asked_for(stub, kind, name);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? error.message() + " | " + error.help() : "other kind";
  }
  return "no error";
}

}  // namespace

TEST_CASE("the object is read by its name, in the first version that there is") {
  const ApiStub stub(Bodies{
      {kJobs + "/train", object("Job", "train").dump()},
      {"/apis/kubeflow.org/v1/namespaces/ml/mpijobs/train", object("MPIJob", "train").dump()}});
  const Snapshot job = asked_for(stub, "job", "train");
  REQUIRE(job.scheduling.workload_objects.size() == 1);
  CHECK(job.scheduling.workload_objects[0].is_suspended);
  CHECK(job.gaps.empty());
  const Snapshot mpi = asked_for(stub, "mpijob", "train");
  REQUIRE(mpi.scheduling.workload_objects.size() == 1);
  CHECK(mpi.scheduling.workload_objects[0].api_version == "kubeflow.org/v1");
  CHECK(stub.times("/apis/kubeflow.org/v2beta1/namespaces/ml/mpijobs/train") == 1);
}

TEST_CASE("every kind of the table is asked for where its API has it") {
  for (const WorkloadKind& kind : workload_kinds()) {
    INFO(kind.group << "/" << kind.kind);
    const std::string version(kind.versions.substr(0, kind.versions.find(' ')));
    const std::string root =
        kind.group.empty() ? "/api/" : "/apis/" + std::string(kind.group) + "/";
    const ApiStub stub(Bodies{{root + version + "/namespaces/ml/" + std::string(kind.plural) + "/x",
                               object(std::string(kind.kind), "x").dump()}});
    Needs needs;
    needs.workloads = {{.kind = &kind, .ns = "ml", .name = "x"}};
    Snapshot snapshot;
    Client client = stub.client();
    CollectContext reading(client, needs, snapshot);
    read_named_workload(reading);
    CHECK(snapshot.scheduling.workload_objects.size() == 1);
  }
}

TEST_CASE("an object that does not exist is told with near names and other namespaces") {
  ApiStub near(Bodies{{kJobs, names({"train", "eval"})}, {"/apis/batch/v1/jobs", names({})}});
  lose(near, kJobs + "/trian", "trian");
  CHECK(refusal_of(near, "job", "trian") ==
        "there is no job `trian` in namespace ml | a similar one is `train`");
  ApiStub far(
      Bodies{{kJobs, names({"train2"})}, {"/apis/batch/v1/jobs", names({"train"}, "research")}});
  lose(far, kJobs + "/train", "train");
  CHECK(refusal_of(far, "job", "train") ==
        "there is no job `train` in namespace ml | a job of that name is in research");
  ApiStub blind(Bodies{});
  lose(blind, kJobs + "/x", "x");
  blind.forbid(kJobs, "jobs");
  blind.forbid("/apis/batch/v1/jobs", "jobs");
  CHECK_THAT(refusal_of(blind, "job", "x"), Contains("there is no job `x` in namespace ml"));
}

TEST_CASE("a kind that the API lacks is told apart from an object that is missing") {
  const ApiStub stub(Bodies{});
  CHECK_THAT(refusal_of(stub, "jobset", "x"),
             Contains("the API server has no jobsets.jobset.x-k8s.io, so there is no jobset/x"));
}

TEST_CASE("who may not read the object gets an answer without it") {
  ApiStub stub(Bodies{});
  stub.forbid(kJobs + "/train", "jobs.batch");
  const Snapshot snapshot = asked_for(stub, "job", "train");
  CHECK(snapshot.scheduling.workload_objects.empty());
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps[0].what, Contains("job/train itself cannot be read"));
  CHECK(snapshot.gaps[0].about == GapTopic::scheduling);
}

TEST_CASE("names that a path would take for something else are not asked for") {
  const ApiStub stub(Bodies{});
  CHECK_THAT(refusal_of(stub, "job", ".."), Contains("there is no job `..`"));
  CHECK(stub.asked().empty());
  CHECK_THAT(refusal_of(stub, "job", "a/../../x?y"), Contains("no jobs.batch"));
  CHECK(stub.times(kJobs + "/a%2F..%2F..%2Fx%3Fy") == 1);
}

TEST_CASE("in files the object is found, or the nearest of its kind is named") {
  const test::Folder folder;
  const auto listed = [](const std::vector<json>& items) {
    return json{{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}}.dump();
  };
  json job = object("Job", "train");
  job["apiVersion"] = "batch/v1";
  const json node = {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "a"}}}};
  const json pod = {{"apiVersion", "v1"},
                    {"kind", "Pod"},
                    {"metadata", {{"name", "p"}, {"namespace", "kube-system"}}}};
  folder.write("cluster.json", listed({node, pod, job}));
  Needs needs;
  needs.kinds = kSchedulingKinds;
  needs.keep = [](const Pod&) { return true; };
  const auto read = [&](const std::string& ns, const std::string& name) {
    needs.workloads = {{.kind = workload_kind_named("job"), .ns = ns, .name = name}};
    return collect_from_files(folder.path(), needs);
  };
  CHECK(read("ml", "train").scheduling.workload_objects.size() == 1);
  CHECK(read("", "train").scheduling.workload_objects.size() == 1);
  const auto refused = [&](const std::string& ns, const std::string& name) {
    try {
      read(ns, name);
    } catch (const Error& error) {
      return error.message() + " | " + error.help();
    }
    return std::string("no error");
  };
  CHECK_THAT(refused("ml", "trian"),
             Contains("no job `trian` of namespace ml in ") && Contains("similar one is `train`"));
  CHECK_THAT(refused("research", "train"), Contains("a job of that name is in ml"));
  // Files without Jobs may have left them out.
  folder.write("cluster.json", listed({node, pod}));
  CHECK(refused("ml", "train") == "no error");
}

}  // namespace gpu::kube::collect_named_workload_test
