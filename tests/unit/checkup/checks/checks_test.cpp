#include <catch2/catch.hpp>

#include "checkup/checks/check.hpp"
#include "make.hpp"

namespace checks_checks_test {

using namespace gpu;
using namespace gpu::checkup;

namespace {

using Run = CheckResults (*)(const CheckContext&);

CheckResults results_of(Run run, const Snapshot& snapshot, const Surroundings& beside = {}) {
  const CheckContext context(snapshot, beside);
  return run(context);
}

bool says(const CheckResults& results, CheckState state, std::string_view word) {
  for (const CheckResult& each : results)
    if (each.state == state && each.says.find(word) != std::string::npos) return true;
  return false;
}

Node labelled(std::string name, std::int64_t gpus, const StringMap& more = {}) {
  Node node = make::node(std::move(name), gpus);
  node.labels.set("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3");
  node.labels.set("nvidia.com/gpu.count", "8");
  node.labels.set("nvidia.com/cuda.driver-version.full", "570.86.15");
  node.labels.set("nvidia.com/cuda.runtime-version.major", "12");
  for (const auto& [key, value] : more) node.labels.set(key, value);
  return node;
}

Snapshot with_quota(const std::string& key) {
  Snapshot snapshot = make::snapshot({make::node("a", 8)}, {});
  ResourceQuota quota{.ns = "ml", .name = "gpus"};
  quota.hard.set(key, Quantity::of(4));
  snapshot.scheduling.quotas = {quota};
  snapshot.scheduling.coverages["resourcequotas"] = Coverage::whole;
  return snapshot;
}

Snapshot with_image(const std::string& image) {
  Pod pod = make::pod("train", "a", 1);
  pod.containers[0].image = image;
  return make::snapshot({labelled("a", 8)}, {pod});
}

Snapshot with_profile(const PluginProfile& profile) {
  Snapshot snapshot = make::snapshot({labelled("a", 8)}, {});
  snapshot.scheduling.plugin_configs = {{.ns = "op", .name = "cfg", .profiles = {profile}}};
  return snapshot;
}

Snapshot with_card(const Measures& measures) {
  Snapshot snapshot = make::snapshot({labelled("a", 8)}, {});
  Sample card = make::card("a", 0, 0.5);
  card.measures.last_xid = measures.last_xid;
  card.measures.faults = measures.faults;
  snapshot.samples = {card};
  return snapshot;
}

}  // namespace

TEST_CASE("keys of a quota that nothing counts") {
  CHECK(says(results_of(check_quota, with_quota("limits.nvidia.com/gpu")), CheckState::warning,
             "`limits.nvidia.com/gpu`"));
  CHECK(says(results_of(check_quota, with_quota("amd.com/gpu")), CheckState::warning,
             "`amd.com/gpu`"));
  for (const char* const fine : {"requests.nvidia.com/gpu", "limits.cpu", "pods",
                                 "gpu.nvidia.com.deviceclass.resource.k8s.io/devices"})
    CHECK(results_of(check_quota, with_quota(fine)).front().state == CheckState::ok);
}

TEST_CASE("images that are certainly of a newer CUDA than the driver") {
  CHECK(says(results_of(check_images, with_image("docker.io/nvidia/cuda:13.0.1-base")),
             CheckState::warning, "CUDA 13"));
  CHECK(says(results_of(check_images, with_image("nvcr.io/nvidia/pytorch:25.08-py3")),
             CheckState::warning, "CUDA 13"));
  for (const char* const fine : {"nvidia/cuda:12.9.1-devel", "nvcr.io/nvidia/pytorch:25.06-py3"})
    CHECK(results_of(check_images, with_image(fine)).front().state == CheckState::ok);
  // Of these nothing is certain.
  for (const char* const other :
       {"nvidia/cuda", "nvidia/cuda:latest", "nvidia/cuda@sha256:0123", "nvidia/cuda:130",
        "acme/cuda:13.0", "nvcr.io/nvidia/pytorch:latest", "nvcr.io/nvidia/pytorch:25.99-py3",
        "nvcr.io/nvidia/pytorch:25.", "registry:5000/pytorch", ":", "@", ""})
    CHECK(results_of(check_images, with_image(other)).front().state == CheckState::skipped);
}

TEST_CASE("mistakes in the profiles of a device plugin") {
  const PluginProfile sound{.key = "any",
                            .version = "v1",
                            .has_time_slicing = true,
                            .resources = {{.name = "nvidia.com/gpu", .replicas = 4}}};
  CHECK(results_of(check_sharing, with_profile(sound)).front().state == CheckState::ok);
  const auto with = [&](auto change) {
    PluginProfile profile = sound;
    change(profile);
    return results_of(check_sharing, with_profile(profile));
  };
  CHECK(says(with([](auto& it) { it.version.clear(); }), CheckState::failed, "version: v1"));
  CHECK(says(with([](auto& it) { it.has_mps = true; }), CheckState::failed, "both"));
  CHECK(says(with([](auto& it) { it.resources.clear(); }), CheckState::failed, "no resource"));
  CHECK(says(with([](auto& it) { it.resources[0].replicas = 1; }), CheckState::failed, "1 rep"));
  CHECK(
      says(with([](auto& it) { it.resources[0].replicas.reset(); }), CheckState::failed, "no rep"));
  CHECK(says(with([](auto& it) { it.resources[0].name = "gpu"; }), CheckState::failed, "`gpu`"));
  CHECK(says(with([](auto& it) { it.problem = "line 3: bad"; }), CheckState::failed, "line 3"));
  CHECK(says(with([](auto& it) { it.unknown_keys = {"sharing.mpx"}; }), CheckState::failed, "mpx"));
}

TEST_CASE("what metrics tell of cards: of programs' own mistakes nothing is said") {
  const auto of = [](const Measures& measures) {
    return results_of(check_gpus, with_card(measures), {.now = std::nullopt});
  };
  CHECK(of({}).front().state == CheckState::ok);
  CHECK(of({.last_xid = 31}).front().state == CheckState::ok);
  CHECK(says(of({.last_xid = 79}), CheckState::warning, "fallen off the bus"));
  CHECK(says(of({.faults = {.remap_failure = 1}}), CheckState::failed, "could not be remapped"));
  CHECK(says(of({.faults = {.remap_pending = 1}}), CheckState::warning, "next reset"));
  CHECK(says(of({.faults = {.uncorrectable_errors = 2}}), CheckState::warning, "ECC"));
  CHECK(says(of({.faults = {.clock_reasons = 0x40}}), CheckState::warning, "temperature"));
  CHECK(of({.faults = {.clock_reasons = 0x1}}).front().state == CheckState::ok);  // idle
  CHECK(of({.faults = {.clock_reasons = 0x4}}).front().state == CheckState::ok);  // power cap
}

TEST_CASE("cards that are withdrawn or missing") {
  Node node = labelled("a", 8);
  node.allocatable.set("nvidia.com/gpu", Quantity::of(7));
  CHECK(says(results_of(check_gpus, make::snapshot({node}, {})), CheckState::failed,
             "7 of 8 are healthy"));
  CHECK(says(results_of(check_gpus, make::snapshot({labelled("a", 6)}, {})), CheckState::failed,
             "6 of 8 are advertised"));
}

TEST_CASE("labels that are missing while other nodes have them, or are of a time before") {
  CHECK(says(results_of(check_labels, make::snapshot({labelled("a", 8), make::node("b", 8)}, {})),
             CheckState::warning, "b has no label nvidia.com/gpu.product"));
  CHECK(says(results_of(check_labels, make::snapshot({labelled("a", 16)}, {})), CheckState::warning,
             "a has 16 nvidia.com/gpu, and its labels show 8"));
  CHECK(results_of(check_labels, make::snapshot({make::node("b", 8)}, {})).front().state ==
        CheckState::skipped);
  CHECK(results_of(check_labels, make::snapshot({labelled("a", 8)}, {})).front().state ==
        CheckState::ok);
}

TEST_CASE("a closed node matters while pods wait") {
  Node node = labelled("a", 8);
  node.unschedulable = true;
  CHECK(results_of(check_cordoned, make::snapshot({node}, {})).front().state == CheckState::ok);
  const CheckResults waited =
      results_of(check_cordoned, make::snapshot({node}, {make::pod("train", "", 2)}));
  CHECK(says(waited, CheckState::warning, "a is cordoned, with 8 GPUs, while 1 pod waits for 2"));
}

TEST_CASE("drivers of several majors, and their versions") {
  const Node other = labelled("b", 8, {{"nvidia.com/cuda.driver-version.full", "535.104.05"}});
  CHECK(says(results_of(check_driver, make::snapshot({labelled("a", 8), other}, {})),
             CheckState::warning, "535.104.05 on 1 node, 570.86.15 on 1 node"));
  CHECK(says(results_of(check_driver, make::snapshot({labelled("a", 8)}, {})), CheckState::ok,
             "570.86.15 on 1 node"));
}

TEST_CASE("a pod that gets all GPUs and requests none") {
  Pod greedy = make::pod("greedy", "a", 0);
  greedy.containers[0].sees_all_gpus = true;
  CHECK(says(results_of(check_unrequested, make::snapshot({labelled("a", 8)}, {greedy})),
             CheckState::warning, "ml/greedy"));
  Pod fair = make::pod("fair", "a", 1);
  fair.containers[0].sees_all_gpus = true;
  CHECK_FALSE(says(results_of(check_unrequested, make::snapshot({labelled("a", 8)}, {fair})),
                   CheckState::warning, "ml/fair"));
}

TEST_CASE("versions of Kubernetes that are known") {
  Snapshot snapshot = make::snapshot({labelled("a", 8)}, {});
  for (const auto& [version, state] :
       {std::pair{"v1.36.1", CheckState::ok}, std::pair{"v1.30.0-gke.100", CheckState::ok},
        std::pair{"v1.29.9", CheckState::warning}, std::pair{"v1.37.0", CheckState::warning},
        std::pair{"", CheckState::skipped}, std::pair{"odd", CheckState::ok}}) {
    snapshot.server_version = version;
    CHECK(results_of(check_server, snapshot).front().state == state);
  }
}

TEST_CASE("very many faults of different words are said in a few lines") {
  std::vector<Node> nodes;
  for (std::int64_t i = 0; i < 200; ++i) {
    Node node = labelled("n" + std::to_string(i), 1000 + i);
    node.allocatable.set("nvidia.com/gpu", Quantity::of(1 + i));
    nodes.push_back(node);
  }
  const CheckResults results = results_of(check_gpus, make::snapshot(nodes, {}));
  CHECK(results.size() == 5);
  CHECK(results.back().nodes.size() == 196);
}

TEST_CASE("programs that hide ours") {
  const CheckResults results =
      results_of(check_plugin_path, Snapshot{},
                 {.hiding = {{.path = "/usr/local/bin/kubectl-gpu-top", .command = "top"}}});
  CHECK(says(results, CheckState::warning,
             "/usr/local/bin/kubectl-gpu-top runs instead of `kubectl gpu top`"));
}

}  // namespace checks_checks_test
