#include "cmd/shell/flag.hpp"

namespace gpu::cmd {

Flag::Flag(Kind kind, std::string_view names, Target target)
    : kind_(kind), names_(names), target_(target) {
  if (kind == Kind::words) return;
  const std::size_t dashes = names.find("--");
  long_name_ = names.substr(dashes + 2);
  if (dashes > 0) letter_ = names[1];
}

Flag& Flag::in(FlagGroup group) {
  group_ = group;
  return *this;
}

Flag& Flag::help(std::string text) {
  description_ = std::move(text);
  return *this;
}

Flag& Flag::file() {
  values_ = Files{};
  return *this;
}

Flag& Flag::choices(std::span<const std::string_view> words) {
  values_ = std::vector<std::string_view>(words.begin(), words.end());
  return *this;
}

Flag& Flag::completes(Completer completer) {
  values_ = std::move(completer);
  return *this;
}

Flag& Flag::alone_means(std::string value) {
  alone_ = std::move(value);
  return *this;
}

bool Flag::is_listed() const { return group_ != FlagGroup::hidden && kind_ != Kind::words; }

bool Flag::is_called(std::string_view typed) const {
  if (kind_ == Kind::words) return false;
  if (typed.starts_with("--")) return typed.substr(2) == long_name_;
  return typed.size() == 2 && typed.front() == '-' && letter_ == typed.back();
}

}  // namespace gpu::cmd
