#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "diagnose/answer/explanation.hpp"

namespace gpu::cmd {

/// What is answered to one question.
struct PendingAnswers {
  std::vector<diagnose::Explanation> explanations;
  /// Of a manifest: how many pods of each template would wait. Empty: as many as have names.
  std::vector<std::int64_t> waiting;
  /// The one namespace that was looked at, where nothing waits; empty: any, or something does.
  std::string empty_namespace = {};
  /// How many wait in others; nothing where not all of them were read.
  std::optional<std::int64_t> waiting_elsewhere = {};
  /// Of several names those that could not be answered; the others are, as with kubectl.
  std::vector<Error> errors = {};

  /// How many pods, or owners without pods, an explanation stands for.
  [[nodiscard]] std::int64_t count_of(std::size_t at) const {
    return waiting.empty() ? static_cast<std::int64_t>(explanations[at].names.size()) : waiting[at];
  }
};

}  // namespace gpu::cmd
