#include "diagnose/fix/fixes.hpp"

#include <catch2/catch.hpp>

#include "diagnose/fix/eviction.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace fix_fixes_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

FixSearch searched(const Snapshot& snapshot, const Pod& pod, const ExplainOptions& options = {}) {
  const Cluster cluster(snapshot);
  const Verdict verdict = judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  return fixes_for(cluster, pod, verdict, reasons, options);
}

std::string command_of(const Snapshot& snapshot, const Pod& pod,
                       const ExplainOptions& options = {}) {
  const FixSearch found = searched(snapshot, pod, options);
  return found.fixes.empty() ? "" : found.fixes.front().command;
}

Pod owned_by(Pod pod, std::string kind, std::string name) {
  pod.owners = {{.kind = std::move(kind),
                 .name = std::move(name),
                 .uid = "u-" + pod.name,
                 .api_version = {},
                 .controller = true}};
  return pod;
}

Pod with_port(Pod pod) {
  pod.containers.front().ports = {{.port = 8080, .host_port = 8080}};
  return pod;
}

Pod apart(Pod pod, const std::string& key) {
  pod.placement.pod_anti_affinity = {
      {.selector = ObjectSelector{.labels = {{"noisy", "yes"}}, .expressions = {}},
       .topology_key = key}};
  return pod;
}

}  // namespace

TEST_CASE("who has the port is found, not who holds most") {
  const Snapshot snapshot =
      make::cluster({make::node("a", 8)},
                    {make::running("big", "a", {}, 4), with_port(make::running("has-port", "a"))});
  CHECK(command_of(snapshot, with_port(make::waiting("p", 1))) ==
        "kubectl delete pod -n ml has-port");
}

TEST_CASE("pods that a rule keeps apart are ended in the whole domain") {
  const Snapshot snapshot = make::cluster(
      {make::labelled("a", {{"zone", "one"}}, 8), make::labelled("b", {{"zone", "one"}}, 8)},
      {make::running("quiet", "a"), make::running("loud", "a", {{"noisy", "yes"}}),
       make::running("louder", "b", {{"noisy", "yes"}})});
  CHECK(command_of(snapshot, apart(make::waiting("p", 1), "zone")) ==
        "kubectl delete pod -n ml loud\nkubectl delete pod -n ml louder");
}

TEST_CASE("pods of other domains are not in the way, however many there are") {
  std::vector<Pod> pods = {make::running("loud", "a", {{"noisy", "yes"}})};
  for (int i = 0; i < 100; ++i) {
    const std::string name = "far-" + std::to_string(i);
    pods.push_back(make::running(name, i % 2 == 0 ? "b" : "c", {{"noisy", "yes"}}));
  }
  const Snapshot snapshot =
      make::cluster({make::labelled("a", {{"zone", "one"}}, 8),
                     make::labelled("b", {{"zone", "two"}}), make::labelled("c", {})},
                    pods);
  CHECK(command_of(snapshot, apart(make::waiting("p", 1), "zone")) ==
        "kubectl delete pod -n ml loud");
}

TEST_CASE("who uses a claim that is for one pod is ended, wherever it runs") {
  Pod user = make::running("user", "b");
  user.volumes = {{.name = "data", .claim = "data"}};
  Snapshot snapshot = make::cluster({make::node("a", 8), make::node("b", 8)}, {user});
  snapshot.scheduling.volume_claims = {{.ns = "ml",
                                        .name = "data",
                                        .uid = "c",
                                        .volume = "pv",
                                        .is_bound = true,
                                        .access_modes = {"ReadWriteOncePod"}}};
  snapshot.scheduling.volumes = {{.name = "pv"}};
  for (const char* kind : {"persistentvolumeclaims", "persistentvolumes", "storageclasses",
                           "csinodes", "volumeattachments"})
    snapshot.scheduling.coverages[kind] = Coverage::whole;
  Pod pod = make::waiting("p", 1);
  pod.volumes = user.volumes;
  CHECK(command_of(snapshot, pod) == "kubectl delete pod -n ml user");
}

TEST_CASE("that a disk is free is news within a namespace only") {
  Pod user = make::running("user", "a");
  user.volumes = {{.name = "data", .disk = InlineDisk{.kind = "gcePersistentDisk", .id = "d"}}};
  Pod pod = make::waiting("p", 1);
  pod.volumes = user.volumes;
  Snapshot near = make::cluster({make::node("a", 8)}, {user});
  near.scheduling.coverages["csinodes"] = Coverage::whole;
  REQUIRE(searched(near, pod).fixes.size() == 1);
  CHECK(searched(near, pod).fixes.front().summary.find("5 minutes") == std::string::npos);
  user.ns = "research";
  Snapshot far = make::cluster({make::node("a", 8)}, {user});
  far.scheduling.coverages = near.scheduling.coverages;
  REQUIRE(searched(far, pod).fixes.size() == 1);
  CHECK(searched(far, pod).fixes.front().summary.ends_with("only after 5 minutes"));
}

TEST_CASE("the end of a pod that one of two rules is about may be overlooked") {
  const Snapshot snapshot = make::cluster({make::labelled("a", {{"zone", "one"}}, 8)},
                                          {make::running("loud", "a", {{"noisy", "yes"}})});
  Pod pod = apart(make::waiting("p", 1), "zone");
  CHECK(searched(snapshot, pod).fixes.front().summary.find("5 minutes") == std::string::npos);
  pod.placement.pod_anti_affinity.push_back(pod.placement.pod_anti_affinity.front());
  pod.placement.pod_anti_affinity.back().selector =
      ObjectSelector{.labels = {{"other", "x"}}, .expressions = {}};
  CHECK(searched(snapshot, pod).fixes.front().summary.ends_with("only after 5 minutes"));
}

TEST_CASE("a spread rule is asked to be a wish before any pod is ended") {
  const Snapshot snapshot =
      make::cluster({make::labelled("a", {{"zone", "one"}, {"kubernetes.io/hostname", "a"}}, 8),
                     make::labelled("b", {{"zone", "two"}, {"kubernetes.io/hostname", "b"}})},
                    {make::running("one", "a", {{"app", "x"}})});
  Pod pod = make::waiting("p", 1);
  pod.labels = {{"app", "x"}};
  pod.placement.spread = {
      {.topology_key = "zone",
       .when_unsatisfiable = "DoNotSchedule",
       .selector = ObjectSelector{.labels = {{"app", "x"}}, .expressions = {}}}};
  const FixSearch found = searched(snapshot, pod);
  REQUIRE(!found.fixes.empty());
  CHECK(found.fixes.front().summary.find("spread over zone only where that is possible") !=
        std::string::npos);
  CHECK(found.fixes.front().patch.find("ScheduleAnyway") != std::string::npos);
  // A rule that is kept anyway stays as it is.
  pod.placement.spread.push_back(pod.placement.spread.front());
  pod.placement.spread.back().topology_key = "kubernetes.io/hostname";
  pod.placement.spread.back().max_skew = 5;
  const FixSearch again = searched(snapshot, pod);
  REQUIRE(!again.fixes.empty());
  CHECK(again.fixes.front().patch.find("hostname") == std::string::npos);
  CHECK(again.fixes.front().summary.find("hostname") == std::string::npos);
}

TEST_CASE("an owner that might win the place back is scaled down") {
  Pod holder = owned_by(make::running("holder-0", "a", {}, 8), "ReplicaSet", "holder");
  holder.priority = -10;
  const Snapshot snapshot = make::cluster({make::node("a", 8)}, {holder});
  Pod pod = make::waiting("p", 8);
  CHECK(command_of(snapshot, pod) == "kubectl delete pod -n ml holder-0");
  pod.preemption_policy = "Never";
  CHECK(command_of(snapshot, pod) == "kubectl scale replicaset holder -n ml --replicas=0");
}

TEST_CASE("what would be preempted for anything else is not for devices") {
  Pod holder = owned_by(make::running("holder-0", "a", {}, 8), "ReplicaSet", "holder");
  holder.priority = -10;
  Snapshot snapshot = make::cluster({make::node("a", 8)}, {holder});
  const Cluster cluster(snapshot);
  Pod pod = make::waiting("p", 8);
  const auto target = [&] {
    return evictions_for(cluster, {&snapshot.pods.front()}, pod)->front().target;
  };
  CHECK(target() == "pod/ml/holder-0");
  pod.claim_slots = {{.name = "gpu", .claim = "c"}};
  CHECK(target() == "replicaset/ml/holder");
  pod.claim_slots.clear();
  snapshot.device_classes = {{.name = "gpu", .extended_resource = "nvidia.com/gpu"}};
  CHECK(target() == "replicaset/ml/holder");
}

TEST_CASE("the Job of a CronJob is deleted, not the CronJob") {
  Snapshot snapshot =
      make::cluster({make::node("a", 8)},
                    {owned_by(make::running("nightly-1-x", "a", {}, 8), "Job", "nightly-1")});
  snapshot.controllers["u-nightly-1-x"] = OwnerReference{
      .kind = "CronJob", .name = "nightly", .uid = "c", .api_version = {}, .controller = true};
  CHECK(command_of(snapshot, make::waiting("p", 8)) == "kubectl delete job nightly-1 -n ml");
  CHECK(searched(snapshot, make::waiting("p", 8))
            .fixes.front()
            .summary.starts_with("delete job/nightly-1 in ml (1 pod)"));
}

TEST_CASE("of all nodes the one is chosen where least is taken from others") {
  const auto held = [](const char* name, const char* node, std::int64_t gpus, std::int32_t priority,
                       int started) {
    Pod pod = make::running(name, node, {}, gpus);
    pod.priority = priority;
    pod.started = Time{std::chrono::seconds{started}};
    return pod;
  };
  const auto ended_for = [](std::int64_t wanted, const std::vector<Pod>& pods,
                            const ExplainOptions& options = {}) {
    return command_of(make::cluster({make::node("a", 8), make::node("b", 8)}, pods),
                      make::waiting("p", wanted), options);
  };
  CHECK(ended_for(1, {held("a-big", "a", 8, 0, 1), held("b-small", "b", 1, 0, 1),
                      held("b-rest", "b", 7, 0, 1)}) == "kubectl delete pod -n ml b-small");
  CHECK(ended_for(8, {held("a-high", "a", 8, 100, 1), held("b-low", "b", 8, 5, 1)}) ==
        "kubectl delete pod -n ml b-low");
  CHECK(ended_for(8, {held("a-old", "a", 8, 0, 1), held("b-young", "b", 8, 0, 9)}) ==
        "kubectl delete pod -n ml b-young");
  CHECK(ended_for(8, {held("a-one", "a", 4, 0, 1), held("a-two", "a", 4, 0, 1),
                      held("b-all", "b", 8, 100, 1)}) == "kubectl delete pod -n ml b-all");
  CHECK(ended_for(8, {held("a-busy", "a", 8, 0, 9), held("b-idle", "b", 8, 0, 1)},
                  {.idle_pods = {"uid-b-idle"}}) == "kubectl delete pod -n ml b-idle");
}

TEST_CASE("who holds what is needed is told with priority and age") {
  Pod holder = make::running("h", "a", {}, 8);
  holder.priority = 5;
  holder.started = Time{std::chrono::hours{1}};
  const FixSearch found = searched(make::cluster({make::node("a", 8)}, {holder}),
                                   make::waiting("p", 8), {.now = Time{std::chrono::hours{4}}});
  REQUIRE(found.fixes.size() == 1);
  CHECK(found.fixes.front().summary ==
        "delete pod ml/h: it holds 8 GPUs on a, has priority 5 and started 3h ago; tested, the pod "
        "then fits there");
  CHECK_THAT(found.fixes.front().note, Catch::StartsWith("ask whoever runs h in ml first"));
}

TEST_CASE("whose work a fix stops is said by labels that name people, else by the owner") {
  Pod holder = make::running("h", "a", {}, 8);
  const auto note = [&] {
    const FixSearch found =
        searched(make::cluster({make::node("a", 8)}, {holder}), make::waiting("p", 8), {});
    return found.fixes.empty() ? std::string() : found.fixes.front().note;
  };
  holder.labels.set("team", "vision");
  CHECK_THAT(note(), Catch::StartsWith("ask team vision (h in ml) first"));
  holder.labels.set("owner", "jo");
  CHECK_THAT(note(), Catch::StartsWith("ask jo (h in ml) first"));
}

TEST_CASE("while room is made nobody is told to make some") {
  Snapshot snapshot = make::cluster({make::node("a", 8)}, {make::running("h", "a", {}, 8)});
  Pod pod = make::waiting("p", 8);
  pod.nominated_node = "a";
  CHECK(command_of(snapshot, pod).empty());
  pod.nominated_node.clear();
  CHECK(!command_of(snapshot, pod).empty());
  snapshot.pods.front().deleted = Time{std::chrono::hours{1}};
  const FixSearch found = searched(snapshot, pod, {.now = Time{std::chrono::hours{3}}});
  CHECK(found.fixes.empty());
  REQUIRE(found.remarks.size() == 1);
  CHECK(
      found.remarks.front().text ==
      "ml/h on a is terminating, and should have ended 120m ago; this pod fits there when it has");
}

TEST_CASE("what starts running pods anew comes after what stops nothing") {
  Node tainted = make::node("a", 8);
  tainted.taints = {{"team", "x", "NoSchedule"}};
  Node cordoned = make::node("b", 8);
  cordoned.unschedulable = true;
  const auto of_set = [](Pod pod) {
    pod.owners = {
        {.kind = "StatefulSet", .name = "s", .uid = "s", .api_version = {}, .controller = true}};
    return pod;
  };
  const Pod pod = of_set(make::waiting("s-1", 8));
  const Snapshot alone = make::cluster({tainted, cordoned}, {pod});
  CHECK(command_of(alone, pod).starts_with("kubectl patch statefulset"));
  const Snapshot with_others = make::cluster({tainted, cordoned, make::node("c", 8)},
                                             {of_set(make::running("s-0", "c", {}, 8)), pod});
  CHECK(command_of(with_others, pod) == "kubectl uncordon b");
}

TEST_CASE("a fix says which running pods end with a Job that is made anew") {
  Node tainted = make::node("a", 8);
  tainted.taints = {{"team", "x", "NoSchedule"}};
  const auto of_job = [](Pod pod) {
    pod.owners = {{.kind = "Job", .name = "j", .uid = "j", .api_version = {}, .controller = true}};
    return pod;
  };
  const Time now{std::chrono::seconds{1'000'000'000}};
  Pod first = of_job(make::running("j-1", "b", {}, 3));
  first.started = now - std::chrono::hours{5};
  Pod second = of_job(make::running("j-2", "b", {}, 5));
  second.started = now - std::chrono::hours{2};
  const Pod pod = of_job(make::waiting("j-0", 4));
  const Snapshot snapshot = make::cluster({tainted, make::node("b", 8)}, {first, second, pod});
  ExplainOptions options;
  options.now = now;
  const FixSearch found = searched(snapshot, pod, options);
  REQUIRE(found.fixes.size() == 1);
  CHECK(found.fixes.front().summary ==
        "change job/j to tolerate team=x:NoSchedule: tested, the pod then fits on a; this ends 2 "
        "running "
        "pods of job/j (8 GPUs, the oldest started 5h ago)");
  CHECK(found.fixes.front().stops ==
        std::vector<std::string>{"job/ml/j", "pod/ml/j-1", "pod/ml/j-2"});
}

TEST_CASE("a taint of GPUs is tolerated whatever its value") {
  Node gpus = make::node("a", 8);
  gpus.taints = {{"nvidia.com/gpu", "present", "NoSchedule"}};
  Node team = make::node("b", 8);
  team.taints = {{"team", "x", "NoSchedule"}};
  CHECK(searched(make::cluster({gpus}, {}), make::waiting("p", 1))
            .fixes.front()
            .patch.find("{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}") !=
        std::string::npos);
  CHECK(searched(make::cluster({team}, {}), make::waiting("p", 1))
            .fixes.front()
            .patch.find("{key: team, value: x, effect: NoSchedule}") != std::string::npos);
}

TEST_CASE("each patch has a file of its own, and the command names it") {
  Node one = make::node("a", 8);
  one.taints = {{"team", "x", "NoSchedule"}};
  Node two = make::node("b", 8);
  two.taints = {{"team", "y", "NoSchedule"}};
  const FixSearch found = searched(make::cluster({one, two}, {}), make::waiting("p", 1));
  REQUIRE(found.fixes.size() == 2);
  CHECK(found.fixes[0].patch_file == "p-patch.yaml");
  CHECK(found.fixes[1].patch_file == "p-patch-2.yaml");
  CHECK(found.fixes[1].command == "kubectl patch pod p -n ml --patch-file p-patch-2.yaml");
}

TEST_CASE("who should have ended by now is looked at") {
  Pod leaving = make::running("old", "a", {}, 8);
  const Time now{std::chrono::seconds{1'000'000'000}};
  leaving.deleted = now - std::chrono::minutes{40};
  ExplainOptions options;
  options.now = now;
  const FixSearch found =
      searched(make::cluster({make::node("a", 8)}, {leaving}), make::waiting("p", 1), options);
  REQUIRE(found.advice.size() == 1);
  CHECK(found.advice.front().summary ==
        "see what keeps ml/old from ending: metadata.finalizers, or the kubelet of a");
}

TEST_CASE("the end of a node's own software, or its illness, is not tolerated") {
  const auto helps = [](const char* key, const char* value) {
    Node node = make::node("a", 8);
    node.taints = {{key, value, "NoSchedule"}};
    return !command_of(make::cluster({node}), make::waiting("p", 8)).empty();
  };
  CHECK(helps("nvidia.com/gpu", "present"));
  CHECK(helps("dedicated", "healthcare"));
  for (const char* key :
       {"cloud.google.com/impending-node-termination", "cloud.google.com/gke-quick-remove",
        "node.cilium.io/agent-not-ready", "ebs.csi.aws.com/agent-not-ready",
        "medik8s.io/remediation", "kubernetes.azure.com/scheduledevent", "NodeWithXidErrors",
        "amd.com/gpu-unhealthy", "gpu-health", "Maintenance", "drain", "example.com/quarantine",
        "node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"})
    CHECK(!helps(key, ""));
  CHECK(!helps("state", "Draining"));
}

TEST_CASE("the name of a node that there is is no typo") {
  const Snapshot snapshot =
      make::cluster({make::labelled("gpu-a", {{"kubernetes.io/hostname", "gpu-a"}}, 1),
                     make::labelled("gpu-b", {{"kubernetes.io/hostname", "gpu-b"}}, 8)});
  Pod pod = make::waiting("p", 8);
  pod.node_selector = {{"kubernetes.io/hostname", "gpu-a"}};
  CHECK(command_of(snapshot, pod).empty());
  pod.node_selector = {{"kubernetes.io/hostname", "gpu-bb"}};
  CHECK(!command_of(snapshot, pod).empty());
}

TEST_CASE("pods are sought on the six likeliest nodes") {
  const auto command_beside = [](std::size_t siblings) {
    std::vector<Node> nodes;
    std::vector<Pod> pods;
    for (std::size_t i = 0; i <= siblings; ++i) {
      const std::string at = std::to_string(i);
      nodes.push_back(make::node("n" + at, 8));
      // What one Job creates takes the place again.
      const std::string job = i < siblings ? "train" : "other";
      pods.push_back(owned_by(with_port(make::running("h" + at, "n" + at)), "Job", job));
    }
    return command_of(make::cluster(nodes, pods),
                      owned_by(with_port(make::waiting("p", 1)), "Job", "train"));
  };
  CHECK(command_beside(0) != "");
  CHECK(command_beside(5) != "");
  CHECK(command_beside(6) == "");
}

TEST_CASE("at most three fixes are named, the cheapest first") {
  std::vector<Node> nodes;
  for (const std::string name : {"a", "b", "c", "d"}) {
    nodes.push_back(make::node(name, 8));
    for (const std::string key : {"d", "c", "b", "a"})
      if (key >= name) nodes.back().taints.push_back({key, name, "NoSchedule", {}});
  }
  const FixSearch found = searched(make::cluster(nodes), make::waiting("p", 1));
  REQUIRE(found.fixes.size() == 3);
  CHECK_THAT(found.fixes[0].summary, Catch::Contains("tolerate d=d:NoSchedule: tested"));
  CHECK_THAT(found.fixes[1].summary,
             Catch::Contains("tolerate d=c:NoSchedule, and tolerate c=c:NoSchedule: tested"));
}

TEST_CASE("who leaves is told of a node that then takes the pod, not of the others") {
  Pod small = make::running("small", "a", {}, 4);
  small.deleted = Time{std::chrono::hours{1}};
  Pod large = make::running("large", "b", {}, 8);
  large.deleted = small.deleted;
  const FixSearch found =
      searched(make::cluster({make::node("a", 4), make::node("b", 8)}, {small, large}),
               make::waiting("p", 8), {.now = Time{std::chrono::hours{1}}});
  REQUIRE(found.remarks.size() == 1);
  CHECK_THAT(found.remarks.front().text, Catch::StartsWith("ml/large on b"));
}

}  // namespace fix_fixes_test
