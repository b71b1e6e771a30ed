#pragma once

#include <string>

#include "manifest/tree/tree.hpp"
#include "report/render.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// Each field of the documents that has a reason: what it is, why, and where the reason is from.
report::Report choices_report(const manifest::Documents& documents);

}  // namespace gpu::cmd
