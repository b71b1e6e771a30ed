#include "input/snapshot/pseudonyms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "input/snapshot/redact_known.hpp"

namespace gpu::input {
namespace {

/// `before`, a number of at least `digits`, `after`. The start "device-" would be a hardware name.
struct Form {
  std::string_view before;
  std::size_t digits;
  std::string_view after = {};
};

Form form_of(Space space) {
  static constexpr std::array<Form, kSpaces> kForms = {{
      {"node-", 3},
      {"ns-", 2},
      {"pod-", 4},
      {"claim-", 3},
      {"owner-", 3},
      {"container-", 2},
      {"request-", 2},
      {"volume-", 2},
      {"volume-claim-", 3},
      {"pv-", 3},
      {"disk-", 3},
      {"queue-", 2},
      {"flavor-", 2},
      {"storage-", 2},
      {"runtime-", 2},
      {"class-", 2},
      {"scheduler-", 2},
      {"priority-", 2},
      {"gate-", 2},
      {"00000000-0000-4000-8000-", 12},
      {"image-", 3},
      {"instance-", 3},
      {"driver-", 2, ".example.com"},
      {"gpu-", 2, ".example.com"},  // "gpu" in front says that it hands out GPUs
      {"pool-", 3},
      {"dev-", 3},
      {"attribute-", 2},
      {"example.com/resource-", 2},
      {"nvidia.com/renamed-", 2},  // any name there is a GPU's
      {"key-", 3},
      {"value-", 3},
      {"Word-", 2},
      {"Kind-", 2},
      {"slice-", 3},
      {"port-", 2},
      {"host-", 3},
      {"10.", 0},
  }};
  return kForms[static_cast<std::size_t>(space)];
}

/// An address that sorts as its number does.
std::string address_of(std::size_t number) {
  constexpr std::size_t kBase = 100;
  return fmt::format("{}.{}.{}.{}", 10 + number / (kBase * kBase * kBase),
                     kBase + number / (kBase * kBase) % kBase, kBase + number / kBase % kBase,
                     kBase + number % kBase);
}

/// Whether lists are sorted by these names, some of which stay as they are.
bool is_shown_among_kept(Space space) { return space == Space::ns || space == Space::device_class; }

/// A start for names that stand after `low` and before `high` (empty: nothing there): the usual one
/// where that is so, else one that begins with a letter in between.
std::string start_between(std::string_view usual, std::string_view low, std::string_view high) {
  const auto fits = [&](const std::string& start) {
    return start > low && (high.empty() || start + ":" < high);
  };
  if (std::string start(usual); fits(start)) return start;
  for (char letter = 'a'; letter <= 'z'; ++letter)
    if (std::string start = letter + ("-" + std::string(usual)); fits(start)) return start;
  for (const char* const first : {"0-", "A-"})
    if (std::string start = first + std::string(usual); fits(start)) return start;
  return std::string(low) + "-" + std::string(usual);
}

}  // namespace

std::string Pseudonyms::of(Space space, std::string_view name) {
  if (is_settled_) return find(space, name).value_or(std::string(form_of(space).before));
  if (is_known(space, name))
    kept_[static_cast<std::size_t>(space)].emplace(name);
  else
    in(space).try_emplace(std::string(name));
  return std::string(name);
}

std::optional<std::string> Pseudonyms::find(Space space, std::string_view name) const {
  if (is_known(space, name)) return std::string(name);
  const auto found = in(space).find(name);
  if (found == in(space).end()) return std::nullopt;
  return found->second;
}

void Pseudonyms::settle() {
  // The pool of a node is called as the node is.
  for (const auto& [node, pseudonym] : in(Space::node)) in(Space::pool).erase(node);
  // What calls itself a host is a node or a pod, where there is one of that name.
  for (const Space space : {Space::node, Space::pod})
    for (const auto& [name, pseudonym] : in(space)) in(Space::host).erase(name);
  for (std::size_t i = 0; i < kSpaces; ++i) number(static_cast<Space>(i));
  is_settled_ = true;
}

void Pseudonyms::number(Space space) {
  const auto& kept = kept_[static_cast<std::size_t>(space)];
  const Form form = form_of(space);
  const std::size_t digits = std::max(form.digits, std::to_string(in(space).size()).size());
  std::size_t number = 0;
  for (auto& [name, pseudonym] : in(space)) {
    std::string start(form.before);
    if (is_shown_among_kept(space)) {
      const auto above = kept.upper_bound(name);
      const std::string low = above == kept.begin() ? "" : *std::prev(above);
      const std::string high = above == kept.end() ? "" : *above;
      start = start_between(form.before, low, high);
    }
    ++number;
    pseudonym = space == Space::address
                    ? address_of(number)
                    : fmt::format("{}{:0{}}{}", start, number, digits, form.after);
  }
}

}  // namespace gpu::input
