#pragma once

#include <string_view>

namespace gpu::cmd {

// The files of completions/, compiled in when the build is configured.
extern const std::string_view kBashCompletion;
extern const std::string_view kZshCompletion;
extern const std::string_view kFishCompletion;
extern const std::string_view kKubectlCompletion;

}  // namespace gpu::cmd
