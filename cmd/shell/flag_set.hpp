#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/command.hpp"
#include "cmd/shell/flag.hpp"

namespace gpu::cmd {

/// The flags and words of a command: declared, then read into what they are bound to.
class FlagSet {
 public:
  FlagSet() = default;
  FlagSet(const FlagSet&) = delete;
  FlagSet& operator=(const FlagSet&) = delete;

  /// A flag with one value.
  Flag& value(std::string_view names, Flag::Target target);
  /// A flag with one value each time it is given.
  Flag& list(std::string_view names, std::vector<std::string>& target);
  /// A flag that is on or off.
  Flag& toggle(std::string_view names, Flag::Target target);
  /// The words that are no flags: one for a string, all for a list.
  Flag& words(Flag::Target target);
  /// The words behind `--`; without this, they are among words().
  void after_dashes(Words& target) { behind_dashes_ = &target; }
  /// All words as they are, flags too.
  void take_all(Words& target) { all_words_ = &target; }

  /// The flag "--output", to say more of it. There must be one.
  Flag& at(std::string_view name);
  [[nodiscard]] const Flags& all() const { return flags_; }
  /// The flag that is typed so, "-o" or "--output"; null where there is none.
  [[nodiscard]] const Flag* named(std::string_view typed) const;
  /// The declaration of its words; null where it takes none.
  [[nodiscard]] const Flag* of_words() const;

  /// Reads `words` into the targets. Throws Error{usage} for a flag or word of `info` that does not
  /// fit; `program` is how we are called.
  void read(const Words& words, const CommandInfo& info, std::string_view program);
  /// Whether the flag "--explain" was among the words, be its value empty.
  [[nodiscard]] bool was_given(std::string_view name) const;
  /// What was read, up to `--`: flags as `--name=value`.
  [[nodiscard]] const Words& typed() const { return typed_; }

 private:
  Flags flags_;
  Words* all_words_ = nullptr;
  Words* behind_dashes_ = nullptr;
  Words typed_;
  std::vector<const Flag*> given_;
};

}  // namespace gpu::cmd
