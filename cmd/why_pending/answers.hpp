#pragma once

#include <cstdint>
#include <vector>

#include "diagnose/answer/explanation.hpp"

namespace gpu::cmd {

/// What is answered to one question.
struct PendingAnswers {
  std::vector<diagnose::Explanation> explanations;
  /// Of a manifest: how many pods of each template would wait. Empty: as many as have names.
  std::vector<std::int64_t> waiting;

  /// How many pods, or owners without pods, an explanation stands for.
  [[nodiscard]] std::int64_t count_of(std::size_t at) const {
    return waiting.empty() ? static_cast<std::int64_t>(explanations[at].names.size()) : waiting[at];
  }
};

}  // namespace gpu::cmd
