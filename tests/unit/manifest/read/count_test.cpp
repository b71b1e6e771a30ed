#include "manifest/read/count.hpp"

#include <catch2/catch.hpp>

namespace gpu::manifest::read_count_test {
namespace {

using nlohmann::json;

/// "COUNT", or "COUNT: why there is none", of the template whose spec stands at `spec_at`.
std::string count(const char* object, const char* spec_at, const char* queue = "",
                  const char* pod = "{}") {
  decode::PodTemplate made;
  made.pod = json::parse(pod);
  made.spec_at = json::json_pointer(spec_at);
  const PodCount counted = count_of(json::parse(object), made, queue);
  return std::to_string(counted.count) +
         (counted.none_because.empty() ? "" : ": " + counted.none_because);
}

/// Of a workload whose spec has `fields` beside its template.
std::string of_spec(const std::string& fields, const char* queue = "") {
  const std::string object = R"({"spec": {)" + fields + R"(, "template": {"spec": {}}}})";
  return count(object.c_str(), "/spec/template/spec", queue);
}

std::string of_scale(const std::string& annotations) {
  const std::string pod = R"({"metadata": {"annotations": {)" + annotations + "}}}";
  return count(R"({"spec": {"template": {"spec": {}}}})", "/spec/template/spec", "", pod.c_str());
}

}  // namespace

TEST_CASE("replicas are counted, within the least and the most of an autoscaler") {
  CHECK(of_spec(R"("a": 1)") == "1");
  CHECK(of_spec(R"("replicas": 3)") == "3");
  CHECK(of_spec(R"("replicas": 0)") == "0: replicas is 0");
  CHECK(of_spec(R"("replicas": -1)") == "1");
  CHECK(of_spec(R"("replicas": "3")") == "1");
  CHECK(of_spec(R"("replicas": 9999999999)") == "2147483647");
  CHECK(of_spec(R"("minReplicas": 2)") == "2");
  CHECK(of_spec(R"("minReplicas": 0)") == "0: minReplicas is 0");
  CHECK(of_spec(R"("maxReplicas": 2)") == "1");
  CHECK(of_spec(R"("replicas": 1, "minReplicas": 2)") == "2");
  CHECK(of_spec(R"("replicas": 5, "maxReplicas": 3)") == "3");
  CHECK(of_spec(R"("replicas": 5, "maxReplicas": 1)") == "1");
  CHECK(of_spec(R"("replicas": 5, "maxReplicas": 0)") == "5");
}

TEST_CASE("a Job runs its parallelism, and no more than its completions") {
  CHECK(of_spec(R"("parallelism": 4)") == "4");
  CHECK(of_spec(R"("parallelism": 4, "completions": 3)") == "3");
  CHECK(of_spec(R"("parallelism": 4, "completions": 9)") == "4");
  CHECK(of_spec(R"("completions": 9)") == "1");
  CHECK(of_spec(R"("completions": 0)") == "0: completions is 0");
  CHECK(of_spec(R"("parallelism": 0, "completions": 9)") == "0: parallelism is 0");
  CHECK(of_spec(R"("parallelism": 4, "completions": 0)") == "0: completions is 0");
}

TEST_CASE("hosts and groups multiply, and the first nothing is named") {
  CHECK(of_spec(R"("replicas": 2, "numOfHosts": 3)") == "6");
  CHECK(of_spec(R"("replicas": 2, "numOfHosts": 0)") == "2");
  CHECK(of_spec(R"("replicas": 0, "parallelism": 0)") == "0: replicas is 0");
  CHECK(of_spec(R"("replicas": 2147483647, "numOfHosts": 2)") == "4000000000");
  const char* const both = R"({"spec": {"replicas": 3, "groups": [{"replicas": 2,
      "template": {"spec": {}}}]}})";
  CHECK(count(both, "/spec/groups/0/template/spec") == "6");
  CHECK(count(R"({"spec": {"predictor": {"minReplicas": 4}}})", "/spec/predictor") == "4");
}

TEST_CASE("a LeaderWorkerSet has its size, of which a leader of its own is one") {
  const char* const worker = "/spec/leaderWorkerTemplate/workerTemplate/spec";
  const auto of = [&](const std::string& fields, const char* at) {
    const std::string object = R"({"spec": {"replicas": 2, "leaderWorkerTemplate": {)" + fields +
                               R"("workerTemplate": {"spec": {}}}}})";
    return count(object.c_str(), at);
  };
  const std::string leader = R"("leaderTemplate": {"spec": {}}, )";
  CHECK(of(R"("size": 4, )", worker) == "8");
  CHECK(of(R"("size": 4, )" + leader, worker) == "6");
  CHECK(of(R"("size": 1, )" + leader, worker) == "0: size less its leader is 0");
  CHECK(of(R"("size": 0, )" + leader, worker) == "0: size less its leader is 0");
  CHECK(of(R"("size": 0, )", worker) == "0: size is 0");
  CHECK(of(leader, worker) == "2");
  CHECK(of(R"("size": 4, )" + leader, "/spec/leaderWorkerTemplate/leaderTemplate/spec") == "2");
}

TEST_CASE("nothing runs where it is suspended or paused; Kueue lifts a suspension") {
  CHECK(of_spec(R"("suspend": true, "replicas": 3)") == "0: suspend is true");
  CHECK(of_spec(R"("suspend": false, "replicas": 3)") == "3");
  CHECK(of_spec(R"("suspend": "true", "replicas": 3)") == "3");
  CHECK(of_spec(R"("paused": true)") == "0: paused is true");
  CHECK(of_spec(R"("suspend": true, "paused": true)") == "0: suspend is true");
  CHECK(of_spec(R"("replicas": 0, "paused": true)") == "0: replicas is 0");
  CHECK(of_spec(R"("suspend": true, "replicas": 3)", "queue") == "3");
  CHECK(of_spec(R"("paused": true)", "queue") == "0: paused is true");
  const char* const cron = R"({"spec": {"suspend": true, "jobTemplate": {"spec":
      {"template": {"spec": {}}}}}})";
  CHECK(count(cron, "/spec/jobTemplate/spec/template/spec", "queue") == "0: suspend is true");
}

TEST_CASE("Knative keeps the least scale of its annotations, the newer name first") {
  const std::string newer = R"("autoscaling.knative.dev/min-scale": )";
  const std::string older = R"("autoscaling.knative.dev/minScale": )";
  CHECK(of_scale(newer + R"("3")") == "3");
  CHECK(of_scale(older + R"("2")") == "2");
  CHECK(of_scale(newer + R"("3", )" + older + R"("2")") == "3");
  CHECK(of_scale(newer + R"("1")") == "1");
  for (const char* none : {R"("0")", R"("-2")", R"("3x")", R"("")", "3"})
    CHECK(of_scale(newer + none + ", " + older + R"("2")") == "2");
  CHECK(of_scale(newer + R"("9999999999")") == "2147483647");
  CHECK(of_scale("") == "1");
}

}  // namespace gpu::manifest::read_count_test
