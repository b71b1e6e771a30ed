#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/top/top.hpp"
#include "kube/read/needs.hpp"
#include "model/label_selector.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// What a row of the answer is.
enum class View { nodes, gpus, pods, namespaces, models };

/// As typed, in the order of View.
inline constexpr std::array<std::string_view, 5> kViews = {"nodes", "gpus", "pods", "namespaces",
                                                           "models"};

/// Who reads the answer: people at a terminal, a pipe, or a program that parses it.
enum class Reader { people, pipe, machine };

/// How rows are laid out.
enum class Shape {
  table,
  tree,     ///< nodes, below each the pods that hold its GPUs
  summary,  ///< totals only
};

/// What is asked of `top`: flags as types.
struct TopQuestion {
  View view = View::nodes;
  Shape shape = Shape::table;
  Reader reader = Reader::people;
  report::Format format = report::Format::text;
  bool folds = false;              ///< pods of one owner stand in one row
  std::vector<std::string> names;  ///< of rows; empty: all
  std::vector<std::string> nodes;  ///< only these; empty: all
  std::string selector;            ///< of nodes or pods, as the view has it
  LabelSelector pod_selector;
  std::string ns;  ///< only this namespace; empty: all
  std::string model;
  std::string resource;
  std::string sort_by;
  std::vector<std::string> label_columns;
  kube::MetricsNeeds metrics;                ///< of live use; none where the answer shows none
  std::optional<std::chrono::seconds> idle;  ///< only pods that are idle for at least this
};

/// Reads the flags. Throws Error{usage} for what does not go together.
TopQuestion question_of(const TopFlags& flags, const Env& env);

/// The view of that name, as kubectl takes a kind: in the plural, the singular, or its short name.
std::optional<View> view_named(std::string_view word);

/// The same; Error{usage} with the nearest where there is none. `program` is how we are called.
View view_typed(const std::string& word, const std::string& program);

/// Whether rows are about pods, so that -l and -n choose among these.
bool is_about_pods(View view);

/// What the answer takes from the cluster.
kube::Needs needs_of(const TopQuestion& question);

}  // namespace gpu::cmd
