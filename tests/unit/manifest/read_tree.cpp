#include "manifest/read_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace gpu::manifest::test {
namespace {

/// Builds a tree from the events of one document.
class Builder : public YAML::EventHandler {
 public:
  Tree take() { return std::move(done_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override { add("null"); }
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override { add("alias"); }

  void OnScalar(const YAML::Mark& /*mark*/, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    const bool is_quoted = tag == "!";
    const std::string digits = value.substr(value.starts_with('-') ? 1 : 0);
    const bool is_number =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    if (is_quoted)
      add(value);
    else if (is_number)
      add(std::int64_t{std::stoll(value)});
    else if (value == "true" || value == "false")
      add(value == "true");
    else
      add(value);
  }

  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value style) override {
    open(Tree::list(), style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value style) override {
    open(Tree(), style);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    Tree tree;
    std::string key;  ///< of a map, once it was read
    bool has_key = false;
  };

  void open(Tree tree, YAML::EmitterStyle::value style) {
    if (style == YAML::EmitterStyle::Flow) tree = std::move(tree).on_one_line();
    levels_.push_back({std::move(tree), {}, false});
  }

  void close() {
    Tree tree = std::move(levels_.back().tree);
    levels_.pop_back();
    add(std::move(tree));
  }

  void add(Tree value) {
    if (levels_.empty()) {
      done_ = std::move(value);
      return;
    }
    Level& level = levels_.back();
    if (std::holds_alternative<Tree::List>(level.tree.value())) {
      level.tree.push(std::move(value));
    } else if (!level.has_key) {
      level.key = std::get<std::string>(value.value());
      level.has_key = true;
    } else {
      level.tree.set(std::exchange(level.key, {}), std::move(value));
      level.has_key = false;
    }
  }

  Tree done_;
  std::vector<Level> levels_;
};

}  // namespace

Documents read_documents(const std::string& yaml) {
  std::istringstream in(yaml);
  YAML::Parser parser(in);
  Documents documents;
  for (Builder builder; parser.HandleNextDocument(builder);) documents.push_back(builder.take());
  return documents;
}

}  // namespace gpu::manifest::test
