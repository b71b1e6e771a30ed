#include "diagnose/answer/fraction_remarks.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "model/snapshot/gpu_fraction.hpp"

namespace gpu::diagnose {
namespace {

/// "the annotation gpu-fraction=abc": its value, cut where it is long.
std::string annotation_text(const Pod& pod, std::string_view name) {
  constexpr std::size_t kLongest = 40;
  std::string value(value_of(pod.annotations, name));
  if (value.size() > kLongest) value = value.substr(0, kLongest) + "...";
  return fmt::format("the annotation {}={}", name, value);
}

std::string mistake_text(const Pod& pod, FractionMistake mistake) {
  switch (mistake) {
    case FractionMistake::no_part:
      return annotation_text(pod, kGpuFraction) + " is no number above 0 and below 1";
    case FractionMistake::no_memory:
      return annotation_text(pod, kGpuMemory) + " is no whole number of MiB above 0";
    case FractionMistake::no_devices:
      return annotation_text(pod, kGpuFractionDevices) + " is no whole number above 0";
    case FractionMistake::part_and_memory:
      return fmt::format("the pod has the annotations {} and {}", kGpuFraction, kGpuMemory);
    case FractionMistake::devices_alone:
      return fmt::format("the annotation {} stands without {} or {}", kGpuFractionDevices,
                         kGpuFraction, kGpuMemory);
    case FractionMistake::whole_gpus_beside:
      return "the pod requests a part of a GPU by an annotation, and whole GPUs (nvidia.com/gpu)";
  }
  return {};
}

/// NaN is neither below 0 nor above 1: KAI's webhook may not see it.
bool is_let_through(const Pod& pod, FractionMistake mistake) {
  return mistake == FractionMistake::no_part &&
         equal_ignoring_case(value_of(pod.annotations, kGpuFraction), "nan");
}

/// What remains of the request where it is not as it should be.
std::string rest_text(const Pod& pod, FractionMistake mistake) {
  if (mistake == FractionMistake::no_devices && gpu_fraction(pod)) return "; here it counts as 1";
  const bool is_of_amount =
      mistake == FractionMistake::no_part || mistake == FractionMistake::no_memory;
  return is_of_amount && !gpu_fraction(pod) ? "; here the pod requests no GPU by it" : "";
}

}  // namespace

std::vector<Remark> fraction_remarks(const Pod& pod) {
  const std::vector<std::string_view> names = fraction_annotations(pod);
  if (names.empty()) return {};
  if (!reads_gpu_fractions(pod.scheduler_name)) {
    const std::string_view scheduler =
        pod.scheduler_name.empty() ? "default-scheduler" : std::string_view(pod.scheduler_name);
    return {
        {fmt::format("only KAI and Run:ai read the {} {}: {} passes over {}, so the pod "
                     "requests no part of a GPU",
                     names.size() == 1 ? "annotation" : "annotations", joined(names), scheduler,
                     names.size() == 1 ? "it" : "them")}};
  }
  std::vector<Remark> remarks;
  for (const FractionMistake mistake : fraction_mistakes(pod))
    remarks.push_back({fmt::format(
        "{}{}{}", mistake_text(pod, mistake),
        is_let_through(pod, mistake) ? "" : ": KAI's admission webhook refuses such a pod",
        rest_text(pod, mistake))});
  return remarks;
}

bool is_refused_by_kai(const Pod& pod) {
  return reads_gpu_fractions(pod.scheduler_name) && !fraction_mistakes(pod).empty();
}

}  // namespace gpu::diagnose
