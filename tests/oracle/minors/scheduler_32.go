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
	fit.Diagnosis.NodeToStatus.ForEachExplicitNode(func(node string, status *framework.Status) {
		reasons[node] = status.Reasons()
	})
	return reasons
}
