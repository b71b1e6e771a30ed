#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpu::diagnose {

/// Whether pods would start.
enum class Outcome : std::uint8_t { fits, fits_some, blocked, undecided };

/// Whether everything was checked that decides whether the pods start.
enum class Certainty : std::uint8_t { sure, as_far_as_checked };

/// The facts of a headline about pods that are planned together; headline_text() writes the
/// sentence.
struct Headline {
  Outcome outcome = Outcome::fits;
  Certainty certainty = Certainty::sure;
  std::int64_t pods = 1;
  std::int64_t starting = 1;         ///< of `pods`, as far as known
  std::optional<std::size_t> nodes;  ///< on how many the first of them fits, where it simply fits
  std::vector<std::string> first_nodes = {};  ///< names of some of these
  /// Why they start if `nodes` does not say it, or why the next of them does not.
  std::string reason;
};

/// "it would start: it fits on gpu-1 and gpu-2", "all 4 pods would start, as far as could be
/// checked: the first fits on gpu-1", "2 of 5 pods would start; the third: REASON", "none of 2 pods
/// would start: REASON", "the first 64 of 66 pods would start; whether the others do is not
/// checked". For one
/// blocked pod, only the reason.
std::string headline_text(const Headline& headline);

/// Whether a pod that fits on some nodes waits for another reason.
enum class OtherReason : std::uint8_t { none, some };
/// "nothing keeps it waiting now: it fits on gpu-1 and gpu-2", "nothing else that could be checked
/// ...". `first_nodes` are the names of some of the `nodes`.
std::string fits_text(std::size_t nodes, const std::vector<std::string>& first_nodes,
                      Certainty certainty, OtherReason other);

/// "gpu-1", "gpu-1, gpu-2, and gpu-3"; "12 nodes, such as gpu-1" where not all have a name in
/// `first_nodes`.
std::string nodes_text(std::size_t nodes, const std::vector<std::string>& first_nodes);

/// "the third", "pod 12".
std::string ordinal(std::int64_t number);

}  // namespace gpu::diagnose
