#include "cmd/shell/quick_snapshot.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "base/ascii.hpp"
#include "kube/process/signals.hpp"

namespace gpu::cmd {

std::optional<Snapshot> quick_snapshot(GlobalFlags flags, kube::Needs needs, const Env& env) {
  if (flags.from == "-") return std::nullopt;
  constexpr std::chrono::seconds kPatience{4};  // also with a credential plugin that asks
  kube::be_quick_and_silent(kPatience);
  if (!flags.connection.request_timeout) flags.connection.request_timeout = "2s";
  try {
    return read_snapshot(flags, std::move(needs), env);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool is_object_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '.';
  });
}

}  // namespace gpu::cmd
