#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpu {

/// How many MIG instances of `profile` ("1g.10gb", "1g.10gb.me") one card holds at most, by the
/// name of the card as labelled and the card's memory, where that is known. Nothing when the table
/// of models lacks the card, or when the cards of that name differ in it ("A100" and 1g.10gb).
std::optional<std::int64_t> slices_per_card(std::string_view product,
                                            std::optional<std::int64_t> memory_mib,
                                            std::string_view profile);

}  // namespace gpu
