#pragma once

#include "cmd/top/top_answer.hpp"
#include "report/report.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// The answer as the view, for every form of output, sorted as asked. Throws Error{usage} for a
/// column to sort by that the view does not have.
report::Report top_report(const TopAnswer& answer);

/// Says what can be said so as a hint, as long as there is room for these, and not as a gap again.
void take_hints_from_gaps(report::Report& report);

/// The columns of a view, without rows.
report::Table columns_of(const ViewSpec& view);

/// What docs/schema says of a view: keys of flags too.
report::AnswerForm form_of(const ViewSpec& view);

}  // namespace gpu::cmd
