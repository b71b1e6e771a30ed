#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checkup/checks/surroundings.hpp"
#include "checkup/run/checkup.hpp"
#include "model/objects/gap.hpp"
#include "report/render.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// What doctor has to say.
struct DoctorAnswer {
  std::string place;  ///< context, or file; empty: no cluster was looked at
  checkup::Surroundings::Source source{};
  std::string server_version;  ///< "v1.36.1"; empty: not known
  checkup::CheckUp found;
  std::vector<Gap> gaps;

  [[nodiscard]] std::int64_t count(checkup::CheckState state) const;
};

/// The screen: a line on the cluster, a line for each result (what is well first), and their
/// numbers.
std::string doctor_text(const DoctorAnswer& answer, const report::Style& style);

/// For json, yaml, csv and name: results in the order in which they were found.
report::Report doctor_report(const DoctorAnswer& answer);
/// How machines read it: CheckList.
report::AnswerForm check_form();

}  // namespace gpu::cmd
