// Package scheduler asks kube-scheduler's own code, in this process and over made-up objects, what
// it thinks of one pod.
package scheduler

import (
	"context"
	"fmt"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
)

// Answer is the outcome of one scheduling cycle.
type Answer struct {
	// Node is where the pod would be bound; empty when it fits nowhere.
	Node string `json:"node,omitempty"`
	// Reason and Message are those of the PodScheduled condition.
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// Nominated is the node on which preemption makes room.
	Nominated string `json:"nominated,omitempty"`
	// Feasible is on how many nodes the pod fits.
	Feasible int `json:"feasible,omitempty"`
	// Nodes are the reasons of each node whose filters were asked, when the pod fits nowhere.
	Nodes map[string][]string `json:"nodes,omitempty"`
	// Queue says why the pod never gets a cycle: a PreEnqueue plugin and its words.
	Queue string `json:"queue,omitempty"`
}

// patience is how long one cycle may take: nothing in it waits for anybody.
const patience = 60 * time.Second

// Judge runs one scheduling cycle of the default profile for the pod, over these objects. Each
// call has a scheduler of its own.
func Judge(ctx context.Context, objects []runtime.Object, namespace, name string) (Answer, error) {
	ctx, cancel := context.WithTimeout(klog.NewContext(ctx, klog.Logger{}), patience)
	defer cancel()
	pod, seen := watched(objects, namespace, name)
	if pod == nil {
		return Answer{}, fmt.Errorf("no pod %s/%s", namespace, name)
	}
	client := fake.NewSimpleClientset(seen...)
	factory := scheduler.NewInformerFactory(client, 0)
	made, err := scheduler.New(ctx, client, factory, nil, recorder)
	if err != nil {
		return Answer{}, err
	}
	defer made.SchedulingQueue.Close()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	if err := made.WaitForHandlersSync(ctx); err != nil {
		return Answer{}, err
	}
	profile := made.Profiles[pod.Spec.SchedulerName]
	if profile == nil {
		return Answer{}, fmt.Errorf("no scheduler %q", pod.Spec.SchedulerName)
	}
	for _, plugin := range profile.PreEnqueuePlugins() {
		if status := plugin.PreEnqueue(ctx, pod); !status.IsSuccess() {
			return Answer{Queue: plugin.Name() + ": " + status.Message()}, nil
		}
	}
	return cycle(ctx, made, pod)
}

// watched are the objects that the scheduler's informers bring: no finished pods. The fake
// clientset does not look at field selectors.
func watched(objects []runtime.Object, namespace, name string) (*core.Pod, []runtime.Object) {
	var found *core.Pod
	kept := make([]runtime.Object, 0, len(objects))
	for _, object := range objects {
		if pod, is := object.(*core.Pod); is {
			if pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed {
				continue
			}
			if pod.Namespace == namespace && pod.Name == name {
				found = pod
			}
		}
		// Some code of the scheduler reads it as a number.
		if accessor, err := meta.Accessor(object); err == nil && accessor.GetResourceVersion() == "" {
			accessor.SetResourceVersion("1")
		}
		kept = append(kept, object)
	}
	return found, kept
}
