#include "cmd/shell/flag_set.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"
#include "cmd/shell/argv.hpp"

namespace gpu::cmd {
namespace {

/// Adds to CLI11 what takes a value, by the type of its target.
struct AddValue {
  CLI::App& app;
  const std::string& names;

  CLI::Option* operator()(std::monostate /*nothing*/) const {
    return app.add_option_function<std::string>(names, [](const std::string&) {});
  }
  template <class T>
  CLI::Option* operator()(T* target) const {
    return app.add_option(names, *target);
  }
};

/// The same for what takes none.
struct AddToggle {
  CLI::App& app;
  const std::string& names;

  CLI::Option* operator()(std::monostate /*nothing*/) const {
    return app.add_flag_function(names, [](std::int64_t) {});
  }
  CLI::Option* operator()(bool* target) const { return app.add_flag(names, *target); }
  CLI::Option* operator()(std::optional<bool>* target) const {
    return app.add_flag(names, *target);
  }
  template <class T>
  CLI::Option* operator()(T* /*target*/) const {
    throw std::logic_error(names + " is on or off: bind it to a bool");
  }
};

CLI::Option* add(CLI::App& app, const Flag& flag) {
  switch (flag.kind()) {
    case Flag::Kind::value:
      return std::visit(AddValue{app, flag.names()}, flag.target())->take_last();
    case Flag::Kind::list:
      return std::visit(AddValue{app, flag.names()}, flag.target())
          ->expected(1)
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    case Flag::Kind::toggle:
      return std::visit(AddToggle{app, flag.names()}, flag.target())->take_last();
    case Flag::Kind::words:
      return std::visit(AddValue{app, flag.names()}, flag.target());
  }
  throw std::logic_error("a flag of no kind");
}

/// "Could not convert: --v = abc": the part that a reader needs stands after the colon.
std::string reason_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::size_t colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

void parse(CLI::App& app, const Words& words, const CommandInfo& info, std::string_view program) {
  Words from_the_back(words.rbegin(), words.rend());  // CLI11 takes them from the back
  try {
    app.parse(from_the_back);
  } catch (const CLI::ExtrasError&) {
    throw Error(ErrorKind::usage, fmt::format("`{}` takes no more words", info.name),
                fmt::format("usage is\n      {} {}", program, info.usage));
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage,
                fmt::format("a flag's value cannot be read: {}", reason_of(error)),
                fmt::format("see all flags\n      {} {} --help", program, info.name));
  }
}

}  // namespace

Flag& FlagSet::value(std::string_view names, Flag::Target target) {
  return flags_.emplace_back(Flag::Kind::value, names, target);
}

Flag& FlagSet::list(std::string_view names, std::vector<std::string>& target) {
  return flags_.emplace_back(Flag::Kind::list, names, &target);
}

Flag& FlagSet::toggle(std::string_view names, Flag::Target target) {
  return flags_.emplace_back(Flag::Kind::toggle, names, target);
}

Flag& FlagSet::words(Flag::Target target) {
  return flags_.emplace_back(Flag::Kind::words, "words", target);
}

Flag& FlagSet::at(std::string_view name) {
  const auto found = std::find_if(flags_.begin(), flags_.end(),
                                  [&](const Flag& flag) { return flag.is_called(name); });
  if (found == flags_.end()) throw std::logic_error(fmt::format("no flag {} is declared", name));
  return *found;
}

const Flag* FlagSet::named(std::string_view typed) const {
  const auto found = std::find_if(flags_.begin(), flags_.end(),
                                  [&](const Flag& flag) { return flag.is_called(typed); });
  return found == flags_.end() ? nullptr : &*found;
}

const Flag* FlagSet::of_words() const {
  const auto found = std::find_if(flags_.begin(), flags_.end(), [](const Flag& flag) {
    return flag.kind() == Flag::Kind::words;
  });
  return found == flags_.end() ? nullptr : &*found;
}

void FlagSet::read(const Words& words, const CommandInfo& info, std::string_view program) {
  if (all_words_ != nullptr) {
    *all_words_ = words;
    return;
  }
  CLI::App app;
  app.set_help_flag();  // ours stands among the others
  std::vector<std::pair<const Flag*, const CLI::Option*>> options;
  for (const Flag& flag : flags_) options.emplace_back(&flag, add(app, flag));
  typed_ = normalized(words, flags_);
  if (const auto dashes = std::find(typed_.begin(), typed_.end(), "--");
      behind_dashes_ != nullptr && dashes != typed_.end()) {
    behind_dashes_->assign(dashes + 1, typed_.end());
    typed_.erase(dashes, typed_.end());
  }
  parse(app, typed_, info, program);
  given_.clear();
  for (const auto& [flag, option] : options)
    if (option->count() > 0) given_.push_back(flag);
}

bool FlagSet::was_given(std::string_view name) const {
  return std::any_of(given_.begin(), given_.end(),
                     [&](const Flag* flag) { return flag->is_called(name); });
}

}  // namespace gpu::cmd
