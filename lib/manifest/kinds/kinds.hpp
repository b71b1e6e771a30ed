#pragma once

#include "manifest/kinds/kind.hpp"

namespace gpu::manifest {

extern const GenKind kDeploymentKind;
extern const GenKind kInferenceServiceKind;
extern const GenKind kJobKind;
extern const GenKind kJobSetKind;
extern const GenKind kLeaderWorkerSetKind;
extern const GenKind kMPIJobKind;
extern const GenKind kNotebookKind;
extern const GenKind kPyTorchJobKind;
extern const GenKind kTFJobKind;
extern const GenKind kTrainJobKind;

}  // namespace gpu::manifest
