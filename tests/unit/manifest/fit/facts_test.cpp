#include "manifest/fit/facts.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "make.hpp"

namespace fit_facts_test {

using namespace gpu;
using namespace gpu::manifest;

namespace {

constexpr std::int64_t kGibi = std::int64_t{1} << 30;

Node gpu_node(const std::string& name, std::int64_t gpus, std::string_view product,
              std::int64_t cpus = 64, std::int64_t gib = 512) {
  Node node = make::node(name, gpus);
  if (!product.empty()) node.labels.set("nvidia.com/gpu.product", std::string(product));
  node.allocatable.set("cpu", Quantity::of(cpus));
  node.allocatable.set("memory", Quantity::of(gib * kGibi));
  return node;
}

ClusterFacts facts_with(std::vector<Node> nodes) {
  return facts_of(make::snapshot(std::move(nodes), {}), "ml");
}

Node tainted(const std::string& name, std::vector<Taint> taints) {
  Node node = gpu_node(name, 8, "NVIDIA-H100-80GB-HBM3");
  node.taints = std::move(taints);
  return node;
}

Taint taint(std::string key, std::string value = {}, std::string effect = "NoSchedule") {
  return {
      .key = std::move(key), .value = std::move(value), .effect = std::move(effect), .added = {}};
}

/// "KEY=VALUE:EFFECT*NODES ..." of the one group.
std::string taints_of(std::vector<Node> nodes) {
  const ClusterFacts facts = facts_with(std::move(nodes));
  if (facts.gpu_nodes.size() != 1) return "not one group";
  std::string text;
  for (const SeenTaint& each : facts.gpu_nodes[0].taints)
    text += (text.empty() ? "" : " ") + each.taint.key + "=" + each.taint.value + ":" +
            each.taint.effect + "*" + std::to_string(each.nodes);
  return text;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("A cluster is known where all of its nodes were read") {
  Snapshot snapshot = make::snapshot({}, {});
  CHECK(facts_of(snapshot, "ml").is_known);
  CHECK_FALSE(facts_of(snapshot, "ml").is_to_come);
  snapshot.node_coverage = Coverage::partial;
  CHECK_FALSE(facts_of(snapshot, "ml").is_known);
}

TEST_CASE("Nodes with the same card and resource are one group, and it has their sums") {
  const ClusterFacts facts =
      facts_with({gpu_node("a", 8, "NVIDIA-H100-80GB-HBM3", 100, 1000),
                  gpu_node("b", 8, "NVIDIA-H100-80GB-HBM3", 90, 1100), make::node("cpu", 0)});
  REQUIRE(facts.gpu_nodes.size() == 1);
  const GpuNodes& group = facts.gpu_nodes[0];
  CHECK(group.model == "H100-80G");
  CHECK(group.product == "NVIDIA-H100-80GB-HBM3");
  CHECK(group.label == "nvidia.com/gpu.product");
  CHECK(group.resource == "nvidia.com/gpu");
  CHECK(group.nodes == 2);
  CHECK(group.units == 16);
  CHECK(group.largest == 8);
  CHECK(group.cpu == Quantity::of(90));
  CHECK(group.memory == Quantity::of(1000 * kGibi));
  CHECK(group.all_cpu == Quantity::of(190));
  CHECK(group.all_memory == Quantity::of(2100 * kGibi));
}

TEST_CASE("CPU and memory are those of the nodes with the most GPUs") {
  for (const bool is_first : {true, false}) {
    Node large = gpu_node(is_first ? "a" : "z", 8, "NVIDIA-L4", 100, 800);
    const ClusterFacts facts = facts_with({gpu_node("m", 4, "NVIDIA-L4", 10, 80), large});
    REQUIRE(facts.gpu_nodes.size() == 1);
    CHECK(facts.gpu_nodes[0].largest == 8);
    CHECK(facts.gpu_nodes[0].units == 12);
    CHECK(facts.gpu_nodes[0].cpu == Quantity::of(100));
    CHECK(facts.gpu_nodes[0].memory == Quantity::of(800 * kGibi));
  }
}

TEST_CASE("Groups differ by product, by label, by resource, by profile and by sharing") {
  const Node one = gpu_node("a", 8, "NVIDIA-H100-80GB-HBM3");
  const auto groups_with = [&](Node other) {
    return facts_with({one, std::move(other)}).gpu_nodes.size();
  };
  CHECK(groups_with(gpu_node("b", 8, "NVIDIA-H100-80GB-HBM3")) == 1);
  CHECK(groups_with(gpu_node("b", 8, "NVIDIA-H100-NVL")) == 2);
  CHECK(groups_with(gpu_node("b", 8, "")) == 2);
  CHECK(groups_with(gpu_node("b", 8, "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb")) == 2);
  Node by_gke = gpu_node("b", 8, "");
  by_gke.labels.set("cloud.google.com/gke-accelerator", "nvidia-h100-80gb");
  CHECK(groups_with(by_gke) == 2);
  Node renamed = make::node("b", 8, "nvidia.com/gpu.shared");
  renamed.labels = one.labels;
  CHECK(groups_with(renamed) == 2);
  Node sliced = one;
  sliced.name = "b";
  sliced.labels.set("nvidia.com/gpu.replicas", "4");
  sliced.labels.set("nvidia.com/gpu.sharing-strategy", "time-slicing");
  CHECK(groups_with(sliced) == 2);
}

TEST_CASE("The form of the GPUs of a group is known: whole, shared, cut") {
  Node sliced = gpu_node("b", 8, "Tesla-T4-SHARED");
  sliced.labels.set("nvidia.com/gpu.replicas", "4");
  sliced.labels.set("nvidia.com/gpu.sharing-strategy", "time-slicing");
  const ClusterFacts shared = facts_with({sliced});
  REQUIRE(shared.gpu_nodes.size() == 1);
  CHECK(shared.gpu_nodes[0].sharing.strategy == SharingStrategy::time_slicing);
  const ClusterFacts whole = facts_with({gpu_node("a", 8, "Tesla-T4")});
  CHECK(whole.gpu_nodes.at(0).sharing.strategy == SharingStrategy::none);
  const ClusterFacts cut = facts_with({make::node("m", 7, "nvidia.com/mig-1g.10gb"),
                                       gpu_node("s", 7, "NVIDIA-A100-SXM4-80GB-MIG-2g.20gb")});
  REQUIRE(cut.gpu_nodes.size() == 2);
  CHECK(cut.gpu_nodes[0].kind.kind == DeviceKind::mig_slice);
  CHECK(cut.gpu_nodes[0].kind.profile == "1g.10gb");
  CHECK(cut.gpu_nodes[1].single_mig_profile == "2g.20gb");
}

TEST_CASE("The group with most units stands first, and equal ones by the names of their nodes") {
  const auto products = [](std::vector<Node> nodes) {
    Names names;
    for (const GpuNodes& each : facts_with(std::move(nodes)).gpu_nodes)
      names.push_back(each.product);
    return names;
  };
  CHECK(products({gpu_node("a", 4, "NVIDIA-L4"), gpu_node("b", 8, "NVIDIA-H100-NVL")}) ==
        Names{"NVIDIA-H100-NVL", "NVIDIA-L4"});
  CHECK(products({gpu_node("a", 8, "NVIDIA-H100-NVL"), gpu_node("b", 4, "NVIDIA-L4"),
                  gpu_node("c", 4, "NVIDIA-L4"), gpu_node("d", 4, "NVIDIA-L4")}) ==
        Names{"NVIDIA-L4", "NVIDIA-H100-NVL"});
  CHECK(products({gpu_node("a", 8, "NVIDIA-L4"), gpu_node("b", 8, "NVIDIA-H100-NVL")}) ==
        Names{"NVIDIA-L4", "NVIDIA-H100-NVL"});
}

TEST_CASE("A node that offers no GPU just now is no place to fit to") {
  Node broken = gpu_node("a", 8, "NVIDIA-L4");
  broken.allocatable.set("nvidia.com/gpu", Quantity::of(0));
  CHECK(facts_with({broken}).gpu_nodes.empty());
}

TEST_CASE("Taints that keep pods away are counted by key, value and effect") {
  CHECK(taints_of({tainted("a", {taint("dedicated", "ml")}),
                   tainted("b", {taint("dedicated", "ml"), taint("dedicated", "web")}),
                   tainted("c", {taint("dedicated", "ml", "NoExecute"), taint("other", "ml")})}) ==
        "dedicated=ml:NoSchedule*2 dedicated=web:NoSchedule*1 dedicated=ml:NoExecute*1 "
        "other=ml:NoSchedule*1");
}

TEST_CASE("Taints that keep no pod away, or speak of a node's health or cordon, are left out") {
  CHECK(taints_of({tainted("a", {taint("soft", "", "PreferNoSchedule"), taint("gpu-health", "bad"),
                                 taint("node.kubernetes.io/unschedulable"),
                                 taint("node.kubernetes.io/not-ready"), taint("kept")})}) ==
        "kept=:NoSchedule*1");
}

TEST_CASE("Nodes that a cloud may take back are known by the labels of clouds and of Karpenter") {
  const auto label_with = [](std::string_view key, std::string value) {
    Node node = make::node("a", 0);
    node.labels.set(key, std::move(value));
    return facts_with({make::node("b", 0), node}).spot_label;
  };
  using Label = std::pair<std::string, std::string>;
  for (const Label& label :
       {Label{"karpenter.sh/capacity-type", "spot"}, Label{"cloud.google.com/gke-spot", "true"},
        Label{"eks.amazonaws.com/capacityType", "SPOT"},
        Label{"kubernetes.azure.com/scalesetpriority", "spot"}})
    CHECK(label_with(label.first, label.second) == label);
  CHECK_FALSE(label_with("karpenter.sh/capacity-type", "on-demand"));
  CHECK_FALSE(label_with("spot", "true"));
}

TEST_CASE("Names of a kind are known only where all of that kind were read") {
  Snapshot snapshot = make::snapshot({}, {});
  snapshot.scheduling.storage_classes = {
      {.name = "fast", .provisioner = {}, .created = {}, .allowed_topologies = {}}};
  CHECK_FALSE(facts_of(snapshot, "ml").storage_classes);
  snapshot.scheduling.coverages["storageclasses"] = Coverage::partial;
  CHECK_FALSE(facts_of(snapshot, "ml").storage_classes);
  snapshot.scheduling.coverages["storageclasses"] = Coverage::whole;
  CHECK(facts_of(snapshot, "ml").storage_classes == Names{"fast"});
}

TEST_CASE("Each list of names is of its own kind, and of the namespace where kinds have one") {
  Snapshot snapshot = make::snapshot({}, {});
  SchedulingFacts& seen = snapshot.scheduling;
  seen.local_queues.resize(2);
  seen.local_queues[0].ns = "ml";
  seen.local_queues[0].name = "here";
  seen.local_queues[1].ns = "web";
  seen.local_queues[1].name = "there";
  seen.volume_claims.resize(2);
  seen.volume_claims[0].ns = "web";
  seen.volume_claims[0].name = "there";
  seen.volume_claims[1].ns = "ml";
  seen.volume_claims[1].name = "data";
  seen.priority_classes.resize(1);
  seen.priority_classes[0].name = "high";
  seen.runtime_classes.resize(1);
  seen.runtime_classes[0].name = "nvidia";
  snapshot.device_classes.resize(1);
  snapshot.device_classes[0].name = "gpu.nvidia.com";
  const ClusterFacts none = facts_of(snapshot, "ml");
  CHECK_FALSE((none.queues || none.claims || none.priority_classes || none.runtime_classes ||
               none.device_classes || none.served));
  const auto seen_with = [&](const std::string& plural) {
    snapshot.scheduling.coverages = {{plural, Coverage::whole}};
    return facts_of(snapshot, "ml");
  };
  CHECK(seen_with("localqueues").queues == Names{"here"});
  CHECK(seen_with("persistentvolumeclaims").claims == Names{"data"});
  CHECK(seen_with("priorityclasses").priority_classes == Names{"high"});
  CHECK(seen_with("runtimeclasses").runtime_classes == Names{"nvidia"});
  CHECK(seen_with("deviceclasses").device_classes == Names{"gpu.nvidia.com"});
}

TEST_CASE("A kind is served in any version of its own group, where the API was read") {
  Snapshot snapshot = make::snapshot({}, {});
  snapshot.scheduling.api_groups = {
      {.name = "batch", .versions = {{.name = "v1", .kinds = {"Job", "CronJob"}}}},
      {.name = "jobset.x-k8s.io", .versions = {{.name = "v1alpha2", .kinds = {"JobSet"}}}}};
  CHECK_FALSE(serves(facts_of(snapshot, "ml"), "Job", "batch").has_value());
  snapshot.scheduling.coverages["apigroups"] = Coverage::whole;
  const ClusterFacts facts = facts_of(snapshot, "ml");
  CHECK(facts.served ==
        Names{"Job.batch/v1", "CronJob.batch/v1", "JobSet.jobset.x-k8s.io/v1alpha2"});
  CHECK(serves(facts, "JobSet", "jobset.x-k8s.io") == true);
  CHECK(serves(facts, "JobSet", "batch") == false);
  CHECK(serves(facts, "Cron", "batch") == false);
  CHECK(serves(facts, "Job", "bat") == false);
}

TEST_CASE("Whether Kueue manages the namespace follows from its selector and the labels") {
  Snapshot snapshot = make::snapshot({}, {});
  CHECK_FALSE(facts_of(snapshot, "ml").is_managed_by_kueue.has_value());
  QueueConfig config;
  config.managed_namespaces.labels.set("managed", "yes");
  snapshot.scheduling.queue_configs = {config};
  CHECK_FALSE(facts_of(snapshot, "ml").is_managed_by_kueue.has_value());
  Namespace other{.name = "ml", .labels = {}};
  Namespace managed{.name = "team", .labels = {}};
  managed.labels.set("managed", "yes");
  snapshot.scheduling.namespaces = {other, managed};
  CHECK(facts_of(snapshot, "ml").is_managed_by_kueue == false);
  CHECK(facts_of(snapshot, "team").is_managed_by_kueue == true);
}

TEST_CASE("Secrets are known by name, of the namespace alone") {
  Snapshot snapshot = make::snapshot({}, {});
  snapshot.scheduling.secrets = {{.ns = "ml", .name = "hf-token"}, {.ns = "web", .name = "tls"}};
  CHECK_FALSE(facts_of(snapshot, "ml").secrets.has_value());
  snapshot.scheduling.coverages["secrets"] = Coverage::whole;
  CHECK(facts_of(snapshot, "ml").secrets == Names{"hf-token"});
}

}  // namespace fit_facts_test
