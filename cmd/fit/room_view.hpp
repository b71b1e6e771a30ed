#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/objects/gap.hpp"
#include "plan/moves/room.hpp"
#include "report/report.hpp"
#include "report/schema.hpp"
#include "report/style.hpp"

namespace gpu::cmd {

/// One step of a plan: a command, and what comes of it.
struct RoomStep {
  std::string action;                ///< "cordon", "move", "uncordon"
  std::string command;               ///< quoted for sh
  const plan::Move* move = nullptr;  ///< of a move
  std::string node;                  ///< of the others
};

/// The steps of a plan, in their order. Refer to it.
std::vector<RoomStep> room_steps(const plan::RoomPlan& plan);

/// What is asked for, in words: "4 GPUs of one node".
std::string room_headline(const plan::RoomAnswer& answer, std::int64_t gpus,
                          const std::string& model);

/// What else is to be said to people.
std::vector<std::string> room_facts(const plan::RoomAnswer& answer);

/// The plan, a step a line, with who is to be asked before it; empty where there is none.
std::string room_text(const plan::RoomAnswer& answer, const std::optional<Time>& now,
                      const report::Style& style);

/// The steps as a table for pipes and machines.
report::Report room_report(const plan::RoomAnswer& answer, const std::vector<RoomStep>& steps,
                           const std::optional<Time>& now, const std::vector<Gap>& gaps);

/// The kind of the answer, for docs/schema.
report::AnswerForm room_form();

}  // namespace gpu::cmd
