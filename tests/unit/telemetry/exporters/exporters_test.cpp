#include "telemetry/exporters/exporters.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace gpu::telemetry::exporters_exporters_test {

using Catch::Contains;
namespace {

/// A pod that runs and is ready.
Pod running(const StringMap& labels, const std::string& image,
            const std::vector<ContainerPort>& ports = {}) {
  Pod pod;
  pod.ns = "gpu-operator";
  pod.name = "x7k2p";
  pod.node_name = "gpu-a1";
  pod.labels = labels;
  pod.phase = "Running";
  pod.ip = "10.1.2.3";
  pod.conditions = {{"Ready", "True", "", "", {}}};
  Container container;
  container.name = "main";
  container.image = image;
  container.ports = ports;
  pod.containers = {container};
  return pod;
}

std::string told(const Pod& pod) {
  const auto exporter = exporter_of(pod);
  if (!exporter) return "none";
  return exporter->kind + " " + (exporter->is_tls ? "https:" : "") + exporter->port;
}

}  // namespace

TEST_CASE("every known install of dcgm-exporter is one") {
  const std::vector<ContainerPort> metrics = {{"metrics", 9400}};
  const std::string ours = "nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3-4.1.3-ubuntu22.04";
  CHECK(told(running({{"app", "nvidia-dcgm-exporter"}}, ours, metrics)) == "dcgm-exporter 9400");
  CHECK(told(running({{"app.kubernetes.io/name", "dcgm-exporter"}}, ours)) == "dcgm-exporter 9400");
  CHECK(told(running({{"app.kubernetes.io/component", "dcgm-exporter"}}, "mirror/x", metrics)) ==
        "dcgm-exporter 9400");
  CHECK(told(running({{"app.kubernetes.io/name", "gke-managed-dcgm-exporter"}},
                     "gke.gcr.io/gke-dcgm-exporter:4.4.1-4.6.0-gke.17", metrics)) ==
        "dcgm-exporter 9400");
  CHECK(told(running({{"app.kubernetes.io/name", "nvidia-dcgm-exporter"}}, "busybox",
                     {{"gpu-metrics", 19400}})) == "dcgm-exporter 19400");
  CHECK(told(running({}, "registry.local:5000/nvidia_k8s_dcgm-exporter@sha256:0123")) ==
        "dcgm-exporter 9400");
  Pod cloudwatch = running({{"k8s-app", "dcgm-exporter"}}, ours, metrics);
  cloudwatch.ns = "amazon-cloudwatch";
  CHECK(told(cloudwatch) == "dcgm-exporter https:9400");
}

TEST_CASE("exporters of other makers are known by labels and by image") {
  CHECK(told(running({{"app", "gpu-amdgpu-metrics-exporter"}}, "x")) ==
        "AMD device-metrics-exporter 5000");
  CHECK(told(running({{"app.kubernetes.io/name", "metrics-exporter"}},
                     "docker.io/rocm/device-metrics-exporter:v1.4.1", {{"", 5001}})) ==
        "AMD device-metrics-exporter 5001");
  CHECK(told(running({{"app", "intel-xpumanager"}}, "intel/xpumanager", {{"metrics", 29999}})) ==
        "Intel XPU Manager 29999");
  CHECK(told(running({}, "ghcr.io/intel/xpumd:v2.0")) == "Intel xpumd 8080");
  CHECK(told(running({{"app.kubernetes.io/name", "habana-metric-exporter-ds"}}, "x")) ==
        "Gaudi metric exporter 41611");
  CHECK(told(running({}, "vault.habana.ai/gaudi-metric-exporter/metric-exporter:1.22")) ==
        "Gaudi metric exporter 41611");
  CHECK(told(running({}, "utkuozdemir/nvidia_gpu_exporter:1.4.0", {{"http", 9835}})) ==
        "nvidia_gpu_exporter 9835");
  CHECK(told(running({{"k8s-app", "tpu-device-plugin"}}, "x")) == "TPU device plugin 2112");
  CHECK(told(running({}, "public.ecr.aws/g4h4h0b5/neuron-monitor:1.3.0",
                     {{"prom-node-exp", 8010}})) == "Neuron monitor 8010");
  CHECK(told(running({}, "ghcr.io/inureyes/all-smi:0.9")) == "all-smi 9090");
}

TEST_CASE("HAMi's device plugin exports where its monitor runs beside it") {
  Pod pod = running({{"app.kubernetes.io/component", "hami-device-plugin"}}, "projecthami/hami");
  CHECK(told(pod) == "none");
  Container monitor;
  monitor.name = "vgpu-monitor";
  pod.containers.push_back(monitor);
  CHECK(told(pod) == "HAMi monitor 9394");
  pod.containers.front().ports = {{"metrics", 1}};  // of the other container
  CHECK(told(pod) == "HAMi monitor 9394");
}

TEST_CASE("the port is the one that speaks of metrics, else the usual one, else the first") {
  const std::string image = "dcgm-exporter";
  CHECK(told(running({}, image, {{"health", 1}, {"dcgm-metrics", 2}})) == "dcgm-exporter 2");
  CHECK(told(running({}, image, {{"web-metrics", 1}, {"metrics", 2}})) == "dcgm-exporter 2");
  CHECK(told(running({}, image, {{"a", 1}, {"b", 9400}})) == "dcgm-exporter 9400");
  CHECK(told(running({}, image, {{"a", 1}, {"b", 2}})) == "dcgm-exporter 1");
  CHECK(told(running({}, image, {{"", 0}})) == "dcgm-exporter 9400");
  Pod with_sidecar = running({}, image);
  Container sidecar;
  sidecar.image = "envoy";
  sidecar.ports = {{"metrics", 15090}};
  with_sidecar.containers.insert(with_sidecar.containers.begin(), sidecar);
  CHECK(told(with_sidecar) == "dcgm-exporter 9400");
}

TEST_CASE("who only scrapes, or only has such a name, exports nothing") {
  Pod scraper = running({{"app", "prometheus"}}, "prom/prometheus", {{"metrics", 9090}});
  scraper.name = "scrape-dcgm-exporter-0";
  scraper.containers.front().name = "dcgm-exporter";
  CHECK(told(scraper) == "none");
  CHECK(told(running({}, "ghcr.io/dcgm-exporter/dashboards:1")) == "none");
  CHECK(told(running({}, "mydcgm-exporter")) == "none");
  CHECK(told(running({}, "dcgm-exporter-check:1")) == "none");
  CHECK(told(running({{"app.kubernetes.io/name", "metrics-exporter"}}, "acme/app")) == "none");
  CHECK(told(running({{"app", "x"}, {"k8s-app", ""}}, "")) == "none");
}

TEST_CASE("a pod that cannot answer is told so, one that is over or nowhere is not told") {
  Pod pod = running({}, "dcgm-exporter");
  CHECK(exporter_of(pod)->is_ready);
  CHECK(exporter_of(pod)->node == "gpu-a1");
  CHECK(exporter_of(pod)->ip == "10.1.2.3");
  pod.conditions = {};
  CHECK(exporter_of(pod)->is_ready);
  pod.conditions = {{"Ready", "False", "", "", {}}};
  CHECK_FALSE(exporter_of(pod)->is_ready);
  pod.conditions = {};
  pod.deleted = Time{};
  CHECK_FALSE(exporter_of(pod)->is_ready);
  pod.deleted.reset();
  pod.phase = "Pending";
  CHECK_FALSE(exporter_of(pod)->is_ready);
  pod.phase = "Failed";
  CHECK_FALSE(exporter_of(pod));
  pod.phase = "Pending";
  pod.node_name.clear();
  CHECK_FALSE(exporter_of(pod));
}

TEST_CASE(
    "selectors ask for every label that a pod may be known by, and for those that only hint") {
  const std::vector<std::string> selectors = exporter_selectors();
  REQUIRE(selectors.size() == 4);
  CHECK(selectors[0] ==
        "app in (nvidia-dcgm-exporter,dcgm-exporter,nvidia-gpu-exporter,amdgpu-metrics-exporter,"
        "intel-xpumanager,xpumd,neuron-monitor,all-smi)");
  // AMD's GPU operator labels its pods so, and others theirs: the image decides.
  CHECK_THAT(selectors[1],
             Contains("app.kubernetes.io/name in (") && Contains(",metrics-exporter,"));
  CHECK(selectors[2] == "app.kubernetes.io/component in (dcgm-exporter,hami-device-plugin)");
  CHECK(selectors[3] == "k8s-app in (dcgm-exporter,tpu-device-plugin,neuron-monitor)");
}

TEST_CASE("an exporter by hand") {
  const Exporter plain = exporter_typed("team-a/exporter-0:9400");
  CHECK(plain.ns == "team-a");
  CHECK(plain.pod == "exporter-0");
  CHECK(proxy_path(plain) == "/api/v1/namespaces/team-a/pods/exporter-0:9400/proxy/metrics");
  CHECK(proxy_path(exporter_typed("a/https:b:metrics/federate?x=y")) ==
        "/api/v1/namespaces/a/pods/https:b:metrics/proxy/federate?x=y");
  CHECK_FALSE(exporter_typed("a/http:b:1/m").is_tls);
  for (const char* wrong : {"", "a", "a/b", "a/b:", "a/:1", "/b:1", "a/b/c:1", "a/https:b",
                            "a/b:1#x", "a/b:1/x y", "a/../b:1", "a%2fb/c:1", "a/b:1\n"})
    CHECK_THROWS_WITH(exporter_typed(wrong), Contains("that is no port of a pod"));
}

TEST_CASE("how often an exporter measures, by its own pod") {
  Pod pod = running({{"app", "nvidia-dcgm-exporter"}}, "nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3");
  CHECK_FALSE(exporter_of(pod)->interval);
  pod.containers.front().collect_interval = std::chrono::milliseconds(1000);
  const std::vector<Exporter> exporters = {*exporter_of(pod)};
  CHECK(exporters.front().interval == std::chrono::milliseconds(1000));

  // What Prometheus tells of it, by the exporter that labels name, else by the only one there.
  const auto filled = [&](Sample sample) {
    sample.interval = std::chrono::seconds(30);
    fill_interval(sample, exporters);
    return sample.interval;
  };
  CHECK(filled({.exporter = "gpu-operator/x7k2p"}) == std::chrono::seconds(1));
  CHECK(filled({.exporter = "gpu-operator/other", .node = "gpu-a1"}) == std::chrono::seconds(30));
  CHECK(filled({.node = "gpu-a1"}) == std::chrono::seconds(1));
  CHECK(filled({.node = "gpu-a2"}) == std::chrono::seconds(30));
}

}  // namespace gpu::telemetry::exporters_exporters_test
