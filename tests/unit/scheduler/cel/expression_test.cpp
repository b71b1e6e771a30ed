#include "scheduler/cel/expression.hpp"

#include <catch2/catch.hpp>
#include <map>

namespace gpu::scheduler::cel_expression_test {
namespace {

std::string name_of(CelForm form) {
  static const std::map<CelForm, std::string> kNames = {
      {CelForm::select, "select"},
      {CelForm::index, "index"},
      {CelForm::optional_select, "select?"},
      {CelForm::optional_index, "index?"},
      {CelForm::function, "function"},
      {CelForm::method, "method"},
      {CelForm::list, "list"},
      {CelForm::negation, "not"},
      {CelForm::minus, "minus"},
      {CelForm::conjunction, "and"},
      {CelForm::disjunction, "or"},
      {CelForm::conditional, "if"},
      {CelForm::binary, ""},
      {CelForm::has, "has"},
      {CelForm::bind, "bind"},
      {CelForm::exists, "exists"},
      {CelForm::all, "all"},
  };
  return kNames.at(form);
}

std::string node(const CelExpression& expression, std::size_t at) {
  const CelNode& node_at = expression.nodes.at(at);
  if (node_at.form == CelForm::integer) return std::to_string(node_at.number);
  if (node_at.form == CelForm::text) return "'" + node_at.text + "'";
  if (node_at.form == CelForm::name || node_at.form == CelForm::truth) return node_at.text;
  std::string text = name_of(node_at.form);
  if (!node_at.text.empty()) text += (text.empty() ? "" : " ") + node_at.text;
  for (const std::size_t part : node_at.parts) text += " " + node(expression, part);
  return "(" + text + ")";
}

/// Each node in brackets before its parts: "(+ 1 (* 2 x))".
std::string tree(std::string_view source) {
  const std::optional<CelExpression> expression = parse_cel(source);
  return expression ? node(*expression, expression->nodes.size() - 1) : "none";
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("signs bind as in CEL, from the left") {
  CHECK(tree("a || b && c || d") == "(or a (and b c) d)");
  CHECK(tree("(a || b) && c") == "(and (or a b) c)");
  CHECK(tree("a == b + c * d") == "(== a (+ b (* c d)))");
  CHECK(tree("a - b - c / d % e") == "(- (- a b) (% (/ c d) e))");
  CHECK(tree("a in b == c") == "(== (in a b) c)");
  CHECK(tree("a ? b : c ? d : e") == "(if a b (if c d e))");
  CHECK(tree("a || b ? c : d") == "(if (or a b) c d)");
  for (const char* none :
       {"a ?", "a ? b", "a ||", "a b", "* a", "a +", "(a", "a)", "a ? b ? c : d"})
    CHECK(tree(none) == "none");
}

TEST_CASE("two exclamation marks or minus signs cancel each other out") {
  CHECK(tree("!a") == "(not a)");
  CHECK(tree("!!a") == "a");
  CHECK(tree("!!!a.b") == "(not (select b a))");
  CHECK(tree("-a") == "(minus a)");
  CHECK(tree("--a") == "a");
  CHECK(tree("---a") == "(minus a)");
  CHECK(tree("-1") == "-1");
  CHECK(tree("--1") == "1");
  CHECK(tree("!-1") == "(not -1)");
  CHECK(tree("!-a") == "none");
}

TEST_CASE("integers have 64 bits with their sign") {
  CHECK(tree("9223372036854775807") == "9223372036854775807");
  CHECK(tree("9223372036854775808") == "none");
  CHECK(tree("-9223372036854775808") == "-9223372036854775808");
  CHECK(tree("-9223372036854775809") == "none");
}

TEST_CASE("members, keys, calls and lists") {
  CHECK(tree("a.b['c'].d") == "(select d (index (select b a) 'c'))");
  CHECK(tree("a.?b[?c]") == "(index? (select? b a) c)");
  CHECK(tree("f(1, x.g(2))") == "(function f 1 (method g x 2))");
  CHECK(tree("f()") == "(function f)");
  CHECK(tree("[1, true,]") == "(list 1 true)");
  CHECK(tree("[]") == "(list)");
  for (const char* none : {"f(1,)", "[1 2]", "f(1 2)", "[1", "a[1", "a.1", "a.", "a['b')", "[,]"})
    CHECK(tree(none) == "none");
}

TEST_CASE("macros are bind, exists, all, and has of a member") {
  CHECK(tree("cel.bind(v, 1, v)") == "(bind v 1 v)");
  CHECK(tree("cat.bind(v, 1, w)") == "(method bind cat v 1 w)");
  CHECK(tree("x.cel.bind(v)") == "(method bind (select cel x) v)");
  CHECK(tree("a.exists(v, v)") == "(exists v a v)");
  CHECK(tree("a.all(v, v)") == "(all v a v)");
  CHECK(tree("has(a.b)") == "(has b a)");
  for (const char* none : {"has(a)", "has(a.b, c)", "cel.bind(1, 1, v)", "cel.bind(v, 1)",
                           "a.exists(v)", "a.all(1, v)", "a.all(v, v, v)", "cel.bind(v, 1, v, v)"})
    CHECK(tree(none) == "none");
}

TEST_CASE("CEL's own words are no names") {
  for (const char* word :
       {"as",       "break", "const",   "continue", "else",      "false", "for",
        "function", "if",    "import",  "in",       "let",       "loop",  "null",
        "return",   "true",  "package", "var",      "namespace", "void",  "while"})
    CHECK(tree(std::string("a.") + word) == "none");
  CHECK(tree("whiles") == "whiles");
}

TEST_CASE("a literal pattern is compiled once, with the expression") {
  const auto pattern_of = [](std::string_view source) {
    return parse_cel(source).value().nodes.back().pattern != nullptr;
  };
  CHECK(pattern_of("a.matches('b')"));
  CHECK_FALSE(pattern_of("a.matches('(')"));
  CHECK_FALSE(pattern_of("a.matches(b)"));
  CHECK_FALSE(pattern_of("a.contains('b')"));
  CHECK_FALSE(pattern_of("a.matches('b', 'c')"));
}

TEST_CASE("an expression is at most 100 deep and 10 KiB long") {
  CHECK(tree(repeated("(", 99) + "a" + repeated(")", 99)) == "a");
  CHECK(tree(repeated("(", 100) + "a" + repeated(")", 100)) == "none");
  CHECK(tree("1" + repeated("+1", 99)) != "none");
  CHECK(tree("1" + repeated("+1", 100)) == "none");
  CHECK(tree(repeated("(a)+", 50) + "a") != "none");
  CHECK(tree(repeated(" ", 10'239) + "a") == "a");
  CHECK(tree(repeated(" ", 10'240) + "a") == "none");
}

}  // namespace gpu::scheduler::cel_expression_test
