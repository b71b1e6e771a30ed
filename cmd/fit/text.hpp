#pragma once

#include <string>
#include <vector>

#include "plan/fit/result.hpp"

namespace gpu::cmd {

/// "10 of 10 pods would start now"; lower case, no full stop.
std::string fit_headline(const plan::FitAnswer& answer);

/// What else is to be said to people, a sentence each: why pods do not start, how many more would,
/// what is free, which nodes are missing, and what is left to chance.
std::vector<std::string> fit_facts(const plan::FitAnswer& answer);

/// "gpu-a1 x4, gpu-a2 x2"; of pods that may start elsewhere "gpu-a1 x4, gpu-a2 x2, or others".
std::string places_text(const plan::FitRow& row);

/// "2 H100-80G", "1 gpu", "0".
std::string gpus_of_pod(const plan::FitRow& row);

/// "5", "5 to 6".
std::string range_text(const plan::Range& range);

/// "job/train".
std::string object_text(const plan::FitRow& row);

}  // namespace gpu::cmd
