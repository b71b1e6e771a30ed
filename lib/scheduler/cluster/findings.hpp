#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/filter.hpp"

namespace gpu::scheduler {

/// Why a filter ends the scheduling cycle.
struct FilterError {
  Filter filter{};
  std::string text;
  /// As SchedulerError has it: "running "VolumeBinding" filter plugin: TEXT".
  [[nodiscard]] std::string message() const;
};

/// Collects the results of filters, node by node. Each text is stored once, and results refer to it
/// by index. A filter that accepts the node reports nothing.
class Findings {
 public:
  Findings() = default;
  /// For what one filter alone says of one node.
  explicit Findings(Filter filter) : filter_(filter) {}

  void start_node() {
    found_.clear();
    error_.reset();
    is_open_ = false;
  }
  /// What is reported from here on comes from `filter`.
  void start_filter(Filter filter) { filter_ = filter; }

  /// The filter refuses the node, with the scheduler's text.
  void refuse(Rejection rejection, std::string_view text) {
    found_.push_back({filter_, rejection, place_of(text)});
  }
  /// The cycle ends with an error, if the scheduler gets as far on this node.
  void abort(std::string text);
  /// What the filter could not find out about the node: for Verdict::not_checked. It does not
  /// refuse the node.
  void leave_open(const std::string& what);

  /// Of the node since start_node().
  [[nodiscard]] const std::vector<FilterFailure>& found() const { return found_; }
  /// The error that ends the cycle on the node; nothing if an earlier filter has refused the node.
  [[nodiscard]] const std::optional<FilterError>& error() const { return error_; }
  [[nodiscard]] bool is_empty() const { return found_.empty() && !error_; }
  /// Whether something of the node could not be checked.
  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] std::string_view text(const FilterFailure& blocker) const {
    return reasons_[blocker.reason];
  }
  /// What could not be checked on some node; each once.
  [[nodiscard]] const std::vector<std::string>& not_checked() const { return not_checked_; }
  /// All texts so far.
  [[nodiscard]] std::vector<std::string> take_reasons();

 private:
  /// Most pods have a few texts, which are compared; 1.34.1 has one for each taint.
  static constexpr std::size_t kCompared = 16;

  std::uint16_t place_of(std::string_view text) {
    const std::size_t few = std::min(reasons_.size(), kCompared);
    for (std::size_t i = 0; i < few; ++i)
      if (reasons_[i] == text) return static_cast<std::uint16_t>(i);
    return place_of_rare(text);
  }
  /// Of a text that is new, or has others before it that are compared.
  std::uint16_t place_of_rare(std::string_view text);

  Filter filter_{};
  std::vector<FilterFailure> found_;
  std::vector<std::string> reasons_;
  std::map<std::string, std::uint16_t, std::less<>> places_;  ///< of those that are not compared
  std::vector<std::string> not_checked_;
  std::optional<FilterError> error_;
  bool is_open_ = false;
};

}  // namespace gpu::scheduler
