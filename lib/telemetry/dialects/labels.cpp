#include "telemetry/dialects/labels.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace gpu::telemetry {
namespace {

using LabelNames = std::span<const std::string_view>;

/// One way to name an owner; the names of one way are only read together, for a pod of one and a
/// namespace of another may be of two pods.
struct OwnerNames {
  LabelNames pod, ns, container, uid;
};

using Name = std::string_view;
constexpr std::array<Name, 3> kExportedPod = {"exported_pod", "exported_pod_name",
                                              "exported_podname"};
constexpr std::array<Name, 3> kExportedNs = {"exported_namespace", "exported_pod_namespace",
                                             "exported_podnamespace"};
constexpr std::array<Name, 3> kExportedContainer = {"exported_container", "exported_container_name",
                                                    "exported_ctrname"};
constexpr std::array<Name, 2> kExportedUid = {"exported_pod_uid", "pod_uid"};

// dcgm-exporter with --use-old-namespace, HAMi: no scrape adds these, so `pod` beside them is the
// scrape's.
constexpr std::array<Name, 2> kOwnPod = {"pod_name", "podname"};
constexpr std::array<Name, 2> kOwnNs = {"pod_namespace", "podnamespace"};
constexpr std::array<Name, 3> kOwnContainer = {"container_name", "ctrname", "containername"};

constexpr std::array<Name, 1> kPod = {"pod"};
constexpr std::array<Name, 1> kNs = {"namespace"};
constexpr std::array<Name, 1> kContainer = {"container"};
constexpr std::array<Name, 2> kUid = {"pod_uid", "pod_uuid"};

// Agents that add the pod they scrape use these too, so they are believed last.
constexpr std::array<Name, 3> kAgentPod = {"kubernetes_pod_name", "k8s_pod_name", "k8s.pod.name"};
constexpr std::array<Name, 3> kAgentNs = {"kubernetes_namespace", "k8s_namespace_name",
                                          "k8s.namespace.name"};
constexpr std::array<Name, 3> kAgentContainer = {"kubernetes_container_name", "k8s_container_name",
                                                 "k8s.container.name"};
constexpr std::array<Name, 2> kAgentUid = {"k8s_pod_uid", "k8s.pod.uid"};

constexpr OwnerNames kExported = {kExportedPod, kExportedNs, kExportedContainer, kExportedUid};
constexpr OwnerNames kOwn = {kOwnPod, kOwnNs, kOwnContainer, kUid};
constexpr OwnerNames kPlain = {kPod, kNs, kContainer, kUid};
constexpr OwnerNames kAgent = {kAgentPod, kAgentNs, kAgentContainer, kAgentUid};

SampleOwner named_by(const Series& series, const OwnerNames& labels) {
  SampleOwner owner;
  owner.pod = label_of(series, labels.pod);
  if (owner.pod.empty()) return owner;
  owner.ns = label_of(series, labels.ns);
  owner.container = label_of(series, labels.container);
  owner.pod_uid = label_of(series, labels.uid);
  // Plain names without a plain pod belong to the pod that is named in another way.
  if (!label_of(series, kPod).empty()) return owner;
  if (owner.ns.empty()) owner.ns = label_of(series, kNs);
  if (owner.container.empty()) owner.container = label_of(series, kContainer);
  return owner;
}

std::string scraped_place(const SampleOwner& named) {
  return named.pod.empty() ? std::string() : named.ns + "/" + named.pod;
}

/// The pod that a scrape gives as its own: it is there beside the owner's.
SampleOwner scraped_pod(const Series& series) {
  SampleOwner plain = named_by(series, kPlain);
  if (!label_of(series, kExportedPod).empty() || !label_of(series, kOwnPod).empty()) return plain;
  if (plain.pod.empty()) return {};
  const SampleOwner agent = named_by(series, kAgent);
  return agent.pod == plain.pod ? SampleOwner{} : agent;
}

}  // namespace

std::string_view label_of(const Series& series, LabelNames names) {
  for (const std::string_view name : names) {
    const std::string_view value = value_of(series.labels, name);
    if (!value.empty() && !value.starts_with("<<<")) return value;
  }
  return {};
}

std::optional<std::int64_t> number_label(const Series& series, LabelNames names) {
  const std::optional<std::int64_t> number = whole_number(label_of(series, names));
  return number && *number >= 0 ? number : std::nullopt;
}

Owners::Owners(const std::vector<DialectSample>& told, const Origin& origin) : origin_(origin) {
  if (!origin.exporter.empty()) exporters_.insert(origin.exporter);
  for (const DialectSample& each : told) {
    std::string place = scraped_place(scraped_pod(*each.series));
    if (!place.empty()) exporters_.insert(std::move(place));
  }
}

bool Owners::is_exporter(const Series& series, const SampleOwner& named) const {
  static constexpr std::array<Name, 4> kContainers = {"exporter", "nvidia-gpu-exporter",
                                                      "metrics-exporter-container", "vgpu-monitor"};
  if (std::find(kContainers.begin(), kContainers.end(), named.container) != kContainers.end())
    return true;
  // Also nvidia-dcgm-exporter and gke-dcgm-exporter.
  if (named.container.ends_with("dcgm-exporter")) return true;
  if (exporters_.contains(scraped_place(named))) return true;
  // A Service and the pods behind it mostly share a name, and `service` is the scraped one's.
  const std::string_view service = value_of(series.labels, "service");
  return origin_.source == MetricSource::prometheus && !service.empty() &&
         named.pod.size() > service.size() && named.pod.starts_with(service) &&
         named.pod[service.size()] == '-';
}

SampleOwner Owners::of(const Series& series) const {
  for (const OwnerNames* labels : {&kExported, &kOwn, &kPlain, &kAgent}) {
    SampleOwner owner = named_by(series, *labels);
    if (owner.pod.empty()) continue;
    // Where the scrape's own pod stands in for the owner's, no other label tells it either.
    if (labels != &kExported && is_exporter(series, owner)) return {};
    // An agent's labels alone mostly name what it scrapes.
    if (labels == &kAgent && owner.pod.find("exporter") != std::string::npos) return {};
    owner.share = label_of(series, label::kShare);
    return owner;
  }
  return {};
}

std::string Owners::exporter_of(const Series& series) const {
  if (!origin_.exporter.empty()) return origin_.exporter;
  std::string scraped = scraped_place(scraped_pod(series));
  if (!scraped.empty()) return scraped;
  for (const OwnerNames* labels : {&kPlain, &kAgent}) {
    const SampleOwner named = named_by(series, *labels);
    if (named.pod.empty()) continue;
    if (is_exporter(series, named)) return scraped_place(named);
    if (labels == &kAgent && named.pod.find("exporter") != std::string::npos)
      return scraped_place(named);
  }
  return {};
}

}  // namespace gpu::telemetry
