#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gpu::report {

struct Field;

/// What values a key of a JSON answer may have, as docs/schema says it to programs.
class Type {
 public:
  struct Text {
    std::size_t least_length;
    std::string pattern;  ///< a regular expression of ECMA 262; empty: any text
  };
  struct Flag {};
  struct Integer {
    std::optional<std::int64_t> least;
  };
  struct Number {
    std::optional<std::int64_t> least;
    std::optional<std::int64_t> most;
  };
  struct Words {
    std::vector<std::string> words;
  };
  struct Record {
    std::vector<Field> fields;
  };
  /// Numbers by keys that are not known beforehand: {"nvidia.com/gpu": 8}.
  struct Amounts {};
  struct List {
    std::vector<Type> of;  ///< one
    std::size_t least;
  };
  using Form = std::variant<Text, Flag, Integer, Number, Words, Record, Amounts, List>;

  /// A text that is not empty.
  static Type text();
  /// A text that may be empty.
  static Type any_text();
  /// A text that matches a regular expression of ECMA 262.
  static Type text_like(std::string pattern);
  static Type flag();
  /// A whole number, which may be negative.
  static Type integer();
  /// A whole number of at least `least`: how many, how many bytes or seconds.
  static Type count(std::int64_t least = 0);
  static Type number();
  /// A number that is not negative: watts, cores.
  static Type amount();
  /// 0 to 1.
  static Type ratio();
  static Type one_of(std::vector<std::string> words);
  /// The names of all values of an enumeration. `name_of` says "" for what has no name.
  template <class Enum>
  static Type one_of(std::string_view (*name_of)(Enum));
  static Type record(std::vector<Field> fields);
  static Type amounts();
  /// A list of at least `least` values.
  static Type list(Type of, std::size_t least = 0);

  /// The same, or null where it is unknown.
  [[nodiscard]] Type or_null() const;

  [[nodiscard]] const Form& form() const { return form_; }
  [[nodiscard]] bool is_nullable() const { return is_nullable_; }

 private:
  explicit Type(Form form);

  Form form_;
  bool is_nullable_ = false;
};

/// Which items have a key.
enum class Presence {
  always,
  on_request,  ///< if a flag requests it
  by_name,     ///< one for each name that a flag gives: `label.` and the name
};

/// A key of a JSON answer, declared once: for the answer itself and for docs/schema.
struct Field {
  std::string key;  ///< never renamed once released
  Type type;
  std::string says = {};  ///< what key and type do not say by themselves; one sentence
  Presence presence = Presence::always;
};

template <class Enum>
Type Type::one_of(std::string_view (*name_of)(Enum)) {
  constexpr int kMostValues = 64;
  std::vector<std::string> words;
  for (int value = 0; value < kMostValues; ++value)
    if (const std::string_view name = name_of(static_cast<Enum>(value)); !name.empty())
      words.emplace_back(name);
  return one_of(std::move(words));
}

}  // namespace gpu::report
