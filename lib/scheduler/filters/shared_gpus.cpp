#include "scheduler/filters/shared_gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "base/quantity.hpp"
#include "base/split.hpp"
#include "model/snapshot/card_use.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::string_view kNvidiaGpu = "nvidia.com/gpu";
constexpr std::string_view kHamiMemory = "nvidia.com/gpumem";
constexpr std::string_view kHamiPercent = "nvidia.com/gpumem-percentage";
constexpr std::string_view kHamiCores = "nvidia.com/gpucores";
constexpr std::int64_t kWhole = 100;  ///< percent
constexpr std::int64_t kWholeGpu = 1000;

/// What HAMi's devices call memory and compute, of each maker. Source: its device configurations.
bool is_amount_of_hami(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {kHamiMemory, kHamiPercent, kHamiCores, "nvidia.com/priority",
       "cambricon.com/mlu.smlu.vmemory", "cambricon.com/mlu.smlu.vcore", "hygon.com/dcumem",
       "hygon.com/dcucores", "iluvatar.ai/vcuda-memory", "iluvatar.ai/vcuda-core",
       "mthreads.com/sgpu-memory", "mthreads.com/sgpu-core", "metax-tech.com/vmemory",
       "metax-tech.com/vcore", "enflame.com/vgcu-percentage", "kunlunxin.com/vxpu-memory"});
  const bool is_ascend = name.starts_with("huawei.com/Ascend") &&
                         (name.ends_with("-memory") || name.ends_with("-core"));
  return is_ascend || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Where the device plugin of a scheduler of parts registers the cards of a node, and where that
/// scheduler writes down what a pod got of them.
struct Registers {
  std::string_view of_node;
  std::string_view of_pod;
};
constexpr Registers registers_of(SharingStrategy by) {
  return by == SharingStrategy::hami
             ? Registers{"hami.io/node-nvidia-register", "hami.io/vgpu-devices-allocated"}
             : Registers{"volcano.sh/node-vgpu-register", "volcano.sh/vgpu-ids-new"};
}

bool has_cards(const Node& node, SharingStrategy by) {
  return std::any_of(node.shared_cards.begin(), node.shared_cards.end(),
                     [&](const SharedCard& card) { return card.by == by; });
}

/// Whether the node's annotation tells of cards, and none could be read in it.
bool has_unread_register(const Node& node, SharingStrategy by) {
  const std::string_view text = trimmed(value_of(node.annotations, registers_of(by).of_node));
  return !text.empty() && text != "[]" && !has_cards(node, by);
}

bool is_registered(const Node& node, SharingStrategy by) {
  return has_cards(node, by) || has_unread_register(node, by);
}

/// Whether the pod's annotation tells of cards, and none could be read in it.
bool has_unread_shares(const Pod& pod, SharingStrategy by) {
  // ";" stands behind each container, whether it got something or not.
  const std::string_view text = value_of(pod.annotations, registers_of(by).of_pod);
  return text.find_first_not_of("; ") != std::string_view::npos &&
         std::none_of(pod.card_shares.begin(), pod.card_shares.end(),
                      [&](const CardShare& share) { return share.by == by; });
}

/// Which plugins of shared GPUs are on some node: Cluster::shared().
struct HamiNodes {
  static bool counts(const Pod& /*pod*/) { return false; }
  explicit HamiNodes(const Cluster& cluster) {
    for (const NodeState& state : cluster.nodes()) {
      const StringMap& annotations = state.node->annotations;
      is_any = is_any || std::any_of(annotations.begin(), annotations.end(), [](const auto& each) {
                 return each.first.starts_with("hami.io/node");
               });
      has_hami = has_hami || is_registered(*state.node, SharingStrategy::hami);
      has_volcano = has_volcano || is_registered(*state.node, SharingStrategy::volcano);
    }
    const std::vector<Pod>& pods = cluster.snapshot().pods;
    runs = std::any_of(pods.begin(), pods.end(), [](const Pod& pod) {
      return pod.scheduler_name.find("hami") != std::string::npos ||
             pod.name.find("hami-scheduler") != std::string::npos;
    });
  }
  bool is_any = false;
  bool has_hami = false;  ///< cards that it registered, readable or not
  bool has_volcano = false;
  bool runs = false;  ///< its scheduler, and so its webhook
};

/// HAMi's webhook gives its scheduler to what asks for its devices; who kept the default one goes
/// round it. What is not created yet has not met the webhook, if that runs.
bool is_of_hami(const Cluster& cluster, const Pod& pod) {
  const bool is_default = pod.scheduler_name.empty() || pod.scheduler_name == "default-scheduler";
  return !is_default || (!pod.created && cluster.shared<HamiNodes>().runs);
}

/// What one scheduler of parts calls GPUs, and amounts of each.
struct PartNames {
  SharingStrategy by = SharingStrategy::hami;
  std::string_view memory;
  std::string_view percent;
  std::string_view cores;
};
constexpr PartNames kOfHami = {SharingStrategy::hami, kHamiMemory, kHamiPercent, kHamiCores};
constexpr PartNames kOfVolcano = {SharingStrategy::volcano, "volcano.sh/vgpu-memory",
                                  "volcano.sh/vgpu-memory-percentage", "volcano.sh/vgpu-cores"};

/// A limit, else a request.
std::int64_t asked(const Container& container, std::string_view resource) {
  const std::int64_t limit = amount_of(container.limits, resource).value();
  return limit > 0 ? limit : amount_of(container.requests, resource).value();
}

std::int64_t asked_gpus(const Container& container, SharingStrategy by) {
  std::int64_t gpus = 0;
  for (const ResourceList* list : {&container.limits, &container.requests}) {
    if (gpus > 0) break;
    for (const auto& [name, amount] : *list)
      if (is_shared_by(by, name)) gpus = capped_sum(gpus, amount.value());
  }
  return gpus;
}

/// A container that names no memory gets all of the card's, unless HAMi is configured otherwise.
GpuPart part_of(const Container& container, const PartNames& names) {
  GpuPart part{.gpus = asked_gpus(container, names.by),
               .memory_mib = asked(container, names.memory)};
  if (const std::int64_t percent = asked(container, names.percent); percent > 0)
    part.memory_percent = std::min(percent, kWhole);
  part.cores = std::min(asked(container, names.cores), kWhole);
  return part;
}

std::vector<GpuPart> parts_of(const Pod& pod, const PartNames& names) {
  std::vector<GpuPart> parts;
  for (const Container& container : pod.containers)
    if (GpuPart part = part_of(container, names); part.gpus > 0) parts.push_back(part);
  return parts;
}

std::int64_t memory_needed(const SharedCard& card, const GpuPart& part) {
  return part.memory_mib > 0 ? part.memory_mib : card.memory_mib * part.memory_percent / kWhole;
}

/// Whether one of the annotation's comma-separated parts is in the type, whatever the case.
bool names_type(std::string_view list, std::string_view type) {
  const std::string known = upper_case(type);
  const std::vector<std::string_view> parts = split(list, ',');
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return contains(known, upper_case(trimmed(part)));
  });
}

bool names_card(std::string_view list, std::string_view uuid) {
  const std::vector<std::string_view> parts = split(list, ',');
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return trimmed(part) == uuid; });
}

GpuRefusal refusal_by_annotation(const StringMap& annotations, const SharedCard& card) {
  const std::string* const types = annotations.find("nvidia.com/use-gputype");
  const std::string* const other_types = annotations.find("nvidia.com/nouse-gputype");
  if ((types != nullptr && !names_type(*types, card.type)) ||
      (other_types != nullptr && names_type(*other_types, card.type)))
    return GpuRefusal::type;
  const std::string* const cards = annotations.find("nvidia.com/use-gpuuuid");
  const std::string* const other_cards = annotations.find("nvidia.com/nouse-gpuuuid");
  if ((cards != nullptr && !names_card(*cards, card.uuid)) ||
      (other_cards != nullptr && names_card(*other_cards, card.uuid)))
    return GpuRefusal::uuid;
  return GpuRefusal::none;
}

void add_use(SharedGpu& gpu, const Pod* pod, const CardUse& use) {
  gpu.use.units = capped_sum(gpu.use.units, use.units);
  gpu.use.memory_mib = capped_sum(gpu.use.memory_mib, use.memory_mib);
  gpu.use.cores = capped_sum(gpu.use.cores, use.cores);
  if (pod != nullptr) gpu.holders.emplace_back(pod, use);
}

std::optional<std::int64_t> labelled_memory(const Node& node) {
  return whole_number(value_of(node.labels, kGpuMemoryLabel));
}

std::int64_t allocatable_gpus(const NodeView& node) {
  return amount_of(node.state.node->allocatable, kNvidiaGpu).value();
}

}  // namespace

bool goes_round_hami(const Cluster& cluster, const Pod& pod, std::string_view resource) {
  return is_amount_of_hami(resource) && !is_of_hami(cluster, pod) &&
         cluster.shared<HamiNodes>().is_any;
}

bool is_left_to_hami(const Cluster& cluster, const Pod& pod, std::string_view resource) {
  return is_amount_of_hami(resource) && is_of_hami(cluster, pod) &&
         cluster.shared<HamiNodes>().is_any;
}

SharedGpus::SharedGpus(const Cluster& cluster, const Pod& pod)
    : pod_(pod), fraction_(gpu_fraction(pod)) {
  const auto& nodes = cluster.shared<HamiNodes>();
  if (nodes.has_hami && is_of_hami(cluster, pod)) parts_ = parts_of(pod, kOfHami);
  if (parts_.empty() && nodes.has_volcano && pod.scheduler_name == "volcano") {
    by_ = SharingStrategy::volcano;
    parts_ = parts_of(pod, kOfVolcano);
  }
  if (!parts_.empty())
    not_checked_.push_back(
        std::string(by_ == SharingStrategy::hami ? "HAMi's" : "Volcano's") +
        " configuration (default memory and cores, MIG mode, NUMA), and init containers");
  if (!nodes.is_any) return;
  for (const auto& [name, amount] : effective_requests(pod))
    if (!name.starts_with("nvidia.com/") && is_left_to_hami(cluster, pod, name))
      not_checked_.push_back(name + ", which HAMi hands out");
}

PreFilterResult SharedGpus::before() const {
  return {.skips = parts_.empty() && !fraction_, .not_checked = not_checked_};
}

GpuRefusal SharedGpus::refusal_of(const SharedGpu& gpu, const GpuPart& part) const {
  const SharedCard& card = *gpu.card;
  if (const auto named = refusal_by_annotation(pod_.annotations, card); named != GpuRefusal::none)
    return named;
  if (!card.is_healthy) return GpuRefusal::unhealthy;
  if (gpu.use.units >= card.slots) return GpuRefusal::slots;
  if (card.memory_mib - gpu.use.memory_mib < memory_needed(card, part)) return GpuRefusal::memory;
  if (card.cores - gpu.use.cores < part.cores) return GpuRefusal::cores;
  if (card.cores == kWhole && part.cores == kWhole && gpu.use.units > 0)
    return GpuRefusal::not_alone;
  if (card.cores != 0 && gpu.use.cores >= card.cores && part.cores == 0)
    return GpuRefusal::no_compute;
  return GpuRefusal::none;
}

std::vector<SharedGpu> SharedGpus::card_gpus(const NodeView& node) const {
  std::vector<SharedGpu> gpus;
  for (const SharedCard& card : node.state.node->shared_cards)
    if (card.by == by_) gpus.push_back({.name = card.uuid, .card = &card});
  node.each_pod([&](const BoundPod& bound) {
    CardUses uses;
    add_card_shares(uses, *bound.pod, effective_requests(*bound.pod));
    for (const auto& [key, use] : uses)
      for (SharedGpu& gpu : gpus)
        if (key.first == by_ && key.second == gpu.name) add_use(gpu, bound.pod, use);
  });
  return gpus;
}

/// One container after another, each on the first GPUs that take it.
bool SharedGpus::fits_cards(std::vector<SharedGpu>& gpus, std::vector<CardShare>* taken) const {
  for (const GpuPart& part : parts_) {
    std::int64_t left = part.gpus;
    for (SharedGpu& gpu : gpus) gpu.refusal = refusal_of(gpu, part);
    for (SharedGpu& gpu : gpus) {
      if (left == 0) break;
      if (gpu.refusal != GpuRefusal::none) continue;
      const std::int64_t memory = memory_needed(*gpu.card, part);
      add_use(gpu, nullptr, {.units = 1, .memory_mib = memory, .cores = part.cores});
      if (taken != nullptr)
        taken->push_back(
            {.by = by_, .card = gpu.card->uuid, .memory_mib = memory, .cores = part.cores});
      --left;
    }
    if (left > 0) return false;
  }
  return true;
}

/// The GPUs that pods share, and those that nobody has.
std::vector<SharedGpu> SharedGpus::fraction_gpus(const NodeView& node) const {
  const std::optional<std::int64_t> memory = labelled_memory(*node.state.node);
  std::map<std::string_view, SharedGpu> groups;
  std::int64_t taken = 0;
  node.each_pod([&](const BoundPod& bound) {
    const std::vector<std::string_view> names = gpu_groups(*bound.pod);
    for (const std::string_view name : names) {
      groups[name].group = name;
      if (groups[name].name.empty() && !name.starts_with(kPlannedGroup)) groups[name].name = name;
    }
    if (is_gpu_reservation(*bound.pod)) {
      const std::string_view uuid = reserved_gpu(*bound.pod);
      for (const std::string_view name : names)
        if (!uuid.empty()) groups[name].name = uuid;
      return;
    }
    taken = capped_sum(taken, amount_of(effective_requests(*bound.pod), kNvidiaGpu).value());
    const std::optional<GpuFraction> fraction = gpu_fraction(*bound.pod);
    if (!fraction) return;
    // Of what cannot be told the GPU counts as taken.
    const CardUse use{.units = 1, .cores = thousandths_of(*fraction, memory).value_or(kWholeGpu)};
    for (const std::string_view name : names) add_use(groups[name], bound.pod, use);
  });
  std::vector<SharedGpu> gpus;
  for (auto& [name, gpu] : groups) gpus.push_back(std::move(gpu));
  const auto shared = static_cast<std::int64_t>(gpus.size());
  constexpr std::int64_t kMostGpus = 1000;
  const std::int64_t free =
      std::clamp<std::int64_t>(allocatable_gpus(node) - taken - shared, 0, kMostGpus);
  gpus.resize(gpus.size() + static_cast<std::size_t>(free));
  const std::int64_t need = thousandths_of(*fraction_, memory).value_or(kWholeGpu);
  for (SharedGpu& gpu : gpus)
    if (gpu.use.cores + need > kWholeGpu) gpu.refusal = GpuRefusal::part;
  return gpus;
}

std::vector<SharedGpu> SharedGpus::gpus(const NodeView& node) const {
  if (fraction_) return fraction_gpus(node);
  std::vector<SharedGpu> gpus = card_gpus(node);
  std::vector<SharedGpu> tried = gpus;
  if (!fits_cards(tried))
    for (std::size_t i = 0; i < gpus.size(); ++i) gpus[i].refusal = tried[i].refusal;
  return gpus;
}

/// The fullest first: KAI packs (its plugin gpupack), unless it is configured to spread.
std::optional<TakenParts> SharedGpus::taken_fractions(const NodeView& node) const {
  std::vector<SharedGpu> gpus = fraction_gpus(node);
  std::erase_if(gpus, [](const SharedGpu& gpu) { return gpu.refusal != GpuRefusal::none; });
  if (static_cast<std::int64_t>(gpus.size()) < fraction_->devices) return std::nullopt;
  std::stable_sort(gpus.begin(), gpus.end(), [](const SharedGpu& a, const SharedGpu& b) {
    return a.use.cores > b.use.cores;
  });
  TakenParts taken;
  for (std::int64_t i = 0; i < fraction_->devices; ++i)
    taken.groups.emplace_back(gpus[static_cast<std::size_t>(i)].group);
  return taken;
}

std::optional<TakenParts> SharedGpus::taken_on(const NodeView& node) const {
  if (fraction_) return taken_fractions(node);
  TakenParts taken;
  if (parts_.empty()) return taken;
  std::vector<SharedGpu> gpus = card_gpus(node);
  if (!unread_on(node).empty() || !fits_cards(gpus, &taken.shares)) return std::nullopt;
  return taken;
}

/// Which annotation that the parts of cards stand in could not be read; empty where all could.
std::string SharedGpus::unread_on(const NodeView& node) const {
  const Registers registers = registers_of(by_);
  const std::string& name = node.state.node->name;
  if (has_unread_register(*node.state.node, by_))
    return fmt::format("what GPUs {} has: its annotation {} cannot be read", name,
                       registers.of_node);
  std::string unread;
  node.each_pod([&](const BoundPod& bound) {
    if (unread.empty() && has_unread_shares(*bound.pod, by_))
      unread = fmt::format("what {}/{} has of the GPUs of {}: its annotation {} cannot be read",
                           bound.pod->ns, bound.pod->name, name, registers.of_pod);
  });
  return unread;
}

void SharedGpus::ask(const NodeView& node, Findings& findings) const {
  if (fraction_) {
    const bool is_unknown = !thousandths_of(*fraction_, labelled_memory(*node.state.node));
    if (is_unknown && allocatable_gpus(node) > 0)
      return findings.refuse(Rejection::unresolvable,
                             "node(s) didn't have enough resources: GPU memory");
    const std::vector<SharedGpu> gpus = fraction_gpus(node);
    const auto open = std::count_if(gpus.begin(), gpus.end(), [](const SharedGpu& gpu) {
      return gpu.refusal == GpuRefusal::none;
    });
    if (open < fraction_->devices)
      findings.refuse(allocatable_gpus(node) < fraction_->devices ? Rejection::unresolvable
                                                                  : Rejection::unschedulable,
                      "node(s) didn't have enough resources: GPUs");
    return;
  }
  if (has_unread_register(*node.state.node, by_)) return findings.leave_open(unread_on(node));
  std::vector<SharedGpu> gpus = card_gpus(node);
  // Without a GPU NodeResourcesFit refuses.
  if (gpus.empty() && (by_ != SharingStrategy::hami || allocatable_gpus(node) <= 0)) return;
  if (gpus.empty()) return findings.refuse(Rejection::unschedulable, "node unregistered");
  if (!fits_cards(gpus)) return findings.refuse(Rejection::unschedulable, "NodeUnfitPod");
  if (const std::string unread = unread_on(node); !unread.empty()) findings.leave_open(unread);
}

}  // namespace gpu::scheduler
