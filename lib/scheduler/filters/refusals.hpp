#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/cluster/filter.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// Gathers what filters say of one node after another. A text is stored once: blockers have its
/// place.
class Refusals {
 public:
  void refuse(Filter filter, Rejection rejection, std::string_view text) {
    found_.push_back({filter, rejection, place_of(text)});
  }
  void refuse(Filter filter, const Findings& findings) {
    for (const Findings::Finding& each : findings.found())
      refuse(filter, each.rejection, each.reason);
    is_open_ = is_open_ || !findings.not_checked().empty();
    for (const std::string& what : findings.not_checked())
      if (std::find(not_checked_.begin(), not_checked_.end(), what) == not_checked_.end())
        not_checked_.push_back(what);
  }
  /// The cycle ends with an error, if the scheduler gets as far on this node.
  void abort(Filter filter, std::string_view text) {
    if (!found_.empty() || error_) return;
    error_ = "running \"" + std::string(name_of(filter)) + "\" filter plugin: " + std::string(text);
  }

  /// Of the node since start().
  [[nodiscard]] const std::vector<FilterFailure>& found() const { return found_; }
  [[nodiscard]] const std::optional<std::string>& error() const { return error_; }
  [[nodiscard]] bool is_empty() const { return found_.empty() && !error_; }
  /// Whether something of the node could not be checked.
  [[nodiscard]] bool is_open() const { return is_open_; }
  /// Begins the next node.
  void start() {
    found_.clear();
    error_.reset();
    is_open_ = false;
  }
  [[nodiscard]] std::string_view text(const FilterFailure& blocker) const {
    return reasons_[blocker.reason];
  }
  /// What could not be checked on some node; each once.
  [[nodiscard]] const std::vector<std::string>& not_checked() const { return not_checked_; }
  /// All texts so far.
  [[nodiscard]] std::vector<std::string> take_reasons() {
    places_.clear();
    return std::exchange(reasons_, {});
  }

 private:
  /// Most pods have a few texts, which are compared; 1.34.1 has one for each taint.
  std::uint16_t place_of(std::string_view text) {
    constexpr std::size_t kCompared = 16;
    constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
    const std::size_t few = std::min(reasons_.size(), kCompared);
    for (std::size_t i = 0; i < few; ++i)
      if (reasons_[i] == text) return static_cast<std::uint16_t>(i);
    if (const auto found = places_.find(text); found != places_.end()) return found->second;
    if (reasons_.size() == kMost) return kMost - 1;  // one of the others will do
    const auto place = static_cast<std::uint16_t>(reasons_.size());
    if (reasons_.size() >= kCompared) places_.emplace(text, place);
    reasons_.emplace_back(text);
    return place;
  }

  std::vector<FilterFailure> found_;
  std::vector<std::string> reasons_;
  std::map<std::string, std::uint16_t, std::less<>> places_;  ///< of those that are not compared
  std::vector<std::string> not_checked_;
  std::optional<std::string> error_;
  bool is_open_ = false;
};

}  // namespace gpu::scheduler
