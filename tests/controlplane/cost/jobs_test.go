package cost

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-gpu/tests/controlplane/internal/cluster"
)

// What an hour of one GPU costs on the nodes of main_test.go.
const (
	h100 = 55.04 / 8
	t4   = 0.526
	spot = 23.4532 / 8
)

// played is a Job, what happens to it, and what has to be said of it then.
type played struct {
	node     string // whose pool; empty: jobs
	price    float64
	gpus     int64 // of each pod
	change   func(*batch.Job)
	play     func(*scene)
	evidence string
	missing  int64
	pods     int // still listed
	now      int // of these, those that hold GPUs
	isIdle   bool
	failed   bool // some pods, whose work is lost
	unpriced bool // nobody knows a price of the node, or on which it was
}

var jobs = map[string]played{
	"completes": {gpus: 2, play: completes, evidence: "exact", pods: 1},
	"on-t4":     {node: "paid-t4", price: t4, gpus: 1, play: completes, evidence: "exact", pods: 1},
	"on-spot":   {node: "paid-spot", price: spot, gpus: 4, play: completes, evidence: "exact", pods: 1},
	"unpriced":  {node: "paid-unknown", unpriced: true, gpus: 1, play: completes, evidence: "exact", pods: 1},
	"retried": {gpus: 2, change: func(job *batch.Job) { job.Spec.BackoffLimit = number(3) }, play: retries,
		evidence: "exact", pods: 2, failed: true},
	"deadline": {gpus: 1, change: func(job *batch.Job) { seconds := int64(4); job.Spec.ActiveDeadlineSeconds = &seconds },
		play: meetsDeadline, evidence: "estimated", missing: 1, unpriced: true},
	"sidecar": {gpus: 1, change: addSidecar, play: gpuEndsFirst, evidence: "exact", pods: 1},
	"crashes": {gpus: 1, change: behaves("crash"), play: func(s *scene) { s.wait("crash", 1, restarts) }, evidence: "exact",
		pods: 1, now: 1, isIdle: true},
	"pulls": {gpus: 2, change: behaves("image-pull"), play: func(s *scene) { s.wait("pull", 1, isBound); time.Sleep(2 * time.Second) },
		evidence: "exact", pods: 1, now: 1, isIdle: true},
	"three":         {gpus: 1, change: inParallel(3), play: func(s *scene) { s.running(3) }, evidence: "exact", pods: 3, now: 3},
	"three-one-end": {gpus: 1, change: inParallel(3), play: func(s *scene) { s.end(&s.running(3)[0], "succeed") }, evidence: "exact", pods: 3, now: 2},
	"deleted":       {gpus: 1, play: isDeleted, evidence: "estimated", missing: 1, pods: 1},
	"suspended": {gpus: 1, change: func(job *batch.Job) { job.Spec.Suspend = yes() }, play: func(s *scene) { s.until("suspended", has(batch.JobSuspended)) },
		evidence: "exact"},
}

func number(value int32) *int32 { return &value }

func yes() *bool { value := true; return &value }

func behaves(how string) func(*batch.Job) {
	return func(job *batch.Job) { job.Spec.Template.Annotations[behaviour] = how }
}

func inParallel(count int32) func(*batch.Job) {
	return func(job *batch.Job) { job.Spec.Parallelism, job.Spec.Completions = &count, &count }
}

func addSidecar(job *batch.Job) {
	containers := &job.Spec.Template.Spec.Containers
	*containers = append(*containers, container("logs", 0))
}

func restarts(pod *core.Pod) bool {
	return len(pod.Status.ContainerStatuses) == 1 && pod.Status.ContainerStatuses[0].RestartCount > 0
}

func completes(s *scene) {
	s.end(&s.running(1)[0], "succeed")
	s.until("complete", has(batch.JobComplete))
}

func retries(s *scene) {
	s.end(&s.running(1)[0], "fail")
	s.end(&s.running(1)[0], "succeed")
	s.until("complete", has(batch.JobComplete))
}

func meetsDeadline(s *scene) {
	s.goes(s.wait("running pods", 1, isRunning)...)
	s.until("failed", has(batch.JobFailed))
}

func isDeleted(s *scene) {
	s.remove(s.running(1)...)
	s.end(&s.running(1)[0], "succeed")
	s.until("complete", has(batch.JobComplete))
}

// gpuEndsFirst ends the container with the GPU, and the other one three seconds later.
func gpuEndsFirst(s *scene) {
	pod := s.running(1)[0]
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		began := status.State.Running.StartedAt
		status.Ready = false
		status.State = core.ContainerState{Terminated: &core.ContainerStateTerminated{StartedAt: began, FinishedAt: v1.Now(), Reason: "Completed"}}
		if i == len(pod.Status.ContainerStatuses)-1 {
			pod.Status.Phase = core.PodSucceeded
		}
		s.writeStatus(&pod)
		time.Sleep(3 * time.Second)
	}
	s.until("complete", has(batch.JobComplete))
}

func (s *scene) writeStatus(pod *core.Pod) {
	s.t.Helper()
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"phase": pod.Status.Phase, "containerStatuses": pod.Status.ContainerStatuses}})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := client.CoreV1().Pods(s.name).Patch(s.t.Context(), pod.Name, types.MergePatchType, patch, v1.PatchOptions{}, "status"); err != nil {
		s.t.Fatal(err)
	}
}

// TestJobs: the real Job controller runs all of these, at the same time.
func TestJobs(t *testing.T) {
	for name, want := range jobs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if want.node == "" {
				want.node, want.price = "jobs", h100
			}
			s := newScene(t, "job-"+name, want.node, want.gpus, want.change)
			want.play(s)
			want.check(s)
		})
	}
}

// seen is what the API server says, and what our program said at the same time.
type seen struct {
	pods           []core.Pod
	jobs, of, hold list
	from, to       time.Time
}

func (s *scene) look() seen {
	s.t.Helper()
	look := seen{from: time.Now()}
	look.jobs = ask(s.t, cluster.Ordinary, "jobs", "-n", s.name)
	look.of = ask(s.t, cluster.Ordinary, "job/"+s.name, "-n", s.name)
	look.hold = ask(s.t, cluster.Ordinary, "pods", "-n", s.name)
	look.to = time.Now()
	look.pods = s.pods()
	return look
}

func (p played) check(s *scene) {
	s.t.Helper()
	look := s.look()
	if len(look.pods) != p.pods {
		s.t.Fatalf("%d pods are listed, want %d", len(look.pods), p.pods)
	}
	all := span{}
	for i := range look.pods {
		all = all.plus(heldBy(&look.pods[i], look.from, look.to))
	}
	p.checkRow(s, look.jobs.one(s.t, s.name, s.name), all)
	p.checkPods(s, look)
	for _, each := range []list{look.jobs, look.of, look.hold} {
		checkIdentity(s.t, each.Summary)
	}
}

// checkRow: the row of `cost jobs`. Pods that are gone count like those that are seen.
func (p played) checkRow(s *scene, row item, all span) {
	s.t.Helper()
	for _, each := range s.gone {
		all = all.plus(each)
	}
	if row.Evidence != p.evidence || row.Missing != p.missing {
		s.t.Errorf("evidence %s, %d pods missing; want %s, %d", row.Evidence, row.Missing, p.evidence, p.missing)
	}
	if row.Held == nil || !all.holds(float64(*row.Held)) {
		s.t.Errorf("held for %v s, the API server says %+v", value(row.Held), all)
	}
	if row.Pods != int64(p.now) || row.Pods+row.FinishedPods != int64(p.pods) {
		s.t.Errorf("%d pods hold GPUs and %d did, want %d of %d", row.Pods, row.FinishedPods, p.now, p.pods)
	}
	p.checkMoney(s, row)
	if (value(row.Lost) > 0) != p.failed {
		s.t.Errorf("%v $ are lost", value(row.Lost))
	}
	s.t.Logf("held %d s of %.1f to %.1f, %.6f GPU hours, %.6f $, %s", value(row.Held), all.least, all.most,
		value(row.GPUHours), value(row.Total), row.Evidence)
}

// checkMoney: GPU hours are time times GPUs, and the total is these times the price of one.
func (p played) checkMoney(s *scene, row item) {
	s.t.Helper()
	hours := float64(value(row.Held)*p.gpus) / 3600
	if row.GPUHours == nil || math.Abs(*row.GPUHours-hours) > 1e-5 {
		s.t.Errorf("%s: %v GPU hours, want %f", value(row.Name), value(row.GPUHours), hours)
	}
	if p.unpriced {
		if row.Total != nil || row.Hour != nil && row.Pods > 0 {
			s.t.Errorf("%s costs %v, though nobody knows a price", value(row.Name), value(row.Total))
		}
		return
	}
	if row.Total == nil || math.Abs(*row.Total-hours*p.price) > 1e-4 {
		s.t.Errorf("%s: %v $, want %f", value(row.Name), value(row.Total), hours*p.price)
	}
}

// checkPods: `cost job/NAME` shows all pods of the Job, and `cost pods` those that hold GPUs now.
func (p played) checkPods(s *scene, look seen) {
	s.t.Helper()
	for i := range look.pods {
		pod := &look.pods[i]
		p.checkPod(s, look.of.one(s.t, s.name, pod.Name), pod, look)
		if !isFinished(pod) {
			p.checkPod(s, look.hold.one(s.t, s.name, pod.Name), pod, look)
		}
	}
	if len(look.hold.Items) != p.now {
		s.t.Errorf("%d pods hold GPUs, want %d", len(look.hold.Items), p.now)
	}
	if p.pods == 0 {
		p.checkRow(s, look.of.one(s.t, s.name, s.name), span{})
	}
	if p.pods > 0 && len(look.of.Items) != p.pods {
		s.t.Errorf("the Job has %d pods, want %d", len(look.of.Items), p.pods)
	}
}

func (p played) checkPod(s *scene, row item, pod *core.Pod, look seen) {
	s.t.Helper()
	held := heldBy(pod, look.from, look.to)
	if row.Held == nil || !held.holds(float64(*row.Held)) {
		s.t.Errorf("pod %s: held for %v s, the API server says %+v", pod.Name, value(row.Held), held)
	}
	if row.Owner == nil || *row.Owner != (owner{"Job", s.name}) {
		s.t.Errorf("pod %s is of %v", pod.Name, row.Owner)
	}
	p.checkMoney(s, row)
	if isFinished(pod) {
		return
	}
	if want := float64(p.gpus) * p.price; row.Hour == nil || !near(*row.Hour, want) {
		s.t.Errorf("pod %s: %v $/h, want %f", pod.Name, value(row.Hour), want)
	}
	if p.isIdle && (!near(value(row.Idle), value(row.Hour)) || value(row.Unknown) != 0) {
		s.t.Errorf("pod %s: %v of %v $/h idle", pod.Name, value(row.Idle), value(row.Hour))
	}
	if !p.isIdle && !near(value(row.Unknown), value(row.Hour)) {
		s.t.Errorf("pod %s: its use is unknown, and %v of %v $/h are", pod.Name, value(row.Unknown), value(row.Hour))
	}
}

// A pod that waits has held nothing, and neither has its Job.
func TestWaitingPod(t *testing.T) {
	s := newScene(t, "job-waits", "jobs", 64, nil)
	s.wait("the pod refused", 1, func(pod *core.Pod) bool { return len(pod.Status.Conditions) > 0 })
	row := ask(t, cluster.Ordinary, "jobs", "-n", s.name).one(t, s.name, s.name)
	if row.Evidence != "exact" || row.Held == nil || *row.Held != 0 || row.Total == nil || *row.Total != 0 || row.Missing != 0 {
		t.Errorf("%+v", row)
	}
	if rows := ask(t, cluster.Ordinary, "pods", "-n", s.name).Items; len(rows) != 0 {
		t.Errorf("%d pods hold GPUs", len(rows))
	}
}

// A Job that was suspended while its pod ran has held GPUs, and counts the pod nowhere: what is seen is the
// least of it.
func TestSuspendedLater(t *testing.T) {
	s := newScene(t, "job-suspended-later", "jobs", 1, nil)
	pod := s.running(1)[0]
	must(t, "patch", "job", "-n", s.name, s.name, "-p", `{"spec":{"suspend":true}}`)
	s.goes(pod)
	job := s.until("suspended", has(batch.JobSuspended))
	row := ask(t, cluster.Ordinary, "jobs", "-n", s.name).one(t, s.name, s.name)
	t.Logf("generation %d; %s, %d s", job.Generation, row.Evidence, value(row.Held))
	if row.Evidence != "lowerBound" {
		t.Errorf("%s, though the pod held %+v", row.Evidence, s.gone[0])
	}
}

// A Job that its TTL has removed has left nothing: that is no 0, and no mistake of who asks.
func TestRemovedByTTL(t *testing.T) {
	s := newScene(t, "job-ttl", "jobs", 1, func(job *batch.Job) { job.Spec.TTLSecondsAfterFinished = number(1) })
	s.end(&s.running(1)[0], "succeed")
	s.wait("the pods gone", 0, func(*core.Pod) bool { return true })
	said := run(t, cluster.Ordinary, "job/job-ttl", "-n", "job-ttl", "-o", "json")
	if said.code != 0 {
		t.Fatalf("exit code %d: %s", said.code, said.stderr)
	}
	row := decode(t, said.stdout).one(t, "job-ttl", "job-ttl")
	if row.Evidence != "noRecord" || row.Total != nil || row.GPUHours != nil || row.Held != nil {
		t.Errorf("%+v", row)
	}
	if rows := ask(t, cluster.Ordinary, "jobs", "-n", "job-ttl").Items; len(rows) != 0 {
		t.Errorf("%d Jobs are left", len(rows))
	}
}
