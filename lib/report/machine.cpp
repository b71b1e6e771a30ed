#include "report/machine.hpp"

#include <algorithm>

namespace gpu::report {

std::vector<std::size_t> machine_columns(const Table& table) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if ((table.columns[i].audience & static_cast<unsigned>(Audience::machine)) != 0)
      shown.push_back(i);
  return shown;
}

const Fields<Note>& gap_fields() {
  static const Fields<Note> fields = {
      {{"what", Type::any_text(), "What could not be seen."}, &Note::what},
      {{"why", Type::any_text(), "Why not; may be empty."}, &Note::why},
      {{"help", Type::any_text(), "What would help; may be empty."}, &Note::help},
  };
  return fields;
}

Cell machine_gaps(const Report& report) { return gap_fields().list(report.gaps); }

}  // namespace gpu::report
