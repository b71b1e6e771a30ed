#include "cmd/shell/flag.hpp"

namespace gpu::cmd {

Flag::Flag(Kind kind, std::string_view declared, Target target)
    : kind_(kind), names_(declared.substr(0, declared.find(' '))), target_(target) {
  if (kind == Kind::words) return;
  const std::size_t dashes = names_.find("--");
  long_name_ = names_.substr(dashes + 2);
  if (dashes > 0) letter_ = names_[1];
  if (names_.size() < declared.size()) value_name_ = declared.substr(names_.size() + 1);
}

std::string Flag::shown() const {
  const std::string name = "--" + long_name_;
  if (!takes_value()) return name;
  if (alone_) return name + "[=" + value_name_ + "]";
  return name + " " + value_name_ + (kind_ == Kind::list ? "..." : "");
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
