#include "model/objects/workload_end.hpp"

#include <catch2/catch.hpp>

namespace gpu::objects_workload_end_test {
namespace {

std::optional<WorkloadEnd> end_with(const std::string& kind, const std::string& type,
                                    const std::string& status = "True") {
  static WorkloadObject object;
  object = {.kind = kind, .conditions = {{.type = type, .status = status}}};
  return end_of(object);
}

}  // namespace

TEST_CASE("jobs of all kinds end by a condition or a phase, and others do not end") {
  CHECK_FALSE(end_with("Job", "Complete")->has_failed);
  CHECK(end_with("Job", "Failed")->has_failed);
  CHECK(end_with("RayJob", "ValidationFailed")->has_failed);
  CHECK_FALSE(end_with("RayJob", "SUCCEEDED")->has_failed);
  CHECK_FALSE(end_with("RayJob", "RUNNING"));
  CHECK(end_with("PyTorchJob", "Failed")->has_failed);
  CHECK_FALSE(end_with("PyTorchJob", "Failed", "False"));
  CHECK(end_with("TaskRun", "Succeeded", "False")->has_failed);
  CHECK_FALSE(end_with("Deployment", "Failed"));
  CHECK_FALSE(end_with("CronJob", "Failed"));
}

}  // namespace gpu::objects_workload_end_test
