#include "admission/kueue/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace gpu::admission {
namespace {

/// Kueue sets checks back when it evicts a Workload, and notes what they said.
constexpr std::string_view kPreviously = "Previously: ";

const AdmissionCheck* check_in(const QueuedWorkload& workload, std::string_view state) {
  const auto& checks = workload.admission_checks;
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [&](const AdmissionCheck& each) { return each.state == state; });
  return found == checks.end() ? nullptr : &*found;
}

std::string told_by(const AdmissionCheck& check) {
  std::string text = check.message;
  while (text.ends_with('.')) text.pop_back();
  return text.empty() ? "" : ": " + text;
}

}  // namespace

const AdmissionCheck* rejecting_check(const QueuedWorkload& workload) {
  if (const AdmissionCheck* const check = check_in(workload, "Rejected")) return check;
  const std::string before = std::string(kPreviously) + "Rejected";
  for (const AdmissionCheck& check : workload.admission_checks)
    if (check.message.ends_with(before)) return &check;
  return nullptr;
}

diagnose::Advice advice_to_ask(const AdmissionCheck& check) {
  return {
      .summary = "see which controller runs this check, and ask whoever looks after it",
      .command = fmt::format("kubectl get admissioncheck {} -o yaml", shell_quoted(check.name))};
}

QueueHold unchecked(const QueuedWorkload& workload) {
  if (const AdmissionCheck* const check = rejecting_check(workload))
    return {
        .reason = fmt::format("the admission check {} rejected it{}", check->name, told_by(*check)),
        .nearest = fmt::format("admission check {} rejected it", check->name),
        .advice = {advice_to_ask(*check)}};
  if (const AdmissionCheck* const check = check_in(workload, "Retry"))
    return {.reason = fmt::format(
                "the admission check {} cannot pass now, and Kueue tries it again (Retry){}",
                check->name, told_by(*check)),
            .nearest = fmt::format("admission check {}: Retry", check->name),
            .advice = {advice_to_ask(*check)}};
  if (const AdmissionCheck* const check = check_in(workload, "Pending")) {
    QueueHold hold{
        .reason = fmt::format(
            "Kueue has reserved quota for it, and waits for admission check {} (Pending){}",
            check->name, told_by(*check)),
        .nearest = fmt::format("admission check {}: Pending", check->name),
        .advice = {advice_to_ask(*check)}};
    for (const AdmissionCheck& other : workload.admission_checks)
      if (&other != check && other.state == "Pending")
        hold.remarks.push_back(
            {fmt::format("it waits for admission check {}, too{}", other.name, told_by(other))});
    return hold;
  }
  return {
      .reason = "Kueue has reserved quota for it, and waits for admission checks",
      .nearest = "admission checks are not done",
      .advice = {{.summary = "see which check is not Ready, and ask whoever runs it",
                  .command = fmt::format("kubectl get workload {} -n {} -o yaml",
                                         shell_quoted(workload.name), shell_quoted(workload.ns))}}};
}

}  // namespace gpu::admission
