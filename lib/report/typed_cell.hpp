#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace gpu::report {

/// How much a reader should worry. It decides the colour; a word beside it says the same.
enum class Concern {
  none,
  good,     ///< "ok", "fits": green
  warning,  ///< held but idle, cordoned: yellow
  broken,   ///< NotReady, unhealthy, an error: red
};

/// 0 to 1. People see a bar and per cent, machines the number.
struct Ratio {
  double value = 0;
};
/// Memory, in bytes.
struct Bytes {
  std::int64_t value = 0;
};
/// Power.
struct Watts {
  double value = 0;
};
/// Power and its limit: `690/700W`; `690W` if the limit is not known.
struct WattsOf {
  double used = 0;
  std::optional<double> limit;
};
/// A temperature.
struct Celsius {
  double value = 0;
};
/// An age or a duration, to the second.
struct Seconds {
  std::chrono::seconds value{0};
};
/// Money; nano-USD.
struct Usd {
  std::int64_t nano = 0;
};
/// GPUs of a node: a mark for each (or for each eighth of them) and `6/8`. `at_least`: more may be
/// allocated than was seen, printed `≥6/8`.
struct Share {
  std::int64_t allocated = 0;
  std::int64_t total = 0;
  std::int64_t unavailable = 0;
  Concern unavailable_concern = Concern::warning;
  bool at_least = false;
  std::string unit = {};  ///< behind the number: "Gi"
};
/// Used and total memory: a bar and `401/640Gi`.
struct BytesOf {
  std::int64_t used = 0;
  std::int64_t total = 0;
};

/// A name below the row that it belongs to: `├─ ml/train-0`. For people.
struct Branch {
  std::string text;
  bool is_last = false;  ///< of the rows below that row
};

struct Cell;
/// A JSON object or array inside a cell; machines only.
using Record = std::vector<std::pair<std::string, Cell>>;
using List = std::vector<Cell>;

/// One typed value. The empty one is unknown: `-` for people, null for machines, never 0.
struct Cell {
  using Value = std::variant<std::monostate, std::string, std::int64_t, bool, Ratio, Bytes, Watts,
                             WattsOf, Celsius, Seconds, Usd, Share, BytesOf, Branch, Record, List>;
  Value value;
  Concern concern = Concern::none;

  Cell() = default;
  /// Implicit on purpose: a cell is its value. Any type of Value, and string literals.
  template <class T>
    requires(!std::same_as<std::remove_cvref_t<T>, Cell>)
  Cell(T&& v, Concern c = Concern::none) : concern(c) {  // NOLINT(*-explicit-*, *-forwarding-*)
    if constexpr (std::convertible_to<T, std::string_view>)
      value = std::string(std::string_view(v));
    else
      value = std::forward<T>(v);
  }
  [[nodiscard]] bool is_unknown() const { return std::holds_alternative<std::monostate>(value); }
};

/// A cell of a value that may be unknown.
template <class T>
Cell cell_of(const std::optional<T>& value, Concern concern = Concern::none) {
  return value ? Cell(*value, concern) : Cell();
}

}  // namespace gpu::report
