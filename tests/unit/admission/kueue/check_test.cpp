#include "admission/kueue/check.hpp"

#include <catch2/catch.hpp>

namespace gpu::admission::kueue_check_test {
namespace {

/// "REASON | NEAREST | REMARK... | COMMAND".
std::string hold(std::vector<AdmissionCheck> checks) {
  QueuedWorkload workload{.ns = "ml", .name = "job-train"};
  workload.admission_checks = std::move(checks);
  const QueueHold hold = unchecked(workload);
  std::string text = hold.reason + " | " + hold.nearest;
  for (const diagnose::Remark& remark : hold.remarks) text += " | " + remark.text;
  for (const diagnose::Advice& advice : hold.advice) text += " | " + advice.command;
  return text;
}

}  // namespace

TEST_CASE("a check that rejected comes before one to retry, and that before one that waits") {
  const AdmissionCheck pending{"p", "Pending", ""};
  const AdmissionCheck retry{"t", "Retry", "later.."};
  const AdmissionCheck rejected{"r", "Rejected", "no room."};
  CHECK(hold({pending, retry, rejected}) ==
        "the admission check r rejected it: no room | admission check r rejected it | "
        "kubectl get admissioncheck r -o yaml");
  CHECK(hold({pending, retry}) ==
        "the admission check t cannot pass now, and Kueue tries it again (Retry): later | "
        "admission check t: Retry | kubectl get admissioncheck t -o yaml");
  CHECK(hold({{"ready", "Ready", ""}, pending}) ==
        "Kueue has reserved quota for it, and waits for admission check p (Pending) | "
        "admission check p: Pending | kubectl get admissioncheck p -o yaml");
}

TEST_CASE("other checks that wait are remarks") {
  CHECK(hold({{"p", "Pending", "one"}, {"q", "Pending", "two."}, {"r", "Ready", ""}}) ==
        "Kueue has reserved quota for it, and waits for admission check p (Pending): one | "
        "admission check p: Pending | it waits for admission check q, too: two | "
        "kubectl get admissioncheck p -o yaml");
}

TEST_CASE("a check that rejected before it was set back has rejected") {
  CHECK(hold({{"p", "Pending", "Reset. Previously: Retry"},
              {"q", "Pending", "Reset. Previously: Rejected"}})
            .starts_with("the admission check q rejected it: Reset. Previously: Rejected |"));
  CHECK(hold({{"p", "Pending", "Previously: Rejected, then"}}).starts_with("Kueue has reserved"));
}

TEST_CASE("without a check that says so, the Workload tells which one is not ready") {
  CHECK(hold({{"r", "Ready", ""}}) ==
        "Kueue has reserved quota for it, and waits for admission checks | "
        "admission checks are not done | kubectl get workload job-train -n ml -o yaml");
}

}  // namespace gpu::admission::kueue_check_test
