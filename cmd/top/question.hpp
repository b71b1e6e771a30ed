#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cmd/shell/reader.hpp"
#include "cmd/top/top_flags.hpp"
#include "cmd/top/view.hpp"
#include "kube/read/needs.hpp"
#include "model/objects/label_selector.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// How rows are laid out.
enum class Shape {
  table,
  tree,     ///< nodes, below each the pods that hold its GPUs
  summary,  ///< totals only
};

/// What is asked of `top`: flags as types.
struct TopQuestion {
  const ViewSpec& view;
  Shape shape = Shape::table;
  Reader reader = Reader::people;
  report::Format format = report::Format::text;
  bool folds = false;              ///< pods of one owner stand in one row
  std::vector<std::string> names;  ///< of rows; empty: all
  bool is_view_guessed = false;    ///< no word said that these are nodes
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

/// What the answer takes from the cluster.
kube::Needs needs_of(const TopQuestion& question);

}  // namespace gpu::cmd
