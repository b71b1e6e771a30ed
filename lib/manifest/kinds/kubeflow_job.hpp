#pragma once

#include <cstdint>
#include <string_view>

#include "manifest/fit/request.hpp"
#include "manifest/tree/tree.hpp"

namespace gpu::manifest {

/// How often a job of Kubeflow may fail, and why so.
struct Failures {
  std::int64_t backoff_limit = 0;
  Why why;
};

/// runPolicy of a PyTorchJob, TFJob or MPIJob: what becomes of pods that still run at its end, how
/// long it may run (--deadline), how long it is kept (--ttl), and how often it may fail.
Tree run_policy(const GenOptions& options, Why why_clean, const Failures& failures);

/// The same of a job of training-operator v1, in which no failure is retried.
Tree run_policy_v1(const GenOptions& options);

/// One type of replicas of training-operator v1.
Tree replicas_v1(std::int64_t count, Tree pod_template);

/// What selects all pods of a job of training-operator v1.
Tree job_name_label(const GenOptions& options);

/// Says of --queue what Kueue needs for a kind that it leaves alone unless told.
void note_queue(GenRequest& request, std::string_view kind);

}  // namespace gpu::manifest
