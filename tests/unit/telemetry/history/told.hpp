#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "telemetry/history/past_pods.hpp"
#include "telemetry/prometheus/answer.hpp"

namespace gpu::telemetry {

/// Gives the series of an answer's `result`, written as JSON, to `take`.
template <class Take>
void read_result(const std::string& result, Take take) {
  AnswerReader reader([&](Series&& one) { take(one); });
  reader.start();
  reader.feed(R"({"status":"success","data":{"resultType":"vector","result":)" + result + "}}");
  const PrometheusAnswer answer = reader.finish();
  INFO(answer.problem);
  REQUIRE(answer.is_prometheus);
  REQUIRE(answer.problem.empty());
}

constexpr std::int64_t kWeekAgo = 1764000000;
inline Time at(std::int64_t seconds) { return Time{std::chrono::seconds(kWeekAgo + seconds)}; }

/// As what the day tells that ends at `end`.
inline void tell(PastPods& pods, PodFact fact, const std::string& result, Time end = at(0)) {
  read_result(result, [&](const Series& one) { pods.add(fact, one, end); });
}

}  // namespace gpu::telemetry
