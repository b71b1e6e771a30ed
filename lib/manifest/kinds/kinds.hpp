#pragma once

#include "manifest/kinds/kind.hpp"

namespace gpu::manifest {

extern const GenKind kAlertsKind;
extern const GenKind kDashboardKind;
extern const GenKind kDeploymentKind;
extern const GenKind kInferenceServiceKind;
extern const GenKind kJobKind;
extern const GenKind kJobSetKind;
extern const GenKind kJupyterHubKind;
extern const GenKind kLeaderWorkerSetKind;
extern const GenKind kLimitRangeKind;
extern const GenKind kMPIJobKind;
extern const GenKind kMigConfigKind;
extern const GenKind kNodePoolKind;
extern const GenKind kNotebookKind;
extern const GenKind kPdbKind;
extern const GenKind kPodKind;
extern const GenKind kPriorityClassKind;
extern const GenKind kPvcKind;
extern const GenKind kPyTorchJobKind;
extern const GenKind kQueueKind;
extern const GenKind kQuotaKind;
extern const GenKind kRayClusterKind;
extern const GenKind kRayJobKind;
extern const GenKind kRayServiceKind;
extern const GenKind kResourceClaimKind;
extern const GenKind kServiceMonitorKind;
extern const GenKind kTFJobKind;
extern const GenKind kTimeSlicingKind;
extern const GenKind kTrainJobKind;

}  // namespace gpu::manifest
