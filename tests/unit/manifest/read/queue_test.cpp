#include "manifest/read/queue.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace gpu::manifest::read_queue_test {
namespace {

using Words = std::vector<std::string>;

Words words(const char* object, const char* pod) {
  decode::PodTemplate made;
  made.pod = nlohmann::json::parse(pod);
  return unjudged_queueing(nlohmann::json::parse(object), made);
}

}  // namespace

TEST_CASE("a priority class, fewer pods and topologies are told, in this order") {
  CHECK(words(R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": "high"},
                               "annotations": {"kueue.x-k8s.io/job-min-parallelism": "2"}}})",
              R"({"metadata": {"annotations": {"kueue.x-k8s.io/podset-required-topology": "rack",
                                               "kueue.x-k8s.io/other": "x"}}})") ==
        Words{"its WorkloadPriorityClass high, which decides who waits before it",
              "whether Kueue admits fewer of its pods (kueue.x-k8s.io/job-min-parallelism)",
              "whether Kueue finds places in a topology for its pods "
              "(kueue.x-k8s.io/podset-required-topology)"});
}

TEST_CASE("what is empty, of another type or in another place tells Kueue nothing") {
  CHECK(words("{}", "{}").empty());
  CHECK(words("[]", "[]").empty());
  CHECK(words(R"({"metadata": 1})", R"({"metadata": {"annotations": 1}})").empty());
  CHECK(words(R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": ""},
                               "annotations": {"kueue.x-k8s.io/job-min-parallelism": 2}}})",
              R"({"metadata": {"labels": {"kueue.x-k8s.io/podset-required-topology": "rack"}}})")
            .empty());
  CHECK(words(R"({"metadata": {"annotations": {"kueue.x-k8s.io/priority-class": "high"},
                               "labels": {"kueue.x-k8s.io/job-min-parallelism": "2"}}})",
              "{}")
            .empty());
}

}  // namespace gpu::manifest::read_queue_test
