#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "base/text.hpp"
#include "report/fixture.hpp"
#include "report/mockups.hpp"
#include "report/render.hpp"

namespace report_text_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

namespace {

std::string text(const Report& report, const Style& style) {
  return render(report, Format::text, style);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Report without_summary(Report report) {
  report.summary.clear();
  return report;
}

}  // namespace

TEST_CASE("top nodes at 100 columns is its mock-up") {
  CHECK(text(top_nodes(), terminal(100)) ==
        std::string(mockup::kSummary) + std::string(mockup::kNodes));
}

TEST_CASE("top nodes at 80 columns is its mock-up") {
  CHECK(text(without_summary(top_nodes()), terminal(80)) == mockup::kNodes80);
}

TEST_CASE("top nodes in ASCII is its mock-up") {
  CHECK(text(without_summary(top_nodes()), ascii(100)) == mockup::kNodesAscii);
}

TEST_CASE("top gpus is its mock-up: bars of memory are shorter where the table is too wide") {
  CHECK(text(top_gpus(), terminal(100)) == mockup::kGpus);
}

TEST_CASE("top pods is its mock-up: a column aligned to the right has no bars") {
  CHECK(text(top_pods(), terminal(100)) == mockup::kPods);
  CHECK(text(top_pods(), terminal(80)) == mockup::kPods80);
}

TEST_CASE("99 columns are drawn as 80 are, 100 and more as 100") {
  CHECK(text(top_nodes(), terminal(99)) == text(top_nodes(), terminal(80)));
  CHECK(text(top_nodes(), terminal(200)) == text(top_nodes(), terminal(100)));
}

TEST_CASE("on a small terminal names lose their middle, never a number") {
  Report report = top_gpus();
  report.table.rows.resize(1);
  CHECK(text(report, terminal(60)) ==
        "GPU       MODEL     UTIL   MEMORY  POD                HEALTH\n"
        "gpu-a2/0  H100-80G   97%  75/80Gi  ml/llama-pr…ain-1  ok\n");
}

TEST_CASE("bars and marks give way before names do") {
  Report report = without_summary(top_nodes());
  for (auto& row : report.table.rows)
    row[0] = std::string(20, 'n') + std::get<std::string>(row[0].value);
  CHECK(lines_of(text(report, terminal(80))).at(1) ==
        "nnnnnnnnnnnnnnnnnnnngpu-a1  H100-80G            8/8   91%  595/640Gi  Ready");
}

TEST_CASE("names are cut no shorter than what tells one from another") {
  Report report;
  report.table.columns = {name("name", "NAME", kPeople), left("x", "X", kPeople)};
  report.table.columns.back().is_name = true;
  const std::string other(40, 'x');
  report.table.rows = {{"train-of-the-large-model-a-of-2024-08", other},
                       {"train-of-the-large-model-b-of-2024-08", other}};
  const auto lines = lines_of(text(report, terminal(60)));
  REQUIRE(lines.size() == 3);
  CHECK(lines[1].substr(0, lines[1].find("  ")) != lines[2].substr(0, lines[2].find("  ")));
  CHECK(gpu::display_width(lines[1]) <= 60);
}

TEST_CASE("a name's count of pods is not cut") {
  Report report;
  report.table.columns = {name("name", "NAME", kPeople), left("x", "X", kPeople)};
  report.table.rows = {{"a-deployment-with-a-long-name (12 pods)", std::string(45, 'x')}};
  const std::string row(lines_of(text(report, terminal(70))).at(1));
  CHECK(row.find("name (12 pods)  x") != std::string::npos);
}

TEST_CASE("a table that cannot shrink enough becomes blocks, but for -o wide") {
  const Report report = without_summary(top_nodes());
  CHECK(lines_of(text(report, terminal(60))).front().starts_with("NODE    MODEL         ALLOC"));
  Report longer = report;
  longer.table.columns.front().title = "NODE OF A TITLE THAT IS RATHER LONG";
  CHECK(lines_of(text(longer, terminal(60))).front() ==
        "NODE OF A TITLE THAT IS RATHER LONG: gpu-a1");
  CHECK(lines_of(render(longer, Format::wide, terminal(60))).front().find("LONG  MODEL") !=
        std::string::npos);
}

TEST_CASE("below 60 columns each row is a block") {
  Report report = without_summary(top_pods());
  report.table.rows.resize(3);
  report.table.rows.erase(report.table.rows.begin() + 1);
  CHECK(text(report, terminal(59)) ==
        "NAMESPACE: ml\n"
        "POD:       llama-pretrain-0\n"
        "NODE:      gpu-a1\n"
        "GPUS:      8\n"
        "UTIL:      ━━━━━╸  91%\n"
        "MEMORY:    595/640Gi\n"
        "AGE:       3d\n"
        "\n"
        "NAMESPACE: research\n"
        "POD:       notebook-jo\n"
        "NODE:      gpu-a3\n"
        "GPUS:      4\n"
        "UTIL:      ──────   0%\n"
        "MEMORY:    290/320Gi\n"
        "AGE:       6d\n"
        "idle:      idle\n");
  CHECK(text(report, terminal(24)).find("POD:       llama-pr…in-0\n") != std::string::npos);
}

TEST_CASE("a block keeps marks and their number together") {
  CHECK(text(without_summary(top_nodes()), terminal(40)).find("ALLOCATED: ■□□□       1/4\n") !=
        std::string::npos);
}

TEST_CASE("colour follows concern, repeats and empty parts are dim, and headings bold") {
  Report report = without_summary(top_nodes());
  report.table.rows.erase(report.table.rows.begin(), report.table.rows.begin() + 2);
  report.table.rows.resize(2);
  report.table.rows.push_back(report.table.rows.back());
  CHECK(text(report, colored(80)) ==
        "\x1b[1mNODE\x1b[0m    \x1b[1mMODEL\x1b[0m     \x1b[1mALLOCATED\x1b[0m      "
        "\x1b[1mUTIL\x1b[0m            \x1b[1mMEMORY\x1b[0m  \x1b[1mSTATE\x1b[0m\n"
        "gpu-a3  H100-80G  ■■■■■■■\x1b[2m□\x1b[0m  7/8  "
        "\x1b[33m╸\x1b[0m\x1b[2m─────\x1b[0m   \x1b[33m8%\x1b[0m  503/640\x1b[2mGi\x1b[0m  Ready\n"
        "gpu-a4  H100-80G  \x1b[33m××××××××\x1b[0m  0/8  -                    -  "
        "\x1b[33mCordoned\x1b[0m\n"
        "\x1b[2mgpu-a4\x1b[0m  H100-80G  \x1b[33m××××××××\x1b[0m  0/8  -                    -  "
        "\x1b[33mCordoned\x1b[0m\n");
}

TEST_CASE("without its codes a coloured table is the plain one") {
  for (const std::size_t width : {40, 59, 60, 80, 99, 100, 150}) {
    for (const Report& report : {top_nodes(), top_gpus(), top_pods()}) {
      std::string colors = text(report, colored(width));
      for (std::size_t at = 0; (at = colors.find('\x1b')) != std::string::npos;)
        colors.erase(at, colors.find('m', at) + 1 - at);
      CHECK(colors == text(report, terminal(width)));
    }
  }
}

TEST_CASE("no line ends in a space or is wider than the terminal") {
  for (std::size_t width = 40; width <= 140; ++width) {
    for (const Report& report : {top_nodes(), top_gpus(), top_pods()}) {
      for (const std::string& line : lines_of(text(report, terminal(width)))) {
        INFO(width << ": " << line);
        CHECK_FALSE(line.ends_with(' '));
        CHECK(gpu::display_width(line) <= width);
      }
    }
  }
}

TEST_CASE("a name as long as a megabyte takes a line, and no more") {
  Report report = without_summary(top_nodes());
  report.table.rows[1][0] = Cell(std::string(1 << 20, 'x'));
  const std::vector<std::string> lines = lines_of(text(report, terminal(100)));
  REQUIRE(lines.size() == 7);
  CHECK(lines[2].find("xxx…xxx") != std::string::npos);
  for (const std::string& line : lines) CHECK(gpu::display_width(line) <= 100);
  report.table.rows[1][13] = Cell(std::string(1 << 20, 'y'));
  CHECK(text(report, terminal(100)).size() < 4000);
}

TEST_CASE("hostile names are shown, not obeyed, and columns stay straight") {
  Report report;
  report.table.columns = {name("name", "POD", kPeople), left("state", "STATE", kPeople)};
  report.table.rows = {
      {"\x1b[2J\x1b]0;x\x07", "ok"}, {"a\u202eb\nc", "ok"}, {"图形e\u0301😀", "ok"}};
  CHECK(text(report, terminal(100)) ==
        "POD                  STATE\n"
        "\\x1b[2J\\x1b]0;x\\x07  ok\n"
        "a\\u202eb\\nc          ok\n"
        "图形e\u0301😀              ok\n");
}

TEST_CASE("hostile names in a list are shown as any, and as short") {
  Report report;
  report.table.columns = {name("devices", "DEVICES", kPeople), left("state", "STATE", kPeople)};
  report.table.rows = {{List{"a\x1b[31m", "b\u202e"}, "ok"},
                       {Record{{"in", "c\n"}}, "ok"},
                       {List{std::string(1 << 20, 'x')}, "ok"}};
  const std::vector<std::string> lines = lines_of(text(report, terminal(40)));
  for (const std::string& line : lines) CHECK(gpu::display_width(line) <= 40);
  const std::string out = text(report, terminal(100));
  CHECK(out.find("a\\x1b[31m,b\\u202e") != std::string::npos);
  CHECK(out.find("in=c\\n") != std::string::npos);
  CHECK(out.size() < 1000);
}

TEST_CASE("a terminal without UTF-8 sees no byte past 0x7f") {
  Report report = top_nodes();
  report.table.rows[0][0] = "图形\xff";
  std::get<Share>(report.table.rows[1][2].value).at_least = true;
  const std::string out = text(report, ascii(100));
  CHECK(std::none_of(out.begin(), out.end(), [](char c) { return c < 0; }));
  CHECK(out.find(">=6/8") != std::string::npos);
}

TEST_CASE("more may be allocated than was seen") {
  Report report = one_column(left("", "ALLOCATED", kPeople), {Share{6, 8}, Share{2, 8}});
  std::get<Share>(report.table.rows[0][0].value).at_least = true;
  CHECK(text(report, terminal(100)) ==
        "ALLOCATED\n"
        "■■■■■■□□  ≥6/8\n"
        "■■□□□□□□   2/8\n");
}

TEST_CASE("a title wider than its cells keeps the number of a share at the column's end") {
  Report report = one_column(left("", "ALLOCATED HERE", kPeople), {Share{1, 2}, Cell()});
  CHECK(text(report, terminal(100)) ==
        "ALLOCATED HERE\n"
        "■□         1/2\n"
        "-\n");
}

TEST_CASE("-o wide adds columns and drops none") {
  Report report = without_summary(top_nodes());
  report.table.columns[13].audience = kWide;
  const std::string wide = render(report, Format::wide, terminal(80));
  CHECK(lines_of(wide).front().find("POWER  STATE") != std::string::npos);
  CHECK(lines_of(text(report, terminal(80))).front().find("STATE") == std::string::npos);
}

TEST_CASE("--no-headers leaves the headings out") {
  Style style = terminal(80);
  style.headers = false;
  CHECK("NODE    MODEL         ALLOCATED       UTIL            MEMORY  STATE\n" +
            text(without_summary(top_nodes()), style) ==
        mockup::kNodes80);
}

TEST_CASE("a table without rows says nothing but the totals") {
  Report report = top_nodes();
  report.table.rows.clear();
  CHECK(text(report, terminal(100)) + '\n' == mockup::kSummary);
  report.summary.clear();
  CHECK(text(report, terminal(100)).empty());
}

TEST_CASE("rows below a row are drawn as its branches, and shortened as names are") {
  Report report{.kind = "NodeUsageList"};
  report.table.columns = {{.key = "",
                           .title = "NODE",
                           .audience = static_cast<unsigned>(Audience::people),
                           .is_name = true}};
  report.table.rows = {{"gpu-a1"},
                       {Branch{.text = "ml/train-0", .is_last = false}},
                       {Branch{.text = "ml/" + std::string(80, 'x'), .is_last = true}}};
  const auto lines = lines_of(text(report, terminal(60)));
  REQUIRE(lines.size() == 4);
  CHECK(lines[2] == "├─ ml/train-0");
  CHECK(lines[3].starts_with("└─ ml/xxx"));
  CHECK(gpu::display_width(lines[3]) <= 60);
  const auto plain = lines_of(text(report, ascii(60)));
  CHECK(plain[2] == "|- ml/train-0");
  CHECK(plain[3].starts_with("`- ml/xxx"));
}

}  // namespace report_text_test
