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

Cell machine_gaps(const Report& report) {
  List gaps;
  for (const Note& gap : report.gaps)
    gaps.emplace_back(Record{{"what", gap.what}, {"why", gap.why}, {"help", gap.help}});
  return gaps;
}

}  // namespace gpu::report
