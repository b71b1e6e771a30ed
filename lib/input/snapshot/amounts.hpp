#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gpu::input {

/// A number, a truth value, or an amount, which name nobody; null for anything else.
nlohmann::json harmless(const nlohmann::json& value);

}  // namespace gpu::input
