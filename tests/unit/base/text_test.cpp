#include "base/text.hpp"

#include <array>
#include <catch2/catch.hpp>

namespace base_text_test {

using namespace gpu;

TEST_CASE("display width counts columns, not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("gpu-a1") == 6);
  CHECK(display_width("grün") == 4);
  CHECK(display_width("■■□×━╸─…≥°") == 10);
  CHECK(display_width("图形") == 4);
  CHECK(display_width("グラフ") == 6);
  CHECK(display_width("ﾃｽﾄ") == 3);
  CHECK(display_width("한국") == 4);
  CHECK(display_width("\u1112\u1161\u11ab") == 2);  // one syllable, in three parts
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("😀") == 2);
  CHECK(display_width("\U0001FAE8") == 2);  // shaking face, new in Unicode 15
  CHECK(display_width("\U00020000\U0003FFFD") == 4);
  CHECK(display_width("a\u200bb\ufe0f") == 2);
}

TEST_CASE("broken bytes count one column each") {
  CHECK(display_width("\xff") == 1);
  CHECK(display_width("a\xe2\x82z") == 4);
}

TEST_CASE("the first code point, and the length of what is broken") {
  const auto check = [](std::string_view text, char32_t value, std::size_t length, bool broken) {
    INFO(text);
    const CodePoint point = first_code_point(text);
    CHECK(point.value == value);
    CHECK(point.length == length);
    CHECK(point.is_broken == broken);
  };
  check("", 0, 0, false);
  check("a", 'a', 1, false);
  check("é!", 0xE9, 2, false);
  check("€", 0x20AC, 3, false);
  check("😀", 0x1F600, 4, false);
  check("\xf4\x8f\xbf\xbf", 0x10FFFF, 4, false);
  check("\xf4\x90\x80\x80", 0xFFFD, 1, true);  // past the end of Unicode
  check("\xed\xa0\x80", 0xFFFD, 1, true);      // a surrogate
  check("\xc0\xaf", 0xFFFD, 1, true);          // overlong
  check("\xe0\x80\xaf", 0xFFFD, 1, true);
  check("\xf0\x9f\x98", 0xFFFD, 3, true);
  check("\x80", 0xFFFD, 1, true);
}

TEST_CASE("nothing that a terminal could obey stays as it is") {
  CHECK(sanitize("llama-pretrain-0 \\n") == "llama-pretrain-0 \\n");
  CHECK(sanitize("\x1b[31mred") == "\\x1b[31mred");
  CHECK(sanitize("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(sanitize(std::string_view("\0\x07\x7f", 3)) == "\\x00\\x07\\x7f");
  CHECK(sanitize("\u009b31m") == "\\u009b31m");  // CSI in one character
  CHECK(sanitize("\x9b") == "\\x9b");
  CHECK(sanitize("a\u202eb\u2066c\u200fd\u061c") == "a\\u202eb\\u2066c\\u200fd\\u061c");
  CHECK(sanitize("z\u200bw\u200dj\ufeff") == "z\\u200bw\\u200dj\\ufeff");
  CHECK(sanitize("x\u2028y\u00adz\u3164") == "x\\u2028y\\u00adz\\u3164");
  CHECK(sanitize("t\U000e0041") == "t\\U000e0041");
  CHECK(sanitize("\xe2\x82!") == "\\xe2\\x82!");
}

TEST_CASE("letters of all languages stay") {
  CHECK(sanitize("grün 图形 グラフ 한국 😀 e\u0301") == "grün 图形 グラフ 한국 😀 e\u0301");
}

TEST_CASE("combining marks need something to combine with, and an end") {
  CHECK(sanitize("\u0301x") == "\\u0301x");
  CHECK(sanitize("\n\u0301") == "\\n\\u0301");
  std::string zalgo = "z";
  for (int i = 0; i < 6; ++i) zalgo += "\u0301";
  CHECK(sanitize(zalgo) == "z\u0301\u0301\u0301\u0301\\u0301\\u0301");
}

TEST_CASE("what sanitize lets through has a width that can be counted on") {
  const std::string wild = "\x1b[2J\u202e\u0301图\xff\u200d😀";
  CHECK(sanitize(sanitize(wild)) == sanitize(wild));
  CHECK(display_width(sanitize(wild)) == 4 + 3 + 6 + 6 + 2 + 4 + 6 + 2);
}

TEST_CASE("valid UTF-8 has a replacement for each broken sequence") {
  CHECK(valid_utf8("gpu é 图 😀") == "gpu é 图 😀");
  CHECK(valid_utf8("a\xff\xfe") == "a\uFFFD\uFFFD");
  CHECK(valid_utf8("\xf0\x9f\x98z") == "\uFFFDz");
  CHECK(valid_utf8("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");
  CHECK(valid_utf8(std::string_view("\0", 1)) == std::string_view("\0", 1));
}

TEST_CASE("a name loses its middle") {
  CHECK(shorten_middle("llama-pretrain-0", 14, "…") == "llama-pre…in-0");
  CHECK(shorten_middle("llama-pretrain-0", 16, "…") == "llama-pretrain-0");
  CHECK(shorten_middle("llama-pretrain-0", 8, "...") == "llam...0");
  CHECK(shorten_middle("llama", 3, "...") == "...");
  CHECK(shorten_middle("llama", 2, "...") == "..");
  CHECK(shorten_middle("llama", 1, "…") == "…");
  CHECK(shorten_middle("llama", 0, "…").empty());
  CHECK(shorten_end("Kueue has not admitted it", 25, "…") == "Kueue has not admitted it");
  CHECK(shorten_end("Kueue has not admitted it", 19, "…") == "Kueue has not…");
  CHECK(shorten_end("Kueue has not admitted it", 14, "…") == "Kueue has not…");
  CHECK(shorten_end("gpu-a4, if uncordoned", 11, "...") == "gpu-a4...");
  CHECK(shorten_end("a verylongwordthatisnone", 10, "...") == "a veryl...");
  CHECK(shorten_end("\u00e9\u00e9\u00e9\u00e9", 3, "…") == "\u00e9\u00e9…");
  CHECK(shorten_end("1 H100-80G + 1 L4-24G + 9 mig", 26, "…") == "1 H100-80G + 1 L4-24G…");
  CHECK(shorten_end("8 H100-80G", 5, "…") == "8 H1…");
  CHECK(shorten_end("llama", 2, "...") == "..");
  CHECK(shorten_end("llama", 0, "…").empty());
}

TEST_CASE("a shortened name cuts no character in two") {
  for (std::size_t width = 0; width < 20; ++width) {
    const std::string shown = shorten_middle("图形处理器e\u0301e\u0301e\u0301节点图形", width, "…");
    INFO(shown);
    CHECK(display_width(shown) <= width);
    CHECK(valid_utf8(shown) == shown);
  }
  CHECK(shorten_middle("abcdefghe\u0301", 4, "…") == "ab…e\u0301");
}

TEST_CASE("a name of a megabyte is shortened too") {
  const std::string huge(1 << 20, 'x');
  CHECK(shorten_middle(huge, 8, "…") == "xxxxx…xx");
}

TEST_CASE("the nearest name is what was meant, or nothing") {
  constexpr std::array<std::string_view, 5> kViews = {"nodes", "gpus", "pods", "namespaces",
                                                      "models"};
  CHECK(nearest_name("podz", kViews) == "pods");
  CHECK(nearest_name("pdos", kViews) == "pods");
  CHECK(nearest_name("node", kViews) == "nodes");
  CHECK(nearest_name("NODES", kViews) == "nodes");
  CHECK(nearest_name("namepsaces", kViews) == "namespaces");
  CHECK(nearest_name("gpu", kViews) == "gpus");
  CHECK_FALSE(nearest_name("claims", kViews));
  CHECK_FALSE(nearest_name("x", kViews));
  CHECK_FALSE(nearest_name("", kViews));
  CHECK_FALSE(nearest_name(std::string(1 << 20, 'p'), kViews));
  CHECK_FALSE(nearest_name("pods", {}));
}

TEST_CASE("a swap counts one edit, and the first of two equally near names wins") {
  constexpr std::array<std::string_view, 2> kNames = {"cost", "cots"};
  CHECK(nearest_name("csot", kNames) == "cost");
  constexpr std::array<std::string_view, 3> kFlags = {"--gpus", "--cpu", "--cps"};
  CHECK(nearest_name("--cpus", kFlags) == "--cpu");
  constexpr std::array<std::string_view, 2> kTwins = {"tap", "top"};
  CHECK(nearest_name("tip", kTwins) == "tap");
}

TEST_CASE("lines are what stands between line ends") {
  using Lines = std::vector<std::string_view>;
  CHECK(lines_of("") == Lines{});
  CHECK(lines_of("a") == Lines{"a"});
  CHECK(lines_of("a\n\nb\n") == Lines{"a", "", "b"});
  CHECK(lines_of("\n") == Lines{""});
}

TEST_CASE("words quoted for sh") {
  CHECK(gpu::shell_quoted("gpu-a1") == "gpu-a1");
  CHECK(gpu::shell_quoted("") == "''");
  CHECK(gpu::shell_quoted("a;b") == "'a;b'");
  CHECK(gpu::shell_quoted("$(id)") == "'$(id)'");
  CHECK(gpu::shell_quoted("it's") == R"('it'\''s')");
  CHECK(gpu::shell_quoted("a\nb") == "NAME");
  CHECK(gpu::shell_quoted("\x1b[31mred") == "NAME");
  CHECK(gpu::shell_quoted("--all") == "NAME");
}

}  // namespace base_text_test
