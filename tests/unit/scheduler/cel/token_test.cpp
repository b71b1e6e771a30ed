#include "scheduler/cel/token.hpp"

#include <catch2/catch.hpp>

namespace gpu::scheduler::cel_token_test {
namespace {

/// Words with a space between them: a name as it is, 7, "text", a sign in brackets.
std::string words(std::string_view source) {
  const std::optional<std::vector<CelToken>> tokens = cel_tokens(source);
  if (!tokens) return "none";
  std::string all;
  for (const CelToken& token : *tokens) {
    if (!all.empty() && token.kind != CelToken::Kind::end) all += ' ';
    if (token.kind == CelToken::Kind::identifier) all += token.text;
    if (token.kind == CelToken::Kind::integer) all += std::to_string(token.value);
    if (token.kind == CelToken::Kind::text) all += '"' + token.text + '"';
    if (token.kind == CelToken::Kind::sign) all += '(' + token.text + ')';
  }
  return all;
}

}  // namespace

TEST_CASE("names, signs, blanks and comments") {
  CHECK(words("").empty());
  CHECK(words(" a1_B\t_x\r\n\fc // d\n e // f") == "a1_B _x c e");
  CHECK(words("a&&b||!c==d!=e<=f>=g<h>i") ==
        "a (&&) b (||) (!) c (==) d (!=) e (<=) f (>=) g (<) h (>) i");
  CHECK(words("?:()[].,+-*/%{}=") ==
        "(?) (:) (() ()) ([) (]) (.) (,) (+) (-) (*) (/) (%) ({) (}) (=)");
  for (const char* none : {"a & b", "a | b", "#", "\\", "a\v"}) CHECK(words(none) == "none");
}

TEST_CASE("integers are decimal or hexadecimal, and nothing stands behind them") {
  CHECK(words("0 17 0x1F") == "0 17 31");
  CHECK(words("18446744073709551615") == "18446744073709551615");
  for (const char* none : {"18446744073709551616", "0x", "0xg", "1u", "1.5", "1e3", "1.", "1_"})
    CHECK(words(none) == "none");
}

TEST_CASE("strings have one or three quotes of a kind") {
  CHECK(words("'a\"b' \"c'd\" ''") == "\"a\"b\" \"c'd\" \"\"");
  CHECK(words("'''a'b\nc''' \"\"\"d\"\"\"") == "\"a'b\nc\" \"d\"");
  for (const char* none : {"'a", "'a\nb'", "'a\rb'", "'''a\rb'''", "'''a''", "\"a'"})
    CHECK(words(none) == "none");
}

TEST_CASE("escapes stand for one character, unless the string is raw") {
  CHECK(words(R"('\a\b\f\n\r\t\v\\\?\"\'\`')") == "\"\a\b\f\n\r\t\v\\?\"'`\"");
  CHECK(words(R"('\101\x41\X41\u0041\U00000041')") == "\"AAAAA\"");
  CHECK(words(R"(r'\n' R"\t")") == R"("\n" "\t")");
  for (const char* none : {R"('\c')", R"('\4')", R"('\09')", R"('\401')", R"('\x4')", R"('\x4g')",
                           R"('\u004')", R"('\U0000004')", R"('\)", R"(b'a')"})
    CHECK(words(none) == "none");
  CHECK(words(R"('\377')") == "\"\u00ff\"");
}

TEST_CASE("code points become UTF-8 of one to four bytes; surrogates are none") {
  CHECK(words(R"('\u007f\u0080')") == "\"\x7f\xc2\x80\"");
  CHECK(words(R"('\u07ff\u0800')") == "\"\xdf\xbf\xe0\xa0\x80\"");
  CHECK(words(R"('\uffff\U00010000')") == "\"\xef\xbf\xbf\xf0\x90\x80\x80\"");
  CHECK(words(R"('\U0010ffff')") == "\"\xf4\x8f\xbf\xbf\"");
  CHECK(words(R"('\U000fedcb')") == "\"\xf3\xbe\xb7\x8b\"");
  CHECK(words(R"('\ud7ff\ue000')") == "\"\xed\x9f\xbf\xee\x80\x80\"");
  for (const char* none : {R"('\U00110000')", R"('\ud800')", R"('\udfff')"})
    CHECK(words(none) == "none");
}

}  // namespace gpu::scheduler::cel_token_test
