#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.hpp"
#include "cmd/shell/flag_set.hpp"
#include "cmd/shell/flags.hpp"
#include "kube/read/needs.hpp"

namespace gpu::cmd {

/// The flags about live use, as typed; nothing where one was not.
struct MetricsFlags {
  std::optional<std::string> metrics;
  std::vector<std::string> exporters;
  std::optional<std::string> prometheus_url;
  std::optional<std::string> prometheus_service;
  std::vector<std::string> prometheus_headers;
  std::optional<std::string> prometheus_token_file;
  std::optional<std::string> since;
  std::optional<std::string> idle;  ///< of `top pods` alone
  bool allow_exec = false;
};

/// Who is asked: a cluster, or files (--from).
enum class MetricsOrigin { cluster, files };
MetricsOrigin origin_of(const GlobalFlags& flags);

/// All of them but --idle, in a group of their own.
void add_metrics_flags(FlagSet& flags, MetricsFlags& to);

/// --idle, in the same group.
void add_idle_flag(FlagSet& flags, MetricsFlags& to);

/// The length of --idle; nothing where it was not typed. Throws Error{usage}.
std::optional<std::chrono::seconds> idle_of(const MetricsFlags& flags);

/// What is asked of live use. Reads the file of --prometheus-token-file and the variables
/// KUBECTL_GPU_PROMETHEUS_URL and KUBECTL_GPU_PROMETHEUS_TOKEN. Throws Error{usage} for what is out
/// of range or does not go together.
kube::MetricsNeeds metrics_needs(const MetricsFlags& flags, MetricsOrigin origin,
                                 const Environment& environment);

}  // namespace gpu::cmd
