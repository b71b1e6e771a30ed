#pragma once

#include <string>

#include "manifest/tree/tree.hpp"
#include "report/render.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// Each field of the documents that has a reason: what it is, why, and where the reason is from.
/// For machines.
report::Report choices_report(const manifest::Documents& documents);
/// For people, by object: `FIELD: VALUE`, and below it the reason.
std::string choices_text(const manifest::Documents& documents, const report::Style& style);

}  // namespace gpu::cmd
