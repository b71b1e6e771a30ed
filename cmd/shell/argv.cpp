#include "cmd/shell/argv.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::cmd {
namespace {

const Flag* long_flag(const Flags& flags, std::string_view name) {
  const auto found = std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) {
    return flag.kind() != Flag::Kind::words && flag.long_name() == name;
  });
  return found == flags.end() ? nullptr : &*found;
}

const Flag* short_flag(const Flags& flags, char letter) {
  const auto found = std::find_if(flags.begin(), flags.end(),
                                  [&](const Flag& flag) { return flag.letter() == letter; });
  return found == flags.end() ? nullptr : &*found;
}

Error unknown_flag(const Flags& flags, const std::string& typed) {
  std::vector<std::string> names;
  for (const Flag& flag : flags)
    if (flag.is_listed()) names.push_back("--" + flag.long_name());
  const std::vector<std::string_view> choices(names.begin(), names.end());
  std::string help = "see all flags with `--help`";
  if (const auto nearest = nearest_name(typed, choices))
    help = "a similar one is `" + std::string(*nearest) + "`";
  return {ErrorKind::usage, "there is no flag `" + typed + "`", help};
}

/// One pass over a command line; what is read goes to `result`.
class CommandLine {
 public:
  CommandLine(const std::vector<std::string>& words, const Flags& flags)
      : words_(words), flags_(flags) {}

  std::vector<std::string> all() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        result_.insert(result_.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_),
                       words_.end());
        break;
      }
      read(word);
    }
    return std::move(result_);
  }

  /// Reads flags up to the first word that is none.
  std::size_t first_plain() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") return at_ + 1;
      if (word.size() < 2 || word.front() != '-') return at_;
      read(word);
    }
    return words_.size();
  }

 private:
  void read(const std::string& word) {
    if (word.starts_with("--"))
      read_long(word.substr(2));
    else if (word.size() > 1 && word.front() == '-')
      read_short(word.substr(1));
    else
      result_.push_back(word);
  }

  void read_long(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const Flag* flag = long_flag(flags_, name);
    if (flag == nullptr) throw unknown_flag(flags_, "--" + name);
    if (equals != std::string::npos)
      give(*flag, text.substr(equals + 1));
    else if (flag->alone())
      give(*flag, *flag->alone());
    else if (flag->takes_value())
      give(*flag, next_word("--" + name));
    else
      result_.push_back("--" + name);
  }

  void read_short(const std::string& letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const std::string shown = std::string("-") + letters[i];
      const Flag* flag = short_flag(flags_, letters[i]);
      if (flag == nullptr) throw unknown_flag(flags_, shown);
      std::string rest = letters.substr(i + 1);
      const bool has_equals = rest.starts_with('=');
      if (has_equals) rest.erase(0, 1);
      if (flag->takes_value() && rest.empty() && !has_equals) return give(*flag, next_word(shown));
      if (flag->takes_value() || has_equals) return give(*flag, rest);
      result_.push_back("--" + flag->long_name());
    }
  }

  std::string next_word(const std::string& flag) {
    if (at_ + 1 >= words_.size())
      throw Error(ErrorKind::usage, "the flag `" + flag + "` needs a value",
                  "see all flags with `--help`");
    return words_[++at_];
  }

  void give(const Flag& flag, const std::string& value) {
    if (!flag.takes_value() && value.empty())
      throw Error(ErrorKind::usage,
                  "the flag `--" + flag.long_name() + "=` is true or false, not empty");
    if (value.empty()) {  // CLI11 would take `--flag=` for a flag without a value
      result_.push_back("--" + flag.long_name());
      result_.emplace_back();
    } else {
      result_.push_back("--" + flag.long_name() + "=" + value);
    }
  }

  const std::vector<std::string>& words_;
  const Flags& flags_;
  std::size_t at_ = 0;
  std::vector<std::string> result_;
};

}  // namespace

std::vector<std::string> normalized(const std::vector<std::string>& words, const Flags& flags) {
  return CommandLine(words, flags).all();
}

std::size_t command_position(const std::vector<std::string>& words, const Flags& flags) {
  return CommandLine(words, flags).first_plain();
}

}  // namespace gpu::cmd
