#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::scheduler {

class CelPattern;

/// What a node of a CEL expression is.
enum class CelForm : std::uint8_t {
  truth,  ///< true, false
  integer,
  text,
  name,             ///< a variable
  select,           ///< x.name
  index,            ///< x[y]
  optional_select,  ///< x.?name
  optional_index,   ///< x[?y]
  function,         ///< name(...)
  method,           ///< x.name(...): x is the first part
  list,
  negation,     ///< !x
  minus,        ///< -x
  conjunction,  ///< a && b && ...
  disjunction,
  conditional,  ///< a ? b : c
  binary,       ///< a == b, a < b, a in b, a + b: `text` is the sign
  has,          ///< has(x.name)
  bind,         ///< cel.bind(name, x, y)
  exists,       ///< x.exists(name, y)
  all,          ///< x.all(name, y)
};

/// A node; its children come before it in CelExpression::nodes.
struct CelNode {
  CelForm form{};
  std::string text;  ///< a name, a sign, a string
  std::int64_t number = 0;
  std::vector<std::size_t> parts;
  std::size_t depth = 1;
  std::shared_ptr<const CelPattern> pattern;  ///< of matches() with a literal
};

/// A parsed expression; the last node is its root.
struct CelExpression {
  std::vector<CelNode> nodes;
};

/// Nothing if `source` is not CEL, or uses a part of CEL that is not supported here, is longer than
/// 10 KiB, or is nested deeper than 100.
std::optional<CelExpression> parse_cel(std::string_view source);

}  // namespace gpu::scheduler
