#include "decode/kinds/job.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gpu::decode::kinds_job_test {
namespace {

/// A Job of a JobSet with more members of its metadata, and those of its spec and status.
Job job(const std::string& metadata, const std::string& spec, const std::string& status) {
  return job_from_json(nlohmann::json::parse(
      R"({"metadata": {"name": "j", "ownerReferences": [{"kind": "JobSet", "name": "set"}])" +
      metadata + R"(}, "spec": {)" + spec + R"(}, "status": {)" + status + "}}"));
}

TEST_CASE("what of a Job cannot be read leaves the rest of it") {
  const Job made = job(R"(, "creationTimestamp": "yesterday")", "", R"("failed": 1)");
  CHECK(made.unread == "metadata.creationTimestamp: expected an RFC 3339 time, got \"yesterday\"");
  CHECK(made.owners.size() == 1);
  CHECK(made.failed == 1);
  CHECK_FALSE(made.lacks_counts);
  const Job started =
      job("", "", R"("startTime": 5, "failed": 1, "completionTime": "2026-11-01T11:00:00Z")");
  CHECK(started.unread == "status.startTime: expected a string, got number");
  CHECK(started.completed == parse_time("2026-11-01T11:00:00Z"));
  CHECK(started.failed == 1);
  const Job failed = job("", "", R"("conditions": [{"type": "Suspended", "lastTransitionTime": "-"},
      {"type": "Failed", "status": "True", "lastTransitionTime": "soon"}], "failed": 2)");
  CHECK(failed.has_failed);
  CHECK(failed.was_suspended);
  CHECK_FALSE(failed.completed);
  CHECK(failed.unread ==
        "status.conditions[1].lastTransitionTime: expected an RFC 3339 time, got \"soon\"");
  const Job many = job("", R"("parallelism": "many")", R"("failed": 2)");
  CHECK(many.unread == "spec.parallelism: expected a whole number, got string");
  CHECK(many.failed == 2);
  CHECK(many.lacks_counts);
  CHECK(job("", "", R"("active": {})").lacks_counts);
  const Job below = job("", "", R"("active": -1, "failed": 2)");
  CHECK(below.unread == "status.active: expected a number of pods, got less than 0");
  CHECK(below.lacks_counts);
  CHECK(below.failed == 2);
}

}  // namespace
}  // namespace gpu::decode::kinds_job_test
