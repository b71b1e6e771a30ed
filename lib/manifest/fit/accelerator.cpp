#include "manifest/fit/accelerator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "manifest/fit/api_words.hpp"
#include "model/gpu/gpu_models.hpp"

namespace gpu::manifest {
namespace {

/// The GiB that a name ends with: 40 of "A100-40GB" and of "A100-40G".
std::optional<std::int64_t> memory_in(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  std::string digits = lower_case(name.substr(dash + 1));
  if (digits.ends_with('b')) digits.pop_back();
  if (!digits.ends_with('g')) return std::nullopt;
  digits.pop_back();
  return whole_number(digits);
}

/// Those of the table, of every form factor: A100-40GB is no name of it, and is two models.
std::vector<const GpuModel*> models_called(std::string_view name) {
  constexpr std::int64_t kMost = 4096;
  std::vector<const GpuModel*> models = gpu_models_named(name, std::nullopt);
  const auto gib = memory_in(name);
  if (!gib || *gib < 1 || *gib > kMost) return models;
  for (const GpuModel* each : gpu_models_named(name.substr(0, name.rfind('-')), *gib << 10))
    if (each->memory_mib && std::find(models.begin(), models.end(), each) == models.end())
      models.push_back(each);
  return models;
}

bool is_cut(const GpuNodes& nodes) {
  return nodes.kind.kind == DeviceKind::mig_slice || !nodes.single_mig_profile.empty();
}

bool is_shared(const GpuNodes& nodes) {
  return nodes.kind.renamed || nodes.sharing.strategy != SharingStrategy::none;
}

/// Whether a unit of these nodes is what was asked for: a card, a slice, or a share.
bool has_what_is_asked(const GpuNodes& nodes, const GenOptions& options) {
  if (nodes.kind.is_memory || nodes.kind.kind == DeviceKind::alias) return false;
  if (!options.mig.empty())
    return nodes.resource == mig_resource(options.mig) || nodes.single_mig_profile == options.mig;
  if (options.is_shared) return is_shared(nodes) && !is_cut(nodes);
  return nodes.kind.kind == DeviceKind::card && !is_shared(nodes) && !is_cut(nodes);
}

bool is_one_of(const GpuNodes& nodes, const std::vector<std::string>& models) {
  return models.empty() || std::any_of(models.begin(), models.end(), [&](const std::string& each) {
           return is_model(nodes, each);
         });
}

std::vector<std::string> models_of(const ClusterFacts& facts) {
  std::vector<std::string> models;
  for (const GpuNodes& each : facts.gpu_nodes)
    if (!each.model.empty() && std::find(models.begin(), models.end(), each.model) == models.end())
      models.push_back(each.model);
  return models;
}

std::string profile_of(const GpuNodes& nodes) {
  return nodes.single_mig_profile.empty() ? nodes.kind.profile : nodes.single_mig_profile;
}

std::vector<std::string> profiles_of(const ClusterFacts& facts) {
  std::vector<std::string> profiles;
  for (const GpuNodes& each : facts.gpu_nodes) {
    const std::string profile = profile_of(each);
    if (is_cut(each) && std::find(profiles.begin(), profiles.end(), profile) == profiles.end())
      profiles.push_back(profile);
  }
  return profiles;
}

/// "whole GPUs of A100 or L4".
std::string wanted_text(const GenOptions& options) {
  return std::string(options.is_shared ? "shared GPUs" : "whole GPUs") +
         (options.gpu_models.empty() ? "" : " of " + joined(options.gpu_models, " or "));
}

/// "A100-80G is cut into MIG slices here: --mig 1g.10gb"; empty where the models are not here.
std::string other_form(const GenRequest& request) {
  if (request.options.gpu_models.empty()) return {};
  for (const GpuNodes& each : request.facts.gpu_nodes) {
    if (!is_one_of(each, request.options.gpu_models)) continue;
    if (is_cut(each))
      return fmt::format("they are cut into MIG slices here: --mig {}", profile_of(each));
    if (is_shared(each)) return "they are shared here: --shared";
    return "they are whole here: leave out --mig and --shared";
  }
  return {};
}

bool has_karpenter(const ClusterFacts& facts) {
  return serves(facts, "NodePool", "karpenter.sh").value_or(false);
}

/// What the cluster has in place of what was asked for.
void warn_of_absence(GenRequest& request) {
  const GenOptions& options = request.options;
  const std::vector<std::string> models = models_of(request.facts);
  if (request.facts.gpu_nodes.empty())
    return request.warn(
        "no node of this cluster has GPUs, so the manifest is not fitted to any",
        has_karpenter(request.facts)
            ? "Karpenter brings one up where a NodePool allows: kubectl gpu gen nodepool"
            : "");
  if (!options.mig.empty()) {
    const std::vector<std::string> profiles = profiles_of(request.facts);
    return request.warn(fmt::format("no node of this cluster has MIG slices {}", options.mig),
                        profiles.empty() ? "no node is cut into MIG slices"
                                         : "slices here are " + joined(profiles));
  }
  if (const std::string other = other_form(request); !other.empty())
    return request.warn("no node of this cluster has " + wanted_text(options), other);
  if (!options.gpu_models.empty())
    return request.warn("no node of this cluster has " + wanted_text(options),
                        "models here are " + joined(models));
  request.warn("no node of this cluster has " + wanted_text(options),
               options.is_shared ? "leave out --shared" : "use --shared or --mig");
}

Error too_many(const GenOptions& options, const std::vector<const GpuNodes*>& nodes) {
  const GpuNodes& largest = **std::max_element(
      nodes.begin(), nodes.end(),
      [](const GpuNodes* a, const GpuNodes* b) { return a->largest < b->largest; });
  return {ErrorKind::usage,
          fmt::format("no node has {} {}: the largest has {}{}{}", *options.gpus, largest.resource,
                      largest.largest, largest.model.empty() ? "" : " ", largest.model),
          "use --nodes for several pods that work together, with --gpus for each of them"};
}

/// Without a cluster, by the maker of the first model that is asked for.
std::string portable_resource(const GenOptions& options) {
  if (!options.mig.empty()) return mig_resource(options.mig);
  if (options.is_shared) return "nvidia.com/gpu.shared";
  if (!options.gpu_models.empty())
    for (const GpuModel* model : models_called(options.gpu_models.front())) {
      for (const Vendor vendor :
           {Vendor::amd, Vendor::intel, Vendor::habana, Vendor::google, Vendor::aws})
        if (name_of(vendor) == model->vendor) return std::string(usual_resource(vendor));
    }
  return "nvidia.com/gpu";
}

/// Each once, in their order.
std::string some_of(std::vector<std::string> names) {
  constexpr std::size_t kShown = 12;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return few_and_rest(names, kShown);
}

void check_models(const GenOptions& options, const ClusterFacts& facts) {
  for (const std::string& name : options.gpu_models) {
    const bool is_here = std::any_of(facts.gpu_nodes.begin(), facts.gpu_nodes.end(),
                                     [&](const GpuNodes& each) { return is_model(each, name); });
    if (is_here || !models_called(name).empty()) continue;
    std::vector<std::string> names = models_of(facts);
    for (const std::string& model : models_of(facts)) names.push_back(family_of(model));
    if (names.empty())
      for (const GpuModel& each : gpu_models()) names.push_back(each.name);
    const std::vector<std::string_view> choices(names.begin(), names.end());
    const auto nearest = nearest_name(name, choices);
    throw Error(ErrorKind::usage, fmt::format("no GPU is known as `{}`", name),
                nearest ? fmt::format("a similar one is `{}`", *nearest)
                        : fmt::format("{} {}", models_of(facts).empty() ? "known are" : "there are",
                                      some_of(names)));
  }
}

/// Who makes what a person calls `name`; empty where neither the cluster nor the table has it.
std::string_view vendor_of(std::string_view name, const ClusterFacts& facts) {
  for (const GpuNodes& each : facts.gpu_nodes)
    if (is_model(each, name)) return name_of(each.kind.vendor);
  const std::vector<const GpuModel*> models = models_called(name);
  return models.empty() ? std::string_view() : std::string_view(models.front()->vendor);
}

/// A pod asks for one resource, and each vendor's plugin advertises its own.
void check_vendors(const GenOptions& options, const ClusterFacts& facts) {
  if (options.gpu_models.empty()) return;
  const std::string& first = options.gpu_models.front();
  for (const std::string& name : options.gpu_models)
    if (vendor_of(name, facts) != vendor_of(first, facts))
      throw Error(
          ErrorKind::usage,
          fmt::format("{} and {} are of two vendors, and a pod can request GPUs of one only",
                      sanitize(first), sanitize(name)),
          "name models of one vendor, and print a manifest for each");
}

}  // namespace

void take_slice_of_model(GenOptions& options) {
  for (std::string& model : options.gpu_models) {
    const std::size_t dash = model.rfind('-');
    if (dash == std::string::npos || !is_mig_profile(model.substr(dash + 1))) continue;
    const std::string profile = model.substr(dash + 1);
    if (!options.mig.empty() && options.mig != profile)
      throw Error(ErrorKind::usage,
                  fmt::format("{} and {} are slices of two profiles, and a pod requests slices of "
                              "one only",
                              sanitize(options.mig), sanitize(profile)),
                  "leave one of them out");
    if (options.gpus.value_or(1) > 1)
      throw Error(ErrorKind::usage,
                  fmt::format("{} is a MIG slice, and a pod has one slice only: CUDA uses one in a "
                              "process",
                              sanitize(model)),
                  "use --gpus 1, and several pods");
    options.gpus.reset();
    options.mig = profile;
    model.resize(dash);
  }
}

std::string mig_resource(std::string profile) {
  if (profile.ends_with("+me")) profile.replace(profile.size() - 3, 1, ".");
  return "nvidia.com/mig-" + profile;
}

bool is_model(const GpuNodes& nodes, std::string_view name) {
  if (equal_ignoring_case(nodes.model, name) || equal_ignoring_case(nodes.product, name) ||
      equal_ignoring_case(family_of(nodes.model), name))
    return true;
  std::string_view product = nodes.product;
  if (product.ends_with("-SHARED")) product.remove_suffix(7);
  product = product.substr(0, product.find("-MIG-"));
  const std::vector<const GpuModel*> wanted = models_called(name);
  const std::vector<const GpuModel*> here = gpu_models_named(product, std::nullopt);
  return std::any_of(here.begin(), here.end(), [&](const GpuModel* each) {
    return std::find(wanted.begin(), wanted.end(), each) != wanted.end();
  });
}

std::vector<std::string> product_labels_of(std::string_view name) {
  std::vector<std::string> labels;
  for (const GpuModel* model : models_called(name))
    for (const std::string& alias : model->aliases) {
      const bool is_product = alias.starts_with("NVIDIA-") || alias.starts_with("Tesla-") ||
                              alias.starts_with("Quadro-");
      if (is_product && !alias.ends_with("-SHARED")) labels.push_back(alias);
    }
  return labels;
}

Accelerator accelerator_of(GenRequest& request) {
  const GenOptions& options = request.options;
  if (options.is_cpu_only) return {};
  check_models(options, request.facts);
  check_vendors(options, request.facts);
  Accelerator chosen{.resource = portable_resource(options), .units = options.gpus.value_or(1)};
  for (const GpuNodes& each : request.facts.gpu_nodes)
    if (has_what_is_asked(each, options) && is_one_of(each, options.gpu_models))
      chosen.nodes.push_back(&each);
  if (chosen.nodes.empty()) {
    if (request.facts.is_known) warn_of_absence(request);
    return chosen;
  }
  // One pod cannot ask for either of two resources: the one with most units counts.
  chosen.resource = chosen.nodes.front()->resource;
  std::erase_if(chosen.nodes,
                [&](const GpuNodes* each) { return each->resource != chosen.resource; });
  const bool fits =
      std::any_of(chosen.nodes.begin(), chosen.nodes.end(),
                  [&](const GpuNodes* each) { return each->largest >= chosen.units; });
  if (!fits && !has_karpenter(request.facts)) throw too_many(options, chosen.nodes);
  chosen.has_lookalikes = std::any_of(
      request.facts.gpu_nodes.begin(), request.facts.gpu_nodes.end(), [&](const GpuNodes& each) {
        return each.resource == chosen.resource && !has_what_is_asked(each, options);
      });
  return chosen;
}

}  // namespace gpu::manifest
