#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/amounts.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kKueue = "kueue.x-k8s.io/v1beta2";

/// The key of the taint that nodes with the resource usually have.
std::string_view gpu_taint(std::string_view resource) {
  return resource.starts_with("nvidia.com/") ? "nvidia.com/gpu" : resource;
}

/// Nodes of one card, and how much of them the queue may give.
struct Flavor {
  std::string name;
  Tree node_labels;
  Tree node_taints = Tree::list();
  std::int64_t gpus = 0;
  Quantity cpu;
  Quantity memory;
  Why why;  ///< of the amounts
};

/// "gpu-h100-80g".
std::string flavor_name(const GenRequest& request, const GpuNodes& nodes) {
  std::string name = request.options.name;
  if (nodes.model.empty()) return name;
  name += '-';
  for (const char c : lower_case(nodes.model))
    name += is_digit(c) || (c >= 'a' && c <= 'z') ? c : '-';
  return name;
}

/// Taints of all the nodes that say more than that they have GPUs.
Tree dedicated_taints(const GpuNodes& nodes) {
  Tree taints = Tree::list();
  for (const SeenTaint& seen : nodes.taints) {
    const Taint& taint = seen.taint;
    if (seen.nodes < nodes.nodes || taint.key == gpu_taint(nodes.resource)) continue;
    Tree fields = Tree::map({{"key", taint.key}});
    if (!taint.value.empty()) fields.set("value", taint.value);
    fields.set("effect", taint.effect);
    taints.push(std::move(fields));
  }
  return taints;
}

/// `all`, times `part` of `of`, in whole CPUs or MiB.
Quantity part_of(Quantity all, std::int64_t part, std::int64_t of, std::int64_t unit) {
  const Int128 amount = Int128{all.value()} * part / of / unit * unit;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return Quantity::of(amount > kMost ? kMost / unit * unit : static_cast<std::int64_t>(amount));
}

Flavor flavor_of(GenRequest& request, const GpuNodes& nodes) {
  const GenOptions& options = request.options;
  Flavor flavor{.name = flavor_name(request, nodes), .node_labels = {}, .why = {}};
  flavor.node_taints = dedicated_taints(nodes);
  if (nodes.label.empty())
    request.warn(fmt::format("{} with {} carry no label of their model, so the flavor is of any "
                             "node",
                             counted(nodes.nodes, "node"), nodes.resource),
                 "install GPU feature discovery");
  else
    flavor.node_labels.set(nodes.label, nodes.product);
  flavor.gpus = options.gpus.value_or(nodes.units);
  if (flavor.gpus > nodes.units)
    request.warn(fmt::format("the nodes have {} of {}, fewer than the {} of the queue", nodes.units,
                             nodes.resource, flavor.gpus),
                 "what is admitted above that waits for nodes");
  const std::int64_t part = std::min(flavor.gpus, nodes.units);
  constexpr std::int64_t kMebi = std::int64_t{1} << 20;
  flavor.cpu = options.cpu.value_or(part_of(nodes.all_cpu, part, nodes.units, 1));
  flavor.memory = options.memory.value_or(part_of(nodes.all_memory, part, nodes.units, kMebi));
  flavor.why = {fmt::format("{} of the {} GPUs of {}, with their share of CPU and memory", part,
                            nodes.units, counted(nodes.nodes, "node")),
                "The quota is what the nodes seen have. Nodes that come later are not in it.", ""};
  return flavor;
}

/// Without nodes that are known: by --gpus, with what pods usually ask for beside them.
Flavor portable_flavor(GenRequest& request, const Accelerator& accelerator) {
  const GenOptions& options = request.options;
  if (!options.gpus)
    throw Error(ErrorKind::usage, "how many GPUs the queue may give is not known",
                "for example --gpus 16");
  Accelerator all = accelerator;
  all.units = *options.gpus;
  const Sizes sizes = sizes_of(request, all, Workload::training);
  Flavor flavor{.name = options.name, .node_labels = {}, .why = {}};
  flavor.gpus = all.units;
  flavor.cpu = sizes.cpu;
  flavor.memory = sizes.memory;
  flavor.why = sizes.why;
  std::vector<std::string> products;
  for (const std::string& model : options.gpu_models)
    for (std::string& product : product_labels_of(model)) products.push_back(std::move(product));
  if (products.size() == 1)
    flavor.node_labels.set("nvidia.com/gpu.product", products.front());
  else if (!products.empty())
    request.warn(fmt::format("nodes with {} may carry one of several labels, so the flavor names "
                             "none: {}",
                             joined(options.gpu_models, " or "), joined(products)),
                 "name one: --gpu-model " + products.front());
  return flavor;
}

std::vector<Flavor> flavors_of(GenRequest& request, const Accelerator& accelerator) {
  if (accelerator.nodes.empty()) return {portable_flavor(request, accelerator)};
  const GenOptions& options = request.options;
  if (accelerator.nodes.size() > 1 && (options.gpus || options.cpu || options.memory)) {
    std::vector<std::string> models;
    for (const GpuNodes* each : accelerator.nodes) models.push_back(each->model);
    throw Error(
        ErrorKind::usage,
        "--gpus, --cpu and --memory are of one model, and there are several: " + joined(models),
        "choose one with --gpu-model, or leave them out: all of each model");
  }
  std::vector<Flavor> flavors;
  for (const GpuNodes* each : accelerator.nodes) {
    Flavor flavor = flavor_of(request, *each);
    const auto twice = std::count_if(flavors.begin(), flavors.end(), [&](const Flavor& other) {
      return other.name.starts_with(flavor.name);
    });
    if (twice > 0) flavor.name += fmt::format("-{}", twice + 1);
    flavors.push_back(std::move(flavor));
  }
  return flavors;
}

Tree flavor_object(const GenRequest& request, const Flavor& flavor, std::string_view resource) {
  Tree spec;
  spec.set_unless_empty("nodeLabels", flavor.node_labels);
  spec.set_unless_empty("nodeTaints", flavor.node_taints,
                        {"only pods that tolerate it are admitted here",
                         "The nodes have this taint. Other pods would be admitted and then wait "
                         "for a node.",
                         "kubernetes-sigs/kueue: ResourceFlavor"});
  spec.set(
      "tolerations",
      Tree::list({Tree::map(
          {{"key", gpu_taint(resource)}, {"operator", "Exists"}, {"effect", "NoSchedule"}})}),
      {"", "Pods that are admitted get it, so that a taint of GPU nodes keeps none away.", ""});
  Tree object = object_of(kKueue, "ResourceFlavor", cluster_metadata_of(request, flavor.name));
  object.set("spec", std::move(spec));
  return object;
}

Tree quota_of(std::string_view name, Tree amount) {
  return Tree::map({{"name", name}, {"nominalQuota", std::move(amount)}});
}

Tree cluster_queue(const GenRequest& request, const std::vector<Flavor>& flavors,
                   const std::string& resource) {
  Tree given = Tree::list();
  for (const Flavor& each : flavors)
    given.push(Tree::map(
        {{"name", each.name},
         {"resources",
          Tree::list({quota_of("cpu", cpu_text(each.cpu)),
                      quota_of("memory", bytes_text(each.memory)), quota_of(resource, each.gpus)}),
          each.why}}));
  const Tree group = Tree::map(
      {{"coveredResources",
        Tree::texts({"cpu", "memory", resource}),
        {"a pod that requests another resource is never admitted",
         "Kueue admits a workload only where each of its resources has a quota. Flavors list them "
         "in the same order.",
         "kubernetes-sigs/kueue: ClusterQueue"}},
       {"flavors", std::move(given)}});
  Tree queue =
      object_of(kKueue, "ClusterQueue", cluster_metadata_of(request, request.options.name));
  queue.set("spec",
            Tree::map({{"namespaceSelector",
                        Tree(),
                        {"from every namespace; without it, from none",
                         "A selector that is absent matches no namespace.", "KEP: ClusterQueue"}},
                       {"queueingStrategy", "BestEffortFIFO"},
                       {"preemption",
                        Tree::map({{"withinClusterQueue", "LowerPriority"}}).on_one_line(),
                        {"", "A workload of higher priority stops one of lower priority.", ""}},
                       {"resourceGroups", Tree::list({group})}}));
  return queue;
}

Tree local_queue(const GenRequest& request) {
  const std::string& name = request.options.name;
  Tree queue = object_of(kKueue, "LocalQueue", metadata_of(request, name));
  queue.set("spec", Tree::map({{"clusterQueue", name}}));
  return queue;
}

Documents make_queue(GenRequest& request) {
  const GenOptions& options = request.options;
  const Accelerator accelerator = accelerator_of_any(request, options.mig);
  // What the nodes have is not known yet.
  if (request.facts.is_to_come && !options.gpus) return {local_queue(request)};
  const std::vector<Flavor> flavors = flavors_of(request, accelerator);
  Documents documents;
  for (const Flavor& each : flavors)
    documents.push_back(flavor_object(request, each, accelerator.resource));
  documents.push_back(cluster_queue(request, flavors, accelerator.resource));
  documents.push_back(local_queue(request));
  request.note(
      fmt::format("jobs go there with --queue {}; other namespaces need a LocalQueue of "
                  "their own",
                  options.name));
  return documents;
}

}  // namespace

const GenKind kQueueKind = {
    .word = "queue",
    .kind = "ClusterQueue",
    .group = "kueue.x-k8s.io",
    .summary = "a queue of Kueue for GPUs: ResourceFlavor, ClusterQueue and LocalQueue",
    .example = "--namespace team-a --gpu-model H100 --gpus 16",
    .install = "Kueue",
    .name = {.form = NameForm::dns_1123, .most = 40, .why = "its flavors are called NAME-MODEL"},
    .options = {Option::gpus, Option::gpu_model, Option::mig, Option::shared, Option::size},
    .make = make_queue,
    .meanings = {{"--gpus", "GPUs that it may give; default: all that the nodes have"},
                 {"--mig", "MIG slices instead of GPUs, such as 1g.10gb"},
                 {"--cpu", "CPUs that it may give; default: their share of the nodes"},
                 {"--memory", "memory that it may give; default: its share of the nodes"}},
};

}  // namespace gpu::manifest
