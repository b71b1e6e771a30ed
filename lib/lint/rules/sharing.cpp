#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/error.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "decode/wire/yaml.hpp"
#include "lint/rules/rules.hpp"
#include "model/gpu/gpu_models.hpp"
#include "model/gpu/mig.hpp"

namespace gpu::lint {
namespace {

constexpr std::string_view kPlugin = "https://github.com/NVIDIA/k8s-device-plugin";
constexpr std::string_view kReplicasCode =
    "https://github.com/NVIDIA/k8s-device-plugin/blob/main/api/config/v1/replicas.go";
constexpr std::string_view kLayoutsCode =
    "https://github.com/NVIDIA/mig-parted/blob/main/api/spec/v1/spec.go";
constexpr std::string_view kMigGuide = "https://docs.nvidia.com/datacenter/tesla/mig-user-guide";

constexpr auto kRules = std::to_array<Rule>({
    {"sharing-config-not-yaml", Severity::error, "a configuration of GPUs is not valid YAML",
     "What reads it stops with an error, and the nodes keep the GPUs as they were.", kPlugin},
    {"sharing-config-invalid", Severity::error, "a configuration of shared GPUs is not valid",
     "The device plugin refuses it, and the node advertises no GPUs.", kReplicasCode},
    {"sharing-replicas", Severity::error, "a GPU is not shared by at least two",
     "replicas is a whole number of 2 or more. The device plugin refuses others.", kReplicasCode},
    {"sharing-two-ways", Severity::error, "GPUs are shared by time-slicing and by MPS",
     "A configuration shares GPUs in one way only.", kPlugin},
    {"sharing-resource-unknown", Severity::error, "no device has the resource that is shared",
     "The device plugin shares nvidia.com/gpu and the MIG devices, as nvidia.com/mig-1g.10gb. "
     "Under another name nothing is shared.",
     kPlugin},
    {"sharing-mps-mig", Severity::error, "MIG devices are shared by MPS",
     "The device plugin cannot share MIG devices by MPS. Use time-slicing.", kPlugin},
    {"sharing-requests-above-one", Severity::advice, "a pod may request several shares of a GPU",
     "Two shares of a GPU are no more time than one. failRequestsGreaterThanOne: true refuses such "
     "pods.",
     kPlugin},
    {"mig-config-invalid", Severity::error, "a layout of MIG devices is not valid",
     "The MIG manager refuses the whole configuration, and no node is cut.", kLayoutsCode},
    {"mig-profile-unknown", Severity::warning, "no known card has such a MIG profile",
     "The profiles differ between cards: a card with 80 GB has 1g.10gb, one with 141 GB has "
     "1g.18gb. The MIG manager fails on a profile that the card lacks.",
     kMigGuide},
    {"mig-card-too-small", Severity::error, "no card has room for the MIG devices of a layout",
     "The compute slices or the memory of a card do not suffice. The MIG manager fails, and the "
     "node is not cut.",
     kMigGuide},
});

enum RuleAt : std::size_t {
  kNotYaml,
  kInvalid,
  kReplicas,
  kTwoWays,
  kResourceUnknown,
  kMpsMig,
  kAboveOne,
  kLayoutInvalid,
  kProfileUnknown,
  kTooSmall,
};

/// "1g.10gb" of "1g.10gb+me", "1g.10gb.me" and "1g.24gb-me".
std::string_view base_profile(std::string_view profile) {
  const std::size_t unit = profile.find("gb");
  return unit == std::string_view::npos ? profile : profile.substr(0, unit + 2);
}

/// "1c.3g.20gb" is a part of a MIG device: of 3g.20gb.
std::string_view without_compute(std::string_view profile) {
  const std::size_t part = profile.find("c.");
  return part == std::string_view::npos ? profile : profile.substr(part + 2);
}

struct Profile {
  std::int64_t compute = 0, memory = 0;
};

std::optional<Profile> read_profile(std::string_view text) {
  text = base_profile(without_compute(text));
  const std::size_t dot = text.find("g.");
  if (dot == std::string_view::npos || !text.ends_with("gb")) return std::nullopt;
  const auto compute = whole_number(text.substr(0, dot));
  const auto memory = whole_number(text.substr(dot + 2, text.size() - dot - 4));
  if (!compute || !memory || *compute < 1 || *memory < 1 || *memory > 10'000) return std::nullopt;
  return Profile{.compute = *compute, .memory = *memory};
}

/// Drivers round the memory each in its own way.
bool is_same(const Profile& a, const Profile& b) {
  const std::int64_t apart = a.memory > b.memory ? a.memory - b.memory : b.memory - a.memory;
  return a.compute == b.compute && apart <= std::max<std::int64_t>(1, b.memory * 3 / 100);
}

bool has_profile(const GpuModel& model, const Profile& wanted) {
  return std::any_of(model.mig_profiles.begin(), model.mig_profiles.end(),
                     [&](const std::string& text) {
                       const auto profile = read_profile(text);
                       return profile && is_same(wanted, *profile);
                     });
}

bool is_known(std::string_view text) {
  const auto profile = read_profile(text);
  if (!profile) return false;
  // The A100 with 64 GB, which is in one supercomputer.
  for (const std::string_view each :
       {"1g.8gb", "1g.16gb", "2g.16gb", "3g.32gb", "4g.32gb", "7g.64gb"})
    if (base_profile(without_compute(text)) == each) return true;
  return std::any_of(gpu_models().begin(), gpu_models().end(),
                     [&](const GpuModel& model) { return has_profile(model, *profile); });
}

/// The known profile that was meant; empty where none is near.
std::string nearest_profile(std::string_view profile) {
  std::vector<std::string_view> names;
  for (const GpuModel& model : gpu_models())
    for (const std::string& each : model.mig_profiles) names.push_back(each);
  return std::string(nearest_name(profile, names).value_or(std::string_view()));
}

/// MIG devices of one card, by profile.
using Devices = std::vector<std::pair<std::string, std::int64_t>>;

bool has_room(const GpuModel& model, const Devices& devices) {
  const auto card = card_parts(model);
  if (!card) return true;
  MigParts taken;
  for (const auto& [profile, count] : devices) {
    const MigParts one = slice_parts(model, profile).value_or(MigParts{});
    if (count > slices_per_card(model, profile).value_or(count)) return false;
    taken.compute = capped_sum(taken.compute, capped_product(one.compute, count));
    taken.memory = capped_sum(taken.memory, capped_product(one.memory, count));
  }
  return taken.compute <= card->compute && taken.memory <= card->memory;
}

/// The cards that have all the profiles.
std::vector<const GpuModel*> cards_with(const Devices& devices) {
  std::vector<const GpuModel*> cards;
  for (const GpuModel& model : gpu_models())
    if (std::all_of(devices.begin(), devices.end(), [&](const auto& each) {
          const auto profile = read_profile(each.first);
          return profile && has_profile(model, *profile);
        }))
      cards.push_back(&model);
  return cards;
}

/// One text of a ConfigMap. Its values have no place in the document: all findings stand at the
/// text, and their messages say where in it.
class Configuration {
 public:
  Configuration(const json& config, Pointer at, Findings& findings)
      : config_(config), at_(std::move(at)), findings_(findings) {}

  void check() {
    if (value_at(config_, Pointer("/mig-configs")).is_object()) check_layouts();
    const json& slicing = value_at(config_, Pointer("/sharing/timeSlicing"));
    const json& mps = value_at(config_, Pointer("/sharing/mps"));
    if (slicing.is_null() && mps.is_null()) return;
    check_version(kInvalid);
    if (!slicing.is_null() && !mps.is_null())
      add(kTwoWays, "sharing has timeSlicing and mps", "keep one of them");
    if (!slicing.is_null()) check_sharing("timeSlicing", slicing);
    if (!mps.is_null()) check_sharing("mps", mps);
    if (slicing.is_object() && !slicing.contains("failRequestsGreaterThanOne"))
      add(kAboveOne, "timeSlicing lets a pod request several shares",
          "write failRequestsGreaterThanOne: true");
  }

 private:
  void add(RuleAt rule, std::string message, std::string fix) {
    findings_.add(kRules[rule], at_, std::move(message), std::move(fix));
  }

  void check_version(RuleAt rule) {
    const json& version = value_at(config_, Pointer("/version"));
    // The MIG manager needs it; the device plugin takes v1 where it is left out.
    if (version.is_null() ? rule == kInvalid : version == "v1") return;
    add(rule,
        version.is_null() ? std::string("there is no version")
                          : fmt::format("there is no version {}", written(version)),
        "write version: v1");
  }

  void check_sharing(const char* way, const json& sharing) {
    const json& resources = value_at(sharing, Pointer("/resources"));
    if (!resources.is_array() || resources.empty()) {
      add(kInvalid, fmt::format("sharing.{} has no resources", way),
          "write resources with name and replicas");
      return;
    }
    for (std::size_t i = 0; i < resources.size(); ++i) {
      const std::string place = fmt::format("sharing.{}.resources[{}]", way, i);
      check_replicas(resources[i], place);
      const std::string_view name = text_at(resources[i], "/name");
      if (name.empty())
        add(kInvalid, fmt::format("{} has no name", place), "write name: nvidia.com/gpu");
      else
        check_name(name, place, std::string_view(way) == "mps");
    }
  }

  void check_replicas(const json& resource, const std::string& place) {
    const json& replicas = value_at(resource, Pointer("/replicas"));
    if (replicas.is_number_integer() && replicas >= 2) return;
    add(kReplicas,
        replicas.is_null() ? fmt::format("{} has no replicas", place)
                           : fmt::format("{}.replicas is {}{}", place, written(replicas),
                                         replicas.is_string() ? ", a text" : ""),
        "write replicas: 2 or more, without quotes");
  }

  void check_name(std::string_view name, const std::string& place, bool is_mps) {
    constexpr std::string_view kDomain = "nvidia.com/";
    constexpr std::string_view kMig = "mig-";
    std::string_view device = name;
    if (device.starts_with(kDomain)) device.remove_prefix(kDomain.size());
    // Names of one's own stand under resources.
    if (value_at(config_, Pointer("/resources")).is_object()) return;
    if (device.starts_with(kMig)) {
      if (is_mps) add(kMpsMig, fmt::format("{} shares {}", place, name), "write timeSlicing");
      check_profile(device.substr(kMig.size()), place);
    } else if (device != "gpu") {
      add(kResourceUnknown, fmt::format("{} shares {}, which no device has", place, name),
          "write nvidia.com/gpu");
    }
  }

  void check_profile(std::string_view profile, const std::string& place) {
    if (is_known(profile)) return;
    const std::string near = nearest_profile(profile);
    add(kProfileUnknown, fmt::format("no known card has the profile {} of {}", profile, place),
        near.empty() ? "write a profile of the card, as 1g.10gb" : fmt::format("write {}", near));
  }

  void check_layouts() {
    check_version(kLayoutInvalid);
    for (const auto& [name, layout] : value_at(config_, Pointer("/mig-configs")).items()) {
      if (!layout.is_array() || layout.empty())
        add(kLayoutInvalid, fmt::format("the layout {} has no entries", name),
            "write a list with devices, mig-enabled and mig-devices");
      for (std::size_t i = 0; layout.is_array() && i < layout.size(); ++i)
        check_entry(layout[i], fmt::format("mig-configs.{}[{}]", name, i));
    }
  }

  void check_entry(const json& entry, const std::string& place) {
    const json& cards = value_at(entry, Pointer("/devices"));
    const json& enabled = value_at(entry, Pointer("/mig-enabled"));
    const json& devices = value_at(entry, Pointer("/mig-devices"));
    if (!cards.is_array() && cards != "all")
      add(kLayoutInvalid, fmt::format("{} does not say which devices", place),
          "write devices: all, or their numbers in a list");
    if (!enabled.is_boolean())
      add(kLayoutInvalid, fmt::format("{} does not say mig-enabled", place),
          "write mig-enabled: true");
    if (enabled == true && !devices.is_object())
      add(kLayoutInvalid, fmt::format("{} has no mig-devices", place),
          "write mig-devices with profiles and numbers");
    if (!devices.is_object()) return;
    if (enabled == false && !devices.empty())
      add(kLayoutInvalid, fmt::format("{} has mig-devices, and mig-enabled is false", place),
          "write mig-enabled: true");
    check_devices(devices, place);
  }

  void check_devices(const json& devices, const std::string& place) {
    Devices counted;
    bool is_whole_device = true;
    for (const auto& [profile, count] : devices.items()) {
      check_profile(profile, place);
      if (without_compute(profile) != profile) is_whole_device = false;
      if (count.is_number_integer() && count >= 0)
        counted.emplace_back(profile, count.get<std::int64_t>());
      else
        add(kLayoutInvalid, fmt::format("{} has {} of {}", place, written(count), profile),
            "write a whole number");
    }
    const std::vector<const GpuModel*> cards = cards_with(counted);
    if (!is_whole_device || counted.empty() || cards.empty()) return;
    if (std::any_of(cards.begin(), cards.end(),
                    [&](const GpuModel* card) { return has_room(*card, counted); }))
      return;
    std::string all;
    for (const auto& [profile, count] : counted)
      all += fmt::format("{}{} of {}", all.empty() ? "" : ", ", count, profile);
    add(kTooSmall, fmt::format("{} requests more of a card than it has: {}", place, all),
        "write fewer MIG devices");
  }

  const json& config_;
  Pointer at_;
  Findings& findings_;
};

bool has_line(std::string_view text, std::string_view start) {
  const auto lines = lines_of(text);
  return std::any_of(lines.begin(), lines.end(),
                     [&](std::string_view line) { return line.starts_with(start); });
}

void check_text(const std::string& text, const Pointer& at, Findings& findings) {
  if (!contains(text, "sharing") && !contains(text, "mig-configs")) return;
  json config;
  try {
    config = decode::yaml_to_json(text);
  } catch (const Error& error) {
    // Scripts and the like may hold such words too.
    if (has_line(text, "version:") &&
        (has_line(text, "sharing:") || has_line(text, "mig-configs:")))
      findings.add(kRules[kNotYaml], at,
                   fmt::format("{} cannot be read as YAML: {}", at.back(), error.what()),
                   "correct the text");
    return;
  }
  Configuration(config, at, findings).check();
}

}  // namespace

std::span<const Rule> sharing_rules() { return kRules; }

void check_sharing(const ObjectSubject& object, Findings& findings) {
  if (!object.is("ConfigMap", "")) return;
  const json& data = object.value("/data");
  if (!data.is_object()) return;
  for (const auto& [key, value] : data.items())
    if (value.is_string())
      check_text(value.get_ref<const std::string&>(), object.in_document("/data") / key, findings);
}

}  // namespace gpu::lint
