#include "scheduler/cel/pattern.hpp"

#include <re2/re2.h>

#include <utility>

namespace gpu::scheduler {

std::shared_ptr<const CelPattern> CelPattern::compile(std::string_view pattern) {
  constexpr std::int64_t kMostMemory = std::int64_t{1} << 20;
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  auto compiled =
      std::make_unique<const re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!compiled->ok()) return nullptr;
  return std::make_shared<const CelPattern>(std::move(compiled));
}

CelPattern::CelPattern(std::unique_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}
CelPattern::~CelPattern() = default;

bool CelPattern::is_in(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

}  // namespace gpu::scheduler
