#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "report/fields.hpp"
#include "report/report.hpp"

namespace gpu::report {

/// The version of every answer's form; keys are added within it, never renamed or removed.
inline constexpr std::string_view kApiVersion = "kubectl-gpu/v1";

/// The columns of json, yaml and csv, in order.
std::vector<std::size_t> machine_columns(const Table& table);

/// The keys of one gap.
const Fields<Note>& gap_fields();

/// `gaps` of the answer: what, why and help of each.
Cell machine_gaps(const Report& report);

}  // namespace gpu::report
