#include "telemetry/dialects/queries.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "base/split.hpp"
#include "telemetry/dialects/interpret.hpp"

namespace dialects_queries_test {

using gpu::lower_case;
using gpu::telemetry::age_query;
using gpu::telemetry::instant_queries;
using gpu::telemetry::is_known_metric;
using gpu::telemetry::kAverageEnding;
using gpu::telemetry::kHighestEnding;
using gpu::telemetry::kIdleEnding;
using gpu::telemetry::kLongestQuery;
using gpu::telemetry::known_metrics;
using gpu::telemetry::length_in_url;
using gpu::telemetry::window_queries;

namespace {

/// The names that the selectors of a query are for, without what matches more than one name.
std::vector<std::string> names_in(std::string_view query) {
  std::vector<std::string> names;
  constexpr std::string_view kStart = "{__name__=~\"";
  for (std::size_t at = query.find(kStart); at != std::string_view::npos;
       at = query.find(kStart, at)) {
    at += kStart.size();
    for (std::string_view name : gpu::split(query.substr(at, query.find('"', at) - at), '|')) {
      if (name.starts_with("(?i:")) name = name.substr(4, name.size() - 5);
      if (name.starts_with(".*")) name.remove_prefix(2);
      names.emplace_back(name);
    }
  }
  return names;
}

bool is_of_idle(std::string_view query) {
  return query.find("$1" + std::string(kIdleEnding)) != std::string_view::npos;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("the length of a query in a URL") {
  CHECK(length_in_url("") == 0);
  CHECK(length_in_url("aZ09-._~") == 8);
  CHECK(length_in_url("{x=\"y\"}") == 3 + 1 + 3 + 3 + 1 + 3 + 3);
}

TEST_CASE("each metric that is known is asked for once, in few queries that fit into a URL") {
  std::set<std::string> asked;
  std::size_t count = 0;
  const std::vector<std::string> queries = instant_queries();
  CHECK(queries.size() <= 8);
  for (const std::string& query : queries) {
    INFO(query);
    CHECK(length_in_url(query) <= kLongestQuery);
    CHECK(query.starts_with("{__name__=~\""));
    CHECK(query.ends_with("}"));
    for (const std::string& name : names_in(query)) {
      CHECK(is_known_metric(name));
      asked.insert(lower_case(name));
      ++count;
    }
  }
  CHECK(count == asked.size());
  std::set<std::string> known;
  for (const std::string_view name : known_metrics()) known.insert(lower_case(name));
  CHECK(asked == known);
}

TEST_CASE("names that are everybody's are only asked for with an accelerator's label") {
  for (const std::string& query : instant_queries()) {
    const std::vector<std::string> names = names_in(query);
    const auto has = [&names](std::string_view name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (has("memory_used")) CHECK(query.find(",accelerator_id!=\"\"}") != std::string::npos);
    if (has("hw_power_watts")) CHECK(query.find(",pci_bdf!=\"\"}") != std::string::npos);
    CHECK_FALSE((has("memory_used") && has("DCGM_FI_DEV_GPU_UTIL")));
  }
}

TEST_CASE("queries over a window fit into a URL and ask for metrics that are known") {
  using std::chrono::hours;
  using std::chrono::seconds;
  for (const seconds window : {seconds(60), seconds(hours(1)), seconds(hours(24 * 30))}) {
    const std::vector<std::string> queries = window_queries(window);
    CHECK(queries.size() == 7);
    std::size_t named = 0;
    for (const std::string& query : queries) {
      INFO(query);
      CHECK(length_in_url(query) <= kLongestQuery);
      CHECK(count_of(query, "(") == count_of(query, ")"));
      for (const std::string& name : names_in(query)) CHECK(is_known_metric(name));
      for (const std::string_view ending : {kAverageEnding, kHighestEnding, kIdleEnding}) {
        const std::string end = "\"__name__\",\"$1" + std::string(ending) + "\"";
        if (query.find(end) != std::string::npos) ++named;
      }
    }
    CHECK(named == queries.size());
  }
}

TEST_CASE("a window has a step of a minute, and a long one no more than 2,016") {
  using std::chrono::hours;
  const auto has = [](std::chrono::seconds window, std::string_view range) {
    const std::vector<std::string> queries = window_queries(window);
    return std::count_if(queries.begin(), queries.end(), [range](const std::string& query) {
             return query.find(range) != std::string::npos && !is_of_idle(query);
           }) == 5;
  };
  CHECK(has(hours(1), "[3600s:60s]"));
  CHECK(has(hours(24), "[86400s:60s]"));
  CHECK(has(hours(24 * 7), "[604800s:300s]"));
}

TEST_CASE(
    "idle is as long as samples prove: a step less than they span, and never over the window") {
  const auto idle = [](std::chrono::seconds window) {
    std::vector<std::string> queries = window_queries(window);
    std::erase_if(queries, [](const std::string& query) { return !is_of_idle(query); });
    REQUIRE(queries.size() == 2);
    return queries;
  };
  for (const std::string& query : idle(std::chrono::hours(1))) {
    INFO(query);
    CHECK(query.find("[3660s:60s]))-60,0,3600)") != std::string::npos);
    CHECK(query.find("[3660s:60s])-1)*60,3600)") != std::string::npos);
    CHECK(query.find("[3660s:60s]) >= 60") != std::string::npos);
    CHECK(count_of(query, "[3660s:60s]") == count_of(query, "s:60s]"));
  }
  // Two steps at least: one proves no time at all.
  for (const std::string& query : idle(std::chrono::seconds(60)))
    CHECK(query.find("[120s:60s]) >= 2") != std::string::npos);
}

TEST_CASE("owners are no part of a window's answer") {
  for (const std::string& query : window_queries(std::chrono::hours(1))) {
    const std::size_t from = query.find("max by(") + 7;
    const std::string by = query.substr(from, query.find(')', from) - from);
    const std::vector<std::string_view> labels = gpu::split(by, ',');
    for (const std::string_view owner :
         {"pod", "namespace", "container", "exported_pod", "pod_name", "podname", "vgpu", "pod_uid",
          "hw_gpu_task", "type", "job"})
      CHECK(std::find(labels.begin(), labels.end(), owner) == labels.end());
    for (const std::string_view identity :
         {"UUID", "uuid", "gpu_uuid", "gpu", "gpu_id", "GPU_I_ID", "pci_bdf", "sub_dev",
          "gpu_partition_id", "instance", "node", "Hostname", "accelerator_id", "neuroncore",
          "cluster", "k8s_cluster", "cluster_id", "k8s_cluster_name"})
      CHECK(std::find(labels.begin(), labels.end(), identity) != labels.end());
  }
}

TEST_CASE("the question for ages names known metrics, and fits into a URL") {
  const std::string query = age_query();
  CHECK(length_in_url(query) <= kLongestQuery);
  std::string rest = query;
  std::size_t names = 0;
  for (std::size_t at = rest.find("timestamp("); at != std::string::npos;
       at = rest.find("timestamp(", at + 1)) {
    const std::string name = rest.substr(at + 10, rest.find(')', at) - at - 10);
    CHECK(is_known_metric(name));
    ++names;
  }
  CHECK(names > 10);
}

TEST_CASE("ages are asked for by every way to write names, and of every exporter's device rows") {
  const std::string query = age_query();
  for (const std::string_view name :
       {"dcgm_fi_dev_gpu_util", "dcgm_fi_dev_fb_used", "dcgm_fi_prof_gr_engine_active",
        "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", "DCGM_FI_DEV_BOARD_POWER_WATTS",
        "Device_utilization_desc_of_container", "vGPU_device_memory_usage_in_bytes",
        "hami_host_gpu_utilization_ratio", "hami_container_device_utilization_ratio",
        "hw_gpu_utilization_ratio", "hw_power_watts", "hw_temperature_celsius"}) {
    INFO(name);
    CHECK(count_of(query, "timestamp(" + std::string(name) + ")") == 1);
  }
}

}  // namespace dialects_queries_test
