#include "scheduler/cluster/findings.hpp"

#include <limits>
#include <utility>

namespace gpu::scheduler {

std::string FilterError::message() const {
  return "running \"" + std::string(name_of(filter)) + "\" filter plugin: " + text;
}

void Findings::abort(std::string text) {
  if (is_empty()) error_ = {filter_, std::move(text)};
}

void Findings::leave_open(const std::string& what) {
  is_open_ = true;
  if (std::find(not_checked_.begin(), not_checked_.end(), what) == not_checked_.end())
    not_checked_.push_back(what);
}

std::vector<std::string> Findings::take_reasons() {
  places_.clear();
  return std::exchange(reasons_, {});
}

std::uint16_t Findings::place_of_rare(std::string_view text) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  if (const auto found = places_.find(text); found != places_.end()) return found->second;
  if (reasons_.size() == kMost) return kMost - 1;  // one of the others will do
  const auto place = static_cast<std::uint16_t>(reasons_.size());
  if (reasons_.size() >= kCompared) places_.emplace(text, place);
  reasons_.emplace_back(text);
  return place;
}

}  // namespace gpu::scheduler
