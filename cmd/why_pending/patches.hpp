#pragma once

#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"

namespace gpu::cmd {

/// Whether a fix stops what runs: others' pods, or those of the Job itself. A patch alone restarts
/// its own pods only.
bool stops_others(const diagnose::Fix& fix);

/// The fixes as they are shown: those that stop others' work are last.
std::vector<const diagnose::Fix*> fixes_in_order(const diagnose::Explanation& it);

/// What else to know of a fix, a sentence each: where its patch belongs, what it restarts.
std::vector<std::string> notes_of(const diagnose::Fix& fix);

/// The first patch of each explanation, in the order in which fixes are shown, as a YAML stream
/// with comments that say where it goes; empty where there are none.
std::string patches_of(const std::vector<diagnose::Explanation>& explanations);

}  // namespace gpu::cmd
