#include "telemetry/dialects/text_reader.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace dialects_text_reader_test {

using gpu::parse_time;
using gpu::StringMap;
using gpu::telemetry::BadLine;
using gpu::telemetry::Series;
using gpu::telemetry::TextFormat;
using gpu::telemetry::TextReader;

namespace {

/// All that a reader says of a text.
struct DialectSample {
  std::vector<Series> series;
  std::size_t lines = 0;
  std::size_t bad_count = 0;
  std::vector<BadLine> bad;
  friend bool operator==(const DialectSample&, const DialectSample&) = default;
};

DialectSample told_by(TextReader& reader, std::vector<Series>& series) {
  return {series, reader.lines(), reader.bad_count(), reader.bad_lines()};
}

DialectSample read(std::string_view text, TextFormat format = TextFormat::unknown,
                   std::size_t part = std::string_view::npos, TextReader::Wanted wanted = {}) {
  std::vector<Series> series;
  TextReader reader([&](Series&& one) { series.push_back(std::move(one)); }, std::move(wanted),
                    format);
  for (std::size_t at = 0; at < text.size(); at += std::min(part, text.size() - at))
    reader.feed(text.substr(at, part));
  reader.finish();
  return told_by(reader, series);
}

Series only(std::string_view text, TextFormat format = TextFormat::unknown) {
  const DialectSample told = read(text, format);
  CHECK(told.bad.empty());
  REQUIRE(told.series.size() == 1);
  return told.series[0];
}

std::string why_bad(std::string_view text, TextFormat format = TextFormat::unknown) {
  const DialectSample told = read(text, format);
  CHECK(told.series.empty());
  CHECK(told.lines == 0);
  REQUIRE(told.bad.size() == 1);
  CHECK(told.bad[0].number == 1);
  return told.bad[0].why;
}

}  // namespace

TEST_CASE("a sample line has a name, labels and a value") {
  CHECK(only("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\"} 97\n") ==
        Series{.name = "DCGM_FI_DEV_GPU_UTIL",
               .labels = {{"UUID", "GPU-a"}, {"gpu", "0"}},
               .value = 97});
  CHECK(only("up 1\n") == Series{.name = "up", .value = 1});
  CHECK(only("up{} 1\n") == Series{.name = "up", .value = 1});
  CHECK(only("job:up:sum 1\n").name == "job:up:sum");
  CHECK(std::isnan(only("up NaN\n").value));
}

TEST_CASE("an empty label value is no label") {
  CHECK(only("up{pod=\"\",gpu=\"1\"} 1\n").labels == StringMap{{"gpu", "1"}});
}

TEST_CASE("blanks and tabs may stand between all parts") {
  const Series expected{.name = "up",
                        .labels = {{"a", "1"}, {"b", "2"}},
                        .value = 3,
                        .at = parse_time("2021-02-22T11:31:38Z")};
  CHECK(only("up{a=\"1\",b=\"2\"} 3 1613993498553\n") == expected);
  CHECK(only(" \tup \t{ a\t= \"1\" , b =\t\"2\" , } \t3\t1613993498553 \t\n") == expected);
  CHECK(only("up{a=\"1\",b=\"2\",}3 1613993498553") == expected);
  CHECK(read(" \n\t\n\n \t \n").bad.empty());
}

TEST_CASE("values of labels may hold escapes and every character but their quote") {
  CHECK(only(R"(up{a="\\ \" \n"} 1)").labels == StringMap{{"a", "\\ \" \n"}});
  CHECK(only(R"(up{a="C:\\dir\new"} 1)").labels == StringMap{{"a", "C:\\dir\new"}});
  CHECK(only(R"(up{a="\t\x"} 1)").labels == StringMap{{"a", "\\t\\x"}});
  CHECK(only("up{a=\"},{#=\xE2\x98\x83 \t\"} 1").labels ==
        StringMap{{"a", "},{#=\xE2\x98\x83 \t"}});
  CHECK(only(std::string_view("up{a=\"x\0y\"} 1", 13)).labels ==
        StringMap{{"a", std::string("x\0y", 3)}});
}

TEST_CASE("names in quotes may hold any character") {
  CHECK(only(R"({"gpu.util",a="b"} 1)") ==
        Series{.name = "gpu.util", .labels = {{"a", "b"}}, .value = 1});
  CHECK(only(R"({ a="b" , "gpu.util" } 1)").name == "gpu.util");
  CHECK(only(R"(up{"k8s.pod.name"="p"} 1)").labels == StringMap{{"k8s.pod.name", "p"}});
  CHECK(why_bad(R"({a="b"} 1)") == "it has no metric name");
  CHECK(why_bad("{} 1") == "it has no metric name");
  CHECK(why_bad(R"(up{"down"} 1)") == "it has two metric names");
  CHECK(why_bad(R"({"a","b"} 1)") == "it has two metric names");
  CHECK(why_bad(R"({""} 1)") == "a name is empty");
}

TEST_CASE("times are milliseconds in 0.0.4 and seconds in OpenMetrics") {
  using enum TextFormat;
  const auto at = parse_time("2021-02-22T11:31:38Z");
  CHECK(only("up 1 1613993498553", prometheus).at == at);
  CHECK(only("up 1 1613993498553").at == at);
  CHECK(only("up 1 1613993498").at == at);
  CHECK(only("up 1 1613993498.553").at == at);
  CHECK(only("up 1 1.613993498553e9").at == at);
  CHECK(only("up 1 1613993498.553\n# EOF\n", openmetrics).at == at);
  CHECK(only("up 1 1613993498\n# EOF\n", openmetrics).at == at);
  CHECK(only("up 1 1500", prometheus).at == parse_time("1970-01-01T00:00:01Z"));
  CHECK(only("up 1 -1500", prometheus).at == parse_time("1969-12-31T23:59:58Z"));
  CHECK(only("up 1 1500\n# EOF\n", openmetrics).at == parse_time("1970-01-01T00:25:00Z"));
  CHECK(why_bad("up 1 1500.5", prometheus) == "its time is not a number");
  CHECK(why_bad("up 1 1e30") == "its time is not a number");
  CHECK(why_bad("up 1 NaN") == "its time is not a number");
  CHECK(why_bad("up 1 9223372036854775807", prometheus) == "its time is not a number");
  CHECK(why_bad("up 1 yesterday") == "its time is not a number");
}

TEST_CASE("exemplars are passed over") {
  const Series expected{.name = "up_total", .labels = {{"a", "b"}}, .value = 5};
  CHECK(only("up_total{a=\"b\"} 5 # {trace_id=\"x\"} 0.5 1613993498.5") == expected);
  CHECK(only("up_total{a=\"b\"} 5 # {} 0.5") == expected);
  CHECK(only("up_total 5 1613993498 # {trace_id=\"x\"} 0.5").at ==
        parse_time("2021-02-22T11:31:38Z"));
  CHECK(why_bad("up 5 # a word") == "something follows its time");
  CHECK(why_bad("up 5 # {a=\"b\"}") == "the value of its exemplar is no number");
  CHECK(why_bad("up 5 # {a=\"b\"} 1 x") == "the time of its exemplar is not a number");
  CHECK(why_bad("up 5 # {a=\"b\"} 1 2 3") == "something follows its exemplar");
  CHECK(why_bad("up 5 # {a=\"b\"} 1", TextFormat::prometheus) == "something follows its time");
}

TEST_CASE("a line that is not well-formed is bad, and says why") {
  CHECK(why_bad("<html>") == "it has no metric name");
  CHECK(why_bad("404 page not found") == "it has no metric name");
  CHECK(why_bad("up") == "its value is no number");
  CHECK(why_bad("up{a=\"b\"}") == "its value is no number");
  CHECK(why_bad("up [N/A]") == "its value is no number");
  CHECK(why_bad("gpu-util 5") == "its value is no number");
  CHECK(why_bad("up 1 2 3") == "something follows its time");
  CHECK(why_bad("up{a=\"b} 1") == "a text in quotes has no end");
  CHECK(why_bad("up{a=\"b\\") == "a text in quotes has no end");
  CHECK(why_bad("up{a=\"b\\\"} 1") == "a text in quotes has no end");
  CHECK(why_bad("up{a=b} 1") == "the value of a label is not in quotes");
  CHECK(why_bad("up{a} 1") == "a label has no `=`");
  CHECK(why_bad("up{,} 1") == "a label has no valid name");
  CHECK(why_bad("up{1a=\"b\"} 1") == "a label has no valid name");
  CHECK(why_bad("up{a:b=\"c\"} 1") == "a label has no valid name");
  CHECK(why_bad("up{__name__=\"b\"} 1") == "the label __name__ is not allowed");
  CHECK(why_bad("up{a=\"1\" b=\"2\"} 1") == "after a label neither `,` nor `}` follows");
  CHECK(why_bad("up{a=\"1\"") == "after a label neither `,` nor `}` follows");
  CHECK(why_bad("up{a=\"\xff\"} 1") == "a text in quotes is not UTF-8");
  CHECK(why_bad(std::string_view("up\0 1", 5)) == "its value is no number");
}

TEST_CASE("a quote that the exporter did not escape never moves a value to another label") {
  CHECK(why_bad(R"(up{hpc_job="a"b",pod="p"} 1)") == "after a label neither `,` nor `}` follows");
  CHECK(why_bad(R"(up{job="a",pod="other",pod="p"} 1)") == "it has a label twice");
  CHECK(why_bad(R"(up{pod="",pod="p"} 1)") == "it has a label twice");
}

TEST_CASE("comments are passed over, whatever they say") {
  const DialectSample told =
      read("# HELP up \xff{\n# TYPE up nonsense\n#\n# TYPE\n #x\n\t# UNIT up s\nup 1");
  CHECK(told.series.size() == 1);
  CHECK(told.bad.empty());
}

TEST_CASE("lines may end in CR LF") {
  const DialectSample told =
      read("# HELP up x\r\nup{a=\"b\"} 1\r\n\r\nup 2 1613993498553\r\n# EOF\r\n");
  CHECK(told.series.size() == 2);
  CHECK(told.lines == 2);
  CHECK(told.bad.empty());
}

TEST_CASE("nothing may follow OpenMetrics' end") {
  using enum TextFormat;
  const std::string text = "up 1\n# EOF\nup 2\n";
  CHECK(read(text).series.size() == 1);
  CHECK(read(text).bad == std::vector<BadLine>{{3, "it stands after `# EOF`"}});
  CHECK(read(text, openmetrics) == read(text));
  CHECK(read(text, prometheus).series.size() == 2);
  CHECK(read("up 1\n# EOF or not\nup 2\n").series.size() == 2);
  CHECK(read("up 1\n", openmetrics).bad ==
        std::vector<BadLine>{{2, "the text has no `# EOF` at its end: it is cut"}});
}

TEST_CASE("lines of names that are not wanted count, and their labels are not read") {
  std::vector<std::string> asked;
  const auto wanted = [&](std::string_view name) {
    asked.emplace_back(name);
    return name == "b" || name == "c.d";
  };
  const std::string text =
      "a{x=nonsense} 1\na{x=\"}\"} 2\nb{x=\"y\"} 3\nb 4\na 5\n{\"c.d\"} 6\n{\"e.f\"} 7\n";
  const DialectSample told = read(text, TextFormat::unknown, std::string_view::npos, wanted);
  CHECK(asked == std::vector<std::string>{"a", "b", "a", "c.d", "e.f"});
  CHECK(told.lines == 7);
  CHECK(told.bad.empty());
  REQUIRE(told.series.size() == 3);
  CHECK(told.series[0] == Series{.name = "b", .labels = {{"x", "y"}}, .value = 3});
  CHECK(told.series[2] == Series{.name = "c.d", .value = 6});
}

TEST_CASE("lines of names that are not wanted are bad when they are no samples") {
  const auto none = [](std::string_view) { return false; };
  const auto bad_count = [&](std::string_view text) {
    return read(text, TextFormat::unknown, std::string_view::npos, none).bad_count;
  };
  CHECK(bad_count("a{x=\"y\"} 1 # {z=\"z\"} 2 3\n") == 0);
  CHECK(bad_count("Internal Server Error\n") == 1);
  CHECK(bad_count("a{x=\"y\" 1\n") == 1);
  CHECK(bad_count("a{x=\"y\"} one\n") == 1);
}

TEST_CASE("at most ten bad lines are described") {
  std::string text;
  for (int i = 0; i < 12; ++i) text += "up 1\nbad\n";
  const DialectSample told = read(text);
  CHECK(told.lines == 12);
  CHECK(told.bad_count == 12);
  REQUIRE(told.bad.size() == 10);
  CHECK(told.bad[0] == BadLine{2, "its value is no number"});
  CHECK(told.bad[9].number == 20);
}

TEST_CASE("a line longer than 1 MiB is bad, and the next one is read") {
  const std::size_t limit = std::size_t{1} << 20;
  const std::string fits = "up{a=\"" + std::string(limit - 10, 'x') + "\"} 1";
  REQUIRE(fits.size() == limit);
  CHECK(read(fits + "\n").series.size() == 1);
  const std::string text = "a 1\nx" + fits + "\nb 2\n" + std::string(3 * limit, 'x');
  const DialectSample told = read(text);
  CHECK(told.series.size() == 2);
  CHECK(told.bad ==
        std::vector<BadLine>{{2, "it is longer than 1 MiB"}, {4, "it is longer than 1 MiB"}});
  for (const std::size_t part : {4096UL, 100'000UL, limit - 1, limit, limit + 1})
    CHECK(read(text, TextFormat::unknown, part) == told);
}

TEST_CASE("a line of very many labels is read in no more time than others of its length") {
  std::string text = "up{";
  for (int i = 100'000; i > 0; --i) text += "a" + std::to_string(i) + "=\"\",";
  CHECK(only(text + "} 1\n").labels.empty());
}

TEST_CASE("however the bytes arrive, the same is read") {
  const std::string text =
      "# HELP up x\r\nup{a=\"b\\n\",c=\"\xE2\x98\x83\"} 1\r\n bad\n\n\r\nup 2 1613993498553\n"
      "up{a=\"b\" 1\nup_total 3 # {a=\"b\"} 1\n# EOF\nup 4\nup 5";
  const DialectSample whole = read(text);
  CHECK(whole.series.size() == 3);
  CHECK(whole.bad_count == 4);
  for (std::size_t part = 1; part <= text.size(); ++part)
    CHECK(read(text, TextFormat::unknown, part) == whole);
}

}  // namespace dialects_text_reader_test
