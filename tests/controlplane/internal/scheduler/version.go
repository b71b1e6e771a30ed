package scheduler

import (
	"k8s.io/client-go/tools/events"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Version is that of the scheduler in this module. What differs between the code of minors stands
// in this file; tests/oracle/minors has those of others.
const Version = "v1.36.1"

type (
	cycleState     = fwk.CycleState
	status         = fwk.Status
	nominatingInfo = fwk.NominatingInfo
	searched       = *framework.QueuedPodInfo
)

// recorder forgets events.
func recorder(string) events.EventRecorderLogger { return &events.FakeRecorder{} }

func reasonsOf(fit *framework.FitError) map[string][]string {
	reasons := map[string][]string{}
	fit.Diagnosis.NodeToStatus.ForEachExplicitNode(func(node string, status *fwk.Status) {
		reasons[node] = status.Reasons()
	})
	return reasons
}
