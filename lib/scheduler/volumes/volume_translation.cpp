#include "scheduler/volumes/volume_translation.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/ascii.hpp"
#include "base/split.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::string_view kOldZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kOldRegion = "failure-domain.beta.kubernetes.io/region";

/// Source: isCSIMigrationOn of the plugins, and csi-translation-lib.
constexpr std::array<MovedKind, 7> kMovedKinds = {{
    {"awsElasticBlockStore", "kubernetes.io/aws-ebs", "ebs.csi.aws.com",
     "topology.ebs.csi.aws.com/zone"},
    {"gcePersistentDisk", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"},
    {"azureDisk", "kubernetes.io/azure-disk", "disk.csi.azure.com"},
    {"cinder", "kubernetes.io/cinder", "cinder.csi.openstack.org",
     "topology.cinder.csi.openstack.org/zone"},
    {"portworxVolume", "kubernetes.io/portworx-volume", "pxd.portworx.com"},
    {"azureFile", "kubernetes.io/azure-file", ""},
    {"vsphereVolume", "kubernetes.io/vsphere-volume", ""},
}};

/// "a__b" in its parts, empty ones too.
std::vector<std::string_view> zones_in(std::string_view label) {
  constexpr std::string_view kSeparator = "__";
  std::vector<std::string_view> zones;
  while (true) {
    const std::size_t end = label.find(kSeparator);
    zones.push_back(label.substr(0, end));
    if (end == std::string_view::npos) return zones;
    label.remove_prefix(end + kSeparator.size());
  }
}

template <class Visit>
void each_expression(NodeSelector& selector, std::string_view key, Visit visit) {
  for (NodeSelectorTerm& term : selector)
    for (Requirement& each : term.expressions)
      if (each.key == key) visit(each);
}

bool names(NodeSelector& selector, std::string_view key) {
  bool found = false;
  each_expression(selector, key, [&](const Requirement&) { found = true; });
  return found;
}

/// Whether a key has values; renames it if so.
bool rename(NodeSelector& selector, std::string_view key, std::string_view to) {
  bool has_values = false;
  each_expression(selector, key,
                  [&](const Requirement& each) { has_values |= !each.values.empty(); });
  if (has_values) each_expression(selector, key, [&](Requirement& each) { each.key = to; });
  return has_values;
}

void add_zones(std::optional<NodeSelector>& selector, std::string_view key,
               std::string_view label) {
  std::set<std::string> zones;
  for (const std::string_view zone : zones_in(label))
    if (!trimmed(zone).empty()) zones.emplace(trimmed(zone));
  if (zones.empty()) return;
  if (!selector) selector.emplace();
  if (selector->empty()) selector->emplace_back();
  for (NodeSelectorTerm& term : *selector)
    term.expressions.push_back({std::string(key), "In", {zones.begin(), zones.end()}});
}

bool says_moved(const CsiNode& csi_node, const MovedKind& kind) {
  const std::vector<std::string_view> moved =
      split(value_of(csi_node.annotations, "storage.alpha.kubernetes.io/migrated-plugins"), ',');
  return std::find(moved.begin(), moved.end(), kind.plugin) != moved.end();
}

/// What a volume's labels say of its zones; one that is empty where they say nothing.
std::vector<std::string_view> zones_of(const PersistentVolume& volume) {
  const std::string_view label = value_of(volume.labels, kOldZone);
  return zones_in(label.empty() ? value_of(volume.labels, kZone) : label);
}

/// "vol-1" of "aws://zone/vol-1" and of "vol-1"; nothing where a URL names no volume.
std::optional<std::string_view> amazon_volume(std::string_view id) {
  constexpr std::string_view kScheme = "aws://";
  if (!id.starts_with(kScheme)) return id;
  id.remove_prefix(kScheme.size());
  id = id.substr(0, id.find_first_of("?#"));
  id.remove_prefix(std::min(id.find('/'), id.size()));
  while (id.starts_with('/')) id.remove_prefix(1);
  while (id.ends_with('/')) id.remove_suffix(1);
  if (!id.starts_with("vol-") || id.find('/') != std::string_view::npos) return std::nullopt;
  return id;
}

std::string google_disk(std::string_view kind, std::string_view place, std::string_view name) {
  constexpr std::string_view kUnspecified = "UNSPECIFIED";
  return std::string("projects/UNSPECIFIED/")
      .append(kind)
      .append("/")
      .append(place.empty() ? kUnspecified : place)
      .append("/disks/")
      .append(name);
}

/// Source: TranslateInTreeInlineVolumeToCSI of the plugins, which PersistentVolumes share.
std::optional<std::string> mistake_in(std::string_view kind, std::string_view id) {
  if (kind == "awsElasticBlockStore" && !amazon_volume(id))
    return "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (" +
           std::string(id) + ")";
  constexpr std::string_view kUnmanaged = "azureDisk:";
  if (kind.starts_with(kUnmanaged))
    return "kind(" + std::string(kind.substr(kUnmanaged.size())) +
           ") is not supported in csi migration";
  return std::nullopt;
}

std::string handle_of(std::string_view kind, std::string_view id) {
  if (kind == "awsElasticBlockStore") return std::string(amazon_volume(id).value_or(id));
  return kind == "gcePersistentDisk" ? google_disk("zones", {}, id) : std::string(id);
}

}  // namespace

const MovedKind* moved_kind(std::string_view MovedKind::*key, std::string_view value) {
  const std::string_view name = value.substr(0, value.find(':'));
  const auto* const found = std::find_if(kMovedKinds.begin(), kMovedKinds.end(),
                                         [&](const MovedKind& kind) { return kind.*key == name; });
  return found == kMovedKinds.end() ? nullptr : found;
}

bool is_of_moved_kind(const PersistentVolume& volume) {
  if (!volume.csi_driver.empty()) return false;
  const MovedKind* const kind = moved_kind(&MovedKind::field, volume.legacy_driver);
  return kind != nullptr && !kind->driver.empty();
}

const MovedKind* moved_on(const PersistentVolume& volume, const CsiNode* csi_node) {
  if (csi_node == nullptr || !is_of_moved_kind(volume)) return nullptr;
  const MovedKind* const kind = moved_kind(&MovedKind::field, volume.legacy_driver);
  return says_moved(*csi_node, *kind) ? kind : nullptr;
}

bool is_counted(const MovedKind& kind, const CsiNode* csi_node, const Rules& rules) {
  if (csi_node == nullptr || kind.driver.empty()) return false;
  // Portworx's gate went in 1.36, and with it what the node's annotation says.
  return kind.field != "portworxVolume" || rules.minor >= 36 || says_moved(*csi_node, kind);
}

std::optional<NodeSelector> translated_affinity(const PersistentVolume& volume,
                                                const MovedKind& kind) {
  std::optional<NodeSelector> selector = volume.node_affinity;
  if (kind.zone.empty()) return selector;
  NodeSelector none;
  NodeSelector& terms = selector ? *selector : none;
  const bool is_old = !names(terms, kZone) &&
                      (names(terms, kOldZone) ||
                       (!volume.labels.contains(kZone) && volume.labels.contains(kOldZone)));
  const std::string_view zone = is_old ? kOldZone : kZone;
  if (!rename(terms, zone, kind.zone))
    if (const std::string* label = volume.labels.find(zone)) add_zones(selector, kind.zone, *label);
  if (is_old && selector) rename(*selector, kOldRegion, kRegion);
  return selector;
}

std::optional<std::string> translation_mistake(const PersistentVolume& volume,
                                               const MovedKind& kind) {
  if (kind.field != "gcePersistentDisk") return mistake_in(volume.legacy_driver, volume.csi_handle);
  const std::vector<std::string_view> zones = zones_of(volume);
  if (zones.size() < 2) return std::nullopt;
  const std::string head = "failed to get region from zones: ";
  std::set<std::string> regions;
  for (const std::string_view zone : zones) {
    if (std::count(zone.begin(), zone.end(), '-') != 2)
      return head + "zone in unexpected format, expected: {locale}-{region}-{zone}, got: " +
             std::string(zone);
    regions.emplace(zone.substr(0, zone.rfind('-')));
  }
  if (regions.size() == 1) return std::nullopt;
  std::string all;  // as Go prints a set
  for (const std::string& region : regions) all += (all.empty() ? "" : " ") + region + ":{}";
  return head + "multiple or no regions gotten from zones, got: map[" + all + "]";
}

std::optional<std::string> translation_mistake(const InlineDisk& disk) {
  return mistake_in(disk.kind, disk.id);
}

std::string translated_handle(const PersistentVolume& volume, const MovedKind& kind) {
  if (kind.field != "gcePersistentDisk") return handle_of(kind.field, volume.csi_handle);
  const std::vector<std::string_view> zones = zones_of(volume);
  if (zones.size() == 1) return google_disk("zones", zones.front(), volume.csi_handle);
  return google_disk("regions", zones.front().substr(0, zones.front().rfind('-')),
                     volume.csi_handle);
}

std::string translated_handle(const InlineDisk& disk) { return handle_of(disk.kind, disk.id); }

}  // namespace gpu::scheduler
