package cost

import (
	"context"
	"fmt"
	"testing"
	"time"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-gpu/tests/controlplane/internal/cluster"
	"kubectl-gpu/tests/controlplane/internal/scenario"
)

const behaviour = "kubectl-gpu.test/behaviour"

// scene is a Job in a namespace of its own, and what became of its pods.
type scene struct {
	t    *testing.T
	name string // of the Job and of the namespace
	job  *batch.Job
	gone []span // what deleted pods held, by the API server's own times
}

// newScene creates the Job. Its pods run until the test says otherwise.
func newScene(t *testing.T, name, node string, gpus int64, change func(*batch.Job)) *scene {
	t.Helper()
	if err := scenario.CreateNamespace(t.Context(), client, name); err != nil {
		t.Fatal(err)
	}
	job := &batch.Job{ObjectMeta: v1.ObjectMeta{Name: name, Namespace: name}, Spec: batch.JobSpec{Template: core.PodTemplateSpec{
		ObjectMeta: v1.ObjectMeta{Annotations: map[string]string{behaviour: "run"}},
		Spec: core.PodSpec{RestartPolicy: core.RestartPolicyNever, NodeSelector: map[string]string{poolLabel: node},
			Containers: []core.Container{container("main", gpus)}}}}}
	if change != nil {
		change(job)
	}
	made, err := client.BatchV1().Jobs(name).Create(t.Context(), job, v1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &scene{t: t, name: name, job: made}
}

func container(name string, gpus int64) core.Container {
	made := core.Container{Name: name, Image: "none"}
	if gpus > 0 {
		made.Resources.Limits = core.ResourceList{"nvidia.com/gpu": *resource.NewQuantity(gpus, resource.DecimalSI)}
	}
	return made
}

func (s *scene) pods() []core.Pod {
	s.t.Helper()
	list, err := client.CoreV1().Pods(s.name).List(s.t.Context(), v1.ListOptions{LabelSelector: "batch.kubernetes.io/job-name=" + s.name})
	if err != nil {
		s.t.Fatal(err)
	}
	return list.Items
}

// wait waits until so many pods are as they shall be, and returns these.
func (s *scene) wait(what string, count int, is func(*core.Pod) bool) []core.Pod {
	s.t.Helper()
	var found []core.Pod
	err := cluster.Poll(s.t.Context(), time.Minute, what, func(context.Context) (bool, error) {
		found = nil
		all := s.pods()
		for i := range all {
			if is(&all[i]) {
				found = append(found, all[i])
			}
		}
		if len(found) != count {
			return false, fmt.Errorf("%d pods, want %d", len(found), count)
		}
		return true, nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

func isRunning(pod *core.Pod) bool {
	return pod.Status.Phase == core.PodRunning && pod.DeletionTimestamp == nil
}

func isFinished(pod *core.Pod) bool {
	return pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed
}

func isBound(pod *core.Pod) bool { return pod.Spec.NodeName != "" }

// running waits for so many pods that run, and lets them do so for a while.
func (s *scene) running(count int) []core.Pod {
	s.t.Helper()
	s.wait("running pods", count, isRunning)
	time.Sleep(2500 * time.Millisecond)
	return s.wait("running pods", count, isRunning)
}

// end has KWOK end a pod: "succeed" or "fail".
func (s *scene) end(pod *core.Pod, how string) {
	s.t.Helper()
	patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, behaviour, how)
	_, err := client.CoreV1().Pods(s.name).Patch(s.t.Context(), pod.Name, types.MergePatchType, []byte(patch), v1.PatchOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	s.wait("the pod's end", 1, func(each *core.Pod) bool { return each.UID == pod.UID && isFinished(each) })
}

// remove deletes pods that run, whatever their Job thinks of that.
func (s *scene) remove(pods ...core.Pod) {
	s.t.Helper()
	now := int64(0)
	for i := range pods {
		if err := client.CoreV1().Pods(s.name).Delete(s.t.Context(), pods[i].Name, v1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
			s.t.Fatal(err)
		}
	}
	s.goes(pods...)
}

// goes waits until these pods are no more, and notes what they held.
func (s *scene) goes(pods ...core.Pod) {
	s.t.Helper()
	for i := range pods {
		s.wait("the pod gone", 0, func(each *core.Pod) bool { return each.UID == pods[i].UID })
		held := heldBy(&pods[i], time.Now(), time.Now())
		held.count = 2 // what is said of it is an estimate: as long as the others
		s.gone = append(s.gone, held)
	}
}

// until waits until the Job's status is as it shall be.
func (s *scene) until(what string, is func(*batch.Job) bool) *batch.Job {
	s.t.Helper()
	var job *batch.Job
	err := cluster.Poll(s.t.Context(), time.Minute, what, func(ctx context.Context) (bool, error) {
		var err error
		job, err = client.BatchV1().Jobs(s.name).Get(ctx, s.name, v1.GetOptions{})
		return err == nil && is(job), err
	})
	if err != nil {
		s.t.Fatalf("%v: %+v", err, job.Status)
	}
	return job
}

func has(kind batch.JobConditionType) func(*batch.Job) bool {
	return func(job *batch.Job) bool {
		for _, each := range job.Status.Conditions {
			if each.Type == kind && each.Status == core.ConditionTrue {
				return true
			}
		}
		return false
	}
}

// span is a sum of lengths of time that is known to lie between two, in seconds.
type span struct {
	least, most float64
	count       float64 // of lengths
}

func (s span) plus(other span) span {
	return span{s.least + other.least, s.most + other.most, s.count + other.count}
}

// holds tells whether the seconds are right, each length to the second.
func (s span) holds(seconds float64) bool {
	return seconds >= s.least-s.count && seconds <= s.most+s.count
}

// heldBy is how long a pod has held its GPUs, by what the API server says; of one that goes on, at a time
// between the two.
func heldBy(pod *core.Pod, from, to time.Time) span {
	var since, until time.Time
	for _, each := range pod.Status.Conditions {
		if each.Type == core.PodScheduled && each.Status == core.ConditionTrue {
			since = each.LastTransitionTime.Time
		}
	}
	if since.IsZero() {
		return span{}
	}
	if isFinished(pod) {
		for _, each := range pod.Status.ContainerStatuses {
			if ended := each.State.Terminated; ended != nil && ended.FinishedAt.After(until) {
				until = ended.FinishedAt.Time
			}
		}
		from, to = until, until
	}
	return span{from.Sub(since).Seconds(), to.Sub(since).Seconds(), 1}
}
