#include "cmd/why_pending/view.hpp"

#include <fmt/format.h>

#include <map>

#include "base/ascii.hpp"
#include "base/quantity.hpp"

namespace gpu::cmd {
GpusWaitedFor gpus_waited_for(const PendingAnswers& answers) {
  GpusWaitedFor sum;
  for (std::size_t i = 0; i < answers.explanations.size(); ++i) {
    const diagnose::Explanation& each = answers.explanations[i];
    if (!each.is_blocked) continue;
    sum.are_all = sum.are_all && each.gpus;
    sum.known = capped_sum(sum.known, capped_product(answers.count_of(i), each.gpus.value_or(0)));
  }
  return sum;
}

std::string waiting_text(const PendingAnswers& answers) {
  std::int64_t all = 0;
  std::map<std::string, std::int64_t> counts;  // by kind; pods are said first
  for (std::size_t i = 0; i < answers.explanations.size(); ++i) {
    const diagnose::Explanation& each = answers.explanations[i];
    if (!each.is_blocked) continue;
    const std::int64_t count = answers.count_of(i);
    counts[each.kind == "Pod" ? "" : lower_case(each.kind)] += count;
    all += count;
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts)
    parts.push_back(
        fmt::format("{} {}{}", count, kind.empty() ? "pod" : kind, count == 1 ? "" : "s"));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  const GpusWaitedFor gpus = gpus_waited_for(answers);
  text = fmt::format("{} {}", text.empty() ? "0 pods" : text, all == 1 ? "waits" : "wait");
  if (!gpus.are_all && gpus.known == 0) return text;
  return fmt::format("{} for {}{} {}", text, gpus.are_all ? "" : "at least ", gpus.known,
                     gpus.known == 1 ? "GPU" : "GPUs");
}

}  // namespace gpu::cmd
