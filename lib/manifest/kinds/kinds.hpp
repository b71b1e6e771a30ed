#pragma once

#include "manifest/kinds/kind.hpp"

namespace gpu::manifest {

extern const GenKind kAlertsKind;
extern const GenKind kDashboardKind;
extern const GenKind kDeploymentKind;
extern const GenKind kInferenceServiceKind;
extern const GenKind kJobKind;
extern const GenKind kJupyterHubKind;
extern const GenKind kNotebookKind;
extern const GenKind kServiceMonitorKind;

}  // namespace gpu::manifest
