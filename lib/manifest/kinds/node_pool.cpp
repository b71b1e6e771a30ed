#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/amounts.hpp"
#include "manifest/kinds/kinds.hpp"
#include "model/gpu/gpu_models.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kAws = "karpenter.k8s.aws";
constexpr std::string_view kUsualClass = "karpenter.k8s.aws/EC2NodeClass/gpu";
constexpr std::string_view kProductLabel = "nvidia.com/gpu.product";

/// What a provider of Karpenter makes nodes by.
struct NodeClass {
  std::string group;
  std::string kind;
  std::string name;
};

NodeClass node_class_of(const GenOptions& options) {
  const std::string text =
      options.node_class.empty() ? std::string(kUsualClass) : options.node_class;
  const std::size_t first = text.find('/');
  const std::size_t last = text.rfind('/');
  if (first == std::string::npos || first == 0 || last <= first + 1 || last + 1 == text.size() ||
      std::count(text.begin(), text.end(), '/') != 2)
    throw Error(ErrorKind::usage, fmt::format("`--node-class {}` cannot be read", sanitize(text)),
                fmt::format("for example --node-class {}", kUsualClass));
  return {text.substr(0, first), text.substr(first + 1, last - first - 1), text.substr(last + 1)};
}

using Models = std::vector<const GpuModel*>;

/// Clouds have the SXM form of a card that has several forms.
Models in_clouds(Models models) {
  const auto is_sxm = [](const GpuModel* each) {
    return each->name.find("-SXM") != std::string::npos;
  };
  if (std::any_of(models.begin(), models.end(), is_sxm))
    std::erase_if(models, [&](const GpuModel* each) { return !is_sxm(each); });
  return models;
}

/// The cards that --gpu-model names. Throws Error{usage} for none, and for several of the flag.
Models pool_models(const GenOptions& options) {
  if (options.gpu_models.empty()) return {};
  const std::string& name = options.gpu_models.front();
  if (options.gpu_models.size() > 1)
    throw Error(ErrorKind::usage, "a nodepool has GPUs of one model",
                "create one for each of them: nodes carry the label of their model");
  Models models = in_clouds(gpu_models_named(name, std::nullopt));
  if (models.empty())
    throw Error(ErrorKind::usage, fmt::format("no GPU is known as `{}`", sanitize(name)),
                "for example --gpu-model H100");
  return models;
}

std::string family_name(const GpuModel& model) {
  return model.name.substr(0, std::min(model.name.find("-SXM"), model.name.find("-PCIe")));
}

/// "h100", as EC2 calls a card: the table has it in small letters, where it is a name of its own.
std::string ec2_name(const GpuModel& model) {
  for (const std::string& alias : model.aliases)
    if (alias == lower_case(alias) && !alias.starts_with("nvidia-")) return alias;
  return lower_case(family_name(model));
}

Tree requirement(std::string_view key, std::vector<std::string> values) {
  return Tree::map({{"key", key}, {"operator", "In"}, {"values", Tree::texts(values)}})
      .on_one_line();
}

/// "81920" where EC2 has cards of that name with another memory; empty where there is no choice.
std::string ec2_memory(const Models& models) {
  const auto memory = models.front()->memory_mib;
  for (const GpuModel* each : models)
    if (each->memory_mib != memory) return {};
  const Models all = in_clouds(gpu_models_named(family_name(*models.front()), std::nullopt));
  const bool has_choice = std::any_of(all.begin(), all.end(), [&](const GpuModel* each) {
    return ec2_name(*each) == ec2_name(*models.front()) && each->memory_mib != memory;
  });
  return has_choice && memory ? std::to_string(*memory) : std::string();
}

void add_ec2_requirements(Tree& requirements, const Models& models) {
  if (models.empty()) {
    requirements.push(requirement("karpenter.k8s.aws/instance-gpu-manufacturer", {"nvidia"}));
    return;
  }
  requirements.push(
      requirement("karpenter.k8s.aws/instance-gpu-name", {ec2_name(*models.front())}));
  if (const std::string memory = ec2_memory(models); !memory.empty())
    requirements.push(requirement("karpenter.k8s.aws/instance-gpu-memory", {memory}),
                      {"MiB; instances with the same card have more or less", "", ""});
}

Tree requirements_of(GenRequest& request, const NodeClass& node_class, const Models& models) {
  Tree requirements = Tree::list();
  if (node_class.group == kAws)
    add_ec2_requirements(requirements, models);
  else
    request.warn(
        fmt::format("which labels {} chooses GPU instances by is not known", node_class.group),
        "add its requirements for the instance type; without them any instance may come");
  requirements.push(requirement("karpenter.sh/capacity-type",
                                {request.options.uses_spot ? "spot" : "on-demand"}));
  return requirements;
}

/// The label that the nodes will carry; empty where it could be one of several.
Tree product_label(GenRequest& request, const Models& models) {
  std::vector<std::pair<std::string, std::string>> labels;
  const auto add = [&](const std::string& key, const std::string& value) {
    const std::pair<std::string, std::string> label(key, value);
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  };
  const GenOptions& options = request.options;
  for (const GpuNodes& each : request.facts.gpu_nodes)
    if (!models.empty() && each.label == kProductLabel && each.kind.kind == DeviceKind::card &&
        each.sharing.strategy == SharingStrategy::none && each.single_mig_profile.empty() &&
        is_model(each, options.gpu_models.front()))
      add(each.label, each.product);
  if (labels.empty())
    for (const GpuModel* model : models)
      for (const std::string& product : product_labels_of(model->name))
        add(std::string(kProductLabel), product);
  if (labels.size() == 1) return Tree::map({{labels.front().first, labels.front().second}});
  std::vector<std::string> values;
  for (const auto& label : labels) values.push_back(label.second);
  if (!models.empty())
    request.warn(
        fmt::format("which label {} the nodes will carry is not known, so pods with --gpu-model do "
                    "not bring them up{}{}",
                    kProductLabel, values.empty() ? "" : ": ", joined(values, " or ")),
        values.empty() ? "" : "name one of them: --gpu-model " + values.front());
  return {};
}

Tree template_metadata(GenRequest& request, const Models& models) {
  Tree metadata;
  metadata.set_unless_empty(
      "labels", product_label(request, models),
      {"so that pods with this node affinity bring a node up",
       "GPU feature discovery labels a node only once it runs. Karpenter has to know the label "
       "before, or the pods wait for ever.",
       "aws/karpenter-provider-aws: NodePool"});
  return metadata;
}

Tree node_template(GenRequest& request, const NodeClass& node_class, const Models& models) {
  Tree made;
  made.set_unless_empty("metadata", template_metadata(request, models));
  made.set(
      "spec",
      Tree::map({{"nodeClassRef", Tree::map({{"group", node_class.group},
                                             {"kind", node_class.kind},
                                             {"name", node_class.name}})
                                      .on_one_line()},
                 {"taints",
                  Tree::list({Tree::map({{"key", "nvidia.com/gpu"}, {"effect", "NoSchedule"}})}),
                  {"keeps pods without GPUs away", "", ""}},
                 {"requirements", requirements_of(request, node_class, models)}}));
  return made;
}

Documents make_node_pool(GenRequest& request) {
  const GenOptions& options = request.options;
  const NodeClass node_class = node_class_of(options);
  const Models models = pool_models(options);
  const bool is_nvidia = std::all_of(models.begin(), models.end(),
                                     [](const GpuModel* each) { return each->vendor == "nvidia"; });
  if (!is_nvidia)
    throw Error(ErrorKind::usage,
                fmt::format("`{}` is no GPU of NVIDIA", sanitize(options.gpu_models.front())),
                "nodepools are written for these alone");
  Tree spec;
  if (options.gpus)
    spec.set("limits", Tree::map({{"nvidia.com/gpu", std::to_string(*options.gpus)}}).on_one_line(),
             {"all nodes of the pool together", "", ""});
  else
    request.note("nothing limits how many GPUs it brings up; --gpus does");
  spec.set(
      "disruption",
      Tree::map({{"consolidationPolicy", "WhenEmpty"}, {"consolidateAfter", "10m"}}).on_one_line(),
      {"a node goes when nothing runs on it; the default also moves running training",
       "Left out, Karpenter replaces nodes that are not full, and evicts what runs there.",
       "karpenter.sh/v1"});
  spec.set("template", node_template(request, node_class, models));
  Tree pool = object_of("karpenter.sh/v1", "NodePool", cluster_metadata_of(request, options.name));
  pool.set("spec", std::move(spec));
  return {std::move(pool)};
}

}  // namespace

const GenKind kNodePoolKind = {
    .word = "nodepool",
    .kind = "NodePool",
    .group = "karpenter.sh",
    .summary = "GPU nodes that Karpenter brings up for pods that wait, and removes when empty",
    .example = "--gpu-model L4 --gpus 16",
    .install = "Karpenter",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::gpus, Option::gpu_model, Option::spot, Option::node_class},
    .make = make_node_pool,
    .meanings = {{"--gpus", "GPUs of all its nodes together, at most"},
                 {"--gpu-model", "H100, A100-80GB, ...: of all its nodes"},
                 {"--spot", "nodes that the cloud may take back"}},
};

}  // namespace gpu::manifest
