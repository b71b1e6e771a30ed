#pragma once

#include <string_view>

#include "diagnose/answer/code.hpp"

namespace gpu::cmd {

/// docs/reasons/CODE.md, compiled in when the build is configured.
std::string_view reason_page(diagnose::Code code);

}  // namespace gpu::cmd
