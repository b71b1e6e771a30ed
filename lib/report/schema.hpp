#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/type.hpp"

namespace gpu::report {

/// One kind of answer, as docs/schema describes it to programs.
struct AnswerForm {
  std::string kind;     ///< `NodeUsageList`
  std::string command;  ///< what answers so: `top nodes`
  std::string item;     ///< what one item is; one sentence
  std::vector<Field> fields;
  std::vector<Field> summary;
  std::string summary_says;
};

/// What the columns of a table declare for machines.
std::vector<Field> declared_fields(const Table& table);

/// The JSON Schema of an answer, draft 7: every key is known, and is in every answer unless its
/// Presence says otherwise.
std::string schema_text(const AnswerForm& form);

}  // namespace gpu::report
