#include "telemetry/prometheus/answer.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "base/error.hpp"

namespace gpu::telemetry::prometheus_answer_test {
namespace {

using telemetry::Series;

struct Read {
  std::vector<Series> series;
  PrometheusAnswer answer;
};

Read read(const std::string& text, std::size_t step = std::string::npos) {
  Read result;
  AnswerReader reader([&](Series&& one) { result.series.push_back(std::move(one)); });
  reader.start();
  for (std::size_t at = 0; at < text.size(); at += std::min(step, text.size()))
    reader.feed(std::string_view(text).substr(at, step));
  result.answer = reader.finish();
  return result;
}

constexpr const char* kTwo = R"( {"status" : "success", "data": {"resultType":"vector", "result" : [
  {"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","UUID":"GPU-1","pod":"","odd":"}],\"{"},
   "value":[1764322935.781,"97"]} , {"metric":{"UUID":"GPU-2"},"value":[1764322935,"1e+09"]} ]},
  "stats":{"seriesFetched":"2"}} )";

TEST_CASE("Series come out of an answer however it is cut") {
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::string::npos}) {
    const Read got = read(kTwo, step);
    CHECK(got.answer.is_prometheus);
    CHECK(got.answer.problem.empty());
    CHECK_FALSE(got.answer.is_partial);
    CHECK(got.answer.series == 2);
    REQUIRE(got.series.size() == 2);
    CHECK(got.series[0].name == "DCGM_FI_DEV_GPU_UTIL");
    CHECK(value_of(got.series[0].labels, "UUID") == "GPU-1");
    CHECK(value_of(got.series[0].labels, "odd") == "}],\"{");
    CHECK_FALSE(got.series[0].labels.contains("pod"));
    CHECK_FALSE(got.series[0].labels.contains("__name__"));
    CHECK(got.series[0].value == 97);
    CHECK(got.series[1].value == 1e9);
    CHECK(got.series[1].name.empty());
  }
}

std::string vector_of(const std::string& elements, const std::string& more = "") {
  return R"({"status":"success","data":{"resultType":"vector","result":[)" + elements + "]}" +
         more + "}";
}

TEST_CASE("Values are texts, and may be no numbers") {
  const Read got =
      read(vector_of(R"({"metric":{},"value":[1,"NaN"]},{"metric":{},"value":[1,"+Inf"]},
      {"metric":{},"value":[1,"-Inf"]},{"metric":{},"value":[1,"0x10"]},{"metric":{},"value":[1,5]},
      {"metric":{},"values":[[1,"3"],[2,"4"]]},{"metric":{},"histogram":[1,{"count":"1"}]})"));
  CHECK(got.answer.series == 7);
  REQUIRE(got.series.size() == 4);
  CHECK(std::isnan(got.series[0].value));
  CHECK((std::isinf(got.series[1].value) && got.series[1].value > 0));
  CHECK((std::isinf(got.series[2].value) && got.series[2].value < 0));
  CHECK(got.series[3].value == 4);
}

TEST_CASE("An empty vector and a scalar are answers without series") {
  CHECK(read(vector_of("")).answer.is_prometheus);
  const Read scalar =
      read(R"({"status":"success","data":{"resultType":"scalar","result":[1764322935,"1"]}})");
  CHECK(scalar.answer.is_prometheus);
  CHECK(scalar.series.empty());
}

TEST_CASE("An answer may say that it is partial") {
  CHECK(read(vector_of("", R"(,"isPartial":true)")).answer.is_partial);
  CHECK_FALSE(
      read(vector_of("", R"(,"isPartial":false,"infos":["PromQL info: x"])")).answer.is_partial);
  const Read thanos = read(vector_of("", R"(,"warnings":["No StoreAPIs matched for this query"])"));
  CHECK(thanos.answer.is_partial);
  CHECK(thanos.answer.warnings == std::vector<std::string>{"No StoreAPIs matched for this query"});
  CHECK_FALSE(read(vector_of("", R"(,"warnings":["PromQL info: no counter"])")).answer.is_partial);
}

TEST_CASE("What may mean that an answer is partial, in any type, means it") {
  for (const char* more : {R"(,"isPartial":"true")", R"(,"isPartial":1)", R"(,"warnings":"lost")",
                           R"(,"warnings":[{"a":1}])", R"(,"warnings":[7])"})
    CHECK(read(vector_of("", more)).answer.is_partial);
  for (const char* more : {R"(,"isPartial":false)", R"(,"isPartial":null)", R"(,"warnings":null)",
                           R"(,"warnings":[])", R"(,"infos":["x"],"infoType":3)"})
    CHECK_FALSE(read(vector_of("", more)).answer.is_partial);
}

TEST_CASE("Values and labels of wrong types are no series, or are left out") {
  const Read got = read(vector_of(
      R"({"metric":{"a":"b"},"value":[1,5]},{"metric":{},"value":"7"},{"metric":{},"value":[1]},)"
      R"({"metric":{},"value":{"0":1,"1":"2"}},{"metric":{},"value":[1,null]},{"metric":{}},)"
      R"({"metric":{},"values":[]},{"metric":{},"values":[[1,2]]},{"metric":{},"histogram":[1,{}]},)"
      R"({"metric":{},"value":[1,"0x10"]},{"metric":{},"value":[1," 7"]},{"metric":{},"value":[1,""]},)"
      R"({"metric":{"a":7,"b":null,"c":["x"],"d":"e"},"value":["now","1e400"]},)"
      R"({"metric":"UUID","value":[{},"-9223372036854775809"]})"));
  CHECK(got.answer.is_prometheus);
  CHECK(got.answer.series == 14);
  REQUIRE(got.series.size() == 1);
  CHECK(got.series[0].labels.empty());
  CHECK(got.series[0].value < -9e18);
}

TEST_CASE("Depth and size of one element are bounded") {
  const std::string deep(20000, '[');
  CHECK_FALSE(read(vector_of(R"({"metric":{},"value":)" + deep)).answer.is_prometheus);
  CHECK_FALSE(read(R"({"status":"success","data":)" + deep).answer.is_prometheus);
  const std::string big(1U << 20U, 'x');
  CHECK_FALSE(
      read(vector_of(R"({"metric":{"a":")" + big + R"("},"value":[1,"2"]})")).answer.is_prometheus);
}

TEST_CASE("An error is told in Prometheus' words") {
  const Read got = read(
      R"({"status":"error","errorType":"bad_data","error":"1:3: parse error","data":{"result":[]}})");
  CHECK(got.answer.is_prometheus);
  CHECK(got.answer.problem == "bad_data: 1:3: parse error");
}

TEST_CASE("What is not Prometheus' is told apart") {
  CHECK_FALSE(read("<html><body>Log in</body></html>").answer.is_prometheus);
  CHECK_FALSE(read("404 page not found\n").answer.is_prometheus);
  CHECK_FALSE(read("").answer.is_prometheus);
  CHECK_FALSE(read("[]").answer.is_prometheus);
  CHECK_FALSE(read(R"({"kind":"Status","status":"Failure","code":503})").answer.is_prometheus);
  CHECK(read(R"({"kind":"Status","status":"Failure"})").answer.problem ==
        "JSON, and not Prometheus'");
}

TEST_CASE("An answer that is cut off is none") {
  const std::string whole = vector_of(R"({"metric":{},"value":[1,"2"]})");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const Read got = read(whole.substr(0, size));
    CHECK_FALSE(got.answer.is_prometheus);
    CHECK(got.answer.problem == "no JSON, or cut off");
  }
}

TEST_CASE("Broken and endless elements end the answer") {
  CHECK_FALSE(read(vector_of(R"({"metric":{]})")).answer.is_prometheus);
  CHECK_FALSE(read(vector_of(R"({"metric":{"a":b}})")).answer.is_prometheus);
  CHECK_FALSE(read(vector_of("{\"metric\":{\"a\":\"" + std::string(2U << 20U, 'x') + "\"}}"))
                  .answer.is_prometheus);
  CHECK_FALSE(read("{\"a\":" + std::string(5000, '[')).answer.is_prometheus);
}

TEST_CASE("An answer of more than 200 MB is refused while it comes") {
  AnswerReader reader([](Series&&) {});
  reader.start();
  reader.feed(R"({"status":"success","data":{"result":[)");
  const std::string blanks(10'000'000, ' ');
  CHECK_THROWS_AS(
      [&] {
        for (int i = 0; i < 21; ++i) reader.feed(blanks);
      }(),
      Error);
}

TEST_CASE("An answer that is sent once more counts once") {
  std::vector<Series> series;
  AnswerReader reader([&](Series&& one) { series.push_back(std::move(one)); });
  reader.start();
  reader.feed(R"({"status":"success","data":{"result":[{"metric":)");
  reader.start();
  reader.feed(vector_of(R"({"metric":{},"value":[1,"2"]})"));
  CHECK(reader.finish().is_prometheus);
  CHECK(series.size() == 1);
}

}  // namespace
}  // namespace gpu::telemetry::prometheus_answer_test
