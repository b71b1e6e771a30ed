#include "manifest/fit/placement.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"
#include "manifest/kinds/made.hpp"

namespace fit_placement_test {

using namespace gpu;
using namespace gpu::manifest;
using namespace gpu::manifest::test;

namespace {

const std::string kRequired = "nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.";
const std::string kTerms = kRequired + "nodeSelectorTerms";
const std::string kPreferred = "nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution";
const std::string kUsual = "{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}";

GpuNodes group(std::string model, std::string product, std::int64_t count = 1,
               std::string label = "nvidia.com/gpu.product") {
  GpuNodes nodes;
  nodes.model = std::move(model);
  nodes.product = std::move(product);
  nodes.label = std::move(label);
  nodes.resource = "nvidia.com/gpu";
  nodes.nodes = count;
  nodes.largest = 8;
  return nodes;
}

GpuNodes h100(std::int64_t count = 1) { return group("H100-80G", "NVIDIA-H100-80GB-HBM3", count); }

SeenTaint seen(std::string key, std::string value, std::int64_t nodes,
               std::string effect = "NoSchedule") {
  return {.taint = {.key = std::move(key),
                    .value = std::move(value),
                    .effect = std::move(effect),
                    .added = {}},
          .nodes = nodes};
}

struct Placed {
  Tree node_selector;
  Tree affinity;
  Tree tolerations;
  std::vector<GenNote> notes;
};

Placed placed(const GenOptions& options, const std::vector<GpuNodes>& nodes = {},
              Accelerator accelerator = {.resource = "nvidia.com/gpu", .units = 1},
              ClusterFacts facts = {}) {
  for (const GpuNodes& each : nodes) accelerator.nodes.push_back(&each);
  GenRequest request{.options = options, .facts = facts, .notes = {}};
  PlacementFields fields = placement_of(request, accelerator);
  return {fields.node_selector, fields.affinity, fields.tolerations, request.notes};
}

GenOptions of_models(std::vector<std::string> models) {
  GenOptions options;
  options.gpu_models = std::move(models);
  return options;
}

/// Texts of the notes, with line breaks between them.
std::string notes_of(const Placed& placed) {
  std::string text;
  for (const GenNote& each : placed.notes) text += (text.empty() ? "" : "\n") + each.text;
  return text;
}

std::string tolerations_for(GpuNodes nodes, std::vector<SeenTaint> taints) {
  nodes.taints = std::move(taints);
  return one_line_of(placed({}, {nodes}).tolerations);
}

}  // namespace

TEST_CASE("Without words on it a pod is kept to no nodes, and tolerates the taint of GPUs") {
  const Placed free = placed({}, {h100()});
  CHECK(free.node_selector.empty());
  CHECK(free.affinity.empty());
  CHECK(one_line_of(free.tolerations) == "[" + kUsual + "]");
  CHECK(free.notes.empty());
}

TEST_CASE("A pod without GPUs tolerates only what was asked for") {
  GpuNodes tainted = h100();
  tainted.taints = {seen("dedicated", "ml", 1)};
  CHECK(placed({}, {tainted}, {}).tolerations.empty());
}

TEST_CASE("Node selectors are those that were given") {
  GenOptions options;
  options.node_selector = {{"pool", "a"}, {"zone", "b"}};
  CHECK(one_line_of(placed(options).node_selector) == "{pool: a, zone: b}");
}

TEST_CASE("A model is asked for by the labels that its nodes have, each value once") {
  const Placed one =
      placed(of_models({"H100"}), {h100(), group("H100-94G", "NVIDIA-H100-NVL"), h100()});
  CHECK(text_at(one.affinity, kTerms) ==
        "[{matchExpressions: [{key: nvidia.com/gpu.product, operator: In, values: "
        "[NVIDIA-H100-80GB-HBM3, NVIDIA-H100-NVL]}]}]");
  CHECK(text_at(one.affinity, kPreferred) == "-");
}

TEST_CASE("Two keys of labels are two terms, since either will do") {
  const Placed two = placed(
      of_models({"H100"}),
      {h100(), group("H100-80G", "nvidia-h100-80gb", 1, "cloud.google.com/gke-accelerator")});
  CHECK(at(two.affinity, kTerms)->size() == 2);
  CHECK(text_at(two.affinity, kTerms + "[0].matchExpressions[0].key") == "nvidia.com/gpu.product");
  CHECK(text_at(two.affinity, kTerms + "[1].matchExpressions") ==
        "[{key: cloud.google.com/gke-accelerator, operator: In, values: [nvidia-h100-80gb]}]");
}

TEST_CASE("Pods are kept off nodes that advertise the same name for something else") {
  const Placed kept =
      placed({}, {h100()},
             {.resource = "nvidia.com/gpu", .units = 1, .nodes = {}, .has_lookalikes = true});
  CHECK(text_at(kept.affinity, kTerms + "[0].matchExpressions[0].values") ==
        "[NVIDIA-H100-80GB-HBM3]");
  CHECK(std::get<Tree::Map>(at(kept.affinity, "nodeAffinity")->value())[0].why.comment ==
        "other nodes advertise nvidia.com/gpu for shared cards or slices");
}

TEST_CASE("Nodes without a label are warned of where pods should be kept to them") {
  const Placed bare = placed(of_models({"H100"}), {group("", "", 2, ""), h100()});
  CHECK(notes_of(bare) ==
        "2 nodes with nvidia.com/gpu carry no label of their model, so the pods cannot be kept to "
        "them");
  CHECK(bare.notes[0].level == GenNote::Level::warning);
  CHECK(at(bare.affinity, kTerms)->size() == 1);
  CHECK(placed(of_models({"H100"}), {group("", "", 1, "")}).affinity.empty());
  CHECK(notes_of(placed({}, {group("", "", 2, "")})).empty());
}

TEST_CASE("Without a cluster a model's labels are those of our table, and a comment says so") {
  const Placed portable = placed(of_models({"L4", "T4"}));
  CHECK(text_at(portable.affinity, kTerms) ==
        "[{matchExpressions: [{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-L4, "
        "Tesla-T4]}]}]");
  CHECK(std::get<Tree::Map>(at(portable.affinity, "nodeAffinity")->value())[0].why.comment ==
        "labels that GPU feature discovery gives such nodes; not seen in a cluster");
  CHECK_THROWS_WITH(placed(of_models({"MI300X"})),
                    "which label nodes with MI300X carry is not known without a cluster");
}

TEST_CASE("Labels that were seen in the cluster need no comment") {
  const Placed known = placed(of_models({"H100"}), {h100()});
  CHECK(std::get<Tree::Map>(at(known.affinity, "nodeAffinity")->value())[0].why.comment.empty());
}

TEST_CASE("All models but the last are preferred, the first the most") {
  const Placed order = placed(of_models({"H100", "A100", "L4"}),
                              {group("L4", "NVIDIA-L4"), group("A100-40G", "NVIDIA-A100-PCIE-40GB"),
                               group("", "", 1, ""), h100()});
  CHECK(at(order.affinity, kPreferred)->size() == 2);
  CHECK(text_at(order.affinity, kPreferred + "[0]") ==
        "{weight: 100, preference: {matchExpressions: [{key: nvidia.com/gpu.product, operator: In, "
        "values: [NVIDIA-H100-80GB-HBM3]}]}}");
  CHECK(text_at(order.affinity, kPreferred + "[1].weight") == "90");
  CHECK(text_at(order.affinity, kPreferred + "[1].preference.matchExpressions[0].values") ==
        "[NVIDIA-A100-PCIE-40GB]");
}

TEST_CASE("Without a cluster the first of two models is preferred, too") {
  const Placed order = placed(of_models({"L4", "T4"}));
  CHECK(at(order.affinity, kPreferred)->size() == 1);
  CHECK(text_at(order.affinity, kPreferred + "[0].preference.matchExpressions[0].values") ==
        "[NVIDIA-L4]");
}

TEST_CASE("The weight of a preference is never less than the API server takes") {
  const Placed many = placed(of_models(std::vector<std::string>(13, "L4")));
  CHECK(at(many.affinity, kPreferred)->size() == 12);
  CHECK(text_at(many.affinity, kPreferred + "[8].weight") == "20");
  CHECK(text_at(many.affinity, kPreferred + "[9].weight") == "10");
  CHECK(text_at(many.affinity, kPreferred + "[11].weight") == "10");
}

TEST_CASE("Spot nodes are those that the cluster labels so, with each term of models") {
  GenOptions options = of_models({"H100"});
  options.uses_spot = true;
  ClusterFacts facts;
  facts.is_known = true;
  facts.spot_label = {"cloud.google.com/gke-spot", "true"};
  const std::string spot = "{key: cloud.google.com/gke-spot, operator: In, values: [\"true\"]}";
  const Accelerator one{.resource = "nvidia.com/gpu", .units = 1};
  const Placed both =
      placed(options,
             {h100(), group("H100-80G", "nvidia-h100-80gb", 1, "cloud.google.com/gke-accelerator")},
             one, facts);
  CHECK(text_at(both.affinity, kTerms + "[0].matchExpressions[1]") == spot);
  CHECK(text_at(both.affinity, kTerms + "[1].matchExpressions[1]") == spot);
  CHECK(both.notes.empty());
  options.gpu_models.clear();
  CHECK(text_at(placed(options, {h100()}, one, facts).affinity, kTerms) ==
        "[{matchExpressions: [" + spot + "]}]");
}

TEST_CASE(
    "Where no spot node is seen Karpenter's label is written, and a known cluster warned of") {
  GenOptions options;
  options.uses_spot = true;
  ClusterFacts facts;
  const Accelerator one{.resource = "nvidia.com/gpu", .units = 1};
  const Placed portable = placed(options, {}, one, facts);
  CHECK(text_at(portable.affinity, kTerms) ==
        "[{matchExpressions: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]}]");
  CHECK(portable.notes.empty());
  facts.is_known = true;
  const Placed known = placed(options, {}, one, facts);
  CHECK(notes_of(known).starts_with("no node of this cluster is labelled as a spot node"));
  CHECK(known.notes[0].level == GenNote::Level::warning);
}

TEST_CASE("A taint of all chosen nodes is tolerated, with its value and effect, and said") {
  GpuNodes tainted = h100(2);
  tainted.taints = {seen("dedicated", "ml", 2), seen("gpu-only", "", 2, "NoExecute")};
  const Placed all = placed({}, {tainted});
  CHECK(one_line_of(all.tolerations) ==
        "[" + kUsual + ", {key: dedicated, operator: Equal, value: ml, effect: NoSchedule}, " +
            "{key: gpu-only, operator: Exists, effect: NoExecute}]");
  CHECK(notes_of(all) ==
        "added a toleration for dedicated=ml:NoSchedule, which 2 of 2 nodes with these GPUs have\n"
        "added a toleration for gpu-only:NoExecute, which 2 of 2 nodes with these GPUs have");
  CHECK(all.notes[0].level == GenNote::Level::note);
}

TEST_CASE("A taint of some of the nodes is left to the person, who is told how to tolerate it") {
  GpuNodes tainted = h100(3);
  tainted.taints = {seen("dedicated", "ml", 2), seen("gpu-only", "", 1, "NoExecute")};
  const Placed some = placed({}, {tainted});
  CHECK(one_line_of(some.tolerations) == "[" + kUsual + "]");
  CHECK(notes_of(some) ==
        "2 of 3 nodes have the taint dedicated=ml:NoSchedule, which the manifest does not "
        "tolerate; --toleration dedicated=ml:NoSchedule lets pods run there\n"
        "1 of 3 nodes has the taint gpu-only:NoExecute, which the manifest does not tolerate; "
        "--toleration gpu-only:NoExecute lets pods run there");
}

TEST_CASE("A taint is on all nodes only where every group has it") {
  GpuNodes one = h100(2);
  one.taints = {seen("dedicated", "ml", 2)};
  GpuNodes other = group("L4", "NVIDIA-L4", 3);
  CHECK(notes_of(placed({}, {one, other})).starts_with("2 of 5 nodes have the taint"));
  other.taints = {seen("dedicated", "ml", 3)};
  CHECK(notes_of(placed({}, {one, other})).starts_with("added a toleration"));
  // Another value, or effect, is another taint.
  other.taints = {seen("dedicated", "web", 3)};
  CHECK(placed({}, {one, other}).notes.size() == 2);
  other.taints = {seen("dedicated", "ml", 3, "NoExecute")};
  CHECK(placed({}, {one, other}).notes.size() == 2);
}

TEST_CASE("A taint that marks nodes as having GPUs is tolerated on few of them, too") {
  const GpuNodes four = h100(4);
  CHECK(tolerations_for(four, {seen("sku", "gpu", 1)}) ==
        "[" + kUsual + ", {key: sku, operator: Equal, value: gpu, effect: NoSchedule}]");
  CHECK(tolerations_for(four, {seen("amd.com/gpu", "", 1)}) ==
        "[" + kUsual + ", {key: amd.com/gpu, operator: Exists, effect: NoSchedule}]");
  CHECK(tolerations_for(four, {seen("nvidia.com/gpu", "present", 1, "NoExecute")}) ==
        "[" + kUsual +
            ", {key: nvidia.com/gpu, operator: Equal, value: present, effect: NoExecute}]");
  CHECK(tolerations_for(four, {seen("sku", "cpu", 1)}) == "[" + kUsual + "]");
  CHECK(tolerations_for(four, {seen("tier", "gpu", 1)}) == "[" + kUsual + "]");
}

TEST_CASE("A taint that the usual toleration covers is neither added again nor said") {
  GpuNodes tainted = h100();
  tainted.taints = {seen("nvidia.com/gpu", "true", 1)};
  const Placed usual = placed({}, {tainted});
  CHECK(one_line_of(usual.tolerations) == "[" + kUsual + "]");
  CHECK(usual.notes.empty());
}

TEST_CASE("Given tolerations come first, and what they cover is not added again") {
  GenOptions options;
  options.tolerations = {{.key = "dedicated", .value = "ml", .effect = "NoSchedule"},
                         {.key = "nvidia.com/gpu", .value = {}, .effect = {}}};
  GpuNodes tainted = h100();
  tainted.taints = {seen("dedicated", "ml", 1)};
  const Placed given = placed(options, {tainted});
  CHECK(one_line_of(given.tolerations) ==
        "[{key: dedicated, operator: Equal, value: ml, effect: NoSchedule}, "
        "{key: nvidia.com/gpu, operator: Exists}]");
  CHECK(given.notes.empty());
}

TEST_CASE("The usual taint is called nvidia.com/gpu for slices, and as the resource for others") {
  CHECK(
      one_line_of(placed({}, {}, {.resource = "nvidia.com/mig-1g.10gb", .units = 1}).tolerations) ==
      "[" + kUsual + "]");
  CHECK(one_line_of(placed({}, {}, {.resource = "amd.com/gpu", .units = 1}).tolerations) ==
        "[{key: amd.com/gpu, operator: Exists, effect: NoSchedule}]");
}

TEST_CASE("A taint that has the name of the resource marks its nodes") {
  GpuNodes gaudi = group("Gaudi2", "HL-225", 2, "");
  gaudi.resource = "habana.ai/gaudi";
  gaudi.taints = {seen("habana.ai/gaudi", "ours", 1, "NoExecute")};
  CHECK(one_line_of(placed({}, {gaudi}, {.resource = "habana.ai/gaudi", .units = 1}).tolerations) ==
        "[{key: habana.ai/gaudi, operator: Exists, effect: NoSchedule}, "
        "{key: habana.ai/gaudi, operator: Equal, value: ours, effect: NoExecute}]");
}

}  // namespace fit_placement_test
