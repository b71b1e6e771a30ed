#include "model/snapshot/requests.hpp"

#include <catch2/catch.hpp>

namespace gpu::snapshot_requests_test {
namespace {

ResourceList cpu(std::int64_t milli) { return {{"cpu", Quantity::of_milli(milli)}}; }
ResourceList gpus(std::int64_t count) { return {{"nvidia.com/gpu", Quantity::of(count)}}; }

Container container(const ResourceList& requests, const std::string& name = "c") {
  return {.name = name, .requests = requests};
}
Container sidecar(const ResourceList& requests, const std::string& name = "s") {
  return {.name = name, .requests = requests, .restarts_always = true};
}

Pod pod_of(std::vector<Container> containers, std::vector<Container> init_containers = {}) {
  Pod pod;
  pod.containers = std::move(containers);
  pod.init_containers = std::move(init_containers);
  return pod;
}

/// A pod whose one container asks for `spec`, while the kubelet says `actual` and `allocated`.
Pod resizing(const ResourceList& spec, const ResourceList& actual, const ResourceList& allocated) {
  Pod pod = pod_of({container(spec)});
  pod.container_statuses = {{"c", allocated, actual}};
  return pod;
}

bool requests_are(const Pod& pod, const ResourceList& expected) {
  return effective_requests(pod) == expected;
}

}  // namespace

TEST_CASE("a pod without requests asks for nothing") {
  CHECK(requests_are({}, {}));
  CHECK(requests_are(pod_of({container({})}), {}));
}

TEST_CASE("containers add up, and overhead comes on top") {
  Pod pod = pod_of({container({{"cpu", Quantity::of(1)}, {"nvidia.com/gpu", Quantity::of(2)}}),
                    container({{"cpu", Quantity::of(2)}, {"memory", Quantity::of(5)}})});
  pod.overhead = {{"cpu", Quantity::of_milli(250)}, {"example.com/x", Quantity::of(1)}};
  CHECK(requests_are(pod, {{"cpu", Quantity::of_milli(3250)},
                           {"nvidia.com/gpu", Quantity::of(2)},
                           {"memory", Quantity::of(5)},
                           {"example.com/x", Quantity::of(1)}}));
}

TEST_CASE("a request of zero stays listed") {
  CHECK(requests_are(pod_of({container(gpus(0))}), gpus(0)));
}

TEST_CASE("the largest init container counts if it is more than the sum") {
  CHECK(requests_are(pod_of({container(cpu(100)), container(cpu(200))}, {container(cpu(250))}),
                     cpu(300)));
  CHECK(requests_are(pod_of({container(cpu(100))}, {container(cpu(400)), container(cpu(300))}),
                     cpu(400)));
  CHECK(requests_are(pod_of({container(cpu(100))}, {container(gpus(1))}),
                     {{"cpu", Quantity::of_milli(100)}, {"nvidia.com/gpu", Quantity::of(1)}}));
}

TEST_CASE("sidecars run beside the containers and beside the init containers after them") {
  // Sum: 100 + 50; while `init` runs, only the sidecar before it does.
  CHECK(requests_are(pod_of({container(cpu(100))}, {sidecar(cpu(50)), container(cpu(10))}),
                     cpu(150)));
  CHECK(requests_are(pod_of({container(cpu(100))}, {sidecar(cpu(50)), container(cpu(500))}),
                     cpu(550)));
  CHECK(requests_are(pod_of({container(cpu(100))}, {container(cpu(500)), sidecar(cpu(50))}),
                     cpu(500)));
  CHECK(requests_are(pod_of({container(cpu(100))}, {sidecar(cpu(50)), container(cpu(500)),
                                                    sidecar(cpu(70)), container(cpu(490))}),
                     cpu(610)));
  CHECK(requests_are(pod_of({}, {sidecar(gpus(1)), sidecar(gpus(2))}), gpus(3)));
}

TEST_CASE("limits stand in for requests that a file lacks") {
  Container limited = container(cpu(100));
  limited.limits = {{"cpu", Quantity::of(2)}, {"nvidia.com/gpu", Quantity::of(4)}};
  CHECK(requests_are(pod_of({limited}),
                     {{"cpu", Quantity::of_milli(100)}, {"nvidia.com/gpu", Quantity::of(4)}}));
  Container init;
  init.limits = gpus(8);
  CHECK(requests_are(pod_of({limited}, {init}),
                     {{"cpu", Quantity::of_milli(100)}, {"nvidia.com/gpu", Quantity::of(8)}}));
}

TEST_CASE("pod-level requests stand in place of the sum, for cpu, memory and huge pages only") {
  Pod pod = pod_of({container({{"cpu", Quantity::of(1)},
                               {"memory", Quantity::of(7)},
                               {"nvidia.com/gpu", Quantity::of(2)}})});
  pod.pod_requests = ResourceList{{"cpu", Quantity::of(6)},
                                  {"hugepages-2Mi", Quantity::of(4)},
                                  {"nvidia.com/gpu", Quantity::of(9)}};
  pod.overhead = cpu(500);
  CHECK(requests_are(pod, {{"cpu", Quantity::of_milli(6500)},
                           {"memory", Quantity::of(7)},
                           {"hugepages-2Mi", Quantity::of(4)},
                           {"nvidia.com/gpu", Quantity::of(2)}}));
  pod.pod_requests = gpus(9);
  CHECK(requests_are(pod, {{"cpu", Quantity::of_milli(1500)},
                           {"memory", Quantity::of(7)},
                           {"nvidia.com/gpu", Quantity::of(2)}}));
}

TEST_CASE("pod-level limits stand in only for what neither pod nor containers request") {
  Pod pod = pod_of({container(cpu(100))});
  pod.pod_limits = ResourceList{{"cpu", Quantity::of(8)}, {"memory", Quantity::of(5)}};
  CHECK(requests_are(pod, {{"cpu", Quantity::of_milli(100)}, {"memory", Quantity::of(5)}}));
  pod.pod_requests = ResourceList{{"memory", Quantity::of(3)}};
  CHECK(requests_are(pod, {{"cpu", Quantity::of_milli(100)}, {"memory", Quantity::of(3)}}));
}

TEST_CASE("while a resize runs, the larger of spec, status and allocated counts") {
  CHECK(requests_are(resizing(cpu(100), cpu(300), cpu(200)), cpu(300)));
  CHECK(requests_are(resizing(cpu(100), cpu(50), cpu(200)), cpu(200)));
  CHECK(requests_are(resizing(cpu(400), cpu(300), cpu(200)), cpu(400)));
  CHECK(requests_are(resizing(cpu(100), gpus(1), {}),
                     {{"cpu", Quantity::of_milli(100)}, {"nvidia.com/gpu", Quantity::of(1)}}));
}

TEST_CASE("a status without resources says nothing of a resize") {
  Pod pod = pod_of({container(cpu(100))});
  pod.container_statuses = {{"c", cpu(900), std::nullopt}};
  CHECK(requests_are(pod, cpu(100)));
  pod.container_statuses = {{"another", {}, cpu(900)}};
  CHECK(requests_are(pod, cpu(100)));
}

TEST_CASE("a status counts whichever list it stands in, and of two the last") {
  Pod pod = pod_of({container(cpu(100))}, {sidecar(cpu(100))});
  pod.init_container_statuses = {{"c", {}, cpu(600)}};
  pod.container_statuses = {{"s", {}, cpu(300)}};
  CHECK(requests_are(pod, cpu(900)));
  pod.container_statuses = {{"s", {}, cpu(300)}, {"c", {}, cpu(700)}, {"s", {}, cpu(200)}};
  CHECK(requests_are(pod, cpu(800)));
}

TEST_CASE("an infeasible resize is never granted: the spec does not count") {
  Pod pod = resizing(cpu(9000), cpu(300), cpu(200));
  pod.resize = "Deferred";
  CHECK(requests_are(pod, cpu(9000)));
  pod.resize = "Infeasible";
  CHECK(requests_are(pod, cpu(300)));
}

TEST_CASE("a sidecar can be resized, another init container cannot") {
  Pod pod = pod_of({}, {sidecar(cpu(100), "proxy"), container(cpu(10), "fetch")});
  pod.init_container_statuses = {{"proxy", {}, cpu(300)}, {"fetch", {}, cpu(5000)}};
  CHECK(requests_are(pod, cpu(310)));
}

TEST_CASE("pod-level resources can be resized") {
  Pod pod = pod_of({container(cpu(100))});
  pod.pod_requests = cpu(1000);
  pod.allocated = cpu(2500);
  CHECK(requests_are(pod, cpu(1000)));  // no status.resources: not actuated yet
  pod.resized_requests = cpu(2000);
  CHECK(requests_are(pod, cpu(2500)));
  pod.pod_requests = cpu(4000);
  CHECK(requests_are(pod, cpu(4000)));
  pod.resize = "Infeasible";
  CHECK(requests_are(pod, cpu(2500)));
}

TEST_CASE("a node is ready when its condition says True") {
  Node node;
  CHECK_FALSE(is_ready(node));
  node.conditions = {{.type = "MemoryPressure", .status = "True"}, {.type = "Ready"}};
  for (const auto& [status, ready] :
       {std::pair{"Unknown", false}, {"False", false}, {"True", true}}) {
    node.conditions[1].status = status;
    CHECK(is_ready(node) == ready);
  }
}

TEST_CASE("a pod is finished when it succeeded or failed, not when it terminates") {
  Pod pod;
  pod.deleted = Time{};
  for (const auto& [phase, finished] : {std::pair{"", false},
                                        {"Pending", false},
                                        {"Running", false},
                                        {"Unknown", false},
                                        {"Succeeded", true},
                                        {"Failed", true}}) {
    pod.phase = phase;
    CHECK(is_finished(pod) == finished);
  }
}

}  // namespace gpu::snapshot_requests_test
