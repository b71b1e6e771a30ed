#pragma once

#include <vector>

#include "quota/answer.hpp"
#include "report/columns.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// A row for each limit: columns for people and pipes, and all that machines get.
report::Table quota_table(const quota::QuotaAnswer& answer);

}  // namespace gpu::cmd
