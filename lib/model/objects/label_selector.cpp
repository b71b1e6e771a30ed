#include "model/objects/label_selector.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"

namespace gpu {
namespace {

bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.' || c == '/';
}

}  // namespace

class LabelSelector::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<Requirement> all() {
    std::vector<Requirement> requirements;
    skip_spaces();
    if (at_end()) return requirements;
    while (true) {
      requirements.push_back(one());
      skip_spaces();
      if (at_end()) return requirements;
      if (!take(",")) fail("a comma");
    }
  }

 private:
  Requirement one() {
    Requirement requirement;
    skip_spaces();
    const bool negated = take("!");
    requirement.key = word();
    if (requirement.key.empty()) fail("a label name");
    skip_spaces();
    if (negated) {
      requirement.op = Operator::not_exists;
      return requirement;
    }
    if (at_end() || text_[at_] == ',') return requirement;
    read_comparison(requirement);
    return requirement;
  }

  void read_comparison(Requirement& requirement) {
    if (take("!=")) {
      requirement.op = Operator::not_in;
      requirement.values = {spaced_word()};
    } else if (take("==") || take("=")) {
      requirement.op = Operator::in;
      requirement.values = {spaced_word()};
    } else if (take(">") || take("<")) {
      requirement.op = text_[at_ - 1] == '>' ? Operator::greater : Operator::less;
      requirement.values = {spaced_word()};
      if (!whole_number(requirement.values.front())) fail("a whole number");
    } else if (const std::string op = word(); op == "in" || op == "notin") {
      requirement.op = op == "in" ? Operator::in : Operator::not_in;
      requirement.values = value_set();
    } else {
      fail("=, ==, !=, in, notin, > or <");
    }
  }

  std::vector<std::string> value_set() {
    std::vector<std::string> values;
    skip_spaces();
    if (!take("(")) fail("(");
    while (true) {
      values.push_back(spaced_word());
      if (take(")")) return values;
      if (!take(",")) fail("a comma or )");
    }
  }

  std::string spaced_word() {
    skip_spaces();
    std::string result = word();
    skip_spaces();
    return result;
  }

  std::string word() {
    const std::size_t start = at_;
    while (!at_end() && is_word(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void skip_spaces() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  [[noreturn]] void fail(std::string_view expected) const {
    throw Error(ErrorKind::usage,
                "the selector `" + std::string(text_) + "` is not valid: expected " +
                    std::string(expected) + " at column " + std::to_string(at_ + 1),
                "selectors look like\n      -l nvidia.com/gpu.product=NVIDIA-L4,pool!=batch");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

LabelSelector LabelSelector::parse(std::string_view text) {
  LabelSelector selector;
  selector.requirements_ = Parser(text).all();
  return selector;
}

bool LabelSelector::holds(const Requirement& requirement, const StringMap& labels) {
  const std::string* value = labels.find(requirement.key);
  const auto listed = [&] {
    return std::find(requirement.values.begin(), requirement.values.end(), *value) !=
           requirement.values.end();
  };
  switch (requirement.op) {
    case Operator::exists:
      return value != nullptr;
    case Operator::not_exists:
      return value == nullptr;
    case Operator::in:
      return value != nullptr && listed();
    case Operator::not_in:  // a node without the label matches, as in kubectl
      return value == nullptr || !listed();
    case Operator::greater:
    case Operator::less: {
      const auto mine = value == nullptr ? std::nullopt : whole_number(*value);
      const auto bound = whole_number(requirement.values.front());
      if (!mine || !bound) return false;
      return requirement.op == Operator::greater ? *mine > *bound : *mine < *bound;
    }
  }
  return false;
}

bool LabelSelector::matches(const StringMap& labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const Requirement& requirement) { return holds(requirement, labels); });
}

}  // namespace gpu
