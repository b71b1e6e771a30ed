#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/report.hpp"

namespace gpu::report {

/// Calls the one of several lambdas that takes a variant's alternative; one that is missing does
/// not compile.
template <class... Lambdas>
struct Overloaded : Lambdas... {
  using Lambdas::operator()...;
};
template <class... Lambdas>
Overloaded(Lambdas...) -> Overloaded<Lambdas...>;

/// One unit for a whole column, so that its numbers can be compared by eye.
enum class PowerUnit { watts, kilowatts };

/// A value as people read it. The unit is apart because it is drawn dim.
struct Words {
  std::string text;
  std::string unit;
};
/// The text is not cleaned: the caller, which knows the stream, does that.
Words words_of(const Cell::Value& value, PowerUnit power, std::string_view degree);

/// A value as a script reads it in a column titled `title`: bare, in the unit that the title names.
std::string bare_text(const Cell::Value& value, std::string_view title);

/// A number, `true`, `false` or `null` as JSON and YAML both write them; nothing for text, records
/// and lists. Throws Error for a composite: its parts are what machines get.
std::optional<std::string> machine_scalar(const Cell::Value& value);

/// The shortest text that reads back as `value`, and as a float in YAML 1.1 too; `null` when it is
/// no number.
std::string number_text(double value);

/// The exact decimal: `2.5`.
std::string usd_text(Usd amount);

/// `-12,345`.
std::string grouped(std::int64_t value);

/// GiB, rounded to whole ones.
std::int64_t whole_gi(std::int64_t bytes);

/// The used share of the total, 0 to 1; 0 if the total is 0.
double ratio_of(const BytesOf& memory);

}  // namespace gpu::report
