#pragma once

#include <string>
#include <vector>

#include "cmd/cost/forecast_question.hpp"
#include "cost/forecast/forecast.hpp"
#include "model/objects/gap.hpp"
#include "report/report.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// What `cost -f` found.
struct ForecastAnswer {
  const ForecastQuestion& question;
  std::vector<cost::ObjectForecast> objects;
  cost::ForecastSum sum;
  std::vector<Gap> gaps;
  bool has_cluster = true;  ///< false: none was asked, or none could be seen
};

report::Report forecast_report(const ForecastAnswer& answer);

/// What `cost -f` answers, for docs/schema.
report::AnswerForm forecast_form();

/// "21.96", "21.96 to 55.04", "at least 21.96"; "-" where nothing is known.
std::string money_text(const cost::MoneyRange& amount);

}  // namespace gpu::cmd
