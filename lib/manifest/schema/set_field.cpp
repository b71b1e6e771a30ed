#include "manifest/schema/set_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "decode/wire/yaml.hpp"
#include "manifest/schema/field_type.hpp"

namespace gpu::manifest {
namespace {

using Form = FieldType::Form;

/// One step of a path: a field or key, or a place in a list.
struct Step {
  std::string name;
  std::optional<std::size_t> index;
};

Error bad_path(std::string_view path, std::string_view why) {
  return {ErrorKind::usage, fmt::format("--set: `{}` is no path: {}", sanitize(path), why),
          "for example spec.template.spec.containers[0].image=IMAGE"};
}

/// "a.b[0]["x.y"]" in steps; `\.` is a dot of a name.
class PathReader {
 public:
  explicit PathReader(std::string_view path) : path_(path) {}

  std::vector<Step> steps() {
    while (at_ < path_.size()) {
      if (path_[at_] == '[')
        read_bracket();
      else
        read_name();
    }
    if (steps_.empty()) throw bad_path(path_, "it is empty");
    return std::move(steps_);
  }

 private:
  void read_name() {
    std::string name;
    for (; at_ < path_.size() && path_[at_] != '.' && path_[at_] != '['; ++at_) {
      if (path_[at_] == '\\' && at_ + 1 < path_.size()) ++at_;
      name += path_[at_];
    }
    if (name.empty()) throw bad_path(path_, "a name is missing");
    steps_.push_back({std::move(name), std::nullopt});
    skip_dot();
  }

  void read_bracket() {
    const std::size_t end = path_.find(']', at_);
    if (end == std::string_view::npos) throw bad_path(path_, "a ] is missing");
    const std::string_view inside = path_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    constexpr std::int64_t kMostIndex = 10'000;
    if (inside.size() >= 2 && inside.front() == '"' && inside.back() == '"') {
      steps_.push_back({std::string(inside.substr(1, inside.size() - 2)), std::nullopt});
    } else {
      const auto index = whole_number(inside);
      if (!index || *index < 0 || *index > kMostIndex)
        throw bad_path(path_, fmt::format("`{}` is no place in a list", sanitize(inside)));
      steps_.push_back({{}, static_cast<std::size_t>(*index)});
    }
    skip_dot();
  }

  void skip_dot() {
    if (at_ >= path_.size() || path_[at_] != '.') return;
    if (++at_ == path_.size()) throw bad_path(path_, "it ends in a dot");
  }

  std::string_view path_;
  std::size_t at_ = 0;
  std::vector<Step> steps_;
};

/// Sets one field, and knows for errors what it was asked to do.
class FieldSetter {
 public:
  FieldSetter(std::string_view path, const std::string& value) : path_(path), value_(value) {}

  void set(Tree& in, const FieldType& type, const std::vector<Step>& steps, std::size_t at) {
    const Step& step = steps[at];
    const bool is_last = at + 1 == steps.size();
    const FieldType inner = inner_type(type, step);
    if (is_last && value_ == "null") return remove(in, step);
    if (is_last) return put(in, step, value_of(inner));
    Tree* next = child(in, step);
    if (next == nullptr) {
      put(in, step, inner.form() == Form::list ? Tree::list() : Tree());
      next = child(in, step);
    }
    set(*next, inner, steps, at + 1);
  }

 private:
  [[nodiscard]] FieldType inner_type(const FieldType& type, const Step& step) const {
    switch (type.form()) {
      case Form::object:
        if (step.index) break;
        if (auto field = type.field(step.name)) return *field;
        throw no_field(type, step.name);
      case Form::map:
        if (!step.index) return type.element();
        break;
      case Form::list:
        if (step.index) return type.element();
        break;
      case Form::any:
        return type;
      default:
        break;
    }
    throw Error(ErrorKind::usage,
                fmt::format("--set {}: {} stands where there is {}", sanitize(path_),
                            step.index ? fmt::format("[{}]", *step.index) : sanitize(step.name),
                            name_of(type.form())));
  }

  [[nodiscard]] Error no_field(const FieldType& type, const std::string& name) const {
    const std::vector<std::string_view> names = type.field_names();
    const auto nearest = nearest_name(name, names);
    return {ErrorKind::usage,
            fmt::format("--set {}: there is no field `{}`", sanitize(path_), sanitize(name)),
            nearest ? fmt::format("a similar one is `{}`", *nearest)
                    : "fields there are " + few_and_rest(names, 12)};
  }

  [[nodiscard]] Error no_value(const FieldType& type) const {
    return {ErrorKind::usage, fmt::format("--set {}: `{}` is not {}", sanitize(path_),
                                          sanitize(value_), name_of(type.form()))};
  }

  [[nodiscard]] Tree value_of(const FieldType& type) const {
    const auto number = whole_number(value_);
    switch (type.form()) {
      case Form::text:
        return value_;
      case Form::whole:
        if (!number) throw no_value(type);
        return *number;
      case Form::quantity:
        return number ? Tree(*number) : Tree(value_);
      case Form::truth:
        if (value_ != "true" && value_ != "false") throw no_value(type);
        return value_ == "true";
      default:
        return tree_of(parsed(), type);
    }
  }

  [[nodiscard]] nlohmann::json parsed() const {
    try {
      return decode::yaml_to_json(value_);
    } catch (const Error& error) {
      throw Error(ErrorKind::usage, fmt::format("--set {}: {}", sanitize(path_), error.message()));
    }
  }

  /// What was parsed, if it is of that type.
  [[nodiscard]] Tree tree_of(const nlohmann::json& value, const FieldType& type) const {
    const Form form = type.form();
    const bool is_open = form == Form::any;
    if (value.is_object() && (is_open || form == Form::object || form == Form::map)) {
      Tree tree;
      for (const auto& [key, each] : value.items())
        tree.set(key, tree_of(each, inner_type(type, {key, std::nullopt})));
      return std::move(tree).on_one_line();
    }
    if (value.is_array() && (is_open || form == Form::list)) {
      Tree tree = Tree::list();
      for (const nlohmann::json& each : value)
        tree.push(tree_of(each, is_open ? type : type.element()));
      return tree;
    }
    const bool takes_number =
        is_open || form == Form::whole || form == Form::number || form == Form::quantity;
    if (value.is_number_integer() && takes_number) return value.get<std::int64_t>();
    if (value.is_boolean() && (is_open || form == Form::truth)) return value.get<bool>();
    if (value.is_string() && (is_open || form == Form::text || form == Form::quantity))
      return value.get<std::string>();
    throw no_value(type);
  }

  static Tree* child(Tree& in, const Step& step) {
    return step.index ? in.item(*step.index) : in.find(step.name);
  }

  void put(Tree& in, const Step& step, Tree value) const {
    if (!step.index) {
      in.set(step.name, std::move(value));
      return;
    }
    if (Tree* const item = in.item(*step.index)) {
      *item = std::move(value);
      return;
    }
    if (*step.index != in.size())
      throw Error(ErrorKind::usage,
                  fmt::format("--set {}: the list has {}", sanitize(path_),
                              counted(static_cast<std::int64_t>(in.size()), "item")));
    in.push(std::move(value));
  }

  static void remove(Tree& in, const Step& step) {
    if (step.index)
      in.erase(*step.index);
    else
      in.erase(step.name);
  }

  std::string_view path_;
  const std::string& value_;
};

std::string text_in(const Tree& document, std::string_view key) {
  const Tree* const found = document.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? std::string() : *text;
}

Tree& document_of(Documents& documents, std::string_view kind) {
  const auto at = std::find_if(documents.begin(), documents.end(), [&](const Tree& each) {
    return equal_ignoring_case(text_in(each, "kind"), kind);
  });
  if (at != documents.end()) return *at;
  std::vector<std::string> kinds;
  for (const Tree& each : documents) kinds.push_back(lower_case(text_in(each, "kind")));
  throw Error(ErrorKind::usage,
              fmt::format("--set: the manifest has no object of kind `{}`", sanitize(kind)),
              "there are " + joined(kinds));
}

}  // namespace

void set_field(Documents& documents, std::string_view kind, std::string_view path,
               const std::string& value) {
  const std::size_t slash = path.find('/');
  const bool names_kind = slash != std::string_view::npos && slash < path.find_first_of(".[\"\\");
  Tree& document = document_of(documents, names_kind ? path.substr(0, slash) : kind);
  if (names_kind) path.remove_prefix(slash + 1);
  const auto type = FieldType::of_kind(text_in(document, "kind"), text_in(document, "apiVersion"));
  if (!type)
    throw Error(ErrorKind::usage,
                fmt::format("--set: the fields of {} are not known", text_in(document, "kind")));
  FieldSetter(path, value).set(document, *type, PathReader(path).steps(), 0);
}

}  // namespace gpu::manifest
