#include "cmd/version/version_text.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "base/phrase.hpp"

namespace gpu::cmd {
namespace {

/// Whose kube-scheduler the recorded verdicts in tests/oracle are from.
constexpr std::array<std::string_view, 7> kTestedMinors = {"1.30", "1.31", "1.32", "1.33",
                                                           "1.34", "1.35", "1.36"};

/// JSON and YAML write such texts alike: none of them has a character that would need an escape.
std::string text_or_null_of(std::string_view text) {
  return text.empty() ? "null" : fmt::format("\"{}\"", text);
}

std::vector<std::pair<std::string_view, std::string>> version_fields(const BuildInfo& build,
                                                                     std::string_view platform) {
  std::vector<std::string> minors;
  for (const std::string_view minor : kTestedMinors) minors.push_back(text_or_null_of(minor));
  return {{"apiVersion", text_or_null_of("kubectl-gpu/v1")},
          {"kind", text_or_null_of("Version")},
          {"version", text_or_null_of(fmt::format("v{}", build.version))},
          {"commit", text_or_null_of(build.commit)},
          {"buildDate", text_or_null_of(build.date)},
          {"platform", text_or_null_of(platform)},
          {"kubernetesVersions", fmt::format("[{}]", joined(minors))}};
}

}  // namespace

std::string version_json(const BuildInfo& build, std::string_view platform) {
  std::vector<std::string> lines;
  for (const auto& [key, value] : version_fields(build, platform))
    lines.push_back(fmt::format("  \"{}\": {}", key, value));
  return fmt::format("{{\n{}\n}}\n", joined(lines, ",\n"));
}

std::string version_yaml(const BuildInfo& build, std::string_view platform) {
  std::string text;
  for (const auto& [key, value] : version_fields(build, platform))
    text += fmt::format("{}: {}\n", key, value);
  return text;
}

}  // namespace gpu::cmd
