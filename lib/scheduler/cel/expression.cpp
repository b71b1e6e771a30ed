#include "scheduler/cel/expression.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "scheduler/cel/pattern.hpp"
#include "scheduler/cel/token.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::size_t kLongest = 10UL * 1024;  // CELSelectorExpressionMaxLength
constexpr std::size_t kDeepest = 100;

/// Words that CEL keeps for itself.
constexpr std::array<std::string_view, 19> kReserved = {
    "as", "break", "const", "continue", "else", "false",  "for",  "function", "if",  "import",
    "in", "let",   "loop",  "package",  "null", "return", "true", "var",      "void"};

bool is_reserved(std::string_view word) {
  return word == "namespace" || word == "while" ||
         std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

/// Thrown inside this file only: the parser is deep in recursion when it meets what it cannot read.
struct NotUnderstood {};

class Parser {
 public:
  explicit Parser(std::vector<CelToken> tokens) : tokens_(std::move(tokens)) {}

  CelExpression whole() {
    conditional();
    if (peek().kind != CelToken::Kind::end) throw NotUnderstood{};
    return std::move(expression_);
  }

 private:
  using Parts = std::vector<std::size_t>;

  [[nodiscard]] const CelToken& peek() const { return tokens_[at_]; }
  [[nodiscard]] bool is_sign(std::string_view sign) const {
    return peek().kind == CelToken::Kind::sign && peek().text == sign;
  }
  bool take(std::string_view sign) {
    if (!is_sign(sign)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view sign) {
    if (!take(sign)) throw NotUnderstood{};
  }
  std::string identifier() {
    if (peek().kind != CelToken::Kind::identifier || is_reserved(peek().text))
      throw NotUnderstood{};
    return tokens_[at_++].text;
  }

  std::size_t add(CelNode node) {
    for (const std::size_t part : node.parts)
      node.depth = std::max(node.depth, expression_.nodes[part].depth + 1);
    if (node.depth > kDeepest) throw NotUnderstood{};
    expression_.nodes.push_back(std::move(node));
    return expression_.nodes.size() - 1;
  }
  std::size_t add(CelForm form, std::string text, Parts parts) {
    return add(CelNode{.form = form, .text = std::move(text), .parts = std::move(parts)});
  }

  /// Counts how deep the parser itself is: brackets leave no node.
  class Deeper {
   public:
    explicit Deeper(std::size_t& depth) : depth_(depth) {
      if (++depth_ > kDeepest) throw NotUnderstood{};
    }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    std::size_t& depth_;
  };

  std::size_t conditional() {
    const Deeper deeper(depth_);
    const std::size_t condition = logical("||", CelForm::disjunction);
    if (!take("?")) return condition;
    const std::size_t yes = logical("||", CelForm::disjunction);
    expect(":");
    const std::size_t no = conditional();
    return add(CelForm::conditional, {}, {condition, yes, no});
  }

  std::size_t logical(std::string_view sign, CelForm form) {
    const auto operand = [&] {
      return form == CelForm::disjunction ? logical("&&", CelForm::conjunction) : relation();
    };
    Parts parts{operand()};
    while (take(sign)) parts.push_back(operand());
    return parts.size() == 1 ? parts.front() : add(form, {}, std::move(parts));
  }

  /// The sign at which the parser stands, if it is one of `signs`.
  template <std::size_t Size>
  std::string_view one_of(const std::array<std::string_view, Size>& signs) {
    for (const std::string_view sign : signs)
      if (take(sign)) return sign;
    return {};
  }

  std::size_t relation() {
    static constexpr std::array<std::string_view, 6> kSigns = {"==", "!=", "<=", ">=", "<", ">"};
    std::size_t left = sum();
    while (true) {
      std::string_view sign = one_of(kSigns);
      if (sign.empty() && peek().kind == CelToken::Kind::identifier && peek().text == "in") {
        ++at_;
        sign = "in";
      }
      if (sign.empty()) return left;
      const std::size_t right = sum();
      left = add(CelForm::binary, std::string(sign), {left, right});
    }
  }

  std::size_t sum() {
    static constexpr std::array<std::string_view, 2> kSigns = {"+", "-"};
    std::size_t left = product();
    for (std::string_view sign = one_of(kSigns); !sign.empty(); sign = one_of(kSigns)) {
      const std::size_t right = product();
      left = add(CelForm::binary, std::string(sign), {left, right});
    }
    return left;
  }

  std::size_t product() {
    static constexpr std::array<std::string_view, 3> kSigns = {"*", "/", "%"};
    std::size_t left = unary();
    for (std::string_view sign = one_of(kSigns); !sign.empty(); sign = one_of(kSigns)) {
      const std::size_t right = unary();
      left = add(CelForm::binary, std::string(sign), {left, right});
    }
    return left;
  }

  std::size_t unary() {
    std::size_t count = 0;
    if (is_sign("!")) {
      while (take("!")) ++count;
      const std::size_t operand = member();
      // Twice is not nothing: it is an error for what is no bool. CEL drops pairs all the same.
      return count % 2 == 0 ? operand : add(CelForm::negation, {}, {operand});
    }
    if (is_sign("-")) {
      if (tokens_[at_ + 1].kind == CelToken::Kind::integer) return member();
      while (take("-")) ++count;
      const std::size_t operand = member();
      return count % 2 == 0 ? operand : add(CelForm::minus, {}, {operand});
    }
    return member();
  }

  std::size_t member() {
    std::size_t left = primary();
    while (true) {
      if (take(".")) {
        const bool is_optional = take("?");
        std::string name = identifier();
        if (is_optional)
          left = add(CelForm::optional_select, std::move(name), {left});
        else
          left = take("(") ? method(left, std::move(name))
                           : add(CelForm::select, std::move(name), {left});
      } else if (take("[")) {
        const CelForm form = take("?") ? CelForm::optional_index : CelForm::index;
        const std::size_t key = conditional();
        expect("]");
        left = add(form, {}, {left, key});
      } else {
        return left;
      }
    }
  }

  std::size_t primary() {
    if (take("(")) {
      const std::size_t inner = conditional();
      expect(")");
      return inner;
    }
    if (take("[")) return add(CelForm::list, {}, until("]"));
    const bool is_negative = take("-");
    const CelToken token = peek();
    if (token.kind == CelToken::Kind::integer) {
      ++at_;
      return integer(token.value, is_negative);
    }
    if (is_negative) throw NotUnderstood{};
    if (token.kind == CelToken::Kind::text) {
      ++at_;
      return add(CelForm::text, token.text, {});
    }
    if (token.kind != CelToken::Kind::identifier) throw NotUnderstood{};
    if (token.text == "true" || token.text == "false") {
      ++at_;
      return add(CelForm::truth, token.text, {});
    }
    std::string name = identifier();
    return take("(") ? function(std::move(name)) : add(CelForm::name, std::move(name), {});
  }

  std::size_t integer(std::uint64_t value, bool is_negative) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value > kMost + (is_negative ? 1 : 0)) throw NotUnderstood{};
    const std::uint64_t bits = is_negative ? ~value + 1 : value;
    return add(CelNode{.form = CelForm::integer, .number = static_cast<std::int64_t>(bits)});
  }

  /// Expressions up to `end`, which is taken off, too. CEL lets a list end with a comma.
  Parts until(std::string_view end) {
    Parts parts;
    while (!take(end)) {
      parts.push_back(conditional());
      if (take(",")) {
        if (is_sign(")")) throw NotUnderstood{};
      } else if (!is_sign(end)) {
        throw NotUnderstood{};
      }
    }
    return parts;
  }

  std::size_t function(std::string name) {
    if (name != "has") return add(CelForm::function, std::move(name), until(")"));
    const std::size_t operand = conditional();
    expect(")");
    const CelNode& node = expression_.nodes[operand];
    if (node.form != CelForm::select) throw NotUnderstood{};
    return add(CelForm::has, node.text, Parts(node.parts));
  }

  std::size_t method(std::size_t target, std::string name) {
    const CelNode& node = expression_.nodes[target];
    if (name == "bind" && node.form == CelForm::name && node.text == "cel") {
      std::string variable = identifier();
      expect(",");
      const std::size_t value = conditional();
      expect(",");
      const std::size_t body = conditional();
      expect(")");
      return add(CelForm::bind, std::move(variable), {value, body});
    }
    if (name == "exists" || name == "all") {
      std::string variable = identifier();
      expect(",");
      const std::size_t body = conditional();
      expect(")");
      return add(name == "all" ? CelForm::all : CelForm::exists, std::move(variable),
                 {target, body});
    }
    Parts parts = until(")");
    parts.insert(parts.begin(), target);
    CelNode call{.form = CelForm::method, .text = std::move(name), .parts = std::move(parts)};
    if (call.text == "matches" && call.parts.size() == 2)
      if (const CelNode& literal = expression_.nodes[call.parts[1]]; literal.form == CelForm::text)
        call.pattern = CelPattern::compile(literal.text);
    return add(std::move(call));
  }

  std::vector<CelToken> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  CelExpression expression_;
};

}  // namespace

std::optional<CelExpression> parse_cel(std::string_view source) {
  if (source.size() > kLongest) return std::nullopt;
  std::optional<std::vector<CelToken>> tokens = cel_tokens(source);
  if (!tokens) return std::nullopt;
  try {
    return Parser(std::move(*tokens)).whole();
  } catch (const NotUnderstood&) {
    return std::nullopt;
  }
}

}  // namespace gpu::scheduler
