package scheduler

import (
	"context"
	"errors"
	"fmt"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// cycle lets the scheduler pop the pod from its queue, whatever else waits there.
func cycle(ctx context.Context, made *scheduler.Scheduler, pod *core.Pod) (Answer, error) {
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return Answer{}, err
	}
	made.NextPod = func(klog.Logger) (*framework.QueuedPodInfo, error) {
		return &framework.QueuedPodInfo{PodInfo: info}, nil
	}
	var answer Answer // what the search for a node found
	inner := made.SchedulePod
	made.SchedulePod = func(ctx context.Context, profile framework.Framework, state cycleState, asked searched) (scheduler.ScheduleResult, error) {
		result, err := inner(ctx, profile, state, asked)
		answer.Node, answer.Feasible = result.SuggestedHost, result.FeasibleNodes
		if fit := (*framework.FitError)(nil); errors.As(err, &fit) {
			answer.Nodes = reasonsOf(fit)
		}
		return result, err
	}
	// A cycle that goes well goes on to bind, in another goroutine, and what becomes of that is of
	// no interest: only a failure before ScheduleOne returns is one of the cycle.
	during := make(chan Answer, 2)
	made.FailureHandler = func(_ context.Context, _ framework.Framework, _ *framework.QueuedPodInfo, failed *status, nominating *nominatingInfo, _ time.Time) {
		failure := Answer{Reason: core.PodReasonSchedulerError, Message: failed.Message()}
		if failed.IsRejected() {
			failure.Reason = core.PodReasonUnschedulable
		}
		if nominating != nil {
			failure.Nominated = nominating.NominatedNodeName
		}
		select {
		case during <- failure:
		default:
		}
	}
	made.ScheduleOne(ctx)
	select {
	case failure := <-during:
		if answer.Node == "" || ctx.Err() == nil {
			failure.Nodes = answer.Nodes
			return failure, ctx.Err()
		}
	default:
	}
	if answer.Node == "" {
		return Answer{}, fmt.Errorf("the scheduler skipped pod %s/%s", pod.Namespace, pod.Name)
	}
	return answer, ctx.Err()
}
