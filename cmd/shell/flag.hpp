#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cmd/shell/candidates.hpp"

namespace gpu::cmd {

/// The heading that a flag stands under in help, in this order; hidden ones stand nowhere. Those of
/// `common`, `sources` and `connection` are alike for many commands: `options` prints them, once.
enum class FlagGroup { what, filter, live_use, output, input, common, sources, connection, hidden };

/// One declaration of a flag, or of the words of a command: what parser, help and Tab know of it.
class Flag {
 public:
  enum class Kind {
    value,   ///< given twice, the last counts, as in kubectl
    list,    ///< may be repeated
    toggle,  ///< takes no value
    words,   ///< what is no flag: one word, or all where the target is a list
  };
  /// What it is bound to; nothing: it is read, and changes nothing.
  using Target = std::variant<std::monostate, std::string*, std::optional<std::string>*,
                              std::vector<std::string>*, int*, bool*, std::optional<bool>*>;
  /// What Tab offers for it, once all that was typed before is read.
  using Completer = std::function<CandidatesOrFiles(const Typing&)>;

  /// `declared` is "--output", "-o,--output", or with what its value is, "--output FORM"; of words
  /// any name.
  Flag(Kind kind, std::string_view declared, Target target);

  Flag& in(FlagGroup group);
  Flag& help(std::string text);
  /// Its value is the name of a file.
  Flag& file();
  /// Values to choose from, or to begin with.
  Flag& choices(std::span<const std::string_view> words);
  Flag& completes(Completer completer);
  /// It may also be given without a value, and means `value` then: `--terminal`. A value then needs
  /// the equals sign.
  Flag& alone_means(std::string value);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const Target& target() const { return target_; }
  /// "--output" or "-o,--output".
  [[nodiscard]] const std::string& names() const { return names_; }
  /// How help shows it behind the letter: "--ascii", "--output FORM", "--env NAME=VALUE...", which
  /// can be repeated, or "--terminal[=SIZE]".
  [[nodiscard]] std::string shown() const;
  /// Without dashes; empty for words.
  [[nodiscard]] const std::string& long_name() const { return long_name_; }
  /// The o of -o.
  [[nodiscard]] std::optional<char> letter() const { return letter_; }
  [[nodiscard]] FlagGroup group() const { return group_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  [[nodiscard]] bool takes_value() const { return kind_ == Kind::value || kind_ == Kind::list; }
  /// What it means without a value; nothing where it needs one.
  [[nodiscard]] const std::optional<std::string>& alone() const { return alone_; }
  /// Whether its value may be the next word.
  [[nodiscard]] bool takes_next_word() const { return takes_value() && !alone_; }
  [[nodiscard]] bool is_listed() const;
  /// "-o" or "--output".
  [[nodiscard]] bool is_called(std::string_view typed) const;

  struct NoValues {};
  struct Files {};
  using Values = std::variant<NoValues, Files, std::vector<std::string_view>, Completer>;
  [[nodiscard]] const Values& values() const { return values_; }

 private:
  Kind kind_;
  std::string names_;
  std::string long_name_;
  std::string value_name_;
  std::optional<char> letter_;
  Target target_;
  FlagGroup group_ = FlagGroup::hidden;
  std::string description_;
  Values values_;
  std::optional<std::string> alone_;
};

/// The flags of one command, in the order of their declaration.
using Flags = std::deque<Flag>;

}  // namespace gpu::cmd
