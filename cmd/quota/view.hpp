#pragma once

#include <string>
#include <vector>

#include "model/objects/gap.hpp"
#include "quota/answer.hpp"
#include "report/render.hpp"
#include "report/report.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// The answer for every form.
report::Report quota_report(const quota::QuotaAnswer& answer, const std::vector<Gap>& gaps);

/// What people read below the table: who waits for whom, what is promised and does not exist, what
/// counts nothing, what holds quota and runs nothing.
std::string quota_text(const quota::QuotaAnswer& answer, const report::Style& style);

report::AnswerForm quota_form();

}  // namespace gpu::cmd
