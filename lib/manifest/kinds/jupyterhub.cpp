#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/kinds.hpp"

namespace gpu::manifest {
namespace {

constexpr std::string_view kPyTorchNotebook = "quay.io/jupyter/pytorch-notebook:cuda12-python-3.13";
constexpr std::string_view kProduct = "nvidia.com/gpu.product";

/// What a user of the hub may choose.
struct HubProfile {
  std::string title;                  ///< "H100-80G"
  Accelerator accelerator;            ///< one group of nodes at most
  std::string label;                  ///< of its nodes; empty: they need none
  std::vector<std::string> products;  ///< its values that will do
};

std::string profile_title(const GpuNodes& nodes) {
  const std::string& slice =
      nodes.single_mig_profile.empty() ? nodes.kind.profile : nodes.single_mig_profile;
  const std::string model = nodes.model.empty() ? nodes.resource : nodes.model;
  if (!slice.empty()) return model.ends_with(slice) ? model : family_of(model) + " " + slice;
  const bool is_shared = nodes.kind.renamed || nodes.sharing.strategy != SharingStrategy::none;
  return is_shared ? model + " shared" : model;
}

bool is_whole_card(const GpuNodes& nodes) {
  return nodes.kind.kind == DeviceKind::card && nodes.single_mig_profile.empty() &&
         !nodes.kind.renamed && nodes.sharing.strategy == SharingStrategy::none;
}

/// Whether a notebook may have `units` of these. CUDA uses one slice or share, however many there
/// are.
bool suits_notebooks(const GpuNodes& nodes, const GenOptions& options, std::int64_t units) {
  if (nodes.kind.is_memory || nodes.kind.kind == DeviceKind::alias) return false;
  if (nodes.largest < units || (units > 1 && !is_whole_card(nodes))) return false;
  return options.gpu_models.empty() ||
         std::any_of(options.gpu_models.begin(), options.gpu_models.end(),
                     [&](const std::string& each) { return is_model(nodes, each); });
}

/// Of each group of GPU nodes.
std::vector<HubProfile> fitted_profiles(const GenRequest& request, std::int64_t units) {
  std::vector<HubProfile> profiles;
  for (const GpuNodes& each : request.facts.gpu_nodes) {
    if (!suits_notebooks(each, request.options, units)) continue;
    profiles.push_back(
        {.title = profile_title(each),
         .accelerator = {.resource = each.resource, .units = units, .nodes = {&each}},
         .label = each.label,
         .products = {}});
    if (!each.label.empty()) profiles.back().products.push_back(each.product);
  }
  return profiles;
}

/// Without nodes that are known: of each model that is asked for, or one of any.
std::vector<HubProfile> portable_profiles(const GenOptions& options, const Accelerator& wanted) {
  std::vector<HubProfile> profiles;
  for (const std::string& model : options.gpu_models) {
    std::vector<std::string> products = product_labels_of(model);
    if (products.empty())
      throw Error(
          ErrorKind::usage,
          fmt::format("which label nodes with {} carry is not known without a cluster", model),
          "use --node-selector LABEL=VALUE instead of --gpu-model");
    profiles.push_back({.title = model,
                        .accelerator = wanted,
                        .label = std::string(kProduct),
                        .products = std::move(products)});
  }
  if (profiles.empty())
    profiles.push_back({.title = "GPU", .accelerator = wanted, .label = {}, .products = {}});
  return profiles;
}

/// Two products of one model are told apart by their labels.
void make_titles_differ(std::vector<HubProfile>& profiles) {
  std::vector<std::string> titles;
  for (const HubProfile& each : profiles) titles.push_back(each.title);
  for (HubProfile& each : profiles)
    if (std::count(titles.begin(), titles.end(), each.title) > 1 && !each.products.empty())
      each.title += " (" + each.products.front() + ")";
}

std::vector<HubProfile> profiles_of(GenRequest& request) {
  // Refuses models that nobody knows, and more GPUs than a node has.
  GenRequest checked{.options = request.options, .facts = request.facts, .notes = {}};
  const Accelerator wanted = accelerator_of(checked);
  std::vector<HubProfile> profiles = fitted_profiles(request, wanted.units);
  if (profiles.empty()) {
    request.notes = std::move(checked.notes);
    Accelerator any = wanted;
    any.nodes.clear();
    profiles = portable_profiles(request.options, any);
  }
  make_titles_differ(profiles);
  return profiles;
}

/// "16G": KubeSpawner's G is 2^30 bytes, and it refuses "16Gi".
std::string spawner_bytes(Quantity bytes) {
  constexpr std::string_view kUnits = "KMGT";
  std::int64_t number = bytes.value();
  std::size_t unit = 0;
  while (unit < kUnits.size() && number % 1024 == 0) number /= 1024, ++unit;
  return std::to_string(number) + (unit == 0 ? "" : std::string(1, kUnits[unit - 1]));
}

/// A slug has letters, digits and dashes.
std::string slug_of(std::string_view title, std::int64_t units) {
  std::string slug;
  for (const char c : lower_case(title))
    if (is_digit(c) || (c >= 'a' && c <= 'z'))
      slug += c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  while (slug.ends_with('-')) slug.pop_back();
  return units == 1 ? slug : fmt::format("{}-{}", slug, units);
}

std::int64_t whole_cpus(Quantity cpu) {
  constexpr std::int64_t kMilli = 1000;
  if (cpu.milli_value() % kMilli != 0)
    throw Error(ErrorKind::usage, fmt::format("`--cpu {}` is not a whole number", cpu_text(cpu)),
                "a profile beside a GPU has whole CPUs: for example --cpu 4");
  return cpu.milli_value() / kMilli;
}

/// node_selector, node_affinity_required and tolerations, as KubeSpawner calls them.
Tree place_of(const HubProfile& profile, const PlacementFields& placement) {
  Tree fields;
  Tree selector = placement.node_selector;
  if (profile.products.size() == 1) selector.set(profile.label, profile.products.front());
  fields.set_unless_empty("node_selector", std::move(selector));
  Tree terms = Tree::list();
  if (profile.products.size() > 1)
    terms.push(Tree::map(
        {{"matchExpressions", Tree::list({Tree::map({{"key", profile.label},
                                                     {"operator", "In"},
                                                     {"values", Tree::texts(profile.products)}})
                                              .on_one_line()})}}));
  fields.set_unless_empty("node_affinity_required", std::move(terms));
  fields.set_unless_empty(
      "tolerations", placement.tolerations,
      {"", "They take the place of the chart's own, so all that the nodes need are here.", ""});
  return fields;
}

Tree override_of(const GenOptions& options, const HubProfile& profile, const Sizes& sizes,
                 const PlacementFields& placement) {
  Tree fields =
      Tree::map({{"image", options.image.empty() ? std::string(kPyTorchNotebook) : options.image},
                 {"cpu_guarantee", whole_cpus(sizes.cpu), sizes.why},
                 {"mem_guarantee",
                  spawner_bytes(sizes.memory),
                  {"", "KubeSpawner's G is 2^30 bytes. It does not take 16Gi.", ""}},
                 {"mem_limit", spawner_bytes(sizes.memory)}});
  const Tree gpus =
      Tree::map({{profile.accelerator.resource, std::to_string(profile.accelerator.units)}})
          .on_one_line();
  fields.set("extra_resource_guarantees", gpus,
             {"", "KubeSpawner wants the amount as text, not as a number.", ""});
  fields.set("extra_resource_limits", gpus);
  fields.set_all(place_of(profile, placement));
  return fields;
}

std::string counted_title(const std::string& title, std::int64_t units) {
  return units == 1 ? title : fmt::format("{} x {}", units, title);
}

/// One entry of profileList. What is to be said of all is said once.
Tree profile_of(GenRequest& request, const HubProfile& profile, const Sizes& sizes) {
  GenOptions own = request.options;
  own.gpu_models.clear();  // the profile has its label already
  GenRequest inner{.options = own, .facts = request.facts, .notes = {}};
  const PlacementFields placement = placement_of(inner, profile.accelerator);
  for (GenNote& each : inner.notes) {
    const bool is_said = std::any_of(request.notes.begin(), request.notes.end(),
                                     [&](const GenNote& other) { return other.text == each.text; });
    if (!is_said) request.notes.push_back(std::move(each));
  }
  const std::int64_t units = profile.accelerator.units;
  return Tree::map(
      {{"display_name", counted_title(profile.title, units)},
       {"slug", slug_of(profile.title, units)},
       {"description",
        fmt::format("{} CPUs and {} of memory", cpu_text(sizes.cpu), bytes_text(sizes.memory))},
       {"kubespawner_override", override_of(request.options, profile, sizes, placement)}});
}

/// Of the home directory, and /dev/shm, which all profiles have in common.
Tree storage_of(const GenOptions& options, Quantity shm) {
  Tree storage;
  if (options.storage) storage.set("capacity", bytes_text(*options.storage));
  if (!options.storage_class.empty())
    storage.set("dynamic", Tree::map({{"storageClass", options.storage_class}}).on_one_line());
  storage.set(
      "extraVolumes",
      Tree::map({{"shm", Tree::map({{"name", "shm"},
                                    {"emptyDir", Tree::map({{"medium", "Memory"},
                                                            {"sizeLimit", bytes_text(shm)}})}})
                             .on_one_line()}}),
      {"/dev/shm for data loaders, part of the memory of each profile",
       "A container has 64 MiB of it. The volumes of a profile would take the place of the home "
       "directory, so it stands here.",
       "pytorch/pytorch#16979"});
  storage.set(
      "extraVolumeMounts",
      Tree::map({{"shm", Tree::map({{"name", "shm"}, {"mountPath", "/dev/shm"}}).on_one_line()}}));
  return storage;
}

Tree cull_of(const GenOptions& options) {
  constexpr std::int64_t kHour = 3600;
  return Tree::map({{"enabled", true},
                    {"timeout",
                     options.idle_seconds.value_or(kHour),
                     {"seconds; an idle notebook gives its GPU back",
                      "A notebook holds its GPU until it is stopped, used or not.", ""}}});
}

std::string helm_command(const GenOptions& options) {
  return fmt::format(
      "helm upgrade --install {} jupyterhub --repo https://hub.jupyter.org/helm-chart/{} --values "
      "FILE",
      options.name, options.ns.empty() ? "" : " --namespace " + options.ns);
}

Tree pairs_of(const TextPairs& pairs) {
  Tree tree;
  for (const auto& [key, value] : pairs) tree.set(key, value);
  return tree;
}

Documents make_jupyterhub(GenRequest& request) {
  const GenOptions& options = request.options;
  const std::vector<HubProfile> profiles = profiles_of(request);
  Tree list = Tree::list();
  std::optional<Quantity> shm;
  for (const HubProfile& each : profiles) {
    const Sizes sizes = sizes_of(request, each.accelerator, Workload::notebook);
    list.push(profile_of(request, each, sizes));
    if (sizes.shm) shm = shm ? std::min(*shm, *sizes.shm) : *sizes.shm;
  }
  Tree user;
  user.set_unless_empty("extraLabels", pairs_of(options.labels));
  user.set_unless_empty("extraAnnotations", pairs_of(options.annotations));
  user.set("storage", storage_of(options, shm.value_or(Quantity::of(std::int64_t{1} << 30))));
  user.set("profileList", std::move(list));
  request.note("these are Helm values of the chart jupyterhub, not a manifest: " +
               helm_command(options));
  return {Tree::map({{"singleuser", std::move(user)}, {"cull", cull_of(options)}})};
}

}  // namespace

const GenKind kJupyterHubKind = {
    .word = "jupyterhub",
    .kind = "JupyterHub",
    .group = "",
    .summary = "values of the chart Zero to JupyterHub: a profile for each GPU model",
    .example = "--idle-after 2h --storage 20Gi",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 53, .why = "Helm takes no longer release name"},
    .options = {Option::image, Option::gpus, Option::gpu_model, Option::size, Option::shm,
                Option::place, Option::storage, Option::idle},
    .make = make_jupyterhub,
};

}  // namespace gpu::manifest
