/// How long it takes to judge and to explain 1,000 different pods that wait, on 5,000 nodes with
/// 50,000 pods.
///
///   cmake -B build/bench -DCMAKE_BUILD_TYPE=Release
///   cmake --build build/bench -t bench_schedule
///   build/bench/tests/tools/bench_schedule [heavy]
/// heavy: with spread, affinity and anti-affinity.
#include <sys/resource.h>

#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/explain/explain.hpp"
#include "model/snapshot/snapshot.hpp"
#include "scheduler/cycle/judge.hpp"

namespace {

using namespace gpu;

constexpr int kNodes = 5000;
constexpr int kPods = 50000;
constexpr int kWaiting = 1000;
constexpr std::int64_t kGibi = std::int64_t{1} << 30;

enum class Kind { plain, heavy };

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::string product(int i) { return i % 2 == 0 ? "NVIDIA-A100-SXM4-80GB" : "NVIDIA-H100-80GB"; }

std::vector<PodAffinityTerm> to_app(int i, std::string key) {
  return {{.selector = ObjectSelector{.labels = {{"app", "app-" + std::to_string(i % 500)}}},
           .topology_key = std::move(key)}};
}

Node node(int i) {
  Node made{.name = "node-" + std::to_string(10000 + i)};
  made.labels.set("kubernetes.io/hostname", made.name);
  made.labels.set("topology.kubernetes.io/zone", "zone-" + std::to_string(i % 6));
  made.labels.set("nvidia.com/gpu.product", product(i % 3));
  for (int k = 0; k < 25; ++k)
    made.labels.set("label.example.com/key-" + std::to_string(k),
                    "value-" + std::to_string(i % (k + 2)));
  made.allocatable = {{"cpu", Quantity::of(96)},
                      {"memory", Quantity::of(1024 * kGibi)},
                      {"pods", Quantity::of(110)},
                      {"ephemeral-storage", Quantity::of(1024 * kGibi)},
                      {"nvidia.com/gpu", Quantity::of(8)}};
  if (i % 10 == 0) made.taints.push_back({"dedicated", "t" + std::to_string(i % 70), "NoSchedule"});
  made.unschedulable = i % 100 == 1;
  return made;
}

Pod pod(std::string name, int i, std::int64_t cpus, std::int64_t gpus) {
  Pod made{.ns = "ns-" + std::to_string(i % 50), .name = std::move(name)};
  made.uid = "uid-" + made.name;
  made.labels = {{"app", "app-" + std::to_string(i % 500)}};
  Container container{.name = "main"};
  container.requests = {{"cpu", Quantity::of(cpus)}, {"memory", Quantity::of(2 * cpus * kGibi)}};
  if (gpus > 0) container.requests.set("nvidia.com/gpu", Quantity::of(gpus));
  made.containers.push_back(std::move(container));
  return made;
}

Pod running(int i, Kind kind) {
  Pod made = pod("pod-" + std::to_string(i), i, 2, i / kNodes < 4 ? 2 : 0);
  made.node_name = "node-" + std::to_string(10000 + i % kNodes);
  made.phase = "Running";
  made.priority = i % 7 == 0 ? 0 : 100;
  if (kind == Kind::heavy && i % 10 == 0)
    made.placement.pod_anti_affinity = to_app(i, "kubernetes.io/hostname");
  return made;
}

Pod waiting(int i, Kind kind) {
  Pod made = pod("wait-" + std::to_string(i), i, 4, 1 + i % 8);
  made.labels.set("job", std::to_string(i));
  made.phase = "Pending";
  made.scheduler_name = "default-scheduler";
  made.priority = i % 5 == 0 ? 0 : 50;
  made.node_selector = {{"nvidia.com/gpu.product", product(i)}};
  if (i % 3 == 0) made.tolerations = {{.key = "dedicated", .op = "Exists"}};
  if (kind == Kind::heavy && i % 4 == 0)
    made.placement.spread = {{.max_skew = 1,
                              .topology_key = "topology.kubernetes.io/zone",
                              .when_unsatisfiable = "DoNotSchedule",
                              .selector = to_app(i, {})[0].selector}};
  if (kind == Kind::heavy && i % 4 == 1)
    made.placement.pod_affinity = to_app(i, "topology.kubernetes.io/zone");
  return made;
}

Snapshot snapshot(Kind kind) {
  Snapshot made{.server_version = "v1.36.1"};
  made.node_coverage = made.pod_coverage = Coverage::whole;
  for (int i = 0; i < kNodes; ++i) made.nodes.push_back(node(i));
  for (int i = 0; i < kPods; ++i) made.pods.push_back(running(i, kind));
  for (int i = 0; i < kWaiting; ++i) made.pods.push_back(waiting(i, kind));
  return made;
}

}  // namespace

int main(int count, char** arguments) {
  const bool is_heavy = count > 1 && std::string_view(arguments[1]) == "heavy";
  const Snapshot all = snapshot(is_heavy ? Kind::heavy : Kind::plain);
  const double start = cpu_seconds();
  const scheduler::Cluster cluster(all);
  const double ready = cpu_seconds();
  double judging = 0;
  double telling = 0;
  std::size_t length = 0;
  for (std::size_t i = kPods; i < all.pods.size(); ++i) {
    const double from = cpu_seconds();
    const scheduler::Verdict verdict = scheduler::judge(cluster, all.pods[i]);
    const double judged = cpu_seconds();
    length += scheduler::predicted_message(cluster, all.pods[i], verdict).size();
    judging += judged - from;
    telling += cpu_seconds() - judged;
    if (i == kPods) std::cout << "first pod: " << cpu_seconds() - start << " s\n";
  }
  std::cout << "cluster: " << ready - start << " s, judging: " << judging
            << " s, messages: " << telling << " s (" << length
            << " characters), memory: " << peak_mebibytes() << " MiB\n";
  const double before = cpu_seconds();
  const auto rows =
      diagnose::explain_all(cluster, {}, {.fixes = diagnose::ExplainOptions::Fixes::leave_out});
  std::cout << "answers: " << cpu_seconds() - before << " s (" << rows.size() << " rows)\n";
  return 0;
}
