#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "manifest/fit/pod.hpp"
#include "manifest/kinds/amounts.hpp"
#include "manifest/kinds/kinds.hpp"
#include "manifest/tree/yaml.hpp"
#include "model/gpu/gpu_models.hpp"
#include "model/gpu/mig.hpp"

namespace gpu::manifest {
namespace {

bool has_profile(const GpuModel& model, const std::string& profile) {
  return std::find(model.mig_profiles.begin(), model.mig_profiles.end(), profile) !=
         model.mig_profiles.end();
}

bool has_all_profiles(const GpuModel& model, const std::vector<SliceCount>& slices) {
  return std::all_of(slices.begin(), slices.end(),
                     [&](const SliceCount& each) { return has_profile(model, each.profile); });
}

/// Cards that can be cut: those of --gpu-model, of the cluster, or of the table.
std::vector<const GpuModel*> cuttable_models(const GenRequest& request) {
  std::vector<const GpuModel*> models;
  const auto add = [&](std::string_view name) {
    for (const GpuModel* each : gpu_models_named(name, std::nullopt))
      if (!each->mig_profiles.empty()) models.push_back(each);
  };
  const std::vector<std::string>& asked = request.options.gpu_models;
  for (const std::string& name : asked) add(name);
  if (!asked.empty()) {
    if (models.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("{} cannot be cut into MIG slices, or is not known",
                              sanitize(joined(asked, " and "))),
                  "cards with MIG are A30, A100, H100, H200, B200 and the like");
    return models;
  }
  for (const GpuNodes& each : request.facts.gpu_nodes) {
    // Cards that are cut already say so in their label.
    std::string_view product = each.product;
    product = product.substr(0, product.find("-MIG-"));
    if (product.ends_with("-SHARED")) product.remove_suffix(7);
    add(product);
  }
  if (models.empty())
    for (const GpuModel& each : gpu_models())
      if (!each.mig_profiles.empty()) models.push_back(&each);
  return models;
}

/// Those of the cards that have all the profiles. Throws Error{usage} where there is none.
std::vector<const GpuModel*> models_with(std::vector<const GpuModel*> models,
                                         const std::vector<SliceCount>& slices) {
  std::vector<std::string> known;
  for (const GpuModel* each : models)
    for (const std::string& profile : each->mig_profiles)
      if (std::find(known.begin(), known.end(), profile) == known.end()) known.push_back(profile);
  std::erase_if(models, [&](const GpuModel* each) { return !has_all_profiles(*each, slices); });
  if (!models.empty()) return models;
  std::vector<std::string> profiles;
  profiles.reserve(slices.size());
  for (const SliceCount& each : slices) profiles.push_back(each.profile);
  const std::vector<std::string_view> names(known.begin(), known.end());
  const auto nearest = profiles.size() == 1 ? nearest_name(profiles.front(), names) : std::nullopt;
  throw Error(
      ErrorKind::usage,
      fmt::format("no such card has {}{}", profiles.size() == 1 ? "the profile " : "all of ",
                  sanitize(joined(profiles))),
      (nearest ? fmt::format("a similar one is {}; ", *nearest) : std::string()) + "profiles are " +
          few_and_rest(known, 14));
}

/// One profile without a count fills the card; of several, each is there once.
std::vector<SliceCount> counted_slices(std::vector<SliceCount> slices,
                                       const std::vector<const GpuModel*>& models) {
  for (SliceCount& each : slices) {
    if (each.count) continue;
    each.count = 1;
    if (slices.size() > 1) continue;
    std::int64_t most = 7;
    for (const GpuModel* model : models)
      most = std::min(most, slices_per_card(*model, each.profile).value_or(most));
    each.count = most;
  }
  return slices;
}

/// Throws Error{usage} where the slices are more than a card has room for.
void check_room(const GpuModel& model, const std::vector<SliceCount>& slices) {
  const std::optional<MigParts> card = card_parts(model);
  if (!card) return;
  MigParts all;
  for (const SliceCount& each : slices) {
    const MigParts one = slice_parts(model, each.profile).value_or(MigParts{});
    const std::int64_t count = each.count.value_or(0);
    all.compute = capped_sum(all.compute, capped_product(one.compute, count));
    all.memory = capped_sum(all.memory, capped_product(one.memory, count));
    const std::int64_t most = slices_per_card(model, each.profile).value_or(count);
    if (count > most)
      throw Error(ErrorKind::usage,
                  fmt::format("{} has room for {} of {}, not for {}", model.name, most,
                              each.profile, count),
                  "give fewer: --mig PROFILE=COUNT");
  }
  if (all.compute > card->compute || all.memory > card->memory)
    throw Error(ErrorKind::usage,
                fmt::format("the slices take {} of {} compute slices of a {}, and {} of {} parts "
                            "of its memory",
                            all.compute, card->compute, model.name, all.memory, card->memory),
                "give fewer: --mig PROFILE=COUNT");
}

std::string layouts_text(const std::string& name, const std::vector<SliceCount>& slices) {
  Tree devices;
  for (const SliceCount& each : slices) devices.set(each.profile, each.count.value_or(0));
  Tree layouts = Tree::map(
      {{"all-disabled", Tree::list({Tree::map({{"devices", "all"}, {"mig-enabled", false}})})}});
  layouts.set(
      name,
      Tree::list({Tree::map(
          {{"devices", "all"}, {"mig-enabled", true}, {"mig-devices", std::move(devices)}})}));
  return yaml_of({Tree::map({{"version", "v1"}, {"mig-configs", std::move(layouts)}})});
}

void say_how_to_use(GenRequest& request) {
  const std::string& name = request.options.name;
  request.warn(
      "nothing reads it until the ClusterPolicy names it, instead of the stock layouts",
      "after kubectl apply",
      fmt::format("kubectl patch clusterpolicies.nvidia.com cluster-policy --type merge "
                  "-p '{{\"spec\":{{\"migManager\":{{\"config\":{{\"name\":\"{}\"}}}}}}}}'",
                  name));
  request.warn("a node is cut once it has the label, which stops the GPU pods on it",
               "drain it first",
               fmt::format("kubectl label node NODE --overwrite nvidia.com/mig.config={}", name));
}

Documents make_mig_config(GenRequest& request) {
  const GenOptions& options = request.options;
  std::vector<SliceCount> slices = slice_counts(options.mig);
  if (slices.empty())
    throw Error(ErrorKind::usage, "--mig is missing",
                "for example --mig 1g.10gb, or --mig 1g.10gb=2,2g.20gb=1,3g.40gb=1");
  if (options.name == "all-disabled")
    throw Error(ErrorKind::usage, "`all-disabled` is the layout without slices",
                "give it another name");
  const std::vector<const GpuModel*> models = models_with(cuttable_models(request), slices);
  slices = counted_slices(std::move(slices), models);
  for (const GpuModel* each : models) check_room(*each, slices);
  Tree map = object_of("v1", "ConfigMap", operator_metadata_of(request));
  map.set("data",
          Tree::map({{"config.yaml",
                      layouts_text(options.name, slices),
                      {"all-disabled stays: it is the layout of nodes without the label",
                       "The ConfigMap takes the place of the stock one, and the MIG manager's "
                       "default has to be in it.",
                       "NVIDIA/mig-parted"}}}));
  say_how_to_use(request);
  return {std::move(map)};
}

}  // namespace

const GenKind kMigConfigKind = {
    .word = "mig-config",
    .kind = "ConfigMap",
    .group = "",
    .summary = "how cards are cut into MIG slices: a configuration of the GPU Operator",
    .example = "--gpu-model H100 --mig 1g.10gb=2,2g.20gb=1,3g.40gb=1",
    .install = "",
    .name = {.form = NameForm::dns_1123, .most = 63},
    .options = {Option::mig, Option::gpu_model},
    .make = make_mig_config,
    .meanings = {{"--mig", "PROFILE[=COUNT] of each card; several with commas"},
                 {"--gpu-model", "which cards; default: those of the cluster"}},
};

}  // namespace gpu::manifest
