#pragma once

#include <vector>

#include "diagnose/answer/explanation.hpp"

namespace gpu::diagnose {

/// For people: three or more answers for equal pods of one owner with one reason become one, which
/// is that of the first.
std::vector<Explanation> fold_alike(std::vector<Explanation> answers);

/// For people: templates of one manifest's object that one reason keeps from starting, and that the
/// same fixes would help, become one answer: a PyTorchJob's Master and Worker.
std::vector<Explanation> fold_roles(std::vector<Explanation> answers);

}  // namespace gpu::diagnose
