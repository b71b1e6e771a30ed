package scheduler

import (
	core "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

type (
	cycleState     = fwk.CycleState
	status         = fwk.Status
	nominatingInfo = framework.NominatingInfo
	searched       = *core.Pod
)

// recorder forgets events.
func recorder(string) events.EventRecorder { return &events.FakeRecorder{} }

func reasonsOf(fit *framework.FitError) map[string][]string {
	reasons := map[string][]string{}
	fit.Diagnosis.NodeToStatus.ForEachExplicitNode(func(node string, status *fwk.Status) {
		reasons[node] = status.Reasons()
	})
	return reasons
}
