#include "manifest/fit/accelerator.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "base/error.hpp"

namespace fit_accelerator_test {

using namespace gpu;
using namespace gpu::manifest;

namespace {

GpuNodes cards(std::string model, std::string product, std::int64_t gpus = 8) {
  GpuNodes nodes;
  nodes.model = std::move(model);
  nodes.product = std::move(product);
  nodes.label = "nvidia.com/gpu.product";
  nodes.resource = "nvidia.com/gpu";
  nodes.nodes = 1;
  nodes.largest = gpus;
  return nodes;
}

GpuNodes h100(std::int64_t gpus = 8) { return cards("H100-80G", "NVIDIA-H100-80GB-HBM3", gpus); }
GpuNodes l4(std::int64_t gpus = 4) { return cards("L4", "NVIDIA-L4", gpus); }

/// Time-sliced under the plain name.
GpuNodes shared_t4() {
  GpuNodes nodes = cards("T4", "Tesla-T4-SHARED");
  nodes.sharing.strategy = SharingStrategy::time_slicing;
  return nodes;
}

/// Time-sliced under a name of its own.
GpuNodes renamed_t4() {
  GpuNodes nodes = cards("T4", "Tesla-T4");
  nodes.resource = "nvidia.com/gpu.shared";
  nodes.kind.renamed = true;
  return nodes;
}

GpuNodes slices(const std::string& profile) {
  GpuNodes nodes = cards("A100-80G", "NVIDIA-A100-SXM4-80GB");
  nodes.resource = "nvidia.com/mig-" + profile;
  nodes.kind.kind = DeviceKind::mig_slice;
  nodes.kind.profile = profile;
  return nodes;
}

/// The MIG strategy `single`: slices under the name of cards.
GpuNodes single_slices(const std::string& profile) {
  GpuNodes nodes = cards("A100-80G", "NVIDIA-A100-SXM4-80GB-MIG-" + profile);
  nodes.single_mig_profile = profile;
  return nodes;
}

ClusterFacts cluster(std::vector<GpuNodes> nodes) {
  ClusterFacts facts;
  facts.is_known = true;
  facts.gpu_nodes = std::move(nodes);
  return facts;
}

struct Chosen {
  std::string resource;
  std::int64_t units = 0;
  std::vector<std::string> products;
  bool has_lookalikes = false;
  std::vector<GenNote> notes;
};

Chosen chosen(const GenOptions& options, const ClusterFacts& facts = {}) {
  GenRequest request{.options = options, .facts = facts, .notes = {}};
  const Accelerator accelerator = accelerator_of(request);
  Chosen found{.resource = accelerator.resource,
               .units = accelerator.units,
               .products = {},
               .has_lookalikes = accelerator.has_lookalikes,
               .notes = request.notes};
  for (const GpuNodes* each : accelerator.nodes) found.products.push_back(each->product);
  return found;
}

/// "TEXT; HELP" of the one warning.
std::string warning(const GenOptions& options, const ClusterFacts& facts) {
  const Chosen found = chosen(options, facts);
  if (found.notes.size() != 1 || found.notes[0].level != GenNote::Level::warning)
    return "not one warning";
  return found.notes[0].text + "; " + found.notes[0].help;
}

/// "MESSAGE; HELP" of the refusal.
std::string refusal(const GenOptions& options, const ClusterFacts& facts = {}) {
  try {
    chosen(options, facts);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? error.message() + "; " + error.help()
                                            : "not a usage error";
  }
  return {};
}

GenOptions of_models(std::vector<std::string> models) {
  GenOptions options;
  options.gpu_models = std::move(models);
  return options;
}

GenOptions of_mig(std::string profile) {
  GenOptions options;
  options.mig = std::move(profile);
  return options;
}

GenOptions shared() {
  GenOptions options;
  options.is_shared = true;
  return options;
}

GenOptions gpus(std::int64_t count) {
  GenOptions options;
  options.gpus = count;
  return options;
}

using Products = std::vector<std::string>;

}  // namespace

TEST_CASE("Without a cluster a pod asks for one GPU of NVIDIA's, and nothing is said") {
  const Chosen one = chosen({});
  CHECK(one.resource == "nvidia.com/gpu");
  CHECK(one.units == 1);
  CHECK(one.products.empty());
  CHECK(one.notes.empty());
  CHECK(chosen(gpus(4)).units == 4);
}

TEST_CASE("With --cpu-only a pod asks for no GPU, whatever the cluster has") {
  GenOptions options;
  options.is_cpu_only = true;
  const Chosen none = chosen(options, cluster({h100()}));
  CHECK(none.resource.empty());
  CHECK(none.units == 0);
  CHECK(none.products.empty());
  CHECK(chosen(options, cluster({})).notes.empty());
}

TEST_CASE("Without a cluster the resource is that of the maker of the first model") {
  CHECK(chosen(of_models({"MI300X"})).resource == "amd.com/gpu");
  CHECK(chosen(of_models({"Gaudi2"})).resource == "habana.ai/gaudi");
  CHECK(chosen(of_models({"H100"})).resource == "nvidia.com/gpu");
  CHECK(chosen(of_models({"H100", "A100"})).resource == "nvidia.com/gpu");
}

TEST_CASE("A name with the memory is that of all models with so much, of any form factor") {
  const auto labels = [](std::string_view name) {
    std::set<std::string> found;
    for (const std::string& each : product_labels_of(name)) found.insert(each);
    return found;
  };
  const std::set<std::string> large = labels("A100-80GB");
  CHECK(large.contains("NVIDIA-A100-SXM4-80GB"));
  CHECK(large.contains("NVIDIA-A100-80GB-PCIe"));
  CHECK_FALSE(large.contains("NVIDIA-A100-SXM4-40GB"));
  const std::set<std::string> small = labels("a100-40g");
  CHECK(small.contains("NVIDIA-A100-SXM4-40GB"));
  CHECK(small.contains("NVIDIA-A100-PCIE-40GB"));
  CHECK_FALSE(small.contains("NVIDIA-A100-SXM4-80GB"));
  for (const char* const none :
       {"A100-39GB9", "A100-7GB", "A100-GB", "-40GB", "A100-99999999999GB"})
    CHECK(labels(none).empty());
}

TEST_CASE("Models of two vendors are refused, since a pod asks for one resource") {
  const auto refused = [](const std::vector<std::string>& models, const ClusterFacts& facts) {
    try {
      chosen(of_models(models), facts);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  const std::string message =
      "H100 and MI300X are of two vendors, and a pod can request GPUs of one only";
  GpuNodes amd = cards("MI300X", "AMD_Instinct_MI300X_OAM");
  amd.resource = "amd.com/gpu";
  amd.kind.vendor = Vendor::amd;
  CHECK(refused({"H100", "MI300X"}, {}) == message);
  CHECK(refused({"H100", "MI300X"}, cluster({h100(), amd})) == message);
  CHECK(refused({"H100", "A100", "MI300X"}, cluster({h100()})) == message);
  CHECK(refused({"H100", "L4"}, cluster({h100(), amd})).empty());
  CHECK(refused({"MI300X", "MI250X"}, cluster({h100(), amd})).empty());
}

TEST_CASE("Without a cluster slices and shares have the names that NVIDIA's plugin gives them") {
  CHECK(chosen(of_mig("1g.10gb")).resource == "nvidia.com/mig-1g.10gb");
  CHECK(chosen(of_mig("1g.10gb+me")).resource == "nvidia.com/mig-1g.10gb.me");
  CHECK(chosen(shared()).resource == "nvidia.com/gpu.shared");
}

TEST_CASE("Whole GPUs are those of nodes that neither share nor cut theirs") {
  const ClusterFacts facts = cluster(
      {shared_t4(), renamed_t4(), slices("1g.10gb"), single_slices("1g.10gb"), h100(), l4()});
  const Chosen whole = chosen({}, facts);
  CHECK(whole.resource == "nvidia.com/gpu");
  CHECK(whole.products == Products{"NVIDIA-H100-80GB-HBM3", "NVIDIA-L4"});
  CHECK(whole.notes.empty());
}

TEST_CASE("A share is of nodes that share whole cards, under either name") {
  GpuNodes shared_slices = single_slices("1g.10gb");
  shared_slices.sharing.strategy = SharingStrategy::time_slicing;
  CHECK(chosen(shared(), cluster({h100(), shared_slices, shared_t4()})).products ==
        Products{"Tesla-T4-SHARED"});
  const Chosen renamed = chosen(shared(), cluster({h100(), renamed_t4()}));
  CHECK(renamed.resource == "nvidia.com/gpu.shared");
  CHECK(renamed.products == Products{"Tesla-T4"});
}

TEST_CASE("A slice is one under a name of its own, or under the name of cards") {
  const ClusterFacts mixed = cluster({h100(), slices("3g.40gb"), slices("1g.10gb")});
  CHECK(chosen(of_mig("1g.10gb"), mixed).resource == "nvidia.com/mig-1g.10gb");
  CHECK(chosen(of_mig("1g.10gb"), mixed).products.size() == 1);
  const ClusterFacts single = cluster({h100(), single_slices("2g.20gb"), single_slices("1g.10gb")});
  CHECK(chosen(of_mig("1g.10gb"), single).resource == "nvidia.com/gpu");
  CHECK(chosen(of_mig("1g.10gb"), single).products ==
        Products{"NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"});
}

TEST_CASE("Resources that count memory, or cards under another name too, are not asked for") {
  GpuNodes memory = l4();
  memory.kind.is_memory = true;
  memory.sharing.strategy = SharingStrategy::gpushare;
  GpuNodes cores = l4();
  cores.kind.kind = DeviceKind::alias;
  CHECK(chosen({}, cluster({memory, cores, h100()})).products == Products{"NVIDIA-H100-80GB-HBM3"});
  CHECK(chosen(shared(), cluster({memory, shared_t4()})).products == Products{"Tesla-T4-SHARED"});
}

TEST_CASE("Only nodes with one of the models serve, in the order of the cluster") {
  const ClusterFacts facts = cluster({h100(), l4(), cards("A10", "NVIDIA-A10")});
  CHECK(chosen(of_models({"L4"}), facts).products == Products{"NVIDIA-L4"});
  CHECK(chosen(of_models({"L4", "H100"}), facts).products ==
        Products{"NVIDIA-H100-80GB-HBM3", "NVIDIA-L4"});
}

TEST_CASE("A pod asks for one resource: that of the nodes with most units") {
  GpuNodes amd = cards("MI300X", "AMD_Instinct_MI300X_OAM");
  amd.resource = "amd.com/gpu";
  CHECK(chosen({}, cluster({amd, h100(), amd})).resource == "amd.com/gpu");
  CHECK(chosen({}, cluster({amd, h100(), amd})).products.size() == 2);
  CHECK(chosen({}, cluster({h100(), amd})).products == Products{"NVIDIA-H100-80GB-HBM3"});
}

TEST_CASE("Nodes that advertise the same name for something else are known") {
  CHECK(chosen({}, cluster({h100(), shared_t4()})).has_lookalikes);
  CHECK(chosen({}, cluster({h100(), single_slices("1g.10gb")})).has_lookalikes);
  CHECK(chosen(of_mig("1g.10gb"), cluster({h100(), single_slices("1g.10gb")})).has_lookalikes);
  CHECK_FALSE(chosen({}, cluster({h100(), renamed_t4(), slices("1g.10gb")})).has_lookalikes);
  // Another model is no other thing.
  CHECK_FALSE(chosen(of_models({"H100"}), cluster({h100(), l4()})).has_lookalikes);
}

TEST_CASE("More GPUs than any node has are refused, unless nodes are made as they are needed") {
  ClusterFacts facts = cluster({l4(4), h100(8)});
  CHECK(refusal(gpus(8), facts).empty());
  CHECK(refusal(gpus(9), facts) ==
        "no node has 9 nvidia.com/gpu: the largest has 8 H100-80G; use --nodes for several pods "
        "that work together, with --gpus for each of them");
  facts.served = {"Job.batch/v1"};
  CHECK_FALSE(refusal(gpus(9), facts).empty());
  facts.served = {"NodePool.karpenter.sh/v1"};
  CHECK(refusal(gpus(9), facts).empty());
}

TEST_CASE("Of nodes that are equally large the refusal of too many GPUs names the first") {
  CHECK(refusal(gpus(9), cluster({h100(8), l4(8)})).find("8 H100-80G") != std::string::npos);
}

TEST_CASE("The refusal of too many GPUs names no model that no label says") {
  CHECK(refusal(gpus(3), cluster({cards("", "", 2)})).find("the largest has 2; use --nodes") !=
        std::string::npos);
}

TEST_CASE("A model that is neither here nor in our table is refused with a similar one") {
  CHECK(refusal(of_models({"H10O"}), cluster({h100()})) ==
        "no GPU is known as `H10O`; a similar one is `H100`");
  CHECK(refusal(of_models({"L4", "L5"})).starts_with("no GPU is known as `L5`; a similar one"));
  CHECK(refusal(of_models({"zzzzzzzzzz"}), cluster({h100()})) ==
        "no GPU is known as `zzzzzzzzzz`; there are H100, H100-80G");
  CHECK(refusal(of_models({"Acme-1"}), cluster({cards("Acme-1", "ACME-1")})).empty());
}

TEST_CASE("A cluster without GPUs is warned of, and a cluster that is not known is not") {
  CHECK(warning({}, cluster({})) ==
        "no node of this cluster has GPUs, so the manifest is not fitted to any; ");
  ClusterFacts with_karpenter = cluster({});
  with_karpenter.served = {"NodePool.karpenter.sh/v1"};
  CHECK(warning({}, with_karpenter) ==
        "no node of this cluster has GPUs, so the manifest is not fitted to any; Karpenter brings "
        "one up where a NodePool allows: kubectl gpu gen nodepool");
  ClusterFacts unknown = cluster({});
  unknown.is_known = false;
  CHECK(chosen({}, unknown).notes.empty());
}

TEST_CASE("Slices that no node has are warned of, with those that are here") {
  CHECK(warning(of_mig("1g.5gb"), cluster({h100(), slices("1g.10gb"), single_slices("2g.20gb"),
                                           slices("1g.10gb")})) ==
        "no node of this cluster has MIG slices 1g.5gb; slices here are 1g.10gb, 2g.20gb");
  CHECK(warning(of_mig("1g.5gb"), cluster({h100()})) ==
        "no node of this cluster has MIG slices 1g.5gb; no node is cut into MIG slices");
}

TEST_CASE("A model that is here in another form is warned of with the flag that takes it") {
  CHECK(warning(of_models({"A100"}), cluster({h100(), slices("1g.10gb")})) ==
        "no node of this cluster has whole GPUs of A100; they are cut into MIG slices here: --mig "
        "1g.10gb");
  CHECK(
      warning(of_models({"A100"}), cluster({single_slices("2g.20gb")})).ends_with("--mig 2g.20gb"));
  CHECK(warning(of_models({"T4"}), cluster({shared_t4()})) ==
        "no node of this cluster has whole GPUs of T4; they are shared here: --shared");
  GenOptions options = of_models({"H100"});
  options.is_shared = true;
  CHECK(warning(options, cluster({l4(), h100()})) ==
        "no node of this cluster has shared GPUs of H100; they are whole here: leave out --mig and "
        "--shared");
}

TEST_CASE("A model that is not here is warned of with the models that are, each once") {
  CHECK(warning(of_models({"T4", "V100"}), cluster({h100(), l4(), h100(), cards("", "")})) ==
        "no node of this cluster has whole GPUs of T4 or V100; models here are H100-80G, L4");
}

TEST_CASE("Without a model the flag that would find nodes is named") {
  CHECK(warning({}, cluster({shared_t4()})) ==
        "no node of this cluster has whole GPUs; use --shared or --mig");
  CHECK(warning(shared(), cluster({h100()})) ==
        "no node of this cluster has shared GPUs; leave out --shared");
}

TEST_CASE("A card goes by its short name, its family, its label, and names of our table") {
  for (const char* const name : {"H100-80G", "h100-80g", "H100", "h100", "NVIDIA-H100-80GB-HBM3",
                                 "nvidia-h100-80gb", "H100-SXM5-80GB"})
    CHECK(is_model(h100(), name));
  for (const char* const name : {"H200", "A100", "H100-94G", "H100-NVL", "L4"})
    CHECK_FALSE(is_model(h100(), name));
}

TEST_CASE("A card's name holds for its shares and slices") {
  const GpuNodes share = cards("", "Tesla-V100-SXM2-16GB-SHARED");
  const GpuNodes slice = cards("", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb");
  CHECK(is_model(share, "V100-SXM2-16GB"));
  CHECK(is_model(slice, "A100-SXM4-80GB"));
  CHECK(is_model(cards("", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb-SHARED"), "A100-SXM4-80GB"));
  CHECK_FALSE(is_model(slice, "A100-SXM4-40GB"));
}

TEST_CASE("Labels of a model are those that feature discovery gives whole cards") {
  CHECK(product_labels_of("T4") == Products{"Tesla-T4"});
  CHECK(product_labels_of("L4") == Products{"NVIDIA-L4"});
  CHECK(product_labels_of("MI300X").empty());
  CHECK(product_labels_of("no such card").empty());
}

TEST_CASE("Workstation cards are labelled by their own line") {
  CHECK(product_labels_of("Quadro-RTX-6000") == Products{"Quadro-RTX-6000"});
}

TEST_CASE("the name that `top` has for a slice is the card and the profile") {
  GenOptions options;
  options.gpu_models = {"A100-1g.10gb"};
  options.gpus = 1;
  take_slice_of_model(options);
  CHECK(options.gpu_models == std::vector<std::string>{"A100"});
  CHECK(options.mig == "1g.10gb");
  CHECK_FALSE(options.gpus);

  GenOptions card;
  card.gpu_models = {"A100-80G"};
  card.gpus = 2;
  take_slice_of_model(card);
  CHECK(card.gpu_models == std::vector<std::string>{"A100-80G"});
  CHECK(card.mig.empty());
  CHECK(card.gpus == 2);

  GenOptions several;
  several.gpu_models = {"A100-1g.10gb"};
  several.gpus = 2;
  CHECK_THROWS_WITH(take_slice_of_model(several), Catch::Contains("one slice only"));
  GenOptions other;
  other.gpu_models = {"A100-1g.10gb"};
  other.mig = "3g.40gb";
  CHECK_THROWS_WITH(take_slice_of_model(other), Catch::Contains("two profiles"));
}

}  // namespace fit_accelerator_test
