#include "manifest/fit/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "model/objects/pod.hpp"
#include "model/pools/toleration.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kProductLabel = "nvidia.com/gpu.product";

/// Values of one label that all serve.
struct LabelChoice {
  std::string label;
  std::vector<std::string> values;
};

void add_value(std::vector<LabelChoice>& choices, const std::string& label,
               const std::string& value) {
  auto at = std::find_if(choices.begin(), choices.end(),
                         [&](const LabelChoice& each) { return each.label == label; });
  if (at == choices.end()) at = choices.insert(at, {label, {}});
  if (std::find(at->values.begin(), at->values.end(), value) == at->values.end())
    at->values.push_back(value);
}

Tree expression(const LabelChoice& choice) {
  return Tree::map({{"key", choice.label},
                    {"operator", "In"},
                    {"values", Tree::texts(choice.values).on_one_line()}})
      .on_one_line();
}

Tree term(const LabelChoice& choice, const std::vector<Tree>& others) {
  Tree expressions = Tree::list({expression(choice)});
  for (const Tree& other : others) expressions.push(other);
  return Tree::map({{"matchExpressions", expressions}});
}

/// By labels of the chosen nodes; empty where these need none.
std::vector<LabelChoice> product_choices(GenRequest& request, const Accelerator& accelerator) {
  const GenOptions& options = request.options;
  std::vector<LabelChoice> choices;
  if (options.gpu_models.empty() && !accelerator.has_lookalikes) return choices;
  for (const GpuNodes* each : accelerator.nodes) {
    if (each->label.empty()) {
      request.warn(fmt::format("{} with {} carry no label of their model, so the pods cannot be "
                               "kept to them",
                               counted(each->nodes, "node"), each->resource),
                   "install GPU feature discovery, or label the nodes and use --node-selector");
      continue;
    }
    add_value(choices, each->label, each->product);
  }
  if (!accelerator.nodes.empty()) return choices;
  for (const std::string& name : options.gpu_models)
    for (const std::string& value : product_labels_of(name))
      add_value(choices, std::string(kProductLabel), value);
  if (choices.empty() && !options.gpu_models.empty())
    throw Error(ErrorKind::usage,
                fmt::format("which label nodes with {} carry is not known without a cluster",
                            joined(options.gpu_models, " or ")),
                "use --node-selector LABEL=VALUE instead of --gpu-model");
  return choices;
}

Why why_of_product(const GenRequest& request, const Accelerator& accelerator) {
  if (request.options.gpu_models.empty())
    return {"other nodes advertise " + accelerator.resource + " for shared cards or slices",
            "Nodes with time-sliced cards or MIG slices under the plain name look like whole GPUs "
            "to the scheduler.",
            ""};
  if (accelerator.nodes.empty())
    return {"labels that GPU feature discovery gives such nodes; not seen in a cluster",
            "Without a cluster, the labels are those of a table of known models.", ""};
  return {"", "The label and its values are those of the nodes of this cluster.", ""};
}

/// The models in the order of --gpu-model: all will do, the first is preferred.
Tree preferences(const GenRequest& request, const Accelerator& accelerator) {
  Tree list = Tree::list();
  const std::vector<std::string>& models = request.options.gpu_models;
  for (std::size_t at = 0; at + 1 < models.size(); ++at) {
    std::vector<LabelChoice> choices;
    for (const GpuNodes* each : accelerator.nodes)
      if (!each->label.empty() && is_model(*each, models[at]))
        add_value(choices, each->label, each->product);
    if (accelerator.nodes.empty())
      for (const std::string& value : product_labels_of(models[at]))
        add_value(choices, std::string(kProductLabel), value);
    constexpr int kMostWeight = 100;
    for (const LabelChoice& choice : choices)
      list.push(
          Tree::map({{"weight", kMostWeight - static_cast<int>(10 * std::min<std::size_t>(at, 9))},
                     {"preference", term(choice, {})}}));
  }
  return list;
}

/// What a cloud or Karpenter calls nodes that it may take back.
Tree spot_expression(GenRequest& request) {
  const auto& spot = request.facts.spot_label;
  const LabelChoice choice = spot ? LabelChoice{spot->first, {spot->second}}
                                  : LabelChoice{"karpenter.sh/capacity-type", {"spot"}};
  if (!spot && request.facts.is_known)
    request.warn(
        "no node of this cluster is labelled as a spot node; Karpenter's label is written");
  return expression(choice);
}

Tree affinity_of(GenRequest& request, const Accelerator& accelerator) {
  const std::vector<LabelChoice> choices = product_choices(request, accelerator);
  std::vector<Tree> others;
  if (request.options.uses_spot) others.push_back(spot_expression(request));
  Tree terms = Tree::list();
  for (const LabelChoice& choice : choices) terms.push(term(choice, others));
  if (choices.empty() && !others.empty()) {
    Tree expressions = Tree::list();
    for (const Tree& other : others) expressions.push(other);
    terms.push(Tree::map({{"matchExpressions", expressions}}));
  }
  Tree affinity;
  if (!terms.empty())
    affinity.set("requiredDuringSchedulingIgnoredDuringExecution",
                 Tree::map({{"nodeSelectorTerms", terms}}),
                 choices.empty() ? Why{} : why_of_product(request, accelerator));
  affinity.set_unless_empty(
      "preferredDuringSchedulingIgnoredDuringExecution", preferences(request, accelerator),
      {"", "The scheduler takes the first model of --gpu-model that has room.", ""});
  return affinity.empty() ? affinity : Tree::map({{"nodeAffinity", affinity}});
}

/// The tolerations of a pod, as they come together.
class Tolerations {
 public:
  void add(Toleration toleration, Why why = {}) {
    Tree fields = Tree::map({{"key", toleration.key}, {"operator", toleration.op}});
    if (toleration.op == "Equal") fields.set("value", toleration.value);
    if (!toleration.effect.empty()) fields.set("effect", toleration.effect);
    all_.push_back(std::move(toleration));
    tree_.push(std::move(fields), std::move(why));
  }
  [[nodiscard]] bool cover(const Taint& taint) const { return tolerates(all_, taint); }
  [[nodiscard]] Tree take() && { return std::move(tree_); }

 private:
  std::vector<Toleration> all_;
  Tree tree_ = Tree::list();
};

std::string text_of(const Taint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

/// Taints of the chosen nodes, and on how many of them each is.
std::vector<SeenTaint> taints_of(const Accelerator& accelerator) {
  std::vector<SeenTaint> taints;
  for (const GpuNodes* group : accelerator.nodes)
    for (const SeenTaint& seen : group->taints) {
      const auto at = std::find_if(taints.begin(), taints.end(), [&](const SeenTaint& each) {
        return each.taint.key == seen.taint.key && each.taint.value == seen.taint.value &&
               each.taint.effect == seen.taint.effect;
      });
      if (at == taints.end())
        taints.push_back(seen);
      else
        at->nodes += seen.nodes;
    }
  return taints;
}

/// A taint that marks nodes as having GPUs, and keeps no GPU pod away on purpose.
bool marks_gpus(const Taint& taint, const Accelerator& accelerator) {
  return taint.key == accelerator.resource || taint.key == "nvidia.com/gpu" ||
         taint.key == "amd.com/gpu" || (taint.key == "sku" && taint.value == "gpu");
}

void add_taints_of_nodes(Tolerations& tolerations, GenRequest& request,
                         const Accelerator& accelerator) {
  std::int64_t nodes = 0;
  for (const GpuNodes* group : accelerator.nodes) nodes += group->nodes;
  for (const SeenTaint& seen : taints_of(accelerator)) {
    if (tolerations.cover(seen.taint)) continue;
    const std::string where = fmt::format("{} of {}", seen.nodes, counted(nodes, "node"));
    const std::string_view has = seen.nodes == 1 ? "has" : "have";
    if (seen.nodes < nodes && !marks_gpus(seen.taint, accelerator)) {
      request.note(
          fmt::format("{} {} the taint {}, which the manifest does not tolerate; "
                      "--toleration {} lets pods run there",
                      where, has, text_of(seen.taint), text_of(seen.taint)));
      continue;
    }
    const bool has_value = !seen.taint.value.empty();
    tolerations.add({.key = seen.taint.key,
                     .op = has_value ? "Equal" : "Exists",
                     .value = seen.taint.value,
                     .effect = seen.taint.effect},
                    {"", "The chosen nodes have this taint.", "elyra-ai/elyra#2681"});
    request.note(fmt::format("added a toleration for {}, which {} with these GPUs {}",
                             text_of(seen.taint), where, has));
  }
}

Tree tolerations_of(GenRequest& request, const Accelerator& accelerator) {
  Tolerations tolerations;
  for (const WantedToleration& each : request.options.tolerations)
    tolerations.add({.key = each.key,
                     .op = each.value.empty() ? "Exists" : "Equal",
                     .value = each.value,
                     .effect = each.effect});
  if (accelerator.units > 0) {
    const std::string key =
        accelerator.resource.starts_with("nvidia.com/") ? "nvidia.com/gpu" : accelerator.resource;
    const Taint usual{.key = key, .value = "", .effect = "NoSchedule", .added = {}};
    if (!key.empty() && !tolerations.cover(usual))
      tolerations.add({.key = key, .op = "Exists", .value = "", .effect = "NoSchedule"},
                      {"",
                       "GPU nodes usually carry this taint, and outside GKE nothing adds the "
                       "toleration. It does no harm where the taint is absent.",
                       "kubeflow/pipelines#3671"});
    add_taints_of_nodes(tolerations, request, accelerator);
  }
  return std::move(tolerations).take();
}

}  // namespace

PlacementFields placement_of(GenRequest& request, const Accelerator& accelerator) {
  PlacementFields fields;
  for (const auto& [key, value] : request.options.node_selector)
    fields.node_selector.set(key, value);
  fields.affinity = affinity_of(request, accelerator);
  fields.tolerations = tolerations_of(request, accelerator);
  return fields;
}

}  // namespace gpu::manifest
