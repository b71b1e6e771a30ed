#include <catch2/catch.hpp>

#include "report/fixture.hpp"
#include "report/render.hpp"

namespace report_csv_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

namespace {

std::string csv(const Report& report) { return render(report, Format::csv, piped()); }

std::string field(Cell cell) {
  const std::string out = csv(one_column(left("t", "", kMachine), {std::move(cell)}));
  return out.substr(2, out.size() - 3);
}

}  // namespace

TEST_CASE("one line of keys, then one line per row") {
  const std::string out = csv(top_nodes());
  CHECK(out.substr(0, out.find("gpu-a2")) ==
        "name,model,capacity,allocated,free,unavailable,utilization,memoryUsedBytes,"
        "memoryTotalBytes,powerWatts,state\n"
        "gpu-a1,H100-80G,8,8,0,0,0.91,638876385280,687194767360,5210,Ready\n");
  CHECK(out.find("gpu-a4,H100-80G,8,0,0,8,,,687194767360,,Cordoned\n") != std::string::npos);
}

TEST_CASE("fields are quoted as RFC 4180 says") {
  CHECK(field("plain text") == "plain text");
  CHECK(field("a,b") == "\"a,b\"");
  CHECK(field("a\"b") == "\"a\"\"b\"");
  CHECK(field("a\nb") == "\"a\nb\"");
  CHECK(field("a\rb") == "a\\rb");
  CHECK(field("") == "");
  CHECK(field(" a") == "\" a\"");
  CHECK(field("a\xff") == "a\uFFFD");
}

TEST_CASE("a text that looks like a formula is quoted, and kept") {
  CHECK(field("=1+1") == "\"=1+1\"");
  CHECK(field("@a") == "\"@a\"");
  CHECK(field("-a") == "\"-a\"");
  CHECK(field("+a") == "\"+a\"");
}

TEST_CASE("records are flattened, lists joined") {
  Report report = one_column(left("sharing", "", kMachine),
                             {Cell(), Record{{"strategy", "mps"}, {"inner", Record{{"a", 1}}}},
                              Record{{"strategy", Cell()}, {"replicas", 4}}});
  report.table.columns.push_back(left("pods", "", kMachine));
  report.table.rows[0].emplace_back(
      List{Record{{"namespace", "ml"}, {"name", "a"}}, Record{{"namespace", "ml"}, {"name", "b"}}});
  report.table.rows[1].emplace_back(List{1, 2});
  report.table.rows[2].emplace_back(List{});
  CHECK(csv(report) ==
        "sharing.strategy,sharing.inner.a,sharing.replicas,pods\n"
        ",,,ml/a;ml/b\n"
        "mps,1,,1;2\n"
        ",,4,\n");
}

TEST_CASE("what a column declares are its fields, whatever stands in it") {
  Column owner = left("owner", "", kMachine);
  owner.type = Type::record({{"kind", Type::text()}, {"of", Type::record({{"a", Type::count()}})}})
                   .or_null();
  CHECK(csv(one_column(owner, {Cell()})) == "owner.kind,owner.of.a\n,\n");
  CHECK(csv(one_column(owner, {Record{{"kind", "Job"}, {"of", Record{{"a", 1}}}}})) ==
        "owner.kind,owner.of.a\nJob,1\n");
  Column free = left("free", "", kMachine);
  free.type = Type::record({{"by", Type::amounts()}});
  CHECK(csv(one_column(free, {Record{{"by", Record{{"nvidia.com/gpu", 4}}}}})) ==
        "free.by.nvidia.com/gpu\n4\n");
}

TEST_CASE("a column that is unknown everywhere keeps its place") {
  CHECK(csv(one_column(left("a", "", kMachine), {Cell()})) == "a\n\n");
  CHECK(csv(one_column(left("a", "", kMachine), {})) == "a\n");
}

TEST_CASE("--no-headers leaves the keys of a csv out") {
  Style style = piped();
  style.headers = false;
  CHECK(render(one_column(left("a", "", kMachine), {1}), Format::csv, style) == "1\n");
}

TEST_CASE("what a terminal would obey is escaped, in a file too, and lines stay lines there") {
  const Report report = one_column(left("a", "", kMachine), {"\x1b[2J\r\n\u202ex\n"});
  CHECK(csv(report) == "a\n\"\\x1b[2J\\r\n\\u202ex\n\"\n");
  CHECK(render(report, Format::csv, terminal(80)) == "a\n\\x1b[2J\\r\\n\\u202ex\\n\n");
}

TEST_CASE("names: one a line, each once, in order") {
  Report report = one_column(name("name", "NODE", kAll), {"b", "a", "b", Cell(), "\x1b"});
  report.name_prefix = "node/";
  CHECK(render(report, Format::name, piped()) == "node/b\nnode/a\nnode/\\x1b\n");
  CHECK(render(report, Format::name, terminal(80)) == "node/b\nnode/a\nnode/\\x1b\n");
}

}  // namespace report_csv_test
