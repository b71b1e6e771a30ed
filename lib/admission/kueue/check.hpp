#pragma once

#include <string>

#include "admission/kueue/workload.hpp"

namespace gpu::admission {

/// Of a Workload that has quota and is not admitted: which admission check it waits for, or which
/// one says no.
QueueHold unchecked(const QueuedWorkload& workload);

/// The admission check that rejected a Workload, also before Kueue evicted it for that; null where
/// none did.
const AdmissionCheck* rejecting_check(const QueuedWorkload& workload);

/// Who runs an admission check: a command that tells.
diagnose::Advice advice_to_ask(const AdmissionCheck& check);

}  // namespace gpu::admission
