#include "scheduler/cluster/scheduler_version.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace cluster_scheduler_version_test {

using namespace gpu;
using namespace gpu::scheduler;

namespace {

Node with_kubelet(std::string name, std::string version) {
  Node node = make::node(std::move(name), 1);
  node.kubelet_version = std::move(version);
  return node;
}

Pod scheduler_pod(std::string name, std::string image) {
  Pod pod = make::pod(std::move(name), "control-plane", 0);
  pod.ns = "kube-system";
  pod.containers.resize(1);
  pod.containers[0].image = std::move(image);
  return pod;
}

}  // namespace

TEST_CASE("versions are read as far as they are numbers") {
  CHECK(parse_version("v1.31.13-gke.1") == Version{1, 31, 13});
  CHECK(parse_version("1.36") == Version{1, 36, 0});
  CHECK_FALSE(parse_version("latest"));
  CHECK_FALSE(parse_version("v1"));
  CHECK_FALSE(parse_version(""));
}

TEST_CASE("the scheduler's own image is surer than the server, and that than kubelets") {
  Snapshot snapshot = make::cluster(
      {with_kubelet("a", "v1.29.1"), with_kubelet("b", "v1.31.4"), with_kubelet("c", "")}, {}, "");
  CHECK(scheduler_version(snapshot).text == "v1.31.4");
  CHECK(scheduler_version(snapshot).source == VersionSource::kubelets);
  snapshot.server_version = "v1.33.2";
  CHECK(scheduler_version(snapshot).text == "v1.33.2");
  CHECK(scheduler_version(snapshot).source == VersionSource::server);
  snapshot.pods = {
      scheduler_pod("kube-scheduler-a", "registry.k8s.io/kube-scheduler:v1.32.9@sha256:ab")};
  CHECK(scheduler_version(snapshot).text == "v1.32.9");
  CHECK(scheduler_version(snapshot).source == VersionSource::scheduler);
}

TEST_CASE("schedulers of two versions, and other images, tell nothing") {
  Snapshot snapshot = make::cluster({}, {}, "");
  CHECK(scheduler_version(snapshot).source == VersionSource::none);
  snapshot.pods = {scheduler_pod("kube-scheduler-a", "kube-scheduler:v1.32.9"),
                   scheduler_pod("kube-scheduler-b", "kube-scheduler:v1.33.1")};
  CHECK(scheduler_version(snapshot).source == VersionSource::none);
  snapshot.pods = {scheduler_pod("kube-scheduler-a", "my-kube-scheduler:v1.32.9")};
  CHECK(scheduler_version(snapshot).source == VersionSource::none);
  snapshot.pods = {scheduler_pod("kube-scheduler-a", "kube-scheduler:latest")};
  CHECK(scheduler_version(snapshot).source == VersionSource::none);
  snapshot.pods = {scheduler_pod("other", "kube-scheduler:v1.32.9")};
  CHECK(scheduler_version(snapshot).source == VersionSource::none);
}

}  // namespace cluster_scheduler_version_test
