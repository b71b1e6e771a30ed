#include "admission/api/admission.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace api_admission_test {

using namespace gpu;
using namespace gpu::admission;

TEST_CASE("what a RuntimeClass adds is not in the manifest, unless its author wrote it, too") {
  const Toleration given{.key = "nvidia.com/gpu", .op = "Exists", .effect = "NoSchedule"};
  const Toleration own{.key = "team", .value = "red", .effect = "NoSchedule"};
  SchedulingFacts facts;
  facts.runtime_classes = {{.name = "nvidia", .tolerations = {given}}};
  Pod pod = make::waiting("p", 1);
  pod.runtime_class = "nvidia";
  pod.tolerations = {own};
  admit(pod, facts);
  CHECK(pod.tolerations == std::vector<Toleration>{own, given});
  CHECK(as_written(pod, facts).tolerations == std::vector<Toleration>{own});
  pod.tolerations = {given};
  admit(pod, facts);
  CHECK(as_written(pod, facts).tolerations == std::vector<Toleration>{given});
  pod.runtime_class.clear();
  CHECK(as_written(pod, facts).tolerations.size() == 2);
}

}  // namespace api_admission_test
