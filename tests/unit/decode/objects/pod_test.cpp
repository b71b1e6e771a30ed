#include "decode/objects/pod.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>

#include "decode/data/samples.hpp"
#include "decode/error_of.hpp"
#include "decode/hex.hpp"
#include "decode/wire/json_item.hpp"

namespace gpu::decode::objects_pod_test {

namespace {

using nlohmann::json;

Quantity quantity(std::string_view text) { return *Quantity::parse(text); }

void place(Pod& pod) {
  const ObjectSelector selector = {{{"app", "train"}, {"tier", ""}},
                                   {{"rev", "NotIn", {"1", "2"}}, {"gone", "DoesNotExist", {}}}};
  pod.placement.node_affinity =
      NodeSelector{{{{"zone", "In", {"z1", "z2"}}, {"cores", "Gt", {"8"}}},
                    {{"metadata.name", "In", {"node-7"}}}},
                   {}};
  pod.placement.pod_affinity = {
      {selector, "rack", {"a", "b"}, ObjectSelector{}, {"rev"}, {"tenant"}}};
  pod.placement.pod_anti_affinity = {{.topology_key = "kubernetes.io/hostname"}};
  pod.placement.spread = {
      {2, "zone", "DoNotSchedule", selector, 3, "Ignore", "Honor", {"rev"}},
      {.max_skew = 1, .topology_key = "rack", .when_unsatisfiable = "ScheduleAnyway"}};
  pod.placement.preferred_nodes = {{3, {{{"nice", "Exists", {}}}, {}}}};
  pod.placement.preferred_pods = {{5, {.topology_key = "nice"}}};
  pod.has_empty_dir = true;
  pod.volumes = {
      {.name = "data", .claim = "models"},
      {.name = "scratch", .claim = "train-0-scratch", .is_ephemeral = true},
      {.name = "own", .csi_driver = "csi.example.com"},
      {.name = "gce", .disk = InlineDisk{"gcePersistentDisk", "pd-1", {}, true}},
      {.name = "ebs", .disk = InlineDisk{"awsElasticBlockStore", "vol-1", {}, false}},
      {.name = "rbd",
       .disk = InlineDisk{"rbd", "rbd/image", {"10.1.1.1:6789", "10.1.1.2:6789"}, true}},
      {.name = "iscsi", .disk = InlineDisk{"iscsi", "iqn.2001-04.com.example:disk", {}, false}}};
  pod.preemption_policy = "Never";
  pod.runtime_class = "nvidia";
  pod.host_network = true;
  pod.pod_group = "gang";
}

Pod sample() {
  Pod pod;
  place(pod);
  pod.ns = "team-a";
  pod.name = "train-0";
  pod.uid = "11111111-2222-3333-4444-555555555555";
  pod.labels = {{"app", "train"}, {"env", "prod"}, {"empty", ""}};
  pod.annotations = {{"hami.io/vgpu-devices-allocated", "GPU-1,NVIDIA,8192,50:;"}};
  pod.card_shares = {{.card = "GPU-1", .memory_mib = 8192, .cores = 50}};
  pod.owners = {{"Job", "train", "aaaa", "batch/v1", true},
                {"ConfigMap", "c", "bbbb", "v1", false}};
  pod.created = parse_time("2026-11-01T10:00:00Z");
  pod.deleted = parse_time("2026-11-02T10:00:30Z");
  pod.node_name = "node-7";
  pod.scheduler_name = "default-scheduler";
  pod.priority = -5;
  pod.priority_class = "batch";
  pod.node_selector = {{"pool", "a100"}, {"zone", "z1"}};
  pod.tolerations = {{"nvidia.com/gpu", "Exists", "", "NoSchedule"}, {"k", "", "v", "", 300}};
  pod.scheduling_gates = {"example.com/gate"};
  pod.containers = {{"main",
                     "example/train:1",
                     {{"cpu", Quantity::of(4)},
                      {"nvidia.com/gpu", Quantity::of(8)},
                      {"memory", quantity("1536Mi")}},
                     {{"nvidia.com/gpu", Quantity::of(8)}},
                     false,
                     false,
                     {{"metrics", 9400, 19400, "10.9.9.9", "TCP"}, {"", 65535}}},
                    {"plain", "example/plain", {}, {}, false, false, {{"", 53, 53, "", "UDP"}}}};
  pod.init_containers = {{"proxy", "example/proxy", {{"cpu", Quantity::of_milli(100)}}, {}, true},
                         {"fetch",
                          "example/fetch",
                          {{"cpu", Quantity::of_milli(1500)}, {"memory", quantity("512Mi")}},
                          {},
                          false}};
  pod.overhead = {{"cpu", Quantity::of_milli(250)}, {"memory", quantity("120Mi")}};
  pod.pod_requests = ResourceList{{"cpu", Quantity::of(6)}};
  pod.pod_limits = ResourceList{{"memory", quantity("64Gi")}};
  pod.claims = {"big", "train-0-made-x7k2p"};
  pod.claim_references = 3;  // "none" needs no claim, "later" is not made yet
  pod.claim_slots = {{"own", "", "big", false},
                     {"made", "one", "train-0-made-x7k2p", false},
                     {"none", "one", "", true},
                     {"later", "one", "", false}};
  pod.extended_claim = "train-0-extended-resources-q9x4d";
  pod.extended_resources = {{"main", "nvidia.com/gpu", "container-0-request-0"}};
  pod.phase = "Running";
  pod.reason = "Because";
  pod.message = "More words";
  pod.conditions = {
      {"PodScheduled", "True", "", "", parse_time("2026-11-01T10:00:01Z")},
      {"PodResizePending", "True", "Infeasible", "Node didn't have enough capacity", {}}};
  pod.started = parse_time("2026-11-01T10:00:05Z");
  pod.nominated_node = "node-8";
  pod.ip = "10.1.2.3";
  pod.host_ip = "10.0.0.7";
  pod.container_statuses = {{"main",
                             {{"cpu", Quantity::of(3)}},
                             ResourceList{{"cpu", Quantity::of(2)}},
                             {{"nvidia.com/gpu", "GPU-aa", "Healthy"},
                              {"nvidia.com/gpu", "GPU-bb", "Unhealthy"},
                              {"claim:made/gpu", "gpu.nvidia.com/gpu=gpu-0", ""}},
                             "CrashLoopBackOff",
                             "back-off 5m0s",
                             "OOMKilled",
                             "",
                             2},
                            {"plain", {}, ResourceList{}}};
  pod.init_container_statuses = {
      {"proxy", {}, std::nullopt, {{"nvidia.com/gpu", "GPU-cc", "Unknown"}}, "", "", "Completed"}};
  pod.allocated = {{"cpu", Quantity::of(5)}};
  pod.resized_requests = ResourceList{{"cpu", Quantity::of_milli(4500)}};
  pod.resize = "Infeasible";
  return pod;
}

Pod from_json(std::string_view text) { return pod_from_json(json::parse(text)); }

}  // namespace

TEST_CASE("a pod that Go wrote reads the same from protobuf and JSON") {
  CHECK((pod_from_protobuf(bytes_of_hex(samples::kPodProtobuf)) == sample()));
  CHECK((from_json(samples::kPodJson) == sample()));
}

TEST_CASE("a pod reads the same when what we never need was not built") {
  const json item = json_item(samples::kPodJson);
  CHECK((pod_from_json(item) == sample()));
  const std::string text = item.dump();
  for (const char* dropped : {"hunter2", "f:labels", "secret", "managedFields", "command"})
    CHECK(text.find(dropped) == std::string::npos);
}

TEST_CASE("the runs of containers read the same from what Go wrote in both forms") {
  const auto at = [](std::string_view time) {
    return parse_time("2026-11-01T" + std::string(time) + "Z");
  };
  const Pod pod = from_json(samples::kRunsJson);
  CHECK((pod_from_protobuf(bytes_of_hex(samples::kRunsProtobuf)) == pod));
  REQUIRE(pod.container_statuses.size() == 5);
  const ContainerResourceStatus& runs = pod.container_statuses[0];
  CHECK(runs.running_since == at("10:00:03"));
  CHECK(runs.last_started_at == at("09:00:00"));
  CHECK_FALSE(runs.started_at);
  CHECK_FALSE(runs.terminated_at);
  const ContainerResourceStatus& over = pod.container_statuses[1];
  CHECK_FALSE(over.running_since);
  CHECK(over.started_at == at("10:00:04"));
  CHECK(over.terminated_at == at("11:00:00"));
  const ContainerResourceStatus& waits = pod.container_statuses[2];
  CHECK(waits.last_started_at == at("10:30:00"));
  CHECK_FALSE(waits.started_at);
  CHECK_FALSE(waits.terminated_at);
  for (const int timeless : {3, 4}) {  // ContainerStatusUnknown, and a start that nobody wrote
    const ContainerResourceStatus& status = pod.container_statuses[timeless];
    CHECK_FALSE(status.running_since);
    CHECK_FALSE(status.started_at);
    CHECK_FALSE(status.terminated_at);
  }
  CHECK(pod.init_container_statuses.at(0).terminated_at == at("10:00:02"));
}

TEST_CASE("null, empty and absent are the same in a pod") {
  for (const std::string_view text :
       {R"({})", R"({"metadata":null,"spec":null,"status":null})",
        R"({"metadata":{"ownerReferences":null},
            "spec":{"containers":[],"initContainers":null,"priority":null,"nodeSelector":null,
                    "tolerations":null,"resources":null,"overhead":null,"affinity":null,
                    "volumes":null,"topologySpreadConstraints":[],"schedulingGroup":null},
            "status":{"conditions":null,"startTime":null,"containerStatuses":null,
                      "resources":null,"resize":null,"resourceClaimStatuses":null,
                      "extendedResourceClaimStatus":null}})",
        R"({"spec":{"resources":{"requests":{},"limits":null},"affinity":{
                    "nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[]},
                    "podAffinity":null},"volumes":[{"name":"token","secret":{}}]}})"}) {
    INFO(text);
    CHECK((from_json(text) == Pod{}));
  }
  CHECK((pod_from_protobuf({}) == Pod{}));
}

TEST_CASE("what a pod needs of its node's features reads the same from both forms") {
  const auto wrapped = [](protozero::pbf_tag_type tag, std::string_view inner) {
    std::string message;
    protozero::pbf_writer(message).add_bytes(tag, inner.data(), inner.size());
    return message;
  };
  const auto restarting = [&](std::string_view action) { return wrapped(25, wrapped(1, action)); };
  std::string spec = wrapped(2, restarting("Restart") + restarting("RestartAllContainers")) +
                     wrapped(20, restarting("Restart"));
  protozero::pbf_writer(spec).add_bool(37, false);
  const Pod pod = from_json(R"({"spec":{"hostUsers":false,"containers":[{"restartPolicyRules":[
      {"action":"Restart"},{"action":"RestartAllContainers","exitCodes":{"operator":"In"}}]}],
      "initContainers":[{"restartPolicyRules":[{"action":"Restart"}]}]}})");
  CHECK(pod.isolates_users);
  CHECK(pod.containers.at(0).restarts_all);
  CHECK_FALSE(pod.init_containers.at(0).restarts_all);
  CHECK((pod_from_protobuf(wrapped(2, spec)) == pod));
  for (const char* const users :
       {R"({"spec":{"hostUsers":true}})", R"({"spec":{"hostUsers":null}})"})
    CHECK_FALSE(from_json(users).isolates_users);
  std::string shared;
  protozero::pbf_writer(shared).add_bool(37, true);
  CHECK_FALSE(pod_from_protobuf(wrapped(2, shared)).isolates_users);
}

TEST_CASE("disks that moved to CSI are known by what their drivers call them") {
  const auto wrapped = [](protozero::pbf_tag_type tag, std::string_view inner) {
    std::string message;
    protozero::pbf_writer(message).add_bytes(tag, inner.data(), inner.size());
    return message;
  };
  const auto volume = [&](protozero::pbf_tag_type tag, const std::string& source) {
    return wrapped(1, wrapped(1, "v") + wrapped(2, wrapped(tag, source)));
  };
  const std::string spec = volume(22, wrapped(2, "/disks/d") + wrapped(6, "Managed")) +
                           volume(22, wrapped(2, "https://a/vhds/d") + wrapped(6, "Dedicated")) +
                           volume(13, wrapped(1, "c-1")) + volume(24, wrapped(1, "p-1"));
  const Pod pod = from_json(R"({"spec":{"volumes":[
      {"name":"v","azureDisk":{"kind":"Managed","diskURI":"/disks/d"}},
      {"name":"v","azureDisk":{"diskURI":"https://a/vhds/d","kind":"Dedicated"}},
      {"name":"v","cinder":{"volumeID":"c-1"}},{"name":"v","portworxVolume":{"volumeID":"p-1"}}]}})");
  REQUIRE(pod.volumes.size() == 4);
  CHECK(pod.volumes[0].disk == InlineDisk{"azureDisk", "/disks/d"});
  CHECK(pod.volumes[1].disk == InlineDisk{"azureDisk:Dedicated", "https://a/vhds/d"});
  CHECK(pod.volumes[2].disk == InlineDisk{"cinder", "c-1"});
  CHECK(pod.volumes[3].disk == InlineDisk{"portworxVolume", "p-1"});
  CHECK((pod_from_protobuf(wrapped(2, spec)).volumes == pod.volumes));
  CHECK(from_json(R"({"spec":{"volumes":[{"azureDisk":{"kind":"managed"}}]}})")
            .volumes.at(0)
            .disk->kind == "azureDisk");
  CHECK(from_json(R"({"spec":{"volumes":[{"azureDisk":{}}]}})").volumes.at(0).disk->kind ==
        "azureDisk:Shared");
}

TEST_CASE("what is required of a node may be nothing that holds, or nothing") {
  CHECK(from_json(R"({"spec":{"affinity":{"nodeAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":null}}}}})")
            .placement.node_affinity == NodeSelector{});
  CHECK_FALSE(from_json(R"({"spec":{"affinity":{"nodeAffinity":{}}}})").placement.node_affinity);
}

TEST_CASE("why a container could not start is kept; what a program wrote when it ended is not") {
  const auto message = [](std::string_view reason) {
    return from_json(R"({"status":{"containerStatuses":[{"state":{"terminated":{"reason":")" +
                     std::string(reason) + R"(","message":"exec format error"}}}]}})")
        .container_statuses.at(0)
        .terminated_message;
  };
  CHECK(message("StartError") == "exec format error");
  CHECK(message("ContainerCannotRun") == "exec format error");
  CHECK(message("Error").empty());
}

TEST_CASE("of a container that runs again, what it was stopped for before is old") {
  const auto terminated = [](std::string_view state) {
    return from_json(R"({"status":{"containerStatuses":[{"state":)" + std::string(state) +
                     R"(,"lastState":{"terminated":{"reason":"OOMKilled"}}}]}})")
        .container_statuses.at(0)
        .terminated;
  };
  CHECK(terminated(R"({"running":{}})").empty());
  CHECK(terminated(R"({})").empty());
  CHECK(terminated(R"({"waiting":{}})") == "OOMKilled");
  CHECK(terminated(R"({"terminated":{"reason":"Error"}})") == "Error");
}

TEST_CASE("the state of a resize is the condition's, else that of status.resize") {
  CHECK(from_json(R"({"status":{"resize":"InProgress"}})").resize == "InProgress");
  CHECK(from_json(R"({"status":{"resize":"InProgress","conditions":
      [{"type":"Ready","reason":"x"},{"type":"PodResizePending","reason":"Deferred"}]}})")
            .resize == "Deferred");
}

TEST_CASE("a claim that a template became is known by status alone") {
  const auto claims_of = [](std::string_view statuses) {
    return from_json(R"({"spec":{"resourceClaims":[{"name":"a","resourceClaimTemplateName":"t"}]},
                         "status":{"resourceClaimStatuses":)" +
                     std::string(statuses) + "}}");
  };
  CHECK(claims_of(R"([{"name":"a","resourceClaimName":"x-a-1"}])").claims ==
        std::vector<std::string>{"x-a-1"});
  CHECK(claims_of(R"([{"name":"a","resourceClaimName":null}])").claim_references == 0);
  const Pod waiting = claims_of(R"([{"name":"b","resourceClaimName":"x-b-1"}])");
  CHECK(waiting.claims.empty());
  CHECK(waiting.claim_references == 1);
}

TEST_CASE("a priority has 32 bits") {
  CHECK(from_json(R"({"spec":{"priority":2147483647}})").priority == 2147483647);
  CHECK(from_json(R"({"spec":{"priority":-2147483648}})").priority == -2147483647 - 1);
  for (const char* number : {"2147483648", "-2147483649", "18446744073709551615"})
    CHECK(error_of([&] { from_json(R"({"spec":{"priority":)" + std::string(number) + "}}"); }) ==
          std::string("Pod: spec.priority: expected a number of 32 bits, got ") + number);
  CHECK(error_of([] { from_json(R"({"spec":{"priority":1.5}})"); }) ==
        "Pod: spec.priority: expected a whole number, got number");
}

TEST_CASE("how often an exporter measures is all that is kept of its command line") {
  const auto interval_of = [](std::string_view image, std::string_view rest) {
    const Pod pod = from_json(R"({"metadata":{"name":"e"},"spec":{"containers":[{"image":")" +
                              std::string(image) + R"(",)" + std::string(rest) + "}]}}");
    const auto interval = pod.containers.front().collect_interval;
    return interval ? interval->count() : 0;
  };
  constexpr std::string_view kImage = "nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2";
  CHECK(interval_of(kImage, R"("command":["dcgm-exporter","-f","/c.csv","-c","1000"])") == 1000);
  CHECK(interval_of(kImage, R"("args":["--collect-interval=15000"])") == 15000);
  CHECK(interval_of(kImage, R"("args":["--collect-interval","15000"])") == 15000);
  CHECK(interval_of(kImage, R"("env":[{"name":"DCGM_EXPORTER_INTERVAL","value":"5000"}])") == 5000);
  CHECK(interval_of(kImage, R"("args":["-c=2000"],
                    "env":[{"name":"DCGM_EXPORTER_INTERVAL","value":"5000"}])") == 2000);
  CHECK(interval_of(kImage, R"x("args":["-c","$(INTERVAL)"],
                    "env":[{"name":"INTERVAL","value":"7000"}])x") == 7000);
  CHECK(interval_of(kImage, R"x("args":["-c","$(INTERVAL)"])x") == 0);
  CHECK(interval_of(kImage, R"("args":["-c","soon"])") == 0);
  CHECK(interval_of(kImage, R"("args":["-c","0"])") == 0);
  CHECK(interval_of("ml/train", R"("args":["-c","1000"])") == 0);
}

TEST_CASE("a wrong JSON type in a pod is an error that names the path") {
  struct Row {
    std::string_view json;
    std::string_view error;
  };
  static constexpr Row kRows[] = {
      {R"(null)", "Pod: expected an object, got null"},
      {R"({"metadata":{"namespace":"a","name":"b"},"spec":[]})",
       "Pod a/b: spec: expected an object, got array"},
      {R"({"metadata":{"namespace":"a","name":"b"},
           "spec":{"containers":[{},{},{"resources":{"requests":{"cpu":"x"}}}]}})",
       "Pod a/b: spec.containers[2].resources.requests: cpu is \"x\", which is not a quantity"},
      {R"({"spec":{"containers":[{"resources":{"requests":[]}}]}})",
       "Pod: spec.containers[0].resources.requests: expected an object, got array"},
      {R"({"spec":{"containers":[{"name":{}}]}})",
       "Pod: spec.containers[0].name: expected a string, got object"},
      {R"({"spec":{"initContainers":[{"restartPolicy":1}]}})",
       "Pod: spec.initContainers[0].restartPolicy: expected a string, got number"},
      {R"({"metadata":{"ownerReferences":[{"controller":"yes"}]}})",
       "Pod: metadata.ownerReferences[0].controller: expected true or false, got string"},
      {R"({"status":{"containerStatuses":[{"resources":{"requests":{"gpu":"1 "}}},
                                          {"allocatedResources":{"gpu":""}}]}})",
       "Pod: status.containerStatuses[1].allocatedResources: gpu is \"\", which is not a quantity"},
      {R"({"spec":{"resourceClaims":[{"resourceClaimName":1}]}})",
       "Pod: spec.resourceClaims[0].resourceClaimName: expected a string, got number"},
      {R"({"status":{"containerStatuses":[{"allocatedResourcesStatus":[{"resources":[7]}]}]}})",
       "Pod: status.containerStatuses[0].allocatedResourcesStatus[0].resources[0]: "
       "expected an object, got number"},
      {R"({"spec":{"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{
           "namespaces":["a",{}]}]}}}})",
       "Pod: spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]."
       "namespaces[1]: expected a string, got object"},
      {R"({"spec":{"volumes":[{},{"persistentVolumeClaim":{"claimName":1}}]}})",
       "Pod: spec.volumes[1].persistentVolumeClaim.claimName: expected a string, got number"},
      {R"({"spec":{"topologySpreadConstraints":[{"maxSkew":"1"}]}})",
       "Pod: spec.topologySpreadConstraints[0].maxSkew: expected a whole number, got string"},
      {R"({"status":{"containerStatuses":[{"state":{"running":{"startedAt":1}}}]}})",
       "Pod: status.containerStatuses[0].state.running.startedAt: expected a string, got number"},
      {R"({"status":{"startTime":12}})", "Pod: status.startTime: expected a string, got number"},
  };
  for (const Row& row : kRows) CHECK(error_of([&] { from_json(row.json); }) == row.error);
}

TEST_CASE("a long value that is no quantity is cut in the error") {
  const std::string text =
      R"({"spec":{"overhead":{"cpu":")" + std::string(1'000'000, 'x') + R"("}}})";
  CHECK(error_of([&] { from_json(text); }) ==
        "Pod: spec.overhead: cpu is \"" + std::string(64, 'x') + "...\", which is not a quantity");
}

TEST_CASE("broken protobuf of a pod is an error that names it") {
  const std::string whole = bytes_of_hex(samples::kPodProtobuf);
  std::size_t refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size)
    if (error_of([&] { pod_from_protobuf(std::string_view(whole).substr(0, size)); }) != "no error")
      ++refused;
  CHECK(refused == whole.size() - 3);  // it may end before each of its three fields
  CHECK(error_of([&] {
          pod_from_protobuf(std::string_view(whole).substr(0, whole.size() - 1));
        }).starts_with("Pod team-a/train-0: broken protobuf: "));
}

TEST_CASE("a quantity that is none names its container in protobuf, too") {
  const auto wrapped = [](protozero::pbf_tag_type tag, std::string_view inner) {
    std::string message;
    protozero::pbf_writer(message).add_bytes(tag, inner.data(), inner.size());
    return message;
  };
  const std::string entry = wrapped(1, "cpu") + wrapped(2, wrapped(1, "1.2.3"));
  const std::string container = wrapped(8, wrapped(2, entry));
  const std::string spec = wrapped(2, "") + wrapped(2, "") + wrapped(2, container);
  CHECK(error_of([&] { pod_from_protobuf(wrapped(2, spec)); }) ==
        "Pod: spec.containers[2].resources.requests: cpu is \"1.2.3\", which is not a quantity");
}

TEST_CASE("times out of range are unknown") {
  const auto created = [](std::int64_t seconds) {
    std::string time;
    protozero::pbf_writer(time).add_int64(1, seconds);
    std::string metadata;
    protozero::pbf_writer(metadata).add_message(8, time);
    std::string pod;
    protozero::pbf_writer(pod).add_message(1, metadata);
    return pod_from_protobuf(pod).created;
  };
  CHECK(created(0) == parse_time("1970-01-01T00:00:00Z"));
  CHECK(created(253402300799) == parse_time("9999-12-31T23:59:59Z"));
  CHECK_FALSE(created(253402300800));
  CHECK_FALSE(created(std::numeric_limits<std::int64_t>::min()));
}

TEST_CASE("a pod with a deadline, in both forms") {
  CHECK(from_json(R"({"spec": {"activeDeadlineSeconds": 60}})").has_deadline);
  CHECK_FALSE(from_json(R"({"spec": {}})").has_deadline);
  CHECK(pod_from_protobuf("\x12\x02\x28\x3c").has_deadline);
}

}  // namespace gpu::decode::objects_pod_test
