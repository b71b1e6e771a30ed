package scheduler

import (
	core "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

type (
	cycleState     = *framework.CycleState
	status         = framework.Status
	nominatingInfo = framework.NominatingInfo
	searched       = *core.Pod
)

// recorder forgets events.
func recorder(string) events.EventRecorder { return &events.FakeRecorder{} }

func reasonsOf(fit *framework.FitError) map[string][]string {
	reasons := map[string][]string{}
	// They are then those of the pod, given to each node.
	if fit.Diagnosis.PreFilterMsg != "" {
		return reasons
	}
	for node, status := range fit.Diagnosis.NodeToStatusMap {
		reasons[node] = status.Reasons()
	}
	return reasons
}
