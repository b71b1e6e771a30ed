#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "input/snapshot/hardware_words.hpp"
#include "input/snapshot/redact.hpp"
#include "input/snapshot/redact_known.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/objects/device.hpp"

namespace gpu::input {
namespace {

/// "4804027339-0": the number of a host of TPUs, and which of its chips; the host's may be hidden.
std::optional<std::pair<std::string_view, std::string_view>> chip_of_host(std::string_view id) {
  constexpr std::size_t kUid = 36;
  const std::size_t dash = id.rfind('-');
  if (dash == std::string_view::npos || dash < kShortNumber) return std::nullopt;
  const std::string_view host = id.substr(0, dash);
  const bool is_host = host.find_first_not_of("0123456789") == std::string_view::npos ||
                       (host.size() == kUid && host.starts_with("00000000-0000-4000-8000-"));
  if (!is_host || !is_short_number(id.substr(dash + 1), 2)) return std::nullopt;
  return std::pair(host, id.substr(dash));
}

/// Of these, numbers are memory of a card in MiB.
bool is_memory_key(std::string_view key) {
  return key.ends_with("memory") || key.ends_with("_mem") || key.ends_with("vram");
}

}  // namespace

/// Of a pod that takes parts of several GPUs, KAI writes one key for each: "runai-gpu-group/GROUP".
std::string Redactor::label_key(std::string_view key) {
  constexpr std::string_view kGpuGroup = "runai-gpu-group/";
  if (!key.starts_with(kGpuGroup)) return names_.of(Space::label_key, key);
  return std::string(kGpuGroup) + names_.of(Space::label_value, key.substr(kGpuGroup.size()));
}

/// A label that repeats a name follows it.
std::string Redactor::label_value(std::string_view key, std::string_view value) {
  if (key == "kubernetes.io/hostname") return names_.of(Space::node, value);
  if (key == "kubernetes.io/metadata.name") return names_.of(Space::ns, value);
  if (key == "kueue.x-k8s.io/queue-name" || key == "kai.scheduler/queue" || key == "runai/queue")
    return names_.of(Space::queue, value);
  if (key == "priorityClassName") return names_.of(Space::priority_class, value);
  // A value that was hidden, as no label may have it, has to be hidden as the same again.
  const bool was_hidden = value.starts_with("value-");
  if (label_rule(key) == LabelRule::keep && !was_hidden &&
      is_hardware_text(value, is_memory_key(key) ? kMemoryNumber : kShortNumber))
    return std::string(value);
  return names_.of(Space::label_value, value);
}

std::string Redactor::object_name(std::string_view kind, std::string_view name) {
  struct Named {
    std::string_view kind;
    Space space;
  };
  static constexpr std::array<Named, 19> kNamed = {{
      {"Node", Space::node},
      {"Pod", Space::pod},
      {"ResourceSlice", Space::slice},
      {"ResourceClaim", Space::claim},
      {"ResourceClaimTemplate", Space::claim},
      {"DeviceClass", Space::device_class},
      {"Namespace", Space::ns},
      {"PersistentVolumeClaim", Space::volume_claim},
      {"PersistentVolume", Space::persistent_volume},
      {"StorageClass", Space::storage_class},
      {"CSINode", Space::node},
      {"PriorityClass", Space::priority_class},
      {"RuntimeClass", Space::runtime_class},
      {"Lease", Space::scheduler},
      {"LocalQueue", Space::queue},
      {"ClusterQueue", Space::queue},
      {"Cohort", Space::queue},
      {"Queue", Space::queue},
      {"ResourceFlavor", Space::flavor},
  }};
  if (kind == "Scrape") return scrape_name(name);
  if (kind == "CSIDriver") return driver(name);
  if (kind == "PodGroup") return pod_group(name);
  for (const Named& named : kNamed)
    if (named.kind == kind) return names_.of(named.space, name);
  return names_.of(Space::owner, name);
}

/// Volcano calls a group after its owner and that one's uid: "train-UID", "podgroup-UID".
std::string Redactor::pod_group(std::string_view name) {
  constexpr std::size_t kUid = 36;
  constexpr std::string_view kOfAny = "podgroup";
  const std::size_t start = name.size() - std::min(name.size(), kUid);
  const bool has_uid = start > 1 && name[start - 1] == '-' && name[start + 8] == '-' &&
                       name[start + 13] == '-' && name[start + 18] == '-';
  if (!has_uid) return names_.of(Space::owner, name);
  const std::string_view lead = name.substr(0, start - 1);
  return (lead == kOfAny ? std::string(kOfAny) : names_.of(Space::owner, lead)) + "-" +
         names_.of(Space::uid, name.substr(start));
}

std::string Redactor::driver(std::string_view name) {
  return names_.of(is_gpu_driver(name) ? Space::gpu_driver : Space::driver, name);
}

/// A renamed GPU is one of its kind after it, too, and shared where it was.
std::string Redactor::resource(std::string_view name) {
  static constexpr std::string_view kShared = ".shared";
  static constexpr std::string_view kMig = "nvidia.com/mig-";
  static constexpr std::string_view kVgpu = "nvidia.com/NVIDIA_";
  const auto gpu = gpu_resource(name);
  if (is_known(Space::resource, name) || !is_nvidia_resource(name) || !gpu)
    return names_.of(Space::resource, name);
  if (gpu->kind == DeviceKind::mig_slice || gpu->kind == DeviceKind::vgpu) {
    const std::string_view start = gpu->kind == DeviceKind::vgpu ? kVgpu : kMig;
    if (name.starts_with(start)) name.remove_prefix(start.size());
    return std::string(start) + names_.of(Space::label_value, name);
  }
  const bool is_shared = name.ends_with(kShared);
  if (is_shared) name.remove_suffix(kShared.size());
  return names_.of(Space::gpu_resource, name) + std::string(is_shared ? kShared : "");
}

std::string Redactor::pool(std::string_view name) {
  if (names_.is_settled())
    if (auto node = names_.find(Space::node, name)) return *node;
  return names_.of(Space::pool, name);
}

std::string Redactor::attribute(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || is_known(Space::attribute, name))
    return names_.of(Space::attribute, name);
  return driver(name.substr(0, slash)) + "/" + names_.of(Space::attribute, name.substr(slash + 1));
}

/// A request's choice is named "request/choice".
std::string Redactor::request(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return names_.of(Space::request, name);
  return names_.of(Space::request, name.substr(0, slash)) + "/" +
         names_.of(Space::request, name.substr(slash + 1));
}

/// "GPU-4b3c...", "MIG-...", "GPU-4b3c...::3", "MIG-GPU-4b3c.../7/0": what stands before and after
/// says the form. Writers of UUIDs differ in letter case, and some leave out what is before.
std::string Redactor::device_id(std::string_view id) {
  const std::string lower = lower_case(id);
  std::string_view before;
  for (const std::string_view form : {"mig-gpu-", "mig-", "gpu-"})
    if (lower.starts_with(form)) {
      before = id.substr(0, form.size());
      break;
    }
  if (before.empty())
    if (const auto chip = chip_of_host(id))
      return names_.of(Space::uid, chip->first) + std::string(chip->second);
  id.remove_prefix(before.size());
  const std::size_t mark = std::min(id.find("::"), before.empty() ? id.size() : id.find('/'));
  std::string_view after = mark >= id.size() ? std::string_view{} : id.substr(mark);
  id = id.substr(0, mark);
  if (!std::all_of(after.begin(), after.end(),
                   [](char c) { return is_digit(c) || c == ':' || c == '/'; }))
    after = {};
  const std::string shown =
      is_hardware_name(id) ? std::string(id) : names_.of(Space::uid, lower_case(id));
  return std::string(before) + shown + std::string(after);
}

/// "nvidia.com/gpu", or "claim:NAME/REQUEST".
std::string Redactor::device_name(std::string_view name) {
  static constexpr std::string_view kClaim = "claim:";
  if (!name.starts_with(kClaim)) return resource(name);
  return std::string(kClaim) + request(name.substr(kClaim.size()));
}

/// "aws:///eu-1a/i-0abc": the cloud stays, the machine does not.
std::string Redactor::provider_id(std::string_view id) {
  static constexpr std::array<std::string_view, 10> kClouds = {
      "aws",          "gce", "azure", "openstack", "vsphere",
      "digitalocean", "oci", "ibm",   "alicloud",  "kind"};
  std::string_view cloud;
  if (const std::size_t mark = id.find("://"); mark != std::string_view::npos) {
    const std::string_view scheme = id.substr(0, mark);
    if (std::find(kClouds.begin(), kClouds.end(), scheme) != kClouds.end()) cloud = scheme;
    if (!cloud.empty()) id.remove_prefix(mark + 3);
    if (!cloud.empty()) id.remove_prefix(std::min(id.find_first_not_of('/'), id.size()));
  }
  const std::string machine = names_.of(Space::provider, id);
  return cloud.empty() ? machine : std::string(cloud) + ":///" + machine;
}

std::string Redactor::image(std::string_view name) {
  const std::string_view known = known_image(name);
  return known.empty() ? names_.of(Space::image, name) : std::string(known);
}

std::string Redactor::version(std::string_view text) {
  std::string shown;
  for (const std::string_view runtime : {"containerd://", "cri-o://", "docker://"})
    if (text.starts_with(runtime)) {
      shown = runtime;
      text.remove_prefix(runtime.size());
    }
  if (text.starts_with('v')) shown += 'v';
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::string_view numbers = text.substr(0, text.find_first_not_of("0123456789."));
  return shown + std::string(is_hardware_text(numbers) ? numbers : std::string_view{});
}

}  // namespace gpu::input
