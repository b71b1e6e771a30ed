#include "diagnose/nodes/shared_gpu_detail.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/gpu_models.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::diagnose {
namespace {

using scheduler::GpuRefusal;
using scheduler::SharedGpu;

/// "GPU-1a2b3c4d" of "GPU-1a2b3c4d-0000-4444-8888-000000000001": as nvidia-smi takes it, too.
std::string_view short_name(std::string_view uuid) {
  constexpr std::size_t kShort = std::string_view("GPU-1a2b3c4d").size();
  return uuid.starts_with("GPU-") ? uuid.substr(0, kShort) : uuid;
}

/// In MiB; nothing where the labels name no model, or one whose memory is not known.
std::optional<std::int64_t> memory_of_model(const Node& node) {
  const auto labels = gpu_labels(node.labels);
  const GpuModel* const model =
      labels ? find_gpu_model(labels->product, labels->memory_mib) : nullptr;
  return model == nullptr ? std::nullopt : model->memory_mib;
}

std::string full_name(const Pod& pod) { return pod.ns + "/" + pod.name; }

/// "ml/a has 15360, ml/b 2000": the most first.
std::string gpu_holders_text(const SharedGpu& gpu, std::int64_t CardUse::*amount) {
  constexpr std::size_t kMost = 3;
  auto holders = gpu.holders;
  std::stable_sort(holders.begin(), holders.end(), [&](const auto& a, const auto& b) {
    return a.second.*amount > b.second.*amount;
  });
  std::vector<std::string> texts;
  for (const auto& [pod, use] : holders)
    texts.push_back(
        fmt::format("{}{} {}", full_name(*pod), texts.empty() ? " has" : "", use.*amount));
  return few_and_rest(texts, kMost);
}

std::string gpu_sharers_text(const SharedGpu& gpu) {
  std::vector<std::string> names;
  for (const auto& [pod, use] : gpu.holders) names.push_back(full_name(*pod));
  return few_and_rest(names, 3);
}

}  // namespace

std::string ignored_annotations(const Pod& pod) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"nvidia.com/gpumem", "nvidia.com/gpumem-percentage", "nvidia.com/gpucores"});
  std::vector<std::string> found;
  for (const std::string_view name : kNames)
    if (const std::string* const value = pod.annotations.find(name))
      found.push_back(fmt::format("{}: {}", name, *value));
  return joined(found);
}

std::optional<Remark> sharers_remark(const scheduler::Cluster& cluster) {
  for (const scheduler::NodeState& state : cluster.nodes()) {
    std::vector<std::string> sharers;
    std::int64_t reserved = 0;
    for (const scheduler::BoundPod& bound : state.pods) {
      if (is_gpu_reservation(*bound.pod)) {
        ++reserved;
      } else if (const auto fraction = gpu_fraction(*bound.pod)) {
        const std::string amount = fraction->thousandths
                                       ? amount_text(kGpuFraction, *fraction->thousandths)
                                       : amount_text(kGpuMemory, fraction->memory_mib.value_or(0));
        sharers.push_back(fmt::format("{} ({})", full_name(*bound.pod), amount));
      }
    }
    if (reserved == 0 || sharers.empty()) continue;
    return Remark{fmt::format(
        "{} of the GPUs of {} {} held whole for pods that share {}: {}; {} free when all of these "
        "have ended",
        reserved, state.node->name, reserved == 1 ? "is" : "are", reserved == 1 ? "it" : "them",
        few_and_rest(sharers, 4), reserved == 1 ? "it is" : "they are")};
  }
  return std::nullopt;
}

SharedGpuDetails::SharedGpuDetails(const scheduler::Overlay& overlay, const Pod& pod)
    : overlay_(overlay), pod_(pod), shared_(overlay.cluster(), pod) {}

/// "4000 MiB and 30 % of the compute of a GPU", "0.5 of a GPU".
std::string SharedGpuDetails::part_text() const {
  if (const auto& fraction = shared_.fraction()) {
    const std::string amount = fraction->thousandths
                                   ? amount_text(kGpuFraction, *fraction->thousandths)
                                   : fmt::format("{} MiB", fraction->memory_mib.value_or(0));
    return amount + (fraction->devices == 1
                         ? std::string(" of a GPU")
                         : fmt::format(" of each of {} GPUs", fraction->devices));
  }
  const auto largest =
      std::max_element(shared_.parts().begin(), shared_.parts().end(),
                       [](const auto& a, const auto& b) { return a.memory_mib < b.memory_mib; });
  if (largest == shared_.parts().end()) return "a part of a GPU";
  std::string text = largest->memory_mib > 0 ? fmt::format("{} MiB", largest->memory_mib)
                     : largest->memory_percent < 100
                         ? fmt::format("{} % of the memory", largest->memory_percent)
                         : std::string("all memory");
  if (largest->cores > 0) text += fmt::format(" and {} % of the compute", largest->cores);
  return text + (largest->gpus == 1 ? std::string(" of a GPU")
                                    : fmt::format(" of each of {} GPUs", largest->gpus));
}

std::string SharedGpuDetails::why_text(const SharedGpu& gpu) const {
  switch (gpu.refusal) {
    case GpuRefusal::none:
      return "has room";
    case GpuRefusal::type:
      return fmt::format("its type {} is not one that the pod's annotations take", gpu.card->type);
    case GpuRefusal::uuid:
      return "the pod's annotations name other GPUs";
    case GpuRefusal::unhealthy:
      return "unhealthy";
    case GpuRefusal::slots:
      return fmt::format("{} of {} slots taken, by {}", gpu.use.units, gpu.card->slots,
                         gpu_sharers_text(gpu));
    case GpuRefusal::memory:
      return fmt::format("{} of {} MiB free{}{}",
                         std::max<std::int64_t>(0, gpu.card->memory_mib - gpu.use.memory_mib),
                         gpu.card->memory_mib, gpu.holders.empty() ? "" : ", ",
                         gpu_holders_text(gpu, &CardUse::memory_mib));
    case GpuRefusal::cores:
    case GpuRefusal::no_compute:
      return fmt::format("{} of {} % of its compute free{}{}",
                         std::max<std::int64_t>(0, gpu.card->cores - gpu.use.cores),
                         gpu.card->cores, gpu.holders.empty() ? "" : ", ",
                         gpu_holders_text(gpu, &CardUse::cores));
    case GpuRefusal::not_alone:
      return "the pod wants it alone, and it is shared by " + gpu_sharers_text(gpu);
    case GpuRefusal::part: {
      if (gpu.use == CardUse{} && gpu.holders.empty()) return "free, and too small";
      constexpr std::int64_t kWhole = 1000;
      return fmt::format(
          "{} free, shared by {}",
          amount_text(kGpuFraction, std::max<std::int64_t>(0, kWhole - gpu.use.cores)),
          gpu.holders.empty() ? "pods that are not known" : gpu_sharers_text(gpu));
    }
  }
  return {};
}

/// The GPUs one by one, at most three.
std::string SharedGpuDetails::gpus_text(std::size_t node) const {
  std::vector<std::string> texts;
  std::map<std::string, std::size_t> nameless;  // what is the same of several is said once
  for (const SharedGpu& gpu : shared_.gpus(overlay_.view(node)))
    if (gpu.name.empty())
      ++nameless[why_text(gpu)];
    else
      texts.push_back(fmt::format("{}: {}", short_name(gpu.name), why_text(gpu)));
  for (const auto& [why, count] : nameless)
    texts.push_back(count == 1 ? "a GPU: " + why : fmt::format("{} GPUs: {}", count, why));
  return few_and_rest(texts, 3);
}

std::string SharedGpuDetails::detail(std::size_t node) const {
  std::string text = gpus_text(node);
  if (!text.empty()) return text;
  if (!shared_.fraction()) return "no GPU is registered with HAMi";
  return amount_of(overlay_.state(node).node->allocatable, "nvidia.com/gpu").value() > 0
             ? "all GPUs are held whole"
             : "no GPUs";
}

std::string SharedGpuDetails::headline(const RuledOut& ruled_out) const {
  const std::size_t first = ruled_out.nodes.front();
  const std::string& node = overlay_.state(first).node->name;
  const bool is_one = ruled_out.nodes.size() == 1;
  const std::string where = is_one ? node : "the " + ruled_out.title;
  const std::string lack = wants_several() ? fmt::format("too few GPUs of {} give it", where)
                                           : fmt::format("no GPU of {} gives it", where);
  return fmt::format("pod requests {}, and {}{}: {}", part_text(), lack,
                     is_one ? "" : "; on " + node, detail(first));
}

/// Whether some container wants more than one GPU.
bool SharedGpuDetails::wants_several() const {
  const auto& fraction = shared_.fraction();
  if (fraction) return fraction->devices > 1;
  return std::any_of(shared_.parts().begin(), shared_.parts().end(),
                     [](const scheduler::GpuPart& part) { return part.gpus > 1; });
}

std::string SharedGpuDetails::label_headline(const RuledOut& ruled_out) const {
  const bool is_one = ruled_out.nodes.size() == 1;
  const std::string& node = overlay_.state(ruled_out.nodes.front()).node->name;
  return fmt::format(
      "pod requests {} (annotation {}), and {} {} the label {}, by which {} knows how much memory "
      "a "
      "GPU has",
      part_text(), kGpuMemory, is_one ? node : ruled_out.all, is_one ? "lacks" : "lack",
      kGpuMemoryLabel, pod_.scheduler_name);
}

std::vector<Advice> SharedGpuDetails::label_advice(std::size_t node) const {
  const Node& labelled = *overlay_.state(node).node;
  const auto memory = memory_of_model(labelled);
  return {{.summary = fmt::format(
               "set the label {} on {} to the memory of one of its GPUs in MiB{}, as "
               "its driver tells no size to feature discovery; if {} still refuses "
               "the pod, restart it: it reads the label when it first sees the node",
               kGpuMemoryLabel, labelled.name,
               memory ? fmt::format(" ({} by its model)", *memory) : "", pod_.scheduler_name),
           .command = memory ? fmt::format("kubectl label node {} {}={}",
                                           shell_quoted(labelled.name), kGpuMemoryLabel, *memory)
                             : ""},
          {.summary = fmt::format("or request a part by the annotation {} (such as \"0.5\") "
                                  "instead of {}: it needs no label",
                                  kGpuFraction, kGpuMemory)}};
}

std::vector<Advice> SharedGpuDetails::annotation_advice(std::size_t node) const {
  std::vector<Advice> advice;
  if (shared_.fraction() || shared_.by() != SharingStrategy::hami) return advice;
  const auto add = [&](const Pod& pod, const std::string& result) {
    const std::string ignored = ignored_annotations(pod);
    if (ignored.empty()) return;
    const Owner owner = top_owner(pod, overlay_.cluster().snapshot());
    advice.push_back(
        {.summary = fmt::format("write {} into resources.limits of {}/{} in {}: HAMi "
                                "ignores annotations of that name{}",
                                ignored, lower_case(owner.kind), owner.name, pod.ns, result)});
  };
  add(pod_, "");
  std::vector<const Pod*> told = {&pod_};
  for (const SharedGpu& gpu : shared_.gpus(overlay_.view(node)))
    for (const auto& [pod, use] : gpu.holders) {
      if (std::find(told.begin(), told.end(), pod) != told.end()) continue;
      told.push_back(pod);
      add(*pod, fmt::format(", and {} got {} of {} MiB", pod->name, use.memory_mib,
                            gpu.card->memory_mib));
    }
  return advice;
}

}  // namespace gpu::diagnose
