#include "kube/collect/collect.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "kube/api_stub.hpp"

namespace gpu::kube::collect_collect_test {

using Catch::Contains;
using nlohmann::json;

namespace {

using Items = std::vector<json>;

constexpr const char* kNodes = "/api/v1/nodes";
constexpr const char* kPods = "/api/v1/pods";
constexpr const char* kMlPods = "/api/v1/namespaces/ml/pods";

json list(const std::string& kind, const Items& items) {
  return {{"kind", kind}, {"metadata", {{"resourceVersion", "7"}}}, {"items", items}};
}

json cpu_node(const std::string& name) {
  return {{"metadata", {{"name", name}}}, {"status", {{"allocatable", {{"pods", "110"}}}}}};
}

json gpu_node(const std::string& name) {
  json node = cpu_node(name);
  node["status"]["capacity"] = node["status"]["allocatable"] = {{"nvidia.com/gpu", "8"}};
  return node;
}

/// Labels promise GPUs, and no device plugin has registered any.
json labelled_node(const std::string& name) {
  json node = cpu_node(name);
  node["metadata"]["labels"] = {{"nvidia.com/gpu.present", "true"}, {"nvidia.com/gpu.count", "4"}};
  return node;
}

json pod(const std::string& name, const std::string& node) {
  json result = json::parse(R"({"spec": {"containers": [
      {"resources": {"requests": {"nvidia.com/gpu": "1"}}}]}, "status": {"phase": "Running"}})");
  result["metadata"] = {{"namespace", "ml"}, {"name", name}, {"uid", "uid-" + name}};
  result["spec"]["nodeName"] = node;
  return result;
}

json pod_with_claim(const std::string& name, const std::string& node) {
  json result = pod(name, node);
  result["spec"]["resourceClaims"] = json::parse(R"([{"name": "gpu", "resourceClaimName": "c"}])");
  return result;
}

json slice(const std::string& name, const std::string& driver, const std::string& node) {
  json result = json::parse(R"({"spec": {"devices": [{"name": "gpu-0"}]}})");
  result["metadata"]["name"] = name;
  result["spec"]["driver"] = driver;
  result["spec"]["nodeName"] = node;
  return result;
}

/// Not allocated without a driver.
json claim(const std::string& name, const std::string& driver) {
  json result;
  result["metadata"] = {{"namespace", "ml"}, {"name", name}};
  if (driver.empty()) return result;
  result["status"] = json::parse(R"({"allocation": {"devices": {"results": [{"device": "d"}]}}})");
  result["status"]["allocation"]["devices"]["results"][0]["driver"] = driver;
  return result;
}

std::string dra(const std::string& version, const std::string& resource) {
  return "/apis/resource.k8s.io/" + version + "/" + resource;
}

std::map<std::string, std::string> bodies(const Items& nodes, const Items& pods) {
  return {{kNodes, list("NodeList", nodes).dump()},
          {kPods, list("PodList", pods).dump()},
          {kMlPods, list("PodList", pods).dump()}};
}

void serve_dra(std::map<std::string, std::string>& served, const std::string& version,
               const Items& slices, const Items& claims) {
  served[dra(version, "resourceslices")] = list("ResourceSliceList", slices).dump();
  served[dra(version, "resourceclaims")] = list("ResourceClaimList", claims).dump();
  served[dra(version, "namespaces/ml/resourceclaims")] = list("ResourceClaimList", claims).dump();
  json device_class;
  device_class["metadata"]["name"] = "gpu.nvidia.com";
  served[dra(version, "deviceclasses")] = list("DeviceClassList", {device_class}).dump();
}

Needs keep_all() {
  Needs needs;
  needs.keep = [](const Pod&) { return true; };
  return needs;
}

Snapshot read(const ApiStub& stub, const Needs& needs = keep_all()) {
  Client client = stub.client();
  return collect(client, needs);
}

json finished(json pod, const std::string& phase) {
  pod["status"]["phase"] = phase;
  return pod;
}

/// The queries of all lists of pods.
std::vector<std::string> pod_queries(const ApiStub& stub) {
  std::vector<std::string> queries;
  for (const ApiStub::ResourceRequest& each : stub.asked())
    if (each.path == kPods || each.path == kMlPods) queries.push_back(each.query);
  return queries;
}

std::string gaps_of(const Snapshot& snapshot) {
  std::string text;
  for (const Gap& gap : snapshot.gaps) text += gap.what + " | " + gap.why + "\n";
  return text;
}

}  // namespace

TEST_CASE("without slices no claim is asked for, and nothing is missing") {
  ApiStub stub(bodies({gpu_node("a")}, {pod("x", "a")}));
  SECTION("the API is not served in any version") {
    CHECK(read(stub).slice_coverage == Coverage::whole);
    for (const char* version : {"v1", "v1beta2", "v1beta1"})
      CHECK(stub.times(dra(version, "resourceslices")) == 1);
  }
  SECTION("only other drivers publish devices") {
    auto served = bodies({gpu_node("a")}, {pod("x", "a")});
    serve_dra(served, "v1", {slice("s", "compute-domain.nvidia.com", "a")}, {});
    ApiStub other(served);
    const Snapshot snapshot = read(other);
    CHECK(snapshot.slices.empty());
    CHECK(snapshot.slice_coverage == Coverage::whole);
    CHECK(snapshot.claim_coverage == Coverage::whole);
    CHECK(other.times(dra("v1", "resourceclaims")) == 0);
    CHECK(other.times(dra("v1beta2", "resourceslices")) == 0);
  }
  CHECK(read(stub).gaps.empty());
}

TEST_CASE("slices, claims and classes are read in the version that is served") {
  const std::string version = GENERATE("v1", "v1beta2", "v1beta1");
  auto served = bodies({cpu_node("a"), cpu_node("b"), cpu_node("c")}, {pod("x", "a")});
  serve_dra(served, version,
            {slice("s2", "gpu.nvidia.com", "a"), slice("s1", "gpu.nvidia.com", "a"),
             slice("s0", "nic.example.com", "b")},
            {claim("held", "gpu.nvidia.com"), claim("asks", ""), claim("nic", "nic.example.com")});
  const ApiStub stub(served);
  const Snapshot snapshot = read(stub);
  REQUIRE(snapshot.slices.size() == 2);
  CHECK(snapshot.slices.front().name == "s1");
  REQUIRE(snapshot.claims.size() == 2);
  CHECK(snapshot.claims.front().name == "asks");
  CHECK(snapshot.device_classes.size() == 1);
  CHECK(snapshot.slice_coverage == Coverage::whole);
  CHECK(snapshot.claim_coverage == Coverage::whole);
  CHECK(snapshot.gaps.empty());
  CHECK(snapshot.pods.size() == 1);  // of the node that has devices only by DRA
  CHECK(stub.times(dra(version, "resourceclaims")) == 1);
}

TEST_CASE("slices are asked for beside the nodes, not after them") {
  auto served = bodies({gpu_node("a")}, {pod("x", "a")});
  serve_dra(served, "v1", {slice("s", "gpu.nvidia.com", "a")}, {});
  const ApiStub stub(served);
  read(stub);
  const auto asked = stub.asked();
  REQUIRE(asked.size() == 6);  // no pod of kube-system: the namespaces, too
  std::vector<std::string> first = {asked[0].path, asked[1].path};
  std::sort(first.begin(), first.end());
  CHECK(first == std::vector<std::string>{kNodes, dra("v1", "resourceslices")});
}

TEST_CASE("forbidden slices matter only where there may be devices") {
  const auto gaps_with = [](const json& node, const json& the_pod) {
    ApiStub stub(bodies({node, cpu_node("z")}, {the_pod}));
    stub.forbid(dra("v1", "resourceslices"), "resourceslices");
    const Snapshot snapshot = read(stub);
    CHECK(snapshot.slice_coverage == Coverage::none);
    CHECK(snapshot.claim_coverage == Coverage::none);
    return gaps_of(snapshot);
  };
  CHECK(gaps_with(gpu_node("a"), pod("x", "a")).empty());
  CHECK_THAT(gaps_with(labelled_node("a"), pod("x", "a")),
             Contains("without a device plugin") && Contains("resourceslices is forbidden"));
  CHECK_THAT(gaps_with(gpu_node("a"), pod_with_claim("x", "a")), Contains("by claims"));
}

TEST_CASE("forbidden claims and classes are gaps where there are slices") {
  auto served = bodies({gpu_node("a")}, {pod("x", "a")});
  serve_dra(served, "v1", {slice("s", "gpu.nvidia.com", "a")}, {claim("held", "gpu.nvidia.com")});
  ApiStub stub(served);
  SECTION("claims") {
    stub.forbid(dra("v1", "resourceclaims"), "resourceclaims");
    const Snapshot snapshot = read(stub);
    CHECK(snapshot.claim_coverage == Coverage::none);
    CHECK(snapshot.slice_coverage == Coverage::whole);
    CHECK_THAT(gaps_of(snapshot), Contains("resourceclaims is forbidden"));
  }
  SECTION("classes") {
    stub.forbid(dra("v1", "deviceclasses"), "deviceclasses");
    const Snapshot snapshot = read(stub);
    CHECK(snapshot.claim_coverage == Coverage::whole);
    CHECK(snapshot.claims.size() == 1);
    CHECK_THAT(gaps_of(snapshot), Contains("deviceclasses is forbidden"));
  }
}

TEST_CASE("a server that fails on slices gives no answer") {
  ApiStub stub(bodies({gpu_node("a")}, {pod("x", "a")}));
  stub.fail(dra("v1", "resourceslices"), "500 Internal Server Error", "{}");
  CHECK_THROWS_AS(read(stub), Error);
}

TEST_CASE("of one namespace, only its pods and claims are read") {
  auto served = bodies({gpu_node("a")}, {pod("x", "a")});
  serve_dra(served, "v1", {slice("s", "gpu.nvidia.com", "a")}, {claim("held", "gpu.nvidia.com")});
  ApiStub stub(served);
  Needs needs = keep_all();
  needs.only_namespace = "ml";
  needs.waiting_pods = true;
  const Snapshot snapshot = read(stub, needs);
  CHECK(snapshot.node_coverage == Coverage::whole);
  CHECK(snapshot.pod_coverage == Coverage::partial);
  CHECK(snapshot.claim_coverage == Coverage::partial);
  CHECK(snapshot.gaps.empty());
  CHECK(snapshot.pods.size() == 1);
  CHECK(snapshot.claims.size() == 1);
  CHECK(snapshot.waiting.has_value());
  CHECK(stub.times(kPods) == 0);
  CHECK(stub.times(dra("v1", "resourceclaims")) == 0);
}

TEST_CASE("of one namespace, nodes that are forbidden are a gap") {
  ApiStub stub(bodies({gpu_node("a")}, {pod("x", "a")}));
  stub.forbid(kNodes, "nodes");
  Needs needs = keep_all();
  CHECK_THROWS_WITH(read(stub, needs), Contains("nodes is forbidden"));
  needs.only_namespace = "ml";
  SECTION("all nodes") {}
  SECTION("a node by name") { needs.node_names = {"a"}; }
  const Snapshot snapshot = read(stub, needs);
  CHECK(snapshot.node_coverage == Coverage::none);
  CHECK(snapshot.nodes.empty());
  CHECK(snapshot.pods.size() == 1);
  CHECK_THAT(gaps_of(snapshot), Contains("models and sharing of GPUs are unknown"));
}

TEST_CASE("of one namespace whose pods are forbidden, nothing is known") {
  ApiStub stub(bodies({gpu_node("a")}, {pod("x", "a")}));
  stub.forbid(kMlPods, "pods");
  Needs needs = keep_all();
  needs.only_namespace = "ml";
  needs.waiting_pods = true;
  const Snapshot snapshot = read(stub, needs);
  CHECK(snapshot.pod_coverage == Coverage::none);
  CHECK_FALSE(snapshot.waiting);
  CHECK_THAT(gaps_of(snapshot), Contains("pods of the namespace ml cannot be listed"));
}

TEST_CASE("finished pods are read where they are needed, and never counted") {
  struct Row {
    PodLists lists;
    std::string ns;
    std::string without;  ///< the query as it is without them
    std::string with;
  };
  const std::string live = "status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed";
  const std::string all = "?resourceVersion=0";
  const std::vector<Row> rows = {
      {PodLists::by_node, "", all + "&fieldSelector=spec.nodeName%3Da%2C" + live,
       all + "&fieldSelector=spec.nodeName%3Da"},
      {PodLists::one, "", all + "&fieldSelector=" + live, all},
      {PodLists::all, "", all + "&fieldSelector=status.phase%21%3DSucceeded", all},
      {PodLists::automatic, "ml", all + "&fieldSelector=" + live, all}};
  for (const Row& row : rows) {
    INFO(static_cast<int>(row.lists));
    ApiStub stub(bodies({gpu_node("a"), cpu_node("b"), cpu_node("c")},
                        {pod("x", "a"), finished(pod("done", "a"), "Succeeded"),
                         finished(pod("lost", "a"), "Failed")}));
    Needs needs = keep_all();
    needs.pod_lists = row.lists;
    needs.only_namespace = row.ns;
    read(stub, needs);
    needs.finished_pods = true;
    const Snapshot snapshot = read(stub, needs);
    CHECK(pod_queries(stub) == std::vector<std::string>{row.without, row.with});
    CHECK(snapshot.pods.size() == 3);
    REQUIRE(sums_of(snapshot, "a") != nullptr);
    CHECK(sums_of(snapshot, "a")->pods == 1);
    CHECK(amount_of(sums_of(snapshot, "a")->requested, "nvidia.com/gpu") == Quantity::of(1));
  }
}

TEST_CASE("finished pods are read namespace by namespace, too") {
  auto served = bodies({gpu_node("a")}, {pod("x", "a"), finished(pod("done", "a"), "Succeeded")});
  ApiStub stub(served);
  stub.forbid(kPods, "pods");
  stub.forbid("/api/v1/namespaces", "namespaces");
  Needs needs = keep_all();
  needs.ns = "ml";
  needs.finished_pods = true;
  CHECK(read(stub, needs).pods.size() == 2);
  CHECK(pod_queries(stub).back() == "?resourceVersion=0");
}

namespace {

constexpr const char* kNamespaces = "/api/v1/namespaces";

json namespaces(const std::vector<std::string>& names) {
  Items items;
  for (const std::string& name : names) items.push_back({{"metadata", {{"name", name}}}});
  return list("NamespaceList", items);
}

/// A cluster with a pod of `ns`, whose namespaces are listed so, and by whom pods of one namespace
/// may be read.
std::map<std::string, std::string> shown(const std::string& ns,
                                         const std::vector<std::string>& listed) {
  json one = pod("x", "a");
  one["metadata"]["namespace"] = ns;
  auto served = bodies({gpu_node("a")}, {one});
  served[kNamespaces] = namespaces(listed).dump();
  for (const std::string& each : listed)
    served["/api/v1/namespaces/" + each + "/pods"] =
        list("PodList", each == ns ? Items{one} : Items{}).dump();
  return served;
}

}  // namespace

TEST_CASE("pods of all namespaces that are shown are not all pods where the list is filtered") {
  const std::vector<std::string> all = {"default", "kube-system", "ml"};
  const std::vector<std::pair<std::vector<std::string>, Coverage>> rows = {
      {all, Coverage::whole}, {{"ml"}, Coverage::partial}, {{}, Coverage::none}};
  for (const auto& [listed, coverage] : rows) {
    ApiStub stub(shown("ml", listed));
    stub.forbid(kPods, "pods");
    Needs needs = keep_all();
    needs.waiting_pods = true;
    const Snapshot snapshot = read(stub, needs);
    CAPTURE(listed.size());
    CHECK(snapshot.pod_coverage == coverage);
    CHECK(snapshot.waiting.has_value() == (coverage == Coverage::whole));
    CHECK(snapshot.gaps.empty() == (coverage == Coverage::whole));
  }
}

TEST_CASE("a list of pods without any of kube-system is whole if the namespaces are") {
  const auto coverage = [](const std::string& ns, const std::vector<std::string>& listed,
                           PodLists lists, bool is_refused) {
    ApiStub stub(shown(ns, listed));
    if (is_refused) stub.forbid(kNamespaces, "namespaces");
    Needs needs = keep_all();
    needs.pod_lists = lists;
    const Snapshot snapshot = read(stub, needs);
    CHECK(snapshot.gaps.empty() == (snapshot.pod_coverage == Coverage::whole));
    CHECK(stub.times(kNamespaces) == (ns == "kube-system" ? 0 : 1));
    return snapshot.pod_coverage;
  };
  const std::vector<std::string> all = {"default", "kube-system", "ml"};
  CHECK(coverage("kube-system", {"ml"}, PodLists::one, false) == Coverage::whole);
  CHECK(coverage("ml", all, PodLists::one, false) == Coverage::whole);
  CHECK(coverage("ml", {"ml"}, PodLists::one, false) == Coverage::partial);
  CHECK(coverage("ml", {}, PodLists::by_node, false) == Coverage::partial);
  CHECK(coverage("ml", all, PodLists::one, true) == Coverage::partial);
  // GPU nodes may well have no pod of kube-system.
  CHECK(coverage("ml", all, PodLists::by_node, true) == Coverage::whole);
}

TEST_CASE("progress is told while items are read") {
  Items nodes;
  for (int i = 0; i < 200; ++i) nodes.push_back(cpu_node("n" + std::to_string(i)));
  nodes.push_back(gpu_node("a"));
  const ApiStub stub(bodies(nodes, {pod("x", "a")}));
  Needs needs = keep_all();
  std::vector<Progress> seen;
  needs.on_progress = [&](const Progress& progress) { seen.push_back(progress); };
  read(stub, needs);
  REQUIRE(seen.size() >= 3);
  CHECK(std::any_of(seen.begin(), seen.end(), [](const Progress& p) { return p.nodes == 128; }));
  CHECK(seen.back().bytes > 0);
  CHECK(std::is_sorted(seen.begin(), seen.end(), [](const Progress& a, const Progress& b) {
    return a.nodes + a.pods < b.nodes + b.pods;
  }));
}

TEST_CASE("every object is told of before it is decoded") {
  auto served = bodies({gpu_node("a")}, {pod("x", "a")});
  serve_dra(served, "v1beta1", {slice("s", "gpu.nvidia.com", "a")}, {claim("held", "")});
  const ApiStub stub(served);
  Needs needs = keep_all();
  std::vector<std::string> told;
  needs.on_object = [&](const json&, std::string_view version, std::string_view kind) {
    told.push_back(std::string(version) + " " + std::string(kind));
  };
  read(stub, needs);
  std::sort(told.begin(), told.end());
  CHECK(told == std::vector<std::string>{
                    "resource.k8s.io/v1beta1 DeviceClass", "resource.k8s.io/v1beta1 ResourceClaim",
                    "resource.k8s.io/v1beta1 ResourceSlice", "v1 Node", "v1 Pod"});
}

}  // namespace gpu::kube::collect_collect_test
