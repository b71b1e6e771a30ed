#include "scheduler/cel/selector.hpp"

#include <utility>
#include <vector>

#include "scheduler/cel/expression.hpp"
#include "scheduler/cel/pattern.hpp"

namespace gpu::scheduler {
namespace {

/// CEL's own limit is 1,000,000 units of cost, of which a step takes one or more.
constexpr std::int64_t kMostSteps = 100'000;
/// Selectors that people write take 10 to 100.
constexpr std::int64_t kPlainSteps = 200;
/// A second's work, or so.
constexpr std::int64_t kMostEffort = 5'000'000;

/// One run of an expression.
class Run {
 public:
  Run(const CelExpression& expression, const CelDevice& device, std::int64_t most_steps)
      : nodes_(expression.nodes), device_(device), most_steps_(most_steps) {}

  CelValue whole() {
    CelValue result = value(nodes_.size() - 1);
    return is_lost_ ? not_understood() : result;
  }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  /// cel.bind() works its value out when it is first asked for.
  struct Variable {
    std::string_view name;
    std::optional<CelValue> value;
    std::size_t node = 0;
    std::size_t scope = 0;  ///< how many variables its own expression sees
  };

  CelValue value(std::size_t index) {
    if (++steps_ > most_steps_) return not_understood();
    CelValue made = value_of(nodes_[index]);
    steps_ += weight(made);
    return made;
  }

  /// Steps that it takes to hand a value on.
  static std::int64_t weight(const CelValue& value) {
    if (const auto* text = value.as<std::string>()) return std::ssize(*text) / 32;
    const CelList* items = value.as<CelList>();
    return items == nullptr ? 0 : std::ssize(**items) / 8;
  }

  CelValue value_of(const CelNode& node) {
    switch (node.form) {
      case CelForm::truth:
        return node.text == "true";
      case CelForm::integer:
        return node.number;
      case CelForm::text:
        return node.text;
      case CelForm::name:
        return variable(node.text);
      case CelForm::select:
      case CelForm::index:
      case CelForm::optional_select:
      case CelForm::optional_index:
        return plain(member(node));
      case CelForm::list:
        return list(node);
      case CelForm::function:
        return call(node);
      case CelForm::method:
        return is_of_optional(node) ? plain(of_optional(node)) : call(node);
      case CelForm::negation:
      case CelForm::minus:
        return unary(node);
      case CelForm::conjunction:
        return logical(node, false);
      case CelForm::disjunction:
        return logical(node, true);
      case CelForm::conditional:
        return conditional(node);
      case CelForm::binary:
        return binary(node);
      case CelForm::has:
        return cel_contains(device_, value(node.parts[0]), node.text);
      case CelForm::bind:
        return bind(node);
      case CelForm::exists:
        return fold(node, true);
      case CelForm::all:
        return fold(node, false);
    }
    return not_understood();
  }

  CelValue variable(std::string_view name) {
    for (std::size_t i = visible_; i-- > 0;) {
      if (variables_[i].name != name) continue;
      if (!variables_[i].value) {
        // Its expression sees what was there before it.
        const std::size_t visible = std::exchange(visible_, variables_[i].scope);
        CelValue made = value(variables_[i].node);
        visible_ = visible;
        variables_[i].value = std::move(made);
      }
      return *variables_[i].value;
    }
    return name == "device" ? CelValue(CelDeviceObject{}) : not_understood();
  }

  /// Runs a node with one more variable.
  CelValue with(Variable variable, std::size_t body) {
    // Between those that are visible and the end stand variables of scopes further in.
    if (visible_ != variables_.size()) return not_understood();
    variables_.push_back(std::move(variable));
    ++visible_;
    CelValue result = value(body);
    variables_.pop_back();
    --visible_;
    return result;
  }

  CelValue bind(const CelNode& node) {
    return with({.name = node.text, .node = node.parts[0], .scope = visible_}, node.parts[1]);
  }

  /// A value that may be one of CEL's optional ones.
  struct Result {
    CelValue value;
    bool is_optional = false;
    bool has_value = true;
  };

  /// Optional values are known only where one is asked for or given up.
  static CelValue plain(Result result) {
    return result.is_optional ? not_understood() : std::move(result.value);
  }

  Result result(std::size_t index) {
    const CelNode& node = nodes_[index];
    if (node.form == CelForm::select || node.form == CelForm::index ||
        node.form == CelForm::optional_select || node.form == CelForm::optional_index)
      return ++steps_ > most_steps_ ? Result{not_understood()} : member(node);
    if (node.form == CelForm::method && is_of_optional(node)) return of_optional(node);
    return {value(index)};
  }

  /// x.y, x[y], x.?y, x[?y]: of an optional x it is optional, too.
  Result member(const CelNode& node) {
    Result object = result(node.parts[0]);
    if (object.value.is_error()) return object;
    std::string name = node.text;
    if (node.parts.size() > 1) {
      const CelValue key = value(node.parts[1]);
      if (key.is_error()) return {key};
      const auto* text = key.as<std::string>();
      if (text == nullptr || object.value.as<CelDeviceObject>() != nullptr)
        return {not_understood()};
      name = *text;
    }
    const bool is_asked =
        node.form == CelForm::optional_select || node.form == CelForm::optional_index;
    if (!is_asked && !object.is_optional) return {cel_select(device_, object.value, name)};
    if (!object.has_value) return object;
    return optional_member(object.value, name);
  }

  Result optional_member(const CelValue& object, const std::string& name) {
    const CelMap* map = object.as<CelMap>();
    if (map == nullptr) return {not_understood()};
    // A domain that the device has nothing of is an empty map, which is there.
    const CelValue is_there = map->domain ? cel_contains(device_, object, name) : CelValue(true);
    if (is_there.is_error()) return {is_there};
    if (!is_there.is_true()) return {CelValue(false), true, false};
    CelValue found = cel_select(device_, object, name);
    const bool is_optional = !found.is_error();
    return {std::move(found), is_optional, true};
  }

  static bool is_of_optional(const CelNode& node) {
    const bool takes_one = node.text == "orValue" || node.text == "or";
    const bool takes_none = node.text == "hasValue" || node.text == "value";
    return (takes_one && node.parts.size() == 2) || (takes_none && node.parts.size() == 1);
  }

  /// x.orValue(y), x.or(y), x.hasValue(), x.value().
  Result of_optional(const CelNode& node) {
    Result object = result(node.parts[0]);
    if (object.value.is_error()) return object;
    if (!object.is_optional) return {not_understood()};
    if (node.text == "hasValue") return {CelValue(object.has_value)};
    if (node.text == "or") return object.has_value ? object : result(node.parts[1]);
    if (object.has_value) return {std::move(object.value)};
    if (node.text == "orValue") return {value(node.parts[1])};
    return {cel_error("optional.none() dereference")};
  }

  /// The parts' values, or the first error.
  std::optional<CelValue> all_values(const CelNode& node, std::vector<CelValue>& values) {
    for (const std::size_t part : node.parts) {
      values.push_back(value(part));
      if (values.back().is_error()) return values.back();
    }
    return std::nullopt;
  }

  CelValue list(const CelNode& node) {
    auto values = std::make_shared<std::vector<CelValue>>();
    if (std::optional<CelValue> error = all_values(node, *values)) return *error;
    return CelList(std::move(values));
  }

  CelValue call(const CelNode& node) {
    std::vector<CelValue> values;
    if (std::optional<CelValue> error = all_values(node, values)) return *error;
    if (node.form == CelForm::function) return cel_function(node.text, values);
    if (node.pattern != nullptr) {
      const auto* text = values[0].as<std::string>();
      return text == nullptr ? no_such_overload() : CelValue(node.pattern->is_in(*text));
    }
    return cel_method(node.text, values);
  }

  CelValue unary(const CelNode& node) {
    CelValue operand = value(node.parts[0]);
    if (operand.is_error()) return operand;
    if (node.form == CelForm::negation)
      return operand.as<bool>() != nullptr ? CelValue(!operand.is_true()) : no_such_overload();
    const auto* number = operand.as<std::int64_t>();
    return number == nullptr ? not_understood()
                             : cel_binary(device_, "-", std::int64_t{0}, operand);
  }

  /// Several values with && or || between them: whichever decides, errors of others do not matter;
  /// without one, the first error stays.
  class Together {
   public:
    explicit Together(bool deciding) : deciding_(deciding) {}
    /// Whether `value` decides.
    bool add(CelValue value) {
      if (deciding_ ? value.is_true() : value.is_false()) return true;
      if (value.as<bool>() != nullptr) return false;
      if (!value.is_error()) value = no_such_overload();
      is_unclear_ = is_unclear_ || value.as<CelError>()->kind == CelError::Kind::not_understood;
      if (!error_) error_ = std::move(value);
      return false;
    }
    [[nodiscard]] CelValue undecided() const {
      if (is_unclear_) return not_understood();
      return error_ ? *error_ : CelValue(!deciding_);
    }

   private:
    bool deciding_;
    bool is_unclear_ = false;
    std::optional<CelValue> error_;
  };

  CelValue logical(const CelNode& node, bool deciding) {
    Together together(deciding);
    for (const std::size_t part : node.parts)
      if (together.add(value(part))) return deciding;
    return together.undecided();
  }

  CelValue conditional(const CelNode& node) {
    const CelValue condition = value(node.parts[0]);
    if (condition.is_error()) return condition;
    if (condition.as<bool>() == nullptr) return no_such_overload();
    return value(node.parts[condition.is_true() ? 1 : 2]);
  }

  CelValue binary(const CelNode& node) {
    const CelValue left = value(node.parts[0]);
    const CelValue right = value(node.parts[1]);
    // CEL's set of a literal list cannot look for a version: it panics, which no || makes good.
    if (node.text == "in" && left.as<CelVersion>() != nullptr && right.as<CelList>() != nullptr)
      is_lost_ = true;
    return cel_binary(device_, node.text, left, right);
  }

  /// exists() is || and all() is && over the items.
  CelValue fold(const CelNode& node, bool deciding) {
    const CelValue target = value(node.parts[0]);
    if (target.is_error()) return target;
    const CelList* items = target.as<CelList>();
    if (items == nullptr) return not_understood();
    Together together(deciding);
    for (const CelValue& item : **items)
      if (together.add(with({.name = node.text, .value = item}, node.parts[1]))) return deciding;
    return together.undecided();
  }

  const std::vector<CelNode>& nodes_;
  const CelDevice& device_;
  const std::int64_t most_steps_;
  std::vector<Variable> variables_;
  std::size_t visible_ = 0;
  std::int64_t steps_ = 0;
  bool is_lost_ = false;
};

}  // namespace

CelSelector::CelSelector(std::string_view expression) {
  if (std::optional<CelExpression> parsed = parse_cel(expression))
    expression_ = std::make_shared<const CelExpression>(std::move(*parsed));
}

CelOutcome CelSelector::evaluate(const CelDevice& device) const {
  CelEffort effort;
  return evaluate(device, effort);
}

CelOutcome CelSelector::evaluate(const CelDevice& device, CelEffort& effort) const {
  if (!is_understood()) return {};
  Run run(*expression_, device, effort.steps > kMostEffort ? kPlainSteps : kMostSteps);
  const CelValue value = run.whole();
  if (run.steps() > kPlainSteps) effort.steps += run.steps();
  if (const auto* truth = value.as<bool>())
    return {*truth ? CelOutcome::Kind::yes : CelOutcome::Kind::no, {}};
  if (value.as<std::string>() != nullptr)
    return {CelOutcome::Kind::error,
            "CEL result of type string could not be converted to bool: unsupported native "
            "conversion from string to 'bool'"};
  const CelError* error = value.as<CelError>();
  if (error == nullptr || error->kind == CelError::Kind::not_understood) return {};
  return {CelOutcome::Kind::error, error->text};
}

}  // namespace gpu::scheduler
