#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "input/files/collect_from_files.hpp"
#include "input/snapshot/writer.hpp"
#include "kube/api_stub.hpp"
#include "kube/collect/collect.hpp"
#include "kube/folder.hpp"

namespace gpu::kube::collect_scheduling_facts_test {

using Catch::Contains;
using nlohmann::json;

using namespace gpu::input;
namespace {

using Items = std::vector<json>;
using Bodies = std::map<std::string, std::string>;

constexpr const char* kVolumeClaims = "/api/v1/persistentvolumeclaims";
constexpr const char* kEventsOfMl = "/api/v1/namespaces/ml/events";
constexpr const char* kQuotas = "/api/v1/resourcequotas";

json named(const std::string& ns, const std::string& name) {
  json result = {{"metadata", {{"name", name}, {"uid", "uid-" + name}}}};
  if (!ns.empty()) result["metadata"]["namespace"] = ns;
  return result;
}

void serve(Bodies& bodies, const std::string& path, const std::string& kind, const Items& items) {
  bodies[path] =
      json{{"kind", kind + "List"}, {"metadata", json::object()}, {"items", items}}.dump();
}

json waiting_pod() {
  json pod = named("ml", "waits");
  pod["spec"] = json::parse(R"({"volumes": [{"name": "v", "persistentVolumeClaim":
      {"claimName": "data"}}], "resourceClaims": [{"name": "gpu",
      "resourceClaimTemplateName": "one"}]})");
  pod["status"]["phase"] = "Pending";
  return pod;
}

/// A CPU node, a pod that runs there, and `waiting` pods.
Bodies cluster(const Items& waiting) {
  Bodies bodies;
  serve(bodies, "/api/v1/nodes", "Node", {named("", "a")});
  json runs = named("web", "runs");
  runs["spec"]["nodeName"] = "a";
  Items pods = waiting;
  pods.push_back(runs);
  serve(bodies, "/api/v1/pods", "Pod", pods);
  serve(bodies, "/api/v1/namespaces", "Namespace",
        {named("", "web"), named("", "ml"), named("", "kube-system"), named("", "default")});
  serve(bodies, kQuotas, "ResourceQuota", {named("ml", "q")});
  serve(bodies, "/api/v1/events", "Event", {named("web", "e"), named("ml", "e")});
  serve(bodies, kEventsOfMl, "Event", {named("ml", "e")});
  serve(bodies, kVolumeClaims, "PersistentVolumeClaim", {named("ml", "data"), named("a", "x")});
  serve(bodies, "/api/v1/persistentvolumes", "PersistentVolume", {named("", "pv")});
  for (const auto& [plural, kind] :
       std::map<std::string, std::string>{{"storageclasses", "StorageClass"},
                                          {"csinodes", "CSINode"},
                                          {"csidrivers", "CSIDriver"},
                                          {"volumeattachments", "VolumeAttachment"}})
    serve(bodies, "/apis/storage.k8s.io/v1/" + plural, kind, {named("", "a")});
  serve(bodies, "/apis/storage.k8s.io/v1/csistoragecapacities", "CSIStorageCapacity",
        {named("csi", "c")});
  serve(bodies, "/apis/apps/v1/daemonsets", "DaemonSet", {named("gpu-operator", "plugin")});
  serve(bodies, "/apis/scheduling.k8s.io/v1/priorityclasses", "PriorityClass", {named("", "high")});
  serve(bodies, "/apis/node.k8s.io/v1/runtimeclasses", "RuntimeClass", {named("", "nvidia")});
  serve(bodies, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases", "Lease",
        {named("kube-system", "kube-scheduler")});
  return bodies;
}

void serve_dra(Bodies& bodies, const std::string& version) {
  const std::string root = "/apis/resource.k8s.io/" + version + "/";
  json slice = named("", "nic");
  slice["spec"] = {{"driver", "nic.example.com"}, {"devices", {{{"name", "nic-0"}}}}};
  json claim = named("ml", "nic");
  claim["status"] = json::parse(R"({"allocation": {"devices": {"results": [
      {"driver": "nic.example.com", "pool": "a", "device": "nic-0"}]}}})");
  serve(bodies, root + "resourceslices", "ResourceSlice", {slice});
  serve(bodies, root + "resourceclaims", "ResourceClaim", {claim});
  serve(bodies, root + "deviceclasses", "DeviceClass", {named("", "nic")});
  serve(bodies, root + "resourceclaimtemplates", "ResourceClaimTemplate", {named("ml", "one")});
}

Needs scheduling() {
  Needs needs = scheduling_needs();
  needs.keep = [](const Pod&) { return true; };
  return needs;
}

Snapshot read(const ApiStub& stub, const Needs& needs = scheduling()) {
  Client client = stub.client();
  return collect(client, needs);
}

}  // namespace

TEST_CASE("scheduling: pods of all nodes are kept, and what waiting ones need is read") {
  Bodies bodies = cluster({waiting_pod()});
  serve_dra(bodies, "v1beta2");
  const ApiStub stub(bodies);
  const Snapshot snapshot = read(stub);
  const SchedulingFacts& facts = snapshot.scheduling;
  CHECK(snapshot.pods.size() == 2);
  CHECK(snapshot.pod_coverage == Coverage::whole);
  CHECK(snapshot.gaps.empty());
  CHECK(stub.times("/api/v1/pods") == 1);
  REQUIRE(facts.namespaces.size() == 4);
  CHECK(facts.namespaces[2].name == "ml");
  REQUIRE(facts.volume_claims.size() == 2);
  CHECK(facts.volume_claims[0].ns == "a");
  CHECK(facts.volumes.size() == 1);
  CHECK(facts.storage_capacities.size() == 1);
  CHECK(facts.attachments.size() == 1);
  CHECK(facts.daemon_sets.size() == 1);
  CHECK(facts.leases == std::vector<std::string>{"kube-scheduler"});
  CHECK(facts.claim_templates.size() == 1);
  CHECK(snapshot.slices.empty());
  CHECK(facts.other_slices.size() == 1);
  CHECK(snapshot.claims.size() == 1);
  CHECK(snapshot.device_classes.size() == 1);
  CHECK(facts.events.size() == 1);
  CHECK(stub.times("/api/v1/events") == 0);
  for (const auto& [plural, sight] : facts.coverages) {
    INFO(plural);
    CHECK(sight == Coverage::whole);
  }
  CHECK(facts.coverages.size() == 20);
}

TEST_CASE("scheduling: what the API does not have is seen whole, and empty") {
  const ApiStub stub(cluster({}));
  const Snapshot snapshot = read(stub);
  CHECK(coverage_of(snapshot.scheduling, "workloads") == Coverage::whole);
  CHECK(snapshot.scheduling.workloads.empty());
  for (const char* const version : {"v1beta2", "v1beta1"})
    CHECK(stub.times("/apis/kueue.x-k8s.io/" + std::string(version) + "/workloads") == 1);
  CHECK(coverage_of(snapshot.scheduling, "deviceclasses") == Coverage::whole);
  CHECK(snapshot.claim_coverage == Coverage::whole);
  CHECK(snapshot.gaps.empty());
}

TEST_CASE("scheduling: nobody waits for volumes, so nobody asks for them") {
  json pod = waiting_pod();
  pod["spec"] = json::object();
  const ApiStub stub(cluster({pod}));
  Needs needs = scheduling();
  const Snapshot snapshot = read(stub, needs);
  CHECK(coverage_of(snapshot.scheduling, "persistentvolumeclaims") == Coverage::none);
  CHECK(stub.times(kVolumeClaims) == 0);
  CHECK(snapshot.gaps.empty());
  Pod planned{.ns = "new"};
  planned.volumes = {{.name = "v", .claim = "data"}};
  needs.planned_pods = {planned};
  CHECK(read(stub, needs).scheduling.volume_claims.size() == 2);
  CHECK(stub.times("/api/v1/namespaces/new/events") == 1);
}

TEST_CASE("scheduling: of the kinds, those are read that a command wants") {
  const ApiStub stub(cluster({waiting_pod()}));
  Needs needs;
  needs.kinds = {ObjectKind::resource_quota};
  const Snapshot snapshot = read(stub, needs);
  CHECK(snapshot.scheduling.quotas.size() == 1);
  CHECK(coverage_of(snapshot.scheduling, "resourcequotas") == Coverage::whole);
  CHECK(coverage_of(snapshot.scheduling, "namespaces") == Coverage::none);
  CHECK(stub.times(kQuotas) == 1);
  CHECK(stub.times("/api/v1/namespaces") == 0);
  CHECK(stub.times(kVolumeClaims) == 0);
}

TEST_CASE("Jobs are read where a command wants them, whole, and once") {
  constexpr const char* kJobs = "/apis/batch/v1/jobs";
  constexpr const char* kJobsOfWeb = "/apis/batch/v1/namespaces/web/jobs";
  json job = named("web", "train");
  job["metadata"]["ownerReferences"] =
      json::parse(R"([{"kind": "CronJob", "name": "nightly", "uid": "uid-nightly",
                       "apiVersion": "batch/v1", "controller": true}])");
  job["spec"]["parallelism"] = 2;
  json pod = named("web", "train-x");
  pod["spec"]["nodeName"] = "a";
  pod["metadata"]["ownerReferences"] = json::parse(
      R"([{"kind": "Job", "name": "train", "uid": "uid-train", "apiVersion": "batch/v1",
           "controller": true}])");
  Bodies bodies = cluster({pod});
  for (const char* const path : {kJobs, kJobsOfWeb}) serve(bodies, path, "Job", {job});
  serve(bodies, "/api/v1/namespaces/web/pods", "Pod", {pod});
  ApiStub stub(bodies);
  Needs needs;
  needs.keep = [](const Pod&) { return true; };
  needs.pod_lists = PodLists::all;
  needs.kinds = kCostKinds;
  needs.owners = true;
  SECTION("of all namespaces") {
    const Snapshot snapshot = read(stub, needs);
    REQUIRE(snapshot.scheduling.jobs.size() == 1);
    CHECK(snapshot.scheduling.jobs[0].parallelism == 2);
    CHECK(coverage_of(snapshot.scheduling, "jobs") == Coverage::whole);
    REQUIRE(snapshot.controllers.at("uid-train"));
    CHECK(snapshot.controllers.at("uid-train")->name == "nightly");
    CHECK(stub.times(kJobs) == 1);
    CHECK(stub.times("/apis/batch/v1/namespaces/web/jobs/train") == 0);
  }
  SECTION("of the one that is asked about") {
    needs.only_namespace = "web";
    CHECK(read(stub, needs).scheduling.jobs.size() == 1);
    CHECK(stub.times(kJobsOfWeb) == 1);
    CHECK(stub.times(kJobs) == 0);
  }
  SECTION("of those that pods are seen in, where listing them all is forbidden") {
    stub.forbid(kJobs, "jobs");
    const Snapshot snapshot = read(stub, needs);
    CHECK(snapshot.scheduling.jobs.size() == 1);
    CHECK(coverage_of(snapshot.scheduling, "jobs") == Coverage::partial);
  }
  SECTION("of none") {
    stub.forbid(kJobs, "jobs");
    stub.forbid(kJobsOfWeb, "jobs");
    const Snapshot snapshot = read(stub, needs);
    REQUIRE(snapshot.gaps.size() >= 1);
    CHECK(snapshot.gaps[0].what ==
          "jobs.batch cannot be listed, so pods that are gone are not counted");
    CHECK(snapshot.gaps[0].about == GapTopic::jobs);
  }
}

TEST_CASE("scheduling: LimitRanges are read for pods alone that do not exist yet") {
  constexpr const char* kRanges = "/api/v1/limitranges";
  Bodies bodies = cluster({waiting_pod()});
  serve(bodies, kRanges, "LimitRange", {named("ml", "bounds")});
  const ApiStub stub(bodies);
  Needs needs = scheduling();
  CHECK(coverage_of(read(stub, needs).scheduling, "limitranges") == Coverage::none);
  CHECK(stub.times(kRanges) == 0);
  needs.planned_pods = {Pod{.ns = "ml"}};
  needs.kinds = needs.kinds | kPlanningKinds;
  const Snapshot snapshot = read(stub, needs);
  CHECK(coverage_of(snapshot.scheduling, "limitranges") == Coverage::whole);
  CHECK(snapshot.scheduling.limit_ranges.size() == 1);
  ApiStub refusing(bodies);
  for (const char* path : {kRanges, "/api/v1/namespaces/ml/limitranges"})
    refusing.forbid(path, "limitranges");
  const Snapshot without = read(refusing, needs);
  CHECK(coverage_of(without.scheduling, "limitranges") == Coverage::none);
  REQUIRE(without.gaps.size() == 1);
  CHECK_THAT(without.gaps[0].what, Contains("limitranges cannot be listed"));
}

TEST_CASE("scheduling: what is forbidden is one gap with one role") {
  ApiStub stub(cluster({waiting_pod()}));
  stub.forbid("/api/v1/persistentvolumes", "persistentvolumes");
  stub.forbid("/apis/storage.k8s.io/v1/csinodes", "csinodes");
  const Snapshot snapshot = read(stub);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK(snapshot.gaps[0].what ==
        "persistentvolumes, csinodes.storage.k8s.io cannot be listed, so what they decide is not "
        "checked");
  CHECK(snapshot.gaps[0].about == GapTopic::scheduling);
  CHECK(coverage_of(snapshot.scheduling, "persistentvolumes") == Coverage::none);
  CHECK(coverage_of(snapshot.scheduling, "persistentvolumeclaims") == Coverage::whole);
}

TEST_CASE("scheduling: what is forbidden everywhere is read in the namespaces of waiting pods") {
  Bodies bodies = cluster({waiting_pod()});
  serve(bodies, "/api/v1/namespaces/ml/persistentvolumeclaims", "PersistentVolumeClaim",
        {named("ml", "data")});
  ApiStub stub(bodies);
  stub.forbid(kVolumeClaims, "persistentvolumeclaims");
  stub.forbid(kQuotas, "resourcequotas");
  stub.forbid("/api/v1/namespaces/ml/resourcequotas", "resourcequotas");
  const Snapshot snapshot = read(stub);
  CHECK(snapshot.scheduling.volume_claims.size() == 1);
  CHECK(coverage_of(snapshot.scheduling, "persistentvolumeclaims") == Coverage::partial);
  CHECK(coverage_of(snapshot.scheduling, "resourcequotas") == Coverage::none);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps[0].what, Contains("resourcequotas cannot be listed"));
}

TEST_CASE("scheduling: owners that are refused where nobody waits cost two short lists") {
  Bodies bodies = cluster({waiting_pod()});
  serve(bodies, "/api/v1/namespaces/web/events", "Event", {named("web", "made")});
  const ApiStub stub(bodies);
  Needs needs = scheduling();
  needs.refused_owners = true;
  const Snapshot snapshot = read(stub, needs);
  CHECK(snapshot.gaps.empty());
  std::vector<std::string> queries;
  for (const ApiStub::ResourceRequest& each : stub.asked())
    if (each.path.ends_with("/events")) queries.push_back(each.path + each.query);
  std::sort(queries.begin(), queries.end());
  REQUIRE(queries.size() == 3);
  CHECK_THAT(queries[0],
             Contains("/api/v1/events?") && Contains("fieldSelector=reason%3DFailedCr"));
  CHECK_THAT(queries[1], Contains(kEventsOfMl) && !Contains("fieldSelector"));
  CHECK_THAT(queries[2], Contains("/web/events?") && Contains("fieldSelector=reason%3DSuccessful"));
  CHECK(snapshot.scheduling.events.size() == 3);  // that of ml once
}

TEST_CASE("scheduling: whoever may not read events of all namespaces is told what that hides") {
  ApiStub stub(cluster({waiting_pod()}));
  stub.forbid("/api/v1/events", "events");
  Needs needs = scheduling();
  needs.refused_owners = true;
  const Snapshot snapshot = read(stub, needs);
  CHECK(snapshot.scheduling.events.size() == 1);
  CHECK(coverage_of(snapshot.scheduling, "events") == Coverage::partial);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK_THAT(snapshot.gaps[0].what, Contains("owners whose pods are refused where no pod waits"));
  CHECK(stub.times("/api/v1/events") == 1);
}

TEST_CASE("scheduling: an object that cannot be read leaves the others") {
  Bodies bodies = cluster({});
  json broken = named("ml", "w");
  broken["spec"]["queueName"] = 7;
  serve(bodies, "/apis/kueue.x-k8s.io/v1beta2/workloads", "Workload", {broken, named("ml", "v")});
  const Snapshot snapshot = read(ApiStub(bodies));
  CHECK(snapshot.scheduling.workloads.size() == 1);
  CHECK(coverage_of(snapshot.scheduling, "workloads") == Coverage::partial);
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK(snapshot.gaps[0].what ==
        "some workloads.kueue.x-k8s.io cannot be read, so what they decide is not checked");
  CHECK(snapshot.gaps[0].why == "Workload ml/w: spec.queueName: expected a string, got number");
}

TEST_CASE("scheduling: a server that fails is a gap, too") {
  ApiStub stub(cluster({}));
  stub.fail(kQuotas, "500 Internal Server Error", "{}");
  const Snapshot snapshot = read(stub);
  CHECK(coverage_of(snapshot.scheduling, "resourcequotas") == Coverage::none);
  CHECK(snapshot.gaps.size() == 1);
}

TEST_CASE("scheduling: a snapshot gives the facts that it was made of") {
  Bodies bodies = cluster({waiting_pod()});
  serve_dra(bodies, "v1");
  ApiStub stub(bodies);
  stub.forbid("/api/v1/persistentvolumes", "persistentvolumes");
  const test::Folder folder;
  std::ostringstream out;
  SnapshotFile file(folder.at("s.json"), out);
  SnapshotWriter writer(file, Names::real);
  Needs needs = scheduling();
  needs.on_object = [&](const json& object, std::string_view version, std::string_view kind) {
    writer.add(object, version, kind);
  };
  const Snapshot live = read(stub, needs);
  writer.finish(live);
  file.finish();
  const Snapshot replayed = collect_from_files(folder.at("s.json"), scheduling());
  const auto same = [&](auto list) { CHECK((replayed.scheduling.*list == live.scheduling.*list)); };
  const auto check = [&](auto... lists) { (same(lists), ...); };
  using Facts = SchedulingFacts;
  check(&Facts::namespaces, &Facts::volume_claims, &Facts::volumes, &Facts::storage_classes,
        &Facts::csi_nodes, &Facts::csi_drivers, &Facts::storage_capacities, &Facts::attachments,
        &Facts::other_slices, &Facts::claim_templates, &Facts::daemon_sets,
        &Facts::priority_classes, &Facts::runtime_classes, &Facts::quotas, &Facts::workloads,
        &Facts::local_queues, &Facts::cluster_queues, &Facts::events, &Facts::leases,
        &Facts::coverages);
  CHECK(live.scheduling.events.size() == 2);
  CHECK((replayed.pods == live.pods));
  CHECK(replayed.claims == live.claims);
  CHECK(replayed.device_classes == live.device_classes);
  CHECK(replayed.gaps == live.gaps);
  CHECK(replayed.gaps.size() == 1);
  const Snapshot others = collect_from_files(folder.at("s.json"), {});
  CHECK(others.gaps.empty());
  CHECK(others.scheduling.coverages.empty());
  CHECK(others.scheduling.namespaces.empty());
}

TEST_CASE("scheduling: of a file of kubectl's, the kinds are seen that it holds") {
  const test::Folder folder;
  json quota = named("ml", "q");
  quota["apiVersion"] = "v1";
  quota["kind"] = "ResourceQuota";
  json workload = named("ml", "w");
  workload["apiVersion"] = "kueue.x-k8s.io/v1beta1";
  workload["kind"] = "Workload";
  workload["spec"] = 7;
  json node = named("", "a");
  node["kind"] = "Node";
  const json list = {
      {"kind", "List"}, {"apiVersion", "v1"}, {"items", {node, quota, quota, workload}}};
  const std::string path = folder.write("cluster.json", list.dump());
  const Snapshot snapshot = collect_from_files(path, scheduling());
  CHECK(snapshot.scheduling.quotas.size() == 1);
  CHECK(coverage_of(snapshot.scheduling, "resourcequotas") == Coverage::whole);
  CHECK(coverage_of(snapshot.scheduling, "persistentvolumes") == Coverage::none);
  CHECK(coverage_of(snapshot.scheduling, "workloads") == Coverage::partial);
  CHECK_THAT(snapshot.gaps.back().what, Contains("some workloads.kueue.x-k8s.io cannot be read"));
}

TEST_CASE("scheduling: Secrets are listed by metadata alone, in the namespaces of planned pods") {
  constexpr const char* kSecrets = "/api/v1/namespaces/new/secrets";
  Bodies bodies = cluster({waiting_pod()});
  serve(bodies, kSecrets, "PartialObjectMetadata", {named("new", "hf-token")});
  ApiStub stub(bodies);
  Needs needs;
  needs.kinds = {ObjectKind::secret};
  needs.keep = [](const Pod&) { return true; };
  needs.planned_pods = {Pod{.ns = "new"}};
  const Snapshot snapshot = read(stub, needs);
  CHECK(snapshot.scheduling.secrets == std::vector<SecretName>{{.ns = "new", .name = "hf-token"}});
  CHECK(coverage_of(snapshot.scheduling, "secrets") == Coverage::whole);
  for (const ApiStub::ResourceRequest& each : stub.asked())
    if (each.path.find("secrets") != std::string::npos) {
      CHECK(each.path == kSecrets);
      CHECK(each.accept == "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
    }
  const auto is_unknown = [&] {
    const Snapshot without = read(stub, needs);
    CHECK(without.gaps.empty());
    CHECK(coverage_of(without.scheduling, "secrets") == Coverage::none);
  };
  stub.forbid(kSecrets, "secrets");
  is_unknown();
  stub.fail(kSecrets, "406 Not Acceptable", "only whole objects are served");
  is_unknown();
}

TEST_CASE("scheduling: of Kueue's namespace its configuration is read, and not missed") {
  constexpr const char* kConfig = "/api/v1/namespaces/kueue-system/configmaps";
  Bodies bodies = cluster({});
  json config = named("kueue-system", "kueue-manager-config");
  config["data"]["controller_manager_config.yaml"] = "managedJobsNamespaceSelector: {}\n";
  serve(bodies, kConfig, "ConfigMap", {config});
  ApiStub stub(bodies);
  Needs needs;
  needs.kinds = kQueueingKinds;
  CHECK(read(stub, needs).scheduling.queue_configs.size() == 1);
  for (const ApiStub::ResourceRequest& each : stub.asked())
    if (each.path == kConfig)
      CHECK_THAT(each.query, Contains("fieldSelector=metadata.name%3Dkueue-manager-config"));
  stub.forbid(kConfig, "configmaps");
  const Snapshot without = read(stub, needs);
  CHECK(without.scheduling.queue_configs.empty());
  CHECK(without.gaps.empty());
}

TEST_CASE("scheduling: a snapshot says which kinds are served, unless it is redacted") {
  Bodies bodies = cluster({});
  bodies["/apis"] = R"({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2",
      "metadata": {}, "items": [{"metadata": {"name": "acme.io"}, "versions": [{"version": "v1",
      "resources": [{"resource": "jobs", "responseKind": {"kind": "AcmeJob"}}]}]}]})";
  const ApiStub stub(bodies);
  const auto served = [&](Names names) {
    const test::Folder folder;
    std::ostringstream out;
    SnapshotFile file(folder.at("s.json"), out);
    SnapshotWriter writer(file, names);
    Needs needs = scheduling();
    needs.kinds = needs.kinds | kFittingKinds;
    needs.on_object = [&](const json& object, std::string_view version, std::string_view kind) {
      writer.add(object, version, kind);
    };
    writer.finish(read(stub, needs));
    file.finish();
    Needs fitting;
    fitting.kinds = kFittingKinds;
    fitting.pod_lists = PodLists::none;
    return collect_from_files(folder.at("s.json"), fitting).scheduling;
  };
  const SchedulingFacts real = served(Names::real);
  CHECK(coverage_of(real, "apigroups") == Coverage::whole);
  REQUIRE(real.api_groups.size() == 1);
  CHECK(real.api_groups[0].name == "acme.io");
  CHECK(real.api_groups[0].versions.at(0).kinds == std::vector<std::string>{"AcmeJob"});
  const SchedulingFacts redacted = served(Names::redacted);
  CHECK(coverage_of(redacted, "apigroups") == Coverage::none);
  CHECK(redacted.api_groups.empty());
}

}  // namespace gpu::kube::collect_scheduling_facts_test
