#include "model/gpu/mig.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "model/gpu/gpu_models.hpp"

namespace gpu {
namespace {

/// A MIG profile, taken apart.
struct Profile {
  std::int64_t compute = 0;     ///< the 2 of "2g.20gb"
  std::int64_t memory_gib = 0;  ///< the 20
  bool has_media = false;       ///< "+me", in names of resources ".me": a card has one such engine
};

/// Nothing for what is no GPU instance: "1c.3g.20gb" is a part of one.
std::optional<Profile> parse_profile(std::string_view text) {
  const std::size_t dot = text.find("g.");
  const std::size_t unit = text.find("gb", dot == std::string_view::npos ? 0 : dot);
  if (dot == std::string_view::npos || unit == std::string_view::npos) return std::nullopt;
  const auto compute = whole_number(text.substr(0, dot));
  const auto memory = whole_number(text.substr(dot + 2, unit - dot - 2));
  if (!compute || !memory || *compute < 1 || *memory < 1 || *memory > 10'000) return std::nullopt;
  const std::string_view suffix = text.substr(unit + 2);
  return Profile{.compute = *compute,
                 .memory_gib = *memory,
                 .has_media = suffix.starts_with(".me") || suffix.starts_with("+me")};
}

/// Compute slices of a card: 7, on smaller ones 4. The largest profile has them all.
std::int64_t compute_slices(const GpuModel& model) {
  std::int64_t most = 0;
  for (const std::string& text : model.mig_profiles)
    if (const auto profile = parse_profile(text)) most = std::max(most, profile->compute);
  return most;
}

/// Drivers round the memory in a profile's name each in its own way, so it is taken to the nearest
/// part: 1g.11gb and 1g.12gb are one part of 94 GB.
std::optional<MigParts> parts_of(const GpuModel& model, const Profile& profile) {
  const std::optional<MigParts> card = card_parts(model);
  if (!card || profile.compute > card->compute) return std::nullopt;
  const std::int64_t taken = std::max<std::int64_t>(
      1, (profile.memory_gib * 1024 * card->memory + *model.memory_mib / 2) / *model.memory_mib);
  if (taken > card->memory) return std::nullopt;
  return MigParts{.compute = profile.compute, .memory = taken};
}

/// A profile is limited by both compute slices and memory.
std::optional<std::int64_t> slices_on(const GpuModel& model, const Profile& profile) {
  const std::optional<MigParts> taken = parts_of(model, profile);
  if (!taken) return std::nullopt;
  if (profile.has_media) return 1;
  const MigParts card = card_parts(model).value_or(MigParts{});
  return std::min(card.compute / taken->compute, card.memory / taken->memory);
}

bool lists(const GpuModel& model, const Profile& wanted) {
  return std::any_of(model.mig_profiles.begin(), model.mig_profiles.end(),
                     [&](const std::string& text) {
                       const auto profile = parse_profile(text);
                       return profile && profile->compute == wanted.compute &&
                              profile->memory_gib == wanted.memory_gib;
                     });
}

}  // namespace

std::optional<MigParts> card_parts(const GpuModel& model) {
  const std::int64_t slices = compute_slices(model);
  if (slices == 0 || !model.memory_mib) return std::nullopt;
  return MigParts{.compute = slices, .memory = slices == 7 ? 8 : slices};
}

std::optional<MigParts> slice_parts(const GpuModel& model, std::string_view profile) {
  const std::optional<Profile> wanted = parse_profile(profile);
  return wanted ? parts_of(model, *wanted) : std::nullopt;
}

std::optional<std::int64_t> slices_per_card(const GpuModel& model, std::string_view profile) {
  const std::optional<Profile> wanted = parse_profile(profile);
  return wanted ? slices_on(model, *wanted) : std::nullopt;
}

std::optional<std::int64_t> slices_per_card(std::string_view product,
                                            std::optional<std::int64_t> memory_mib,
                                            std::string_view profile) {
  const std::optional<Profile> wanted = parse_profile(profile);
  if (!wanted || product.empty()) return std::nullopt;
  product = product.substr(0, product.find("-MIG-"));
  if (product.ends_with("-SHARED")) product.remove_suffix(7);
  std::vector<const GpuModel*> models = gpu_models_named(product, memory_mib);
  const bool is_listed = std::any_of(models.begin(), models.end(),
                                     [&](const GpuModel* model) { return lists(*model, *wanted); });
  if (is_listed)
    std::erase_if(models, [&](const GpuModel* model) { return !lists(*model, *wanted); });
  if (models.empty()) return std::nullopt;
  const std::optional<std::int64_t> first = slices_on(*models.front(), *wanted);
  const bool all_agree = std::all_of(models.begin(), models.end(), [&](const GpuModel* model) {
    return slices_on(*model, *wanted) == first;
  });
  return all_agree ? first : std::nullopt;
}

}  // namespace gpu
